/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/page/chart.h"
#include "figure/paint/paint.h"

G_BEGIN_DECLS

/* 240 by 150 points in print, texts of 7.5 points. */
#define HEDDLE_ROOFLINE_WIDTH 480.
#define HEDDLE_ROOFLINE_HEIGHT 300.
#define HEDDLE_ROOFLINE_TEXT 15.
#define HEDDLE_ROOFLINE_GAP 4.

typedef enum
{
  HEDDLE_MARK_KERNEL, /* a filled circle */
  HEDDLE_MARK_APART, /* a ring */
  HEDDLE_MARK_MEASURED, /* a diamond on a bar from the least to the most */
} HeddleMarkKind;

typedef struct
{
  HeddleMarkKind kind;
  double intensity, rate;
  double least, most; /* rates; of what was measured */
  char *name;
} HeddleRooflineMark;

typedef struct
{
  double x, y, width, height;
} HeddleRooflineBox;

typedef struct
{
  HeddlePainter painter;
  const HeddleChart *chart;
  GPtrArray *roofs; /* of HeddleRoof */
  GArray *marks; /* of HeddleRooflineMark */
  GArray *boxes; /* of HeddleRooflineBox: texts keep off them */
  double x0, x1, y0, y1; /* the window: log10 of FLOP/byte and of FLOP/s */
} HeddleRooflinePlot;

double heddle_roofline_plot_x (const HeddleRooflinePlot *self, double intensity);
double heddle_roofline_plot_y (const HeddleRooflinePlot *self, double rate);
double heddle_roofline_plot_text_width (const char *text);
/* In the first of the places, by their top left corners, where it covers nothing; in the first of all where there is none. */
void heddle_roofline_plot_paint_text (
    HeddleRooflinePlot *self, const char *text, const double (*places)[2], guint n_places);

/* roofline-marks.c: kernels, the same apart, steps on the way, and what was measured. */
GArray *heddle_roofline_marks_new (const HeddleChart *chart);
void heddle_roofline_plot_paint_steps (HeddleRooflinePlot *self);
void heddle_roofline_plot_paint_marks (HeddleRooflinePlot *self);
void heddle_roofline_plot_paint_mark_titles (HeddleRooflinePlot *self);

G_END_DECLS
