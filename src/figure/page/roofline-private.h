/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/page/chart.h"
#include "figure/paint/paint.h"

/* A roofline plot while it is drawn. It borrows the chart and owns its roofs, marks and boxes. Measures are px of the
 * scene. */

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
