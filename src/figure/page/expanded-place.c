/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/index/saturate.h"
#include "derive/program/liveness.h"
#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "derive/program/windows.h"
#include "figure/page/expanded-place.h"
#include "figure/page/expanded-private.h"
#include "figure/page/expanded-text.h"
#include "figure/page/expanded.h"
#include "figure/paint/table.h"
#include "figure/scene/scene.h"
#include "figure/typeset/label.h"

/* Where the columns, the rows and the wires of an expanded loop program are. */

void
heddle_expanded_column_clear (HeddleExpandedColumn *self)
{
  g_free (self->text);
  g_free (self->held);
  g_free (self->moved);
}

static double
text_width (const char *text, HeddleFont font, double size)
{
  return heddle_math_layout (
      NULL, HEDDLE_PART_COLUMN, NULL, text, font, size, (HeddleColor){ 0 }, 0., 0., NULL, NULL);
}

static gint64
elements_of (const HeddleExpanded *self, guint i)
{
  const HeddleBuffer *buffer = heddle_expanded_get_buffer (self, i);
  gint64 n = 1;

  for (guint k = 0; k < buffer->axes->len; k++)
    n = heddle_saturating_multiply (n, heddle_buffer_most (self->program, self->sizes, buffer, k));
  return n;
}

static char *
count_text (gint64 elements)
{
  return heddle_paint_held_text (elements, 0);
}

/* What is held while statement @t runs: arrays made in place of one another once. */
static char *
held_text (const HeddleExpanded *self, guint t)
{
  g_autoptr (GHashTable) slots = g_hash_table_new (NULL, NULL);
  gint64 total = 0;

  for (guint i = 0; i < self->program->buffers->len; i++)
    if (heddle_liveness_is_live (self->liveness, i, t)
        && heddle_expanded_get_buffer (self, i)->role != HEDDLE_BUFFER_FACTOR
        && g_hash_table_add (slots, GUINT_TO_POINTER (heddle_expanded_get_buffer (self, i)->slot)))
      total = heddle_saturating_add (total, elements_of (self, i));
  return count_text (total);
}

void
heddle_expanded_add_column (HeddleExpanded *self, guint t)
{
  const HeddleStatement *statement = &g_array_index (self->liveness->statements, HeddleStatement, t);
  HeddleExpandedColumn column = { statement->node, heddle_liveness_stream (self->liveness, t, 0) != NULL };
  double least;

  column.text = heddle_expanded_statement_text (self, column.node);
  column.held = held_text (self, t);
  column.moved = column.node->kind == HEDDLE_NODE_COMPUTE
                     ? g_strdup ("")
                     : count_text (elements_of (self, column.node->buffer));
  least = MAX (text_width (column.held, HEDDLE_FONT_SANS, EXPANDED_SMALL),
      text_width (column.moved, HEDDLE_FONT_SANS, EXPANDED_SMALL));
  column.width = column.text != NULL
                     ? text_width (column.text, HEDDLE_FONT_MATH, EXPANDED_SIZE) + 2. * EXPANDED_PAD
                     : MAX (least, 34.);
  column.width = MAX (column.width, least);
  g_array_append_val (self->columns, column);
}

/* The room that the label of what a column makes takes after it. */
double
heddle_expanded_label_width (const HeddleExpanded *self, const HeddleExpandedColumn *column)
{
  guint t = (guint) (column - heddle_expanded_get_column (self, 0));
  const HeddleBuffer *buffer = heddle_expanded_get_buffer (self, column->node->buffer);
  g_autofree char *shape = heddle_expanded_shape_text (self, buffer);
  double name = text_width (buffer->name, HEDDLE_FONT_MATH, EXPANDED_SIZE);

  return self->liveness->birth[column->node->buffer] == t
             ? MAX (0., name + text_width (shape, HEDDLE_FONT_SANS, EXPANDED_SMALL) + 18. - EXPANDED_GAP)
             : 0.;
}

void
heddle_expanded_place_columns (HeddleExpanded *self)
{
  gboolean in_stream = FALSE;
  double x = self->x + 2. * EXPANDED_BAND;

  for (guint i = 0; i < self->columns->len; i++)
    {
      HeddleExpandedColumn *column = heddle_expanded_get_column (self, i);

      if (column->in_stream != in_stream)
        x += 2. * EXPANDED_BAND;
      in_stream = column->in_stream;
      column->x = x + column->width / 2.;
      x += column->width + EXPANDED_GAP + heddle_expanded_label_width (self, column);
    }
  self->right = x + (in_stream ? EXPANDED_BAND : 0.);
}

/* A row for each place in memory, the topmost that is free: what is made in place of another keeps its row. */
void
heddle_expanded_place_rows (HeddleExpanded *self)
{
  guint n = self->program->buffers->len;
  g_autoptr (GArray) free_from
      = g_array_new (FALSE, TRUE, sizeof (guint)); /* per row: the first statement it is free at */

  self->rows = g_new (int, n);
  for (guint i = 0; i < n; i++)
    self->rows[i] = -1;
  for (guint t = 0; t < self->columns->len; t++)
    for (guint i = 0; i < n; i++)
      {
        int source;
        guint row = 0;

        if (self->liveness->birth[i] != t)
          continue;
        source = heddle_liveness_source_in_place (self->liveness, self->program, i);
        if (source >= 0 && self->rows[source] >= 0)
          row = (guint) self->rows[source];
        else
          while (row < free_from->len && g_array_index (free_from, guint, row) > t)
            row++;
        if (row >= free_from->len)
          g_array_set_size (free_from, row + 1);
        g_array_index (free_from, guint, row) = self->liveness->death[i] + 1;
        self->rows[i] = (int) row;
      }
  self->n_rows = free_from->len;
}

double
heddle_expanded_row_y (const HeddleExpanded *self, guint buffer)
{
  return self->y + EXPANDED_HEAD + EXPANDED_ROW * (self->rows[buffer] + .5);
}

double
heddle_expanded_global_y (const HeddleExpanded *self)
{
  return self->y + EXPANDED_HEAD + EXPANDED_ROW * (self->n_rows + .55);
}
