/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

/* Painting of reindexings, one glyph for each group of wires. */

/* Paints the glyph of each group of a reindexing, with its wires. */
void heddle_paint_reindex (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke);

/* Paints the grounds of the bars of a view to which a person gave a fill, and none of other reindexings. */
void heddle_paint_view_grounds (HeddlePainter *self, const HeddleFigureNode *node);
