/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/program/liveness.h"
#include "derive/program/loop-program-private.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"
#include "figure/page/expanded.h"
#include "figure/scene/path.h"
#include "figure/scene/theme.h"
#include "derive/index/saturate.h"
#include "derive/program/windows.h"
#include "figure/paint/table.h"
#include "figure/typeset/label.h"
#include "derive/region/region.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"
#include "diagram/graph/operation-table.h"
#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* The loop program of each kernel with its columns expanded, as "FlashAttention on a Napkin" draws algorithms: a line for each array while it is
 * held, in the colour and the stroke of its memory; a column for each statement; what runs for each chunk on a ground of its own; above, how many
 * values are held and moved. */

/* Returns column @i, which @self owns. */
static HeddleExpandedColumn *
expanded_get_column (const HeddleExpanded *self, guint i)
{
  return &g_array_index (self->columns, HeddleExpandedColumn, i);
}

/* Returns buffer @i of the loop program, which the program owns. */
static const HeddleBuffer *
expanded_get_buffer (const HeddleExpanded *self, guint i)
{
  return heddle_loop_program_get_buffer (self->program, i);
}

/* Returns the stroke of a line that stands for an array held in the memory @level ("smem"); an unknown level has the
 * plain one. */
static HeddleStroke
expanded_stroke_of (const HeddleExpanded *self, const char *level)
{
  HeddleStroke stroke = heddle_paint_plain (&self->painter);

  heddle_level_style (level, self->chart->theme, &stroke.color, &stroke.width, stroke.dash, &stroke.n_dashes);
  return stroke;
}

/* Paints a straight line between two points, in px of the scene, as a wire that stands for nothing. */
static void
expanded_paint_line (
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
  const HeddleExpandedColumn *last = expanded_get_column (self, death);

  for (guint k = 0; k < last->node->sources->len; k++)
    if (g_array_index (last->node->sources, guint, k) == buffer)
      return last->x;
  if (last->node->buffer == buffer || last->node->second == buffer)
    return last->node->kind == HEDDLE_NODE_SAVE ? last->x : last->x + last->width / 2.;
  return last->x + last->width / 2. + EXPANDED_GAP / 2.;
}

static gboolean
comes_from_before (const HeddleExpanded *self, guint buffer)
{
  return self->liveness->birth[buffer] < self->first;
}

static gboolean
touches (const HeddleExpandedColumn *column, guint buffer)
{
  if (column->node->buffer == buffer || column->node->second == buffer)
    return TRUE;
  for (guint k = 0; k < column->node->sources->len; k++)
    if (g_array_index (column->node->sources, guint, k) == buffer)
      return TRUE;
  return FALSE;
}

/* Returns whether it is drawn in the line at hand: it is made there, or held from before and used. */
static gboolean
is_in_line (const HeddleExpanded *self, guint buffer)
{
  const guint birth = self->liveness->birth[buffer];

  if (birth >= self->columns->len || birth >= self->end)
    return FALSE;
  for (guint i = self->first; i < self->end && comes_from_before (self, buffer); i++)
    if (touches (expanded_get_column (self, i), buffer))
      return TRUE;
  return birth >= self->first;
}

/* Returns the height in px of the line of the buffer of that number. */
static double
expanded_row_y (const HeddleExpanded *self, guint buffer)
{
  const int row = self->rows[buffer] >= 0 ? g_array_index (self->shown, int, self->rows[buffer]) : 0;

  return self->y + self->head + EXPANDED_ROW * (row + .5);
}

static void
paint_wire (HeddleExpanded *self, guint i)
{
  const HeddleBuffer *buffer = expanded_get_buffer (self, i);
  HeddleStroke stroke = expanded_stroke_of (self, buffer->level);
  const HeddleExpandedColumn *birth;
  double x, y = expanded_row_y (self, i), end;

  if (!is_in_line (self, i))
    return;
  birth = expanded_get_column (self, self->liveness->birth[i]);
  x = comes_from_before (self, i) ? self->x : birth->x;
  if (self->liveness->death[i] >= self->end)
    end = self->right;
  else
    end = comes_from_before (self, i) ? end_of_wire (self, i)
                                      : MAX (end_of_wire (self, i), x + birth->width / 2. + 8.);
  expanded_paint_line (self, &stroke, x, y, end, y);
}

/* Returns a plain formula as a label's source, as mathematics is set: products by dots, powers raised, functions upright,
 * infinity by its sign. Newly allocated. */
