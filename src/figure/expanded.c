/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost.h"
#include "derive/loop-program-private.h"
#include "derive/window.h"
#include "figure/chart.h"
#include "figure/paint.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* The loop program of each kernel with its columns expanded, as "FlashAttention on a Napkin" draws algorithms: a line for each array while it is
 * held, in the colour and the stroke of its memory; a column for each statement; what runs for each chunk on a ground of its own; above, how many
 * values are held and moved. */

#define SIZE 15.
#define SMALL 12.
#define ROW 46.
#define PAD 16. /* within a box */
#define GAP 26. /* between columns */
#define HEAD 92. /* above the first row: titles and the table */
#define BOX 30.
#define BAND 12. /* what a ground goes beyond what is on it */

typedef struct
{
  const HeddleNode *node;
  gboolean in_stream;
  char *text; /* in its box */
  double width, x; /* of the box; its middle */
  char *held, *moved; /* above it */
} Column;

typedef struct
{
  HeddlePainter painter;
  const HeddleChart *chart;
  const HeddleLoopProgram *program;
  HeddleSizes *sizes;
  HeddleLiveness *liveness;
  GArray *columns; /* of Column, in the order of the statements */
  int *rows; /* per buffer; those of one slot have one */
  guint n_rows;
  double x, y; /* of the kernel's top left corner */
  double right, bottom;
  guint ground, ground_lists; /* items of the scene: where grounds go, and where they are painted */
} Drawing;

static Column *
get_column (const Drawing *self, guint i)
{
  return &g_array_index (self->columns, Column, i);
}

static void
column_clear (Column *self)
{
  g_free (self->text);
  g_free (self->held);
  g_free (self->moved);
}

static const HeddleBuffer *
buffer_of (const Drawing *self, guint i)
{
  return heddle_loop_program_get_buffer (self->program, i);
}

/* --- texts ------------------------------------------------------------------------------------------------ */

typedef struct
{
  const Drawing *drawing;
  const HeddleNode *node;
} Naming;

static char *
axis_name (const Drawing *self, const char *axis)
{
  return g_strdup (heddle_diagram_get_axis (self->program->diagram, axis)->name);
}

static char *name_leaf (const HeddleExpr *leaf, gpointer data);

static char *
name_source (const Naming *naming, guint source)
{
  const GPtrArray *indices = g_ptr_array_index (naming->node->source_indices, source);
  GString *text = g_string_new (
      buffer_of (naming->drawing, g_array_index (naming->node->sources, guint, source))->name);

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
      return axis_name (naming->drawing, heddle_expr_get_symbol (leaf));
    default:
      return NULL;
    }
}

/* As mathematics is set: products by dots, powers raised, infinity by its sign. */
static char *
typeset (const char *plain)
{
  g_autoptr (GRegex) power = g_regex_new ("\\^(-?[A-Za-z0-9.]+)", 0, 0, NULL);
  g_autoptr (GRegex) infinite = g_regex_new ("\\binf\\b", 0, 0, NULL);
  g_autoptr (GRegex) factor = g_regex_new ("\\bdelta\\b", 0, 0, NULL);
  g_autofree char *raised = g_regex_replace (power, plain, -1, 0, "^{\\1}", 0, NULL);
  g_autofree char *signs = g_regex_replace_literal (infinite, raised, -1, 0, "∞", 0, NULL);
  g_autofree char *greek = g_regex_replace_literal (factor, signs, -1, 0, "δ", 0, NULL);
  g_auto (GStrv) parts = g_strsplit (greek, "*", -1);
  g_autofree char *dots = g_strjoinv (" · ", parts);
  g_auto (GStrv) equal = g_strsplit (dots, " == ", -1);

  return g_strjoinv (" = ", equal);
}

static char *
expr_text (const Drawing *self, const HeddleNode *node, const HeddleExpr *expr)
{
  Naming naming = { self, node };
  g_autofree char *plain = heddle_expr_to_string (expr, name_leaf, &naming);

  return typeset (plain);
}

static char *
axes_text (const Drawing *self, const GArray *axes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < axes->len; i++)
    {
      g_autofree char *name = axis_name (self, heddle_ids_index (axes, i));

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", name);
    }
  return g_string_free (text, FALSE);
}

