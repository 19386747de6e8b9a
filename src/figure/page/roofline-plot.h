/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/page/chart.h"
#include "figure/page/roofline-private.h"
#include "figure/scene/scene.h"

/* A roofline plot with logarithmic axes, HEDDLE_ROOFLINE_WIDTH by HEDDLE_ROOFLINE_HEIGHT px. Texts keep off whatever
 * is recorded as a box. */

/* Returns the roofline model (Williams, Waterman & Patterson, 2009), both axes logarithmic: a slope for each memory,
 * a ceiling for each unit, a point for each kernel at its FLOP per byte that crosses the memory which is busy longest, named
 * unless that is global memory, and its FLOP/s at the expected time, a diamond for each measurement with a bar from its least to its most. The caller owns the
 * scene; %NULL means that the machine has no rates. */
HeddleScene *heddle_chart_render_roofline (const HeddleChart *self);

/* Marks are the points of a roofline plot, by FLOP/byte and FLOP/s. */
