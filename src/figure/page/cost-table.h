/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/page/chart.h"
#include "figure/scene/scene.h"

/* The table of costs says for each kernel of a derivation what it moves and holds and how long it is expected to
 * take. */

/* Returns a time in the unit that suits it, "28.8 µs"; newly allocated. */
char *heddle_paint_time_text (double seconds);
/* Returns a table with a row for each kernel: tiles, H in symbols and bytes, M, time and bound; where there are
 * several kernels, their sum stands below. The caller owns the scene. */
HeddleScene *heddle_chart_render_costs (const HeddleChart *self);