/* sum over x: S V; max(m, max over x: S) */
static char *
fold_text (const Drawing *self, const HeddleNode *node)
{
  static const char *const signs[] = { "∑", "∏", "max", "min" };
  g_autofree char *name = typeset (buffer_of (self, node->buffer)->name);
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

static char *
statement_text (const Drawing *self, const HeddleNode *node)
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
  axis = axis_name (self, node->along);
  return g_strdup_printf (
      "scan_{%s} %s%sh + %s", axis, extra != NULL ? extra : "", extra != NULL ? " · " : "", body);
}

/* 128 × 64 */
static char *
shape_text (const Drawing *self, const HeddleBuffer *buffer)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < buffer->axes->len; i++)
    g_string_append_printf (
        text, "%s%" PRId64, i > 0 ? " × " : "", heddle_buffer_most (self->program, self->sizes, buffer, i));
  return g_string_free (text, FALSE);
}

/* --- measuring ---------------------------------------------------------------------------------------------- */

static double
text_width (const char *text, HeddleFont font, double size)
{
  return heddle_math_layout (
      NULL, HEDDLE_PART_COLUMN, NULL, text, font, size, (HeddleColor){ 0 }, 0., 0., NULL, NULL);
}

static gint64
elements_of (const Drawing *self, guint i)
{
  const HeddleBuffer *buffer = buffer_of (self, i);
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
held_text (const Drawing *self, guint t)
{
  g_autoptr (GHashTable) slots = g_hash_table_new (NULL, NULL);
  gint64 total = 0;

  for (guint i = 0; i < self->program->buffers->len; i++)
    if (heddle_liveness_is_live (self->liveness, i, t) && buffer_of (self, i)->role != HEDDLE_BUFFER_FACTOR
        && g_hash_table_add (slots, GUINT_TO_POINTER (buffer_of (self, i)->slot)))
      total = heddle_saturating_add (total, elements_of (self, i));
  return count_text (total);
}

static void
add_column (Drawing *self, guint t)
{
  const HeddleStatement *statement = &g_array_index (self->liveness->statements, HeddleStatement, t);
  Column column = { statement->node, heddle_liveness_stream (self->liveness, t, 0) != NULL };
  double least;

  column.text = statement_text (self, column.node);
  column.held = held_text (self, t);
  column.moved = column.node->kind == HEDDLE_NODE_COMPUTE
                     ? g_strdup ("")
                     : count_text (elements_of (self, column.node->buffer));
  least = MAX (
      text_width (column.held, HEDDLE_FONT_SANS, SMALL), text_width (column.moved, HEDDLE_FONT_SANS, SMALL));
  column.width
      = column.text != NULL ? text_width (column.text, HEDDLE_FONT_MATH, SIZE) + 2. * PAD : MAX (least, 34.);
  column.width = MAX (column.width, least);
  g_array_append_val (self->columns, column);
}

/* The room that the label of what a column makes takes after it. */
static double
label_width (const Drawing *self, const Column *column)
{
  guint t = (guint) (column - get_column (self, 0));
  const HeddleBuffer *buffer = buffer_of (self, column->node->buffer);
  g_autofree char *shape = shape_text (self, buffer);
  double name = text_width (buffer->name, HEDDLE_FONT_MATH, SIZE);

  return self->liveness->birth[column->node->buffer] == t
             ? MAX (0., name + text_width (shape, HEDDLE_FONT_SANS, SMALL) + 18. - GAP)
             : 0.;
}

static void
place_columns (Drawing *self)
{
  gboolean in_stream = FALSE;
  double x = self->x + 2. * BAND;

  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = get_column (self, i);

      if (column->in_stream != in_stream)
        x += 2. * BAND;
      in_stream = column->in_stream;
      column->x = x + column->width / 2.;
      x += column->width + GAP + label_width (self, column);
    }
  self->right = x + (in_stream ? BAND : 0.);
}

/* A row for each place in memory, the topmost that is free: what is made in place of another keeps its row. */
static void
place_rows (Drawing *self)
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

static double
row_y (const Drawing *self, guint buffer)
{
  return self->y + HEAD + ROW * (self->rows[buffer] + .5);
}

static double
global_y (const Drawing *self)
{
  return self->y + HEAD + ROW * (self->n_rows + .55);
}

/* --- painting ------------------------------------------------------------------------------------------------- */

static HeddleStroke
stroke_of (const Drawing *self, const char *level)
{
  HeddleStroke stroke = heddle_paint_plain (&self->painter);

  heddle_level_style (level, self->chart->theme, &stroke.color, &stroke.width, stroke.dash, &stroke.n_dashes);
  return stroke;
}

