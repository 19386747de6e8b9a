/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "figure/page/chart.h"
#include "figure/page/expanded-private.h"
#include "figure/paint/paint.h"
#include "figure/scene/scene.h"

/* A loop program with its columns expanded, as "FlashAttention on a Napkin" draws algorithms: a line for each array
 * while it is held, in the stroke of its memory, and a column for each statement. */

G_BEGIN_DECLS

/* Returns column @i, which @self owns. */
HeddleExpandedColumn *heddle_expanded_get_column (const HeddleExpanded *self, guint i);
/* Returns buffer @i of the loop program, which the program owns. */
const HeddleBuffer *heddle_expanded_get_buffer (const HeddleExpanded *self, guint i);
/* Returns the stroke of a line that stands for an array held in the memory @level ("smem"); an unknown level has the
 * plain one. */
HeddleStroke heddle_expanded_stroke_of (const HeddleExpanded *self, const char *level);
/* Paints a straight line between two points, in px of the scene, as a wire that stands for nothing. */
void heddle_expanded_paint_line (
    HeddleExpanded *self, const HeddleStroke *stroke, double x1, double y1, double x2, double y2);
/* Returns the loop program of each kernel with its columns expanded: what is held, worked out and moved before, in
 * each step and after. The caller owns the scene. */
HeddleScene *heddle_chart_render_expanded (const HeddleChart *self);

G_END_DECLS
