/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

/* Painting of wires: from where they begin through their bends to where they end. */

/* Returns the x in px at which the wires of an input begin, before the labels of their first column. */
double heddle_paint_wire_start (const HeddlePainter *self, const HeddleMember *member);
/* Returns the x in px at which the wires of an output end, after the labels of their last column or, where the line
 * breaks, after its turn. */
double heddle_paint_wire_end (const HeddlePainter *self, const HeddleMember *member);
/* Paints the wires of all members. */
void heddle_paint_wires (HeddlePainter *self);
