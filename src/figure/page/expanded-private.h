/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "diagram/graph/diagram.h"
#include "figure/page/chart.h"
#include "figure/paint/paint.h"

/* The loop program of one kernel while it is drawn with its columns expanded. It borrows the chart and the program
 * and owns its columns and rows. Measures are px. */

#define EXPANDED_SIZE 15.
#define EXPANDED_SMALL 12.
#define EXPANDED_ROW 32.
#define EXPANDED_PAD 11. /* within a box */
#define EXPANDED_GAP 20. /* between columns */
#define EXPANDED_HEAD 70. /* above the first row: titles and the table … */
#define EXPANDED_TITLES 22. /* …of which titles take this */
#define EXPANDED_FIGURES 17. /* …and a line of the table */
#define EXPANDED_BOX 28.
#define EXPANDED_LINE_GAP 4. /* from the names of what a line moves to the next line's top */
#define EXPANDED_KERNEL_GAP 20.
#define EXPANDED_BAND 12. /* what a ground goes beyond what is on it */

/* A column is one statement of the loop program, in px. It owns its texts. */
typedef struct
{
  const HeddleNode *node;
  gboolean in_stream;
  char *text; /* in its box */
  double width, x; /* of the box; its middle */
  char *held, *moved; /* above it */
  guint line; /* of those into which the columns are broken */
  gboolean stacked; /* it stands under the one before, as both only set an array to a number */
} HeddleExpandedColumn;

typedef struct
{
  HeddlePainter painter;
  const HeddleChart *chart;
  const HeddleLoopProgram *program;
  HeddleSizes *sizes;
  HeddleLiveness *liveness;
  GArray *columns; /* of HeddleExpandedColumn, in the order of the statements */
  int *rows; /* per buffer; those of one slot have one */
  GArray *shown; /* of int: per row, its place in the line at hand, or -1 where nothing is held in it */
  guint n_rows, n_shown;
  guint first, end; /* columns of the line at hand */
  double x, y; /* of the line's top left corner */
  double head; /* from there to its first row */
  gboolean titled, moves; /* the line at hand has titles; something is loaded or saved in it */
  double right, bottom;
  guint ground, ground_lists; /* items of the scene: where grounds go, and where they are painted */
} HeddleExpanded;