static void
paint_line (Drawing *self, const HeddleStroke *stroke, double x1, double y1, double x2, double y2)
{
  HeddleItem *item = heddle_paint_path (&self->painter, HEDDLE_PART_WIRE, NULL, stroke, NULL);

  heddle_item_move_to (item, x1, y1);
  heddle_item_line_to (item, x2, y2);
}

/* A wire ends where what reads it last is, or at the end of what runs for each chunk. */
static double
end_of_wire (const Drawing *self, guint buffer)
{
  guint death = self->liveness->death[buffer];
  const Column *last = get_column (self, death);

  for (guint k = 0; k < last->node->sources->len; k++)
    if (g_array_index (last->node->sources, guint, k) == buffer)
      return last->x;
  if (last->node->buffer == buffer || last->node->second == buffer)
    return last->node->kind == HEDDLE_NODE_SAVE ? last->x : last->x + last->width / 2.;
  return last->x + last->width / 2. + GAP / 2.;
}

static void
paint_wire (Drawing *self, guint i)
{
  const HeddleBuffer *buffer = buffer_of (self, i);
  HeddleStroke stroke = stroke_of (self, buffer->level);
  double x, y = row_y (self, i), end;

  if (self->liveness->birth[i] >= self->columns->len)
    return;
  x = get_column (self, self->liveness->birth[i])->x;
  end = MAX (end_of_wire (self, i), x + get_column (self, self->liveness->birth[i])->width / 2. + 8.);
  paint_line (self, &stroke, x, y, end, y);
}

static void
paint_wire_label (Drawing *self, guint i)
{
  const HeddleBuffer *buffer = buffer_of (self, i);
  guint birth = self->liveness->birth[i];
  g_autofree char *shape = shape_text (self, buffer), *name = typeset (buffer->name);
  double x, y = row_y (self, i) - 7.;

  if (birth >= self->columns->len)
    return;
  x = get_column (self, birth)->x + get_column (self, birth)->width / 2. + 6.;
  x += heddle_paint_label (
      &self->painter, HEDDLE_PART_VALUE_LABEL, buffer->value, name, HEDDLE_FONT_MATH, SIZE, NULL, x, y, 0.);
  heddle_paint_label (&self->painter, HEDDLE_PART_VALUE_LABEL, buffer->value, shape, HEDDLE_FONT_SANS, SMALL,
      &self->painter.dim, x + 6., y, 0.);
}

/* What a statement reads, down or up to it. */
static void
paint_sources (Drawing *self, const Column *column)
{
  double top = row_y (self, column->node->buffer), bottom = top;
  HeddleStroke stroke = heddle_paint_plain (&self->painter);

  for (guint k = 0; k < column->node->sources->len; k++)
    {
      double y = row_y (self, g_array_index (column->node->sources, guint, k));

      top = MIN (top, y);
      bottom = MAX (bottom, y);
      heddle_paint_dot (&self->painter, HEDDLE_PART_WIRE, NULL, &stroke, column->x, y);
    }
  if (column->node->second != HEDDLE_NO_BUFFER)
    {
      double y = row_y (self, column->node->second);

      top = MIN (top, y);
      bottom = MAX (bottom, y);
      heddle_paint_dot (&self->painter, HEDDLE_PART_WIRE, NULL, &stroke, column->x, y);
    }
  if (bottom > top)
    paint_line (self, &stroke, column->x, top, column->x, bottom);
}

/* Up from global memory, or down to it. */
static void
paint_transfer (Drawing *self, const Column *column)
{
  const HeddleBuffer *buffer = buffer_of (self, column->node->buffer);
  gboolean load = column->node->kind == HEDDLE_NODE_LOAD;
  const char *value = column->node->partial != NULL ? column->node->partial : buffer->value;
  g_autofree char *label = heddle_diagram_value_label (self->program->diagram, value);
  HeddleStroke stroke = stroke_of (self, "gmem");
  double from = global_y (self), to = row_y (self, column->node->buffer);
  double tip = load ? to + 2. : from - 16., way = load ? 9. : -9.;
  HeddleItem *head;

  paint_line (self, &stroke, column->x, load ? from - 16. : to, column->x, tip + way);
  head = heddle_paint_path (&self->painter, HEDDLE_PART_WIRE, NULL, NULL, &stroke.color);
  heddle_item_move_to (head, column->x, tip);
  heddle_item_line_to (head, column->x - 5., tip + way);
  heddle_item_line_to (head, column->x + 5., tip + way);
  heddle_item_close (head);
  heddle_paint_label (&self->painter, HEDDLE_PART_VALUE_LABEL, value, label, HEDDLE_FONT_MATH, SIZE, NULL,
      column->x, from, .5);
}

