/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/derivation/roofline-plot.h"
#include "derive/report/roofline.h"

G_BEGIN_DECLS

/* The measurement whose mark is at a place of the widget; NULL: none. */
const HeddleBenchResult *heddle_plot_find_measured (const HeddlePlot *self, double x, double y);
/* Draws the points, the paths between them and the newest measurements, with words that avoid one another. */
void heddle_plot_draw_points (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr);

G_END_DECLS
