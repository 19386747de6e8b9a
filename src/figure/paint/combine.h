/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

/* Painting of the nodes that combine arrays: concatenations, scans, selections and gathers. */

/* Paints the glyph of a concatenation, a scan, a selection or a gather, with its wires. */
void heddle_paint_combine (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);
