/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* The weaving of contractions decides which of several wires of one axis goes on, and leaves holes where wires end.
 */

/* Finds out which wires of a contraction go on as wires of its result, and puts each operand's wires into the order
 * in which they enter it. */
void heddle_layout_weave_cup (HeddleLayout *self, HeddleFigureNode *node);
