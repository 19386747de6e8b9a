/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/page/chart.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* cost-table.c */
/* "28.8 µs"; newly allocated. */
char *heddle_paint_time_text (double seconds);
/* A table with a row for each kernel: tiles, H in symbols and bytes, M, time and bound; the sum below where there are several. */
HeddleScene *heddle_chart_render_costs (const HeddleChart *self);

G_END_DECLS
