/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Squeezing makes the lines of a wrapped figure lower where they are empty. */

/* Makes bands of one line's drawing lower, in which @items (HeddleItem) show nothing but bends, sides of boxes and
 * separators, and moves up what is below. */
void heddle_paint_squeeze (const GPtrArray *items);