static char *
expanded_typeset (const char *plain)
{
  static GRegex *power, *infinite, *factor, *function;
  static gsize compiled;

  if (g_once_init_enter (&compiled))
    {
      power = g_regex_new ("\\^(-?[A-Za-z0-9.]+)", G_REGEX_OPTIMIZE, 0, NULL);
      infinite = g_regex_new ("\\binf\\b", G_REGEX_OPTIMIZE, 0, NULL);
      factor = g_regex_new ("\\bdelta\\b", G_REGEX_OPTIMIZE, 0, NULL);
      function = g_regex_new ("\\b([a-z]\\w*)\\(", G_REGEX_OPTIMIZE, 0, NULL);
      g_once_init_leave (&compiled, 1);
    }
  g_autofree char *raised = g_regex_replace (power, plain, -1, 0, "^{\\1}", 0, NULL);
  g_autofree char *signs = g_regex_replace_literal (infinite, raised, -1, 0, "∞", 0, NULL);
  g_autofree char *greek = g_regex_replace_literal (factor, signs, -1, 0, "δ", 0, NULL);
  g_autofree char *upright = g_regex_replace (function, greek, -1, 0, "\\\\mathrm{\\1}(", 0, NULL);
  g_auto (GStrv) parts = g_strsplit (upright, "*", -1);
  g_autofree char *dots = g_strjoinv (" · ", parts);
  g_auto (GStrv) equal = g_strsplit (dots, " == ", -1);

  return g_strjoinv (" = ", equal);
}

/* Returns the shape of one tile of a buffer, "128 × 64"; newly allocated. */
static char *
expanded_shape_text (const HeddleExpanded *self, const HeddleBuffer *buffer)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < buffer->axes->len; i++)
    g_string_append_printf (
        text, "%s%" PRId64, i > 0 ? " × " : "", heddle_buffer_most (self->program, self->sizes, buffer, i));
  return g_string_free (text, FALSE);
}

static void
paint_wire_label (HeddleExpanded *self, guint i)
{
  const HeddleBuffer *buffer = expanded_get_buffer (self, i);
  guint birth = self->liveness->birth[i];
  g_autofree char *shape = expanded_shape_text (self, buffer), *name = expanded_typeset (buffer->name);
  double x, y = expanded_row_y (self, i) - 7.;

  if (!is_in_line (self, i))
    return;
  x = comes_from_before (self, i)
          ? self->x + EXPANDED_BAND
          : expanded_get_column (self, birth)->x + expanded_get_column (self, birth)->width / 2. + 6.;
  x += heddle_paint_label (&self->painter, HEDDLE_PART_VALUE_LABEL, buffer->value, name, HEDDLE_FONT_MATH,
      EXPANDED_SIZE, NULL, x, y, 0.);
  if (comes_from_before (self, i))
    return;
  heddle_paint_label (&self->painter, HEDDLE_PART_VALUE_LABEL, buffer->value, shape, HEDDLE_FONT_SANS,
      EXPANDED_SMALL, NULL, x + 6., y, 0.);
}

/* Paints what a statement reads, down or up to it. */
static void
paint_sources (HeddleExpanded *self, const HeddleExpandedColumn *column)
{
  double top = expanded_row_y (self, column->node->buffer), bottom = top;
  HeddleStroke stroke = heddle_paint_plain (&self->painter);

  for (guint k = 0; k < column->node->sources->len; k++)
    {
      double y = expanded_row_y (self, g_array_index (column->node->sources, guint, k));

      top = MIN (top, y);
      bottom = MAX (bottom, y);
      heddle_paint_dot (&self->painter, HEDDLE_PART_WIRE, NULL, &stroke, column->x, y);
    }
  if (column->node->second != HEDDLE_NO_BUFFER)
    {
      double y = expanded_row_y (self, column->node->second);

      top = MIN (top, y);
      bottom = MAX (bottom, y);
      heddle_paint_dot (&self->painter, HEDDLE_PART_WIRE, NULL, &stroke, column->x, y);
    }
  if (bottom > top)
    expanded_paint_line (self, &stroke, column->x, top, column->x, bottom);
}

/* Returns the height in px of the line of global memory, below all rows. */
static double
expanded_global_y (const HeddleExpanded *self)
{
  return self->y + self->head + EXPANDED_ROW * (self->n_shown + .55);
}

