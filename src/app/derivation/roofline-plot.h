/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/kernel-times.h"
#include "derive/report/roofline.h"

typedef enum
{
  HEDDLE_PLOT_NOW, /* a filled accent point */
  HEDDLE_PLOT_BEFORE, /* a dashed grey ring */
  HEDDLE_PLOT_SUGGESTED, /* a green ring */
  HEDDLE_N_PLOT_POINTS,
} HeddlePlotKind;

/* A plot point is a point of the roofline with the two lines of text beside it. */
typedef struct
{
  gboolean shown;
  HeddleRooflinePoint at;
  char *title, *text;
} HeddlePlotPoint;

/* A roofline chart as it is drawn: the window of it (log2 of FLOP/byte, log10 of FLOP/s), its place, and what is in it. */
typedef struct
{
  GPtrArray *roofs; /* of HeddleRoof; not held */
  const HeddlePlotPoint *points; /* HEDDLE_N_PLOT_POINTS of them; not held */
  const GPtrArray *measured; /* of HeddleBenchResult; not held */
  const GPtrArray *kernels; /* of HeddleKernelTime; not held; or NULL */
  double x0, x1, y0, y1;
  double left, top, width, height;
  double right; /* for the names of ceilings; */
  gboolean inside; /* of a narrow chart they stand on their lines instead */
  double line, tick; /* height of a text, width of a tick: they grow with the texts of the desktop */
  gboolean dark;
  GdkRGBA ink;
} HeddlePlot;

/* Chooses the window so that the roofs' corners and all points are in it; kernels that lie farther off stand at its edge. */
HeddlePlot heddle_plot_make (GtkWidget *widget, GPtrArray *roofs, const HeddlePlotPoint *points,
    const GPtrArray *measured, const GPtrArray *kernels, int width, int height);
/* Draws axes, roofs and points with @cr, in px of @widget. */
void heddle_plot_draw (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr);
/* Gives the intensity and the rate at a place of the widget. */
void heddle_plot_read (const HeddlePlot *self, double x, double y, double *intensity, double *rate);

/* Converts an intensity (FLOP/byte, above 0) to a horizontal place of the widget, px; the axis is
 * logarithmic. */
double heddle_plot_x (const HeddlePlot *self, double intensity);
/* Converts a rate (FLOP/s, above 0) to a vertical place of the widget, px; the axis is logarithmic. */
double heddle_plot_y (const HeddlePlot *self, double rate);
/* Sets the source of @cr to the plot's colour of text, @alpha (0 to 1) as opaque as it is. */
void heddle_plot_set_ink (const HeddlePlot *self, cairo_t *cr, double alpha);
/* Returns a new layout of @text in the font of @widget, @scale times as large; the caller owns it. */
PangoLayout *heddle_plot_new_text (GtkWidget *widget, const char *text, double scale, gboolean bold);

/* The measurement whose mark is at a place of the widget; NULL: none. */
const HeddleBenchResult *heddle_plot_find_measured (const HeddlePlot *self, double x, double y);
/* The kernel whose dot is at a place of the widget; NULL: none. */
const HeddleKernelTime *heddle_plot_find_kernel (const HeddlePlot *self, double x, double y);