static void
paint_box (Drawing *self, const Column *column)
{
  double y = row_y (self, column->node->buffer);
  HeddleStroke stroke = heddle_paint_plain (&self->painter);
  HeddleColor paper = self->painter.paper;
  HeddleItem *box
      = heddle_paint_path (&self->painter, HEDDLE_PART_BOX, column->node->operation, &stroke, &paper);

  heddle_item_rectangle (box, column->x - column->width / 2., y - BOX / 2., column->width, BOX, 5.);
  heddle_paint_label (&self->painter, HEDDLE_PART_GLYPH, column->node->operation, column->text,
      HEDDLE_FONT_MATH, SIZE, NULL, column->x, y + 5., .5);
}

static void
paint_head (Drawing *self, const Column *column)
{
  double y = self->y + HEAD - 12.;

  heddle_paint_label (&self->painter, HEDDLE_PART_COLUMN, NULL, column->held, HEDDLE_FONT_SANS, SMALL, NULL,
      column->x, y - 17., .5);
  heddle_paint_label (&self->painter, HEDDLE_PART_COLUMN, NULL, column->moved, HEDDLE_FONT_SANS, SMALL, NULL,
      column->x, y, .5);
}

/* --- grounds ---------------------------------------------------------------------------------------------------- */

static void
paint_ground (Drawing *self, const char *fill, double x1, double y1, double x2, double y2)
{
  HeddleColor color = heddle_theme_fill (self->chart->theme, fill);
  HeddleStroke stroke = heddle_paint_plain (&self->painter);
  gboolean outlined = heddle_theme_outline (self->chart->theme) > 0.;
  HeddleItem *item
      = heddle_paint_path (&self->painter, HEDDLE_PART_BACKGROUND, NULL, outlined ? &stroke : NULL, &color);

  heddle_item_rectangle (item, x1, y1, x2 - x1, y2 - y1, 10.);
}

/* each of 11 groups: g_q = 373 */
static double
paint_groups_title (Drawing *self, double x, double y)
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
      name = axis_name (self, band->axis);
      n = heddle_sizes_get (self->sizes, band->axis);
      groups = heddle_saturating_multiply (groups, n / band->size + (n % band->size != 0));
      g_string_append_printf (tiles, "%sg_{%s} = %" PRId64, tiles->len > 0 ? ",  " : "", name, band->size);
    }
  title
      = groups > 1 ? g_strdup_printf (_ ("each of %" PRId64 " groups:"), groups) : g_strdup (_ ("one group"));
  x += heddle_paint_label (
      &self->painter, HEDDLE_PART_TAG, NULL, title, HEDDLE_FONT_SANS, SMALL, NULL, x, y, 0.);
  x += heddle_paint_label (
      &self->painter, HEDDLE_PART_TAG, NULL, tiles->str, HEDDLE_FONT_MATH, SIZE, NULL, x + 6., y, 0.);
  g_string_free (tiles, TRUE);
  return x + 6.;
}

static double
paint_stream_title (Drawing *self, const HeddleNode *stream, double x, double y)
{
  gint64 n = heddle_sizes_get (self->sizes, stream->axis);
  g_autofree char *name = axis_name (self, stream->axis);
  g_autofree char *tile = g_strdup_printf ("s_{%s} = %" PRId64, name, stream->size);
  gint64 steps = n / stream->size + (n % stream->size != 0);
  g_autofree char *title = g_strdup_printf (_ ("each of %" PRId64 " steps:"), steps);

  x += heddle_paint_label (
      &self->painter, HEDDLE_PART_TAG, NULL, title, HEDDLE_FONT_SANS, SMALL, NULL, x, y, 0.);
  return x + 6.
         + heddle_paint_label (&self->painter, HEDDLE_PART_TAG, stream->axis, tile, HEDDLE_FONT_MATH, SIZE,
             NULL, x + 6., y, 0.);
}