/* Paints a transfer up from global memory, or down to it. */
static void
paint_transfer (HeddleExpanded *self, const HeddleExpandedColumn *column)
{
  const HeddleBuffer *buffer = expanded_get_buffer (self, column->node->buffer);
  gboolean load = column->node->kind == HEDDLE_NODE_LOAD;
  const char *value = column->node->partial != NULL ? column->node->partial : buffer->value;
  g_autofree char *label = heddle_diagram_value_label (self->program->diagram, value);
  HeddleStroke stroke = expanded_stroke_of (self, "gmem");
  double from = expanded_global_y (self), to = expanded_row_y (self, column->node->buffer);
  double tip = load ? to + 2. : from - 16., way = load ? 9. : -9.;
  HeddleItem *head;

  expanded_paint_line (self, &stroke, column->x, load ? from - 16. : to, column->x, tip + way);
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
  double y = expanded_row_y (self, column->node->buffer);
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
  double y = self->y + self->head - 12.;

  heddle_paint_label (&self->painter, HEDDLE_PART_COLUMN, NULL, column->held, HEDDLE_FONT_SANS,
      EXPANDED_SMALL, NULL, column->x, y - (self->moves ? EXPANDED_FIGURES : 0.), .5);
  heddle_paint_label (&self->painter, HEDDLE_PART_COLUMN, NULL, column->moved, HEDDLE_FONT_SANS,
      EXPANDED_SMALL, NULL, column->x, y, .5);
}

/* Paints the signs of the two lines of numbers above the columns: what is held and what is moved. */
static void
expanded_paint_head_signs (HeddleExpanded *self)
{
  double y = self->y + self->head - 12.;

  heddle_paint_label (&self->painter, HEDDLE_PART_COLUMN, NULL, "M", HEDDLE_FONT_MATH, EXPANDED_SIZE, NULL,
      self->x - 8., y - (self->moves ? EXPANDED_FIGURES : 0.), 1.);
  if (self->moves)
    heddle_paint_label (&self->painter, HEDDLE_PART_COLUMN, NULL, "H", HEDDLE_FONT_MATH, EXPANDED_SIZE, NULL,
        self->x - 8., y, 1.);
}

static void expanded_paint_grounds (HeddleExpanded *self);

