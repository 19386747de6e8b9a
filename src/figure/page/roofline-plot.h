/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/page/chart.h"
#include "figure/page/roofline-private.h"
#include "figure/scene/scene.h"

/* A roofline plot with logarithmic axes, HEDDLE_ROOFLINE_WIDTH by HEDDLE_ROOFLINE_HEIGHT px. Texts keep off whatever
 * is recorded as a box. */

G_BEGIN_DECLS

/* Returns the x in px of an @intensity in FLOP/byte, on the logarithmic axis. */
double heddle_roofline_plot_x (const HeddleRooflinePlot *self, double intensity);
/* Returns the y in px of a @rate in FLOP/s, on the logarithmic axis; y grows downwards. */
double heddle_roofline_plot_y (const HeddleRooflinePlot *self, double rate);
/* Returns the width in px of a text in the plot's letters. */
double heddle_roofline_plot_text_width (const char *text);
/* Paints a text in the first of the places, given by their top left corners, where it covers nothing, or in the first
 * of all where there is none such. */
void heddle_roofline_plot_paint_text (
    HeddleRooflinePlot *self, const char *text, const double (*places)[2], guint n_places);
/* Returns the roofline model (Williams, Waterman & Patterson, 2009), both axes logarithmic: a slope for each memory,
 * a ceiling for each unit, a point for each kernel at its FLOP per byte moved into the labelled level and its FLOP/s
 * at the expected time, a diamond for each measurement with a bar from its least to its most. The caller owns the
 * scene; %NULL means that the machine has no rates. */
HeddleScene *heddle_chart_render_roofline (const HeddleChart *self);

/* Marks are the points of a roofline plot, by FLOP/byte and FLOP/s. */

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
