/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "figure/page/chart.h"
#include "figure/page/expanded-private.h"
#include "figure/paint/paint.h"
#include "figure/scene/scene.h"

/* A loop program with its columns expanded, as "FlashAttention on a Napkin" draws algorithms: a line for each array
 * while it is held, in the stroke of its memory, and a column for each statement. */

G_BEGIN_DECLS

/* Returns column @i, which @self owns. */
HeddleExpandedColumn *heddle_expanded_get_column (const HeddleExpanded *self, guint i);
/* Returns buffer @i of the loop program, which the program owns. */
const HeddleBuffer *heddle_expanded_get_buffer (const HeddleExpanded *self, guint i);
/* Returns the stroke of a line that stands for an array held in the memory @level ("smem"); an unknown level has the
 * plain one. */
HeddleStroke heddle_expanded_stroke_of (const HeddleExpanded *self, const char *level);
/* Paints a straight line between two points, in px of the scene, as a wire that stands for nothing. */
void heddle_expanded_paint_line (
    HeddleExpanded *self, const HeddleStroke *stroke, double x1, double y1, double x2, double y2);
/* Returns the loop program of each kernel with its columns expanded: what is held, worked out and moved before, in
 * each step and after. The caller owns the scene. */
HeddleScene *heddle_chart_render_expanded (const HeddleChart *self);

/* The grounds and signs of an expanded loop program, which stand behind and around its columns. */

/* Paints the grounds of the groups and of the stream, with the axes that they go through. */
void heddle_expanded_paint_grounds (HeddleExpanded *self);
/* Paints the signs of the two lines of numbers above the columns: what is held and what is moved. */
void heddle_expanded_paint_head_signs (HeddleExpanded *self);
/* Paints the names of the memories beside their lines. */
void heddle_expanded_paint_levels (HeddleExpanded *self);

/* The places of an expanded loop program: columns from left to right, rows from the top, in px of the scene. */

/* Frees the texts of a column, but not the column itself. */
void heddle_expanded_column_clear (HeddleExpandedColumn *self);
/* Appends the column of statement number @t with its texts and its width in px; its x comes later. */
void heddle_expanded_add_column (HeddleExpanded *self, guint t);
/* Returns the room in px that the label of what a column makes takes after it. */
double heddle_expanded_label_width (const HeddleExpanded *self, const HeddleExpandedColumn *column);
/* Gives each column its line and its x, in px, with room where the stream begins and ends. Lines are no longer than the chart
 * is wide, but where one column is. */
void heddle_expanded_place_columns (HeddleExpanded *self);
/* Returns the right end of the line at hand, in px. */
double heddle_expanded_line_right (const HeddleExpanded *self);
/* Gives each buffer the topmost row that is free while it is held; what is made in place of another keeps its row.
 * Sets `rows` and `n_rows`. */
void heddle_expanded_place_rows (HeddleExpanded *self);
/* Returns the height in px of the line of the buffer of that number. */
double heddle_expanded_row_y (const HeddleExpanded *self, guint buffer);
/* Returns the height in px of the line of global memory, below all rows. */
double heddle_expanded_global_y (const HeddleExpanded *self);

/* The texts of an expanded loop program, newly allocated. */

/* Returns the name of an axis of the program's diagram, by its id; newly allocated. */
char *heddle_expanded_axis_name (const HeddleExpanded *self, const char *axis);
/* Returns a plain formula as a label's source, as mathematics is set: products by dots, powers raised, infinity by
 * its sign. Newly allocated. */
char *heddle_expanded_typeset (const char *plain);
/* Returns what is written in the box of a statement; newly allocated. NULL means that it only moves an array. */
char *heddle_expanded_statement_text (const HeddleExpanded *self, const HeddleNode *node);
/* Returns the shape of one tile of a buffer, "128 × 64"; newly allocated. */
char *heddle_expanded_shape_text (const HeddleExpanded *self, const HeddleBuffer *buffer);

G_END_DECLS
