/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/derivation/shard-derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/program/liveness.h"
#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram-index.h"
#include "diagram/graph/diagram.h"
#include "figure/page/chart.h"
#include "figure/page/expanded-ground.h"
#include "figure/page/expanded-place.h"
#include "figure/page/expanded-private.h"
#include "figure/page/expanded-text.h"
#include "figure/page/expanded.h"
#include "figure/paint/paint.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"

/* The loop program of each kernel with its columns expanded, as "FlashAttention on a Napkin" draws algorithms: a line for each array while it is
 * held, in the colour and the stroke of its memory; a column for each statement; what runs for each chunk on a ground of its own; above, how many
 * values are held and moved. */

HeddleExpandedColumn *
heddle_expanded_get_column (const HeddleExpanded *self, guint i)
{
  return &g_array_index (self->columns, HeddleExpandedColumn, i);
}

const HeddleBuffer *
heddle_expanded_get_buffer (const HeddleExpanded *self, guint i)
{
  return heddle_loop_program_get_buffer (self->program, i);
}

HeddleStroke
heddle_expanded_stroke_of (const HeddleExpanded *self, const char *level)
{
  HeddleStroke stroke = heddle_paint_plain (&self->painter);

  heddle_level_style (level, self->chart->theme, &stroke.color, &stroke.width, stroke.dash, &stroke.n_dashes);
  return stroke;
}

void
heddle_expanded_paint_line (
    HeddleExpanded *self, const HeddleStroke *stroke, double x1, double y1, double x2, double y2)
{
  HeddleItem *item = heddle_paint_path (&self->painter, HEDDLE_PART_WIRE, NULL, stroke, NULL);

  heddle_item_move_to (item, x1, y1);
  heddle_item_line_to (item, x2, y2);
}

/* A wire ends where what reads it last is, or at the end of what runs for each chunk. */
static double
end_of_wire (const HeddleExpanded *self, guint buffer)
{
  guint death = self->liveness->death[buffer];
  const HeddleExpandedColumn *last = heddle_expanded_get_column (self, death);

  for (guint k = 0; k < last->node->sources->len; k++)
    if (g_array_index (last->node->sources, guint, k) == buffer)
      return last->x;
  if (last->node->buffer == buffer || last->node->second == buffer)
    return last->node->kind == HEDDLE_NODE_SAVE ? last->x : last->x + last->width / 2.;
  return last->x + last->width / 2. + EXPANDED_GAP / 2.;
}

static void
paint_wire (HeddleExpanded *self, guint i)
{
  const HeddleBuffer *buffer = heddle_expanded_get_buffer (self, i);
  HeddleStroke stroke = heddle_expanded_stroke_of (self, buffer->level);
  double x, y = heddle_expanded_row_y (self, i), end;

  if (self->liveness->birth[i] >= self->columns->len)
    return;
  x = heddle_expanded_get_column (self, self->liveness->birth[i])->x;
  end = MAX (end_of_wire (self, i),
      x + heddle_expanded_get_column (self, self->liveness->birth[i])->width / 2. + 8.);
  heddle_expanded_paint_line (self, &stroke, x, y, end, y);
}

static void
paint_wire_label (HeddleExpanded *self, guint i)
{
  const HeddleBuffer *buffer = heddle_expanded_get_buffer (self, i);
  guint birth = self->liveness->birth[i];
  g_autofree char *shape = heddle_expanded_shape_text (self, buffer),
                  *name = heddle_expanded_typeset (buffer->name);
  double x, y = heddle_expanded_row_y (self, i) - 7.;

  if (birth >= self->columns->len)
    return;
  x = heddle_expanded_get_column (self, birth)->x + heddle_expanded_get_column (self, birth)->width / 2. + 6.;
  x += heddle_paint_label (&self->painter, HEDDLE_PART_VALUE_LABEL, buffer->value, name, HEDDLE_FONT_MATH,
      EXPANDED_SIZE, NULL, x, y, 0.);
  heddle_paint_label (&self->painter, HEDDLE_PART_VALUE_LABEL, buffer->value, shape, HEDDLE_FONT_SANS,
      EXPANDED_SMALL, &self->painter.dim, x + 6., y, 0.);
}

/* What a statement reads, down or up to it. */
static void
paint_sources (HeddleExpanded *self, const HeddleExpandedColumn *column)
{
  double top = heddle_expanded_row_y (self, column->node->buffer), bottom = top;
  HeddleStroke stroke = heddle_paint_plain (&self->painter);

  for (guint k = 0; k < column->node->sources->len; k++)
    {
      double y = heddle_expanded_row_y (self, g_array_index (column->node->sources, guint, k));

      top = MIN (top, y);
      bottom = MAX (bottom, y);
      heddle_paint_dot (&self->painter, HEDDLE_PART_WIRE, NULL, &stroke, column->x, y);
    }
  if (column->node->second != HEDDLE_NO_BUFFER)
    {
      double y = heddle_expanded_row_y (self, column->node->second);

      top = MIN (top, y);
      bottom = MAX (bottom, y);
      heddle_paint_dot (&self->painter, HEDDLE_PART_WIRE, NULL, &stroke, column->x, y);
    }
  if (bottom > top)
    heddle_expanded_paint_line (self, &stroke, column->x, top, column->x, bottom);
}

