/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

/* Painting of constants and units, which have no operands. */

/* Paints the glyph of a constant or a unit, at which wires begin. */
void heddle_paint_source (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);
