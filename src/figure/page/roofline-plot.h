/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/page/chart.h"
#include "figure/page/roofline-private.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

double heddle_roofline_plot_x (const HeddleRooflinePlot *self, double intensity);
double heddle_roofline_plot_y (const HeddleRooflinePlot *self, double rate);
double heddle_roofline_plot_text_width (const char *text);
/* In the first of the places, by their top left corners, where it covers nothing; in the first of all where there is none. */
void heddle_roofline_plot_paint_text (
    HeddleRooflinePlot *self, const char *text, const double (*places)[2], guint n_places);
/* The roofline model (Williams, Waterman & Patterson, 2009), both axes logarithmic: a slope for each memory, a ceiling for each unit, a point for each
 * kernel at its FLOP per byte moved into the labelled level and its FLOP/s at the expected time, a diamond for each measurement with a bar from
 * its least to its most. %NULL: the machine has no rates. */
HeddleScene *heddle_chart_render_roofline (const HeddleChart *self);

G_END_DECLS