/* The stream that columns are in, and where its ground begins and ends; NULL: nothing streams. */
static const HeddleNode *
find_stream (const Drawing *self, double *first, double *last)
{
  const HeddleNode *stream = NULL;

  for (guint i = 0; i < self->columns->len; i++)
    {
      const Column *column = get_column (self, i);

      if (!column->in_stream)
        continue;
      if (stream == NULL)
        *first = column->x - column->width / 2. - BAND;
      *last = column->x + column->width / 2. + GAP / 2. + label_width (self, column);
      stream = heddle_liveness_stream (self->liveness, i, 0);
    }
  return stream;
}

/* The grounds of the groups and of the stream, with what they go through. */
static void
paint_grounds (Drawing *self)
{
  double top = self->y + 24., bottom = global_y (self) - 22., first = 0., last = 0., end;
  const HeddleNode *stream = find_stream (self, &first, &last);

  self->bottom = global_y (self) + 12.;
  end = paint_groups_title (self, self->x + BAND, top + 17.);
  if (stream != NULL && end + 20. < first + BAND)
    end = paint_stream_title (self, stream, first + BAND, top + 17.);
  else if (stream != NULL)
    end = paint_stream_title (self, stream, end + 20., top + 17.);
  self->right = MAX (self->right, end + BAND);
  self->ground_lists = heddle_scene_get_n_items (self->painter.scene);
  paint_ground (self, "linear", self->x, top, self->right, bottom);
  if (stream != NULL)
    paint_ground (self, "scale", first, top + 24., last, bottom - 5.);
  heddle_scene_lower (self->painter.scene, self->ground_lists, self->ground);
}

/* The signs of the two lines of numbers. */
static void
paint_head_signs (Drawing *self)
{
  double y = self->y + HEAD - 12.;

  heddle_paint_label (
      &self->painter, HEDDLE_PART_COLUMN, NULL, "M", HEDDLE_FONT_MATH, SIZE, NULL, self->x - 8., y - 17., 1.);
  heddle_paint_label (
      &self->painter, HEDDLE_PART_COLUMN, NULL, "H", HEDDLE_FONT_MATH, SIZE, NULL, self->x - 8., y, 1.);
}

/* Names of memories beside their lines. */
static void
paint_levels (Drawing *self)
{
  const char *level = self->program->buffers->len > 0 ? buffer_of (self, 0)->level : NULL;
  const char *const names[] = { "gmem", level };
  double x = self->right - 4., y = self->bottom + 16.;

  for (guint i = G_N_ELEMENTS (names); i-- > 0;)
    {
      HeddleStroke stroke;

      if (names[i] == NULL)
        continue;
      stroke = stroke_of (self, names[i]);
      x -= heddle_paint_label (
          &self->painter, HEDDLE_PART_TAG, NULL, names[i], HEDDLE_FONT_SANS, SMALL, NULL, x, y, 1.);
      paint_line (self, &stroke, x - 44., y - 4., x - 8., y - 4.);
      x -= 64.;
    }
  self->bottom = y + 8.;
}

static void
paint_kernel (Drawing *self)
{
  self->ground = heddle_scene_get_n_items (self->painter.scene);
  heddle_paint_label (&self->painter, HEDDLE_PART_TAG, NULL, self->program->name, HEDDLE_FONT_SANS_BOLD, SIZE,
      NULL, self->x, self->y + 14., 0.);
  paint_grounds (self);
  paint_head_signs (self);
  for (guint i = 0; i < self->program->buffers->len; i++)
    paint_wire (self, i);
  for (guint i = 0; i < self->columns->len; i++)
    {
      const Column *column = get_column (self, i);

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
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (Column));
  Drawing self = { *painter, chart, program, own, liveness, columns, .y = y };

  g_array_set_clear_func (columns, (GDestroyNotify) column_clear);
  for (guint t = 0; t < liveness->statements->len; t++)
    add_column (&self, t);
  place_rows (&self);
  place_columns (&self);
  paint_kernel (&self);
  if (last && program->combine == NULL)
    paint_levels (&self);
  g_free (self.rows);
  if (program->combine == NULL)
    return self.bottom;
  return paint_program (painter, chart, program->combine, sizes, last, self.bottom + 2. * ROW / 3.);
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
        y = paint_program (&painter, self, kernel->program, self->sizes, i + 1 == n, y) + 2. * ROW / 3.;
    }
  return painter.scene;
}
