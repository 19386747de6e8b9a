/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "diagram/graph/diagram.h"
#include "figure/page/chart.h"
#include "figure/paint/paint.h"

/* The loop program of one kernel while it is drawn with its columns expanded. It borrows the chart and the program
 * and owns its columns and rows. Measures are px. */

G_BEGIN_DECLS

#define EXPANDED_SIZE 15.
#define EXPANDED_SMALL 12.
#define EXPANDED_ROW 46.
#define EXPANDED_PAD 16. /* within a box */
#define EXPANDED_GAP 26. /* between columns */
#define EXPANDED_HEAD 92. /* above the first row: titles and the table */
#define EXPANDED_BOX 30.
#define EXPANDED_BAND 12. /* what a ground goes beyond what is on it */

/* One statement of the loop program, px. It owns its texts. */
typedef struct
{
  const HeddleNode *node;
  gboolean in_stream;
  char *text; /* in its box */
  double width, x; /* of the box; its middle */
  char *held, *moved; /* above it */
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
  guint n_rows;
  double x, y; /* of the kernel's top left corner */
  double right, bottom;
  guint ground, ground_lists; /* items of the scene: where grounds go, and where they are painted */
} HeddleExpanded;

G_END_DECLS