static void
paint_line (HeddleExpanded *self)
{
  self->ground = heddle_scene_get_n_items (self->painter.scene);
  expanded_paint_grounds (self);
  expanded_paint_head_signs (self);
  for (guint i = 0; i < self->program->buffers->len; i++)
    paint_wire (self, i);
  for (guint i = self->first; i < self->end; i++)
    {
      const HeddleExpandedColumn *column = expanded_get_column (self, i);

      if (i + 1 == self->end || !expanded_get_column (self, i + 1)->stacked)
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

/* A place for each row in which something is held in the line at hand. */
static void
close_rows (HeddleExpanded *self)
{
  g_array_set_size (self->shown, self->n_rows);
  for (guint row = 0; row < self->n_rows; row++)
    g_array_index (self->shown, int, row) = -1;
  for (guint i = 0; i < self->program->buffers->len; i++)
    if (self->rows[i] >= 0 && is_in_line (self, i))
      g_array_index (self->shown, int, self->rows[i]) = 0;
  self->n_shown = 0;
  for (guint row = 0; row < self->n_rows; row++)
    if (g_array_index (self->shown, int, row) == 0)
      g_array_index (self->shown, int, row) = (int) self->n_shown++;
}

static gboolean
moves_something (const HeddleExpanded *self)
{
  for (guint i = self->first; i < self->end; i++)
    if (expanded_get_column (self, i)->node->kind != HEDDLE_NODE_COMPUTE)
      return TRUE;
  return FALSE;
}

static gboolean
stream_begins (const HeddleExpanded *self)
{
  for (guint i = self->first; i < self->end; i++)
    if (expanded_get_column (self, i)->in_stream && (i == 0 || !expanded_get_column (self, i - 1)->in_stream))
      return TRUE;
  return FALSE;
}

/* Places what is said over the line at hand, and returns how much room that takes. */
static void
place_head (HeddleExpanded *self)
{
  self->titled = self->first == 0 || stream_begins (self);
  self->moves = moves_something (self);
  self->head = EXPANDED_HEAD - (self->titled ? 0. : EXPANDED_TITLES) - (self->moves ? 0. : EXPANDED_FIGURES);
}

static double expanded_line_right (const HeddleExpanded *self);

/* Paints line after line. */
static void
paint_kernel (HeddleExpanded *self)
{
  for (self->first = 0; self->first < self->columns->len; self->first = self->end)
    {
      const HeddleExpandedColumn *column = expanded_get_column (self, self->first);

      if (self->first > 0)
        self->y = self->bottom + EXPANDED_LINE_GAP;
      self->end = self->first;
      while (self->end < self->columns->len && expanded_get_column (self, self->end)->line == column->line)
        self->end++;
      close_rows (self);
      place_head (self);
      self->right = expanded_line_right (self);
      paint_line (self);
    }
}

/* Paints the names of the memories beside their lines. */
static void
expanded_paint_levels (HeddleExpanded *self)
{
  const char *level = self->program->buffers->len > 0 ? expanded_get_buffer (self, 0)->level : NULL;
  const char *const names[] = { "gmem", level };
  double x = self->right - 4., y = self->bottom + 16.;

  for (guint i = G_N_ELEMENTS (names); i-- > 0;)
    {
      HeddleStroke stroke;

      if (names[i] == NULL)
        continue;
      stroke = expanded_stroke_of (self, names[i]);
      x -= heddle_paint_label (
          &self->painter, HEDDLE_PART_TAG, NULL, names[i], HEDDLE_FONT_SANS, EXPANDED_SMALL, NULL, x, y, 1.);
      expanded_paint_line (self, &stroke, x - 44., y - 4., x - 8., y - 4.);
      x -= 64.;
    }
  self->bottom = y + 8.;
}

/* Frees the texts of a column, but not the column itself. */
static void
expanded_column_clear (HeddleExpandedColumn *self)
{
  g_free (self->text);
  g_free (self->held);
  g_free (self->moved);
}

/* Gives each buffer the topmost row that is free while it is held; what is made in place of another keeps its row.
 * Sets `rows` and `n_rows`. */
static void
expanded_place_rows (HeddleExpanded *self)
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

static void stack_columns (HeddleExpanded *self);
static void expanded_place_columns (HeddleExpanded *self);
static void expanded_add_column (HeddleExpanded *self, guint t);

/* Paints one kernel from @x and @y on, and its combine step below that. */
static void
paint_program (HeddlePainter *painter, const HeddleChart *chart, const HeddleLoopProgram *program,
    const HeddleSizes *sizes, gboolean last, double x, double y)
{
  g_autoptr (HeddleLiveness) liveness = heddle_liveness_new (program);
  g_autoptr (HeddleSizes) own = heddle_loop_program_own_sizes (program, sizes);
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (HeddleExpandedColumn));
  g_autoptr (GArray) shown = g_array_new (FALSE, FALSE, sizeof (int));
  HeddleExpanded self = { *painter, chart, program, own, liveness, columns, .shown = shown, .x = x, .y = y };

  g_array_set_clear_func (columns, (GDestroyNotify) expanded_column_clear);
  for (guint t = 0; t < liveness->statements->len; t++)
    expanded_add_column (&self, t);
  expanded_place_rows (&self);
  stack_columns (&self);
  expanded_place_columns (&self);
  paint_kernel (&self);
  if (last && program->combine == NULL)
    expanded_paint_levels (&self);
  g_free (self.rows);
  if (program->combine != NULL)
    paint_program (painter, chart, program->combine, sizes, last, x, self.bottom + EXPANDED_KERNEL_GAP);
}

/* Paints kernel @number of @chart and its combine step, from @x and @y on; the last has the names of the memories. */
static void
paint_kernel_at (HeddlePainter *painter, const HeddleChart *chart, guint number, double x, double y)
{
  const GPtrArray *kernels = chart->derivation->kernels;
  const HeddleKernel *kernel = kernels->pdata[number];

  paint_program (painter, chart, kernel->program,
      heddle_derivation_sizes (chart->derivation, kernel, chart->sizes), number + 1 == kernels->len, x, y);
}

/* Kernels beside one another, as many in a row as there is room for. */
typedef struct
{
  HeddlePainter painter;
  double x, y; /* of the next, if it is put beside those before */
  double bottom; /* of the row */
} Shelf;

/* Returns how large the kernel @number of @chart is drawn. */
static void
measure_kernel (const HeddleChart *chart, guint number, double *width, double *height)
{
  HeddlePainter painter = heddle_painter_for (chart->theme);
  double x, y;

  paint_kernel_at (&painter, chart, number, 0., 0.);
  heddle_scene_get_bounds (painter.scene, &x, &y, width, height);
  heddle_scene_unref (painter.scene);
}

/* Puts a kernel beside those before it if all of them fit in the chart's width, and else below them. */
static void
shelf_add (Shelf *self, const HeddleChart *chart, guint number)
{
  double width, height;

  measure_kernel (chart, number, &width, &height);
  if (self->x > 0. && !(self->x + width <= chart->width))
    {
      self->x = 0.;
      self->y = self->bottom + EXPANDED_KERNEL_GAP;
    }
  paint_kernel_at (&self->painter, chart, number, self->x, self->y);
  self->x += width + EXPANDED_KERNEL_GAP;
  self->bottom = MAX (self->bottom, self->y + height);
}

HeddleScene *
heddle_chart_render_expanded (const HeddleChart *self)
{
  Shelf shelf = { .painter = heddle_painter_for (self->theme) };

  for (guint i = 0; i < self->derivation->kernels->len; i++)
    if (((const HeddleKernel *) self->derivation->kernels->pdata[i])->program != NULL)
      shelf_add (&shelf, self, i);
  return shelf.painter.scene;
}

/* The grounds, titles and legend of an expanded loop program. */

static void
paint_ground (HeddleExpanded *self, const char *fill, double x1, double y1, double x2, double y2)
{
  HeddleColor color = heddle_theme_fill (self->chart->theme, fill);
  HeddleStroke stroke = heddle_paint_plain (&self->painter);
  gboolean outlined = heddle_theme_outline (self->chart->theme) > 0.;
  HeddleItem *item
      = heddle_paint_path (&self->painter, HEDDLE_PART_BACKGROUND, NULL, outlined ? &stroke : NULL, &color);

  heddle_item_rectangle (item, x1, y1, x2 - x1, y2 - y1, 10.);
}

/* Returns the name of an axis of the program's diagram, by its id; newly allocated. */
static char *
expanded_axis_name (const HeddleExpanded *self, const char *axis)
{
  return g_strdup (heddle_diagram_get_axis (self->program->diagram, axis)->name);
}

/* Paints the kernel's name and "each of 11 groups: g_q = 373". */
static double
paint_groups_title (HeddleExpanded *self, double x, double y)
{
  GString *tiles = g_string_new (NULL);
  g_autofree char *title = NULL;
  gint64 groups = 1;

  for (guint i = 0; i < self->liveness->scopes->len; i++)
    {
      const HeddleNode *band = g_array_index (self->liveness->scopes, HeddleScope, i).band;
      g_autofree char *name = NULL;
      gint64 n;

      if (band->band != HEDDLE_BAND_GROUP || band->depth > 0)
        continue;
      name = expanded_axis_name (self, band->axis);
      n = heddle_sizes_get (self->sizes, band->axis);
      groups = heddle_saturating_multiply (groups, n / band->size + (n % band->size != 0));
      g_string_append_printf (tiles, "%sg_{%s} = %" PRId64, tiles->len > 0 ? ",  " : "", name, band->size);
    }
  title
      = groups > 1 ? g_strdup_printf (_ ("each of %" PRId64 " groups:"), groups) : g_strdup (_ ("one group"));
  x += heddle_paint_label (&self->painter, HEDDLE_PART_TAG, NULL, self->program->name, HEDDLE_FONT_SANS_BOLD,
           EXPANDED_SIZE, NULL, x, y, 0.)
       + EXPANDED_BAND;
  x += heddle_paint_label (
      &self->painter, HEDDLE_PART_TAG, NULL, title, HEDDLE_FONT_SANS, EXPANDED_SMALL, NULL, x, y, 0.);
  x += heddle_paint_label (&self->painter, HEDDLE_PART_TAG, NULL, tiles->str, HEDDLE_FONT_MATH, EXPANDED_SIZE,
      NULL, x + 6., y, 0.);
  g_string_free (tiles, TRUE);
  return x + 6.;
}

static double
paint_stream_title (HeddleExpanded *self, const HeddleNode *stream, double x, double y)
{
  gint64 n = heddle_sizes_get (self->sizes, stream->axis);
  g_autofree char *name = expanded_axis_name (self, stream->axis);
  g_autofree char *tile = g_strdup_printf ("s_{%s} = %" PRId64, name, stream->size);
  gint64 steps = n / stream->size + (n % stream->size != 0);
  g_autofree char *title = g_strdup_printf (_ ("each of %" PRId64 " steps:"), steps);

  x += heddle_paint_label (
      &self->painter, HEDDLE_PART_TAG, NULL, title, HEDDLE_FONT_SANS, EXPANDED_SMALL, NULL, x, y, 0.);
  return x + 6.
         + heddle_paint_label (&self->painter, HEDDLE_PART_TAG, stream->axis, tile, HEDDLE_FONT_MATH,
             EXPANDED_SIZE, NULL, x + 6., y, 0.);
}

static double end_of_column (const HeddleExpanded *self, const HeddleExpandedColumn *column);

/* The stream that columns are in, and where its ground begins and ends; NULL: nothing streams. */
static const HeddleNode *
find_stream (const HeddleExpanded *self, double *first, double *last)
{
  const HeddleNode *stream = NULL;

  for (guint i = self->first; i < self->end; i++)
    {
      const HeddleExpandedColumn *column = expanded_get_column (self, i);

      if (!column->in_stream)
        continue;
      *first = MIN (stream == NULL ? G_MAXDOUBLE : *first, column->x - column->width / 2. - EXPANDED_BAND);
      *last = MAX (stream == NULL ? 0. : *last, end_of_column (self, column) + EXPANDED_GAP / 2.);
      stream = heddle_liveness_stream (self->liveness, i, 0);
    }
  if (stream != NULL && self->first > 0 && expanded_get_column (self, self->first - 1)->in_stream)
    *first = self->x + EXPANDED_BAND / 2.;
  return stream;
}

/* Returns whether the stream goes on in the next line. */
static gboolean
stream_goes_on (const HeddleExpanded *self)
{
  return self->end < self->columns->len && expanded_get_column (self, self->end)->in_stream;
}

/* Paints what the groups and the stream go through, over what begins at @first. */
static void
paint_titles (HeddleExpanded *self, const HeddleNode *stream, double first, double y)
{
  double end = self->first == 0 ? paint_groups_title (self, self->x + EXPANDED_BAND, y) : self->x;

  if (stream != NULL)
    end = paint_stream_title (self, stream, MAX (first + EXPANDED_BAND, end + 20.), y);
  self->right = MAX (self->right, end + EXPANDED_BAND);
}

/* Paints the grounds of the groups and of the stream, with the axes that they go through. */
static void
expanded_paint_grounds (HeddleExpanded *self)
{
  double top = self->y + 2., bottom = expanded_global_y (self) - 22., first = 0., last = 0.;
  const HeddleNode *stream = find_stream (self, &first, &last);

  self->bottom = expanded_global_y (self) + (self->moves ? 12. : -22.);
  if (self->titled)
    paint_titles (self, stream, first, top + 17.); /* it may be longer than the line */
  last = stream_goes_on (self) ? self->right - EXPANDED_BAND / 2. : last;
  self->ground_lists = heddle_scene_get_n_items (self->painter.scene);
  paint_ground (self, "linear", self->x, top, self->right, bottom);
  if (stream != NULL)
    paint_ground (self, "scale", first, top + (self->titled ? 24. : 5.), last, bottom - 5.);
  heddle_scene_lower (self->painter.scene, self->ground_lists, self->ground);
}

/* Where the columns, the rows and the wires of an expanded loop program are. */

#define EXPANDED_SIGNS 28. /* M and H, left of the columns */
#define LIMIT_STEP 8.

static double
text_width (const char *text, HeddleFont font, double size)
{
  return heddle_math_layout (
      NULL, HEDDLE_PART_COLUMN, NULL, text, font, size, (HeddleColor){ 0 }, 0., 0., NULL, NULL);
}

static gint64
elements_of (const HeddleExpanded *self, guint i)
{
  const HeddleBuffer *buffer = expanded_get_buffer (self, i);
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

/* Returns what is held while statement @t runs: arrays made in place of one another once. */
static char *
held_text (const HeddleExpanded *self, guint t)
{
  g_autoptr (GHashTable) slots = g_hash_table_new (NULL, NULL);
  gint64 total = 0;

  for (guint i = 0; i < self->program->buffers->len; i++)
    if (heddle_liveness_is_live (self->liveness, i, t)
        && expanded_get_buffer (self, i)->role != HEDDLE_BUFFER_FACTOR
        && g_hash_table_add (slots, GUINT_TO_POINTER (expanded_get_buffer (self, i)->slot)))
      total = heddle_saturating_add (total, elements_of (self, i));
  return count_text (total);
}

static char *expanded_statement_text (const HeddleExpanded *self, const HeddleNode *node);

/* Appends the column of statement number @t with its texts and its width in px; its x comes later. */
static void
expanded_add_column (HeddleExpanded *self, guint t)
{
  const HeddleStatement *statement = &g_array_index (self->liveness->statements, HeddleStatement, t);
  HeddleExpandedColumn column = { statement->node, heddle_liveness_stream (self->liveness, t, 0) != NULL };
  double least;

  column.text = expanded_statement_text (self, column.node);
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

/* Returns the room in px that the label of what a column makes takes after it. */
static double
expanded_label_width (const HeddleExpanded *self, const HeddleExpandedColumn *column)
{
  guint t = (guint) (column - expanded_get_column (self, 0));
  const HeddleBuffer *buffer = expanded_get_buffer (self, column->node->buffer);
  g_autofree char *shape = expanded_shape_text (self, buffer);
  double name = text_width (buffer->name, HEDDLE_FONT_MATH, EXPANDED_SIZE);

  return self->liveness->birth[column->node->buffer] == t
             ? MAX (0., name + text_width (shape, HEDDLE_FONT_SANS, EXPANDED_SMALL) + 18. - EXPANDED_GAP)
             : 0.;
}

/* The room at the beginning of a line for the names of what is held there. */
static double
lead_of_line (const HeddleExpanded *self, guint first)
{
  double widest = 0.;

  for (guint i = 0; first > 0 && i < self->program->buffers->len; i++)
    {
      if (self->liveness->birth[i] >= first || self->liveness->death[i] < first)
        continue;
      g_autofree char *name = expanded_typeset (expanded_get_buffer (self, i)->name);
      widest = MAX (widest, text_width (name, HEDDLE_FONT_MATH, EXPANDED_SIZE));
    }
  return 2. * EXPANDED_BAND + widest;
}

/* Returns where the box of a column ends, or the label of what it makes. */
static double
end_of_column (const HeddleExpanded *self, const HeddleExpandedColumn *column)
{
  return column->x + column->width / 2. + expanded_label_width (self, column);
}

/* Returns whether a statement only sets an array to a number. */
static gboolean
sets_number (const HeddleNode *node)
{
  return node->kind == HEDDLE_NODE_COMPUTE && node->sources->len == 0 && node->second == HEDDLE_NO_BUFFER;
}

/* Finds the columns that stand under those before, in rows of their own. */
static void
stack_columns (HeddleExpanded *self)
{
  for (guint i = 1; i < self->columns->len; i++)
    {
      const HeddleExpandedColumn *before = expanded_get_column (self, i - 1);
      HeddleExpandedColumn *column = expanded_get_column (self, i);

      column->stacked = column->in_stream == before->in_stream && sets_number (column->node)
                        && sets_number (before->node)
                        && self->rows[column->node->buffer] > self->rows[before->node->buffer];
    }
}

/* Returns where the columns that stand below column @i end, and gives how wide the widest box and label of them are. */
static guint
measure_stack (const HeddleExpanded *self, guint i, double *width, double *label)
{
  *width = *label = 0.;
  do
    {
      const HeddleExpandedColumn *column = expanded_get_column (self, i);
      *width = MAX (*width, column->width);
      *label = MAX (*label, expanded_label_width (self, column));
    }
  while (++i < self->columns->len && expanded_get_column (self, i)->stacked);
  return i;
}

/* Breaks columns into lines that end before @limit (px; 0: one line). Returns how many lines they are. */
static guint
break_columns (HeddleExpanded *self, double limit)
{
  gboolean in_stream = FALSE;
  guint line = 0, first = 0;
  double x = self->x + lead_of_line (self, 0);

  for (guint i = 0, end; i < self->columns->len; i = end)
    {
      HeddleExpandedColumn *column = expanded_get_column (self, i);
      double width, label;

      end = measure_stack (self, i, &width, &label);
      if (column->in_stream != in_stream)
        x += 2. * EXPANDED_BAND;
      if (limit > 0. && i > first && x + width + label + EXPANDED_GAP > limit)
        {
          line++;
          first = i;
          x = self->x + lead_of_line (self, i) + (column->in_stream ? EXPANDED_BAND : 0.);
        }
      in_stream = column->in_stream;
      for (guint j = i; j < end; j++)
        {
          expanded_get_column (self, j)->line = line;
          expanded_get_column (self, j)->width = width;
          expanded_get_column (self, j)->x = x + width / 2.;
        }
      x += width + EXPANDED_GAP + label;
    }
  return line + 1;
}

/* Gives each column its line and its x, in px, with room where the stream begins and ends. Lines are no longer than the chart
 * is wide, but where one column is. */
static void
expanded_place_columns (HeddleExpanded *self)
{
  const double width = self->chart->width > 0. ? self->x + self->chart->width - EXPANDED_SIGNS : 0.;
  const guint n = break_columns (self, width);
  double limit = width;

  while (n > 1 && break_columns (self, limit - LIMIT_STEP) == n)
    limit -= LIMIT_STEP;
  break_columns (self, limit);
}

/* Returns the right end of the line at hand, in px. */
static double
expanded_line_right (const HeddleExpanded *self)
{
  const HeddleExpandedColumn *last = expanded_get_column (self, self->end - 1);
  double right = 0.;

  for (guint i = self->first; i < self->end; i++)
    right = MAX (right, end_of_column (self, expanded_get_column (self, i)));
  return right + EXPANDED_GAP + (last->in_stream ? EXPANDED_BAND : 0.);
}

/* The expanded columns of a loop program say these texts. */

typedef struct
{
  const HeddleExpanded *drawing;
  const HeddleNode *node;
} Naming;

static char *name_leaf (const HeddleExpr *leaf, gpointer data);

static char *
name_source (const Naming *naming, guint source)
{
  const GPtrArray *indices = g_ptr_array_index (naming->node->source_indices, source);
  GString *text = g_string_new (
      expanded_get_buffer (naming->drawing, g_array_index (naming->node->sources, guint, source))->name);

  for (guint i = 0; indices != NULL && i < indices->len; i++)
    {
      g_autofree char *index
          = heddle_expr_to_string (g_ptr_array_index (indices, i), name_leaf, (gpointer) naming);

      g_string_append_printf (text, "%s%s%s", i == 0 ? "[" : ", ", index, i + 1 == indices->len ? "]" : "");
    }
  return g_string_free (text, FALSE);
}

static char *
name_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Naming *naming = data;

  switch (heddle_expr_get_kind (leaf))
    {
    case HEDDLE_EXPR_ARGUMENT:
      return name_source (naming, heddle_expr_get_operand (leaf));
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
      return expanded_axis_name (naming->drawing, heddle_expr_get_symbol (leaf));
    default:
      return NULL;
    }
}

static char *
expr_text (const HeddleExpanded *self, const HeddleNode *node, const HeddleExpr *expr)
{
  Naming naming = { self, node };
  g_autofree char *plain = heddle_expr_to_string (expr, name_leaf, &naming);

  return expanded_typeset (plain);
}

static char *
axes_text (const HeddleExpanded *self, const GArray *axes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < axes->len; i++)
    {
      g_autofree char *name = expanded_axis_name (self, heddle_ids_index (axes, i));

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", name);
    }
  return g_string_free (text, FALSE);
}

/* Returns sum over x: S V; max(m, max over x: S). */
static char *
fold_text (const HeddleExpanded *self, const HeddleNode *node)
{
  static const char *const signs[] = { "∑", "∏", "\\mathrm{max}", "\\mathrm{min}" };
  g_autofree char *name = expanded_typeset (expanded_get_buffer (self, node->buffer)->name);
  g_autofree char *body = expr_text (self, node, node->body);
  g_autofree char *over = axes_text (self, node->over);
  g_autofree char *rescale = node->rescale != NULL ? expr_text (self, node, node->rescale) : NULL;
  g_autofree char *result = node->over->len > 0
                                ? g_strdup_printf ("%s_{%s} %s", signs[node->monoid], over, body)
                                : g_strdup (body);
  g_autofree char *old = rescale != NULL ? g_strdup_printf ("%s · %s", rescale, name) : g_strdup (name);

  if (!node->accumulate)
    return g_steal_pointer (&result);
  if (node->monoid == HEDDLE_MONOID_SUM || node->monoid == HEDDLE_MONOID_PROD)
    return g_strdup_printf ("%s %s %s", old, node->monoid == HEDDLE_MONOID_SUM ? "+" : "·", result);
  return g_strdup_printf ("%s(%s, %s)", signs[node->monoid], old, result);
}

/* Returns what is written in the box of a statement; newly allocated. NULL means that it only moves an array. */
static char *
expanded_statement_text (const HeddleExpanded *self, const HeddleNode *node)
{
  g_autofree char *body = NULL, *extra = NULL, *axis = NULL;

  if (node->kind != HEDDLE_NODE_COMPUTE)
    return NULL;
  if (node->form == HEDDLE_COMPUTE_FOLD)
    return fold_text (self, node);
  body = expr_text (self, node, node->body);
  extra = node->extra != NULL ? expr_text (self, node, node->extra) : NULL;
  if (node->form == HEDDLE_COMPUTE_SELECT)
    {
      axis = axes_text (self, node->over);
      return g_strdup_printf ("top_{%s} %s", axis, body);
    }
  axis = expanded_axis_name (self, node->along);
  return g_strdup_printf (
      "scan_{%s} %s%sh + %s", axis, extra != NULL ? extra : "", extra != NULL ? " · " : "", body);
}
