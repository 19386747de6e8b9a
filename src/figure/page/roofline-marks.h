/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/page/chart.h"
#include "figure/page/roofline-private.h"

/* Marks are the points of a roofline plot, by FLOP/byte and FLOP/s. */

G_BEGIN_DECLS

/* Returns the points of a roofline plot, of HeddleRooflineMark: kernels, the same apart, and what was measured. The
 * caller owns the array. */
GArray *heddle_roofline_marks_new (const HeddleChart *chart);
/* Paints a circle for each kernel, a ring for the same with a kernel for each statement, and a diamond with a bar
 * from its least to its most for each measurement. */
void heddle_roofline_plot_paint_marks (HeddleRooflinePlot *self);
/* Paints the name of each mark beside it, in the first of six places where it covers nothing. */
void heddle_roofline_plot_paint_mark_titles (HeddleRooflinePlot *self);
/* Paints the way from step to step of the derivation, leaving out steps without a time, and a number at each but the
 * last, which has its own mark. */
void heddle_roofline_plot_paint_steps (HeddleRooflinePlot *self);

G_END_DECLS
