/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/cost.h"
#include "derive/program/loop-program-private.h"
#include "figure/page/chart.h"
#include "figure/paint/paint.h"

G_BEGIN_DECLS

#define EXPANDED_SIZE 15.
#define EXPANDED_SMALL 12.
#define EXPANDED_ROW 46.
#define EXPANDED_PAD 16. /* within a box */
#define EXPANDED_GAP 26. /* between columns */
#define EXPANDED_HEAD 92. /* above the first row: titles and the table */
#define EXPANDED_BOX 30.
#define EXPANDED_BAND 12. /* what a ground goes beyond what is on it */

/* A statement. */
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

HeddleExpandedColumn *heddle_expanded_get_column (const HeddleExpanded *self, guint i);
const HeddleBuffer *heddle_expanded_get_buffer (const HeddleExpanded *self, guint i);

/* --- expanded-text.c: what is written, newly allocated --- */

char *heddle_expanded_axis_name (const HeddleExpanded *self, const char *axis);
/* As mathematics is set: products by dots, powers raised, infinity by its sign. */
char *heddle_expanded_typeset (const char *plain);
/* NULL: it only moves an array. */
char *heddle_expanded_statement_text (const HeddleExpanded *self, const HeddleNode *node);
/* 128 × 64: of one tile */
char *heddle_expanded_shape_text (const HeddleExpanded *self, const HeddleBuffer *buffer);

/* --- expanded-place.c: where it is --- */

void heddle_expanded_add_column (HeddleExpanded *self, guint t);
void heddle_expanded_column_clear (HeddleExpandedColumn *self);
void heddle_expanded_place_columns (HeddleExpanded *self);
void heddle_expanded_place_rows (HeddleExpanded *self);
/* The room that the label of what a column makes takes after it. */
double heddle_expanded_label_width (const HeddleExpanded *self, const HeddleExpandedColumn *column);
double heddle_expanded_row_y (const HeddleExpanded *self, guint buffer);
double heddle_expanded_global_y (const HeddleExpanded *self);

/* --- expanded-ground.c: what stands behind and around the columns --- */

/* The grounds of the groups and of the stream, with what they go through. */
void heddle_expanded_paint_grounds (HeddleExpanded *self);
/* The signs of the two lines of numbers. */
void heddle_expanded_paint_head_signs (HeddleExpanded *self);
/* Names of memories beside their lines. */
void heddle_expanded_paint_levels (HeddleExpanded *self);

/* --- expanded.c --- */

HeddleStroke heddle_expanded_stroke_of (const HeddleExpanded *self, const char *level);
void heddle_expanded_paint_line (
    HeddleExpanded *self, const HeddleStroke *stroke, double x1, double y1, double x2, double y2);

G_END_DECLS
