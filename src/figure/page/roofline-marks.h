/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/page/chart.h"
#include "figure/page/roofline-private.h"

G_BEGIN_DECLS

/* roofline-marks.c: kernels, the same apart, steps on the way, and what was measured. */
GArray *heddle_roofline_marks_new (const HeddleChart *chart);
void heddle_roofline_plot_paint_marks (HeddleRooflinePlot *self);
void heddle_roofline_plot_paint_mark_titles (HeddleRooflinePlot *self);
void heddle_roofline_plot_paint_steps (HeddleRooflinePlot *self);

G_END_DECLS