/* Up from global memory, or down to it. */
static void
paint_transfer (HeddleExpanded *self, const HeddleExpandedColumn *column)
{
  const HeddleBuffer *buffer = heddle_expanded_get_buffer (self, column->node->buffer);
  gboolean load = column->node->kind == HEDDLE_NODE_LOAD;
  const char *value = column->node->partial != NULL ? column->node->partial : buffer->value;
  g_autofree char *label = heddle_diagram_value_label (self->program->diagram, value);
  HeddleStroke stroke = heddle_expanded_stroke_of (self, "gmem");
  double from = heddle_expanded_global_y (self), to = heddle_expanded_row_y (self, column->node->buffer);
  double tip = load ? to + 2. : from - 16., way = load ? 9. : -9.;
  HeddleItem *head;

  heddle_expanded_paint_line (self, &stroke, column->x, load ? from - 16. : to, column->x, tip + way);
  head = heddle_paint_path (&self->painter, HEDDLE_PART_WIRE, NULL, NULL, &stroke.color);
  heddle_item_move_to (head, column->x, tip);
  heddle_item_line_to (head, column->x - 5., tip + way);
  heddle_item_line_to (head, column->x + 5., tip + way);
  heddle_item_close (head);
  heddle_paint_label (&self->painter, HEDDLE_PART_VALUE_LABEL, value, label, HEDDLE_FONT_MATH, EXPANDED_SIZE,
      NULL, column->x, from, .5);
}

static void
paint_box (HeddleExpanded *self, const HeddleExpandedColumn *column)
{
  double y = heddle_expanded_row_y (self, column->node->buffer);
  HeddleStroke stroke = heddle_paint_plain (&self->painter);
  HeddleColor paper = self->painter.paper;
  HeddleItem *box
      = heddle_paint_path (&self->painter, HEDDLE_PART_BOX, column->node->operation, &stroke, &paper);

  heddle_item_rectangle (
      box, column->x - column->width / 2., y - EXPANDED_BOX / 2., column->width, EXPANDED_BOX, 5.);
  heddle_paint_label (&self->painter, HEDDLE_PART_GLYPH, column->node->operation, column->text,
      HEDDLE_FONT_MATH, EXPANDED_SIZE, NULL, column->x, y + 5., .5);
}

static void
paint_head (HeddleExpanded *self, const HeddleExpandedColumn *column)
{
  double y = self->y + EXPANDED_HEAD - 12.;

  heddle_paint_label (&self->painter, HEDDLE_PART_COLUMN, NULL, column->held, HEDDLE_FONT_SANS,
      EXPANDED_SMALL, NULL, column->x, y - 17., .5);
  heddle_paint_label (&self->painter, HEDDLE_PART_COLUMN, NULL, column->moved, HEDDLE_FONT_SANS,
      EXPANDED_SMALL, NULL, column->x, y, .5);
}

static void
paint_kernel (HeddleExpanded *self)
{
  self->ground = heddle_scene_get_n_items (self->painter.scene);
  heddle_paint_label (&self->painter, HEDDLE_PART_TAG, NULL, self->program->name, HEDDLE_FONT_SANS_BOLD,
      EXPANDED_SIZE, NULL, self->x, self->y + 14., 0.);
  heddle_expanded_paint_grounds (self);
  heddle_expanded_paint_head_signs (self);
  for (guint i = 0; i < self->program->buffers->len; i++)
    paint_wire (self, i);
  for (guint i = 0; i < self->columns->len; i++)
    {
      const HeddleExpandedColumn *column = heddle_expanded_get_column (self, i);

      paint_head (self, column);
      paint_sources (self, column);
      if (column->node->kind == HEDDLE_NODE_COMPUTE)
        paint_box (self, column);
      else
        paint_transfer (self, column);
    }
  for (guint i = 0; i < self->program->buffers->len; i++)
    paint_wire_label (self, i);
}

/* One kernel below @y; its combine step below that. Returns where it ends. */
static double
paint_program (HeddlePainter *painter, const HeddleChart *chart, const HeddleLoopProgram *program,
    const HeddleSizes *sizes, gboolean last, double y)
{
  g_autoptr (HeddleLiveness) liveness = heddle_liveness_new (program);
  g_autoptr (HeddleSizes) own = heddle_loop_program_own_sizes (program, sizes);
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (HeddleExpandedColumn));
  HeddleExpanded self = { *painter, chart, program, own, liveness, columns, .y = y };

  g_array_set_clear_func (columns, (GDestroyNotify) heddle_expanded_column_clear);
  for (guint t = 0; t < liveness->statements->len; t++)
    heddle_expanded_add_column (&self, t);
  heddle_expanded_place_rows (&self);
  heddle_expanded_place_columns (&self);
  paint_kernel (&self);
  if (last && program->combine == NULL)
    heddle_expanded_paint_levels (&self);
  g_free (self.rows);
  if (program->combine == NULL)
    return self.bottom;
  return paint_program (painter, chart, program->combine, sizes, last, self.bottom + 2. * EXPANDED_ROW / 3.);
}

HeddleScene *
heddle_chart_render_expanded (const HeddleChart *self)
{
  HeddlePainter painter = heddle_painter_for (self->theme);
  guint n = self->derivation->kernels->len;
  double y = 0.;

  for (guint i = 0; i < n; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (self->derivation->kernels, i);

      if (kernel->program != NULL)
        y = paint_program (&painter, self, kernel->program,
                heddle_derivation_sizes (self->derivation, kernel, self->sizes), i + 1 == n, y)
            + 2. * EXPANDED_ROW / 3.;
    }
  return painter.scene;
}
