/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/picture/svg-private.h"

/* Writes all items of the scene in order; those that follow one another and look alike are a group. */
void heddle_svg_write_items (HeddleSvgWriter *self);
