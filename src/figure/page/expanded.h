/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "figure/page/chart.h"
#include "figure/page/expanded-private.h"
#include "figure/paint/paint.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

HeddleExpandedColumn *heddle_expanded_get_column (const HeddleExpanded *self, guint i);
const HeddleBuffer *heddle_expanded_get_buffer (const HeddleExpanded *self, guint i);
HeddleStroke heddle_expanded_stroke_of (const HeddleExpanded *self, const char *level);
void heddle_expanded_paint_line (
    HeddleExpanded *self, const HeddleStroke *stroke, double x1, double y1, double x2, double y2);
/* The loop program of each kernel, its columns expanded: what is held, worked out and moved, before, in each step and after. */
HeddleScene *heddle_chart_render_expanded (const HeddleChart *self);

G_END_DECLS
