/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/level-cost.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/page/cost-table.h"
#include "figure/paint/paint.h"
#include "figure/paint/table.h"
#include "figure/scene/path.h"
#include "figure/typeset/label.h"
#include "figure/typeset/math-expr.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#define SIZE 15.
#define ROW 26.
#define GAP 22.

typedef enum
{
  COLUMN_KERNEL,
  COLUMN_TILES,
  COLUMN_FORMULA, /* H in symbols */
  COLUMN_MOVED,
  COLUMN_HELD,
  COLUMN_TIME,
  COLUMN_BOUND,
  N_COLUMNS,
} Column;

static const struct
{
  const char *title; /* NULL: the formula's own sign */
  HeddleFont font;
  gboolean right;
  gboolean timed; /* not of the abstract machine */
} columns[] = {
  [COLUMN_KERNEL] = { N_ ("kernel"), HEDDLE_FONT_SANS, FALSE, FALSE },
  [COLUMN_TILES] = { N_ ("tiles"), HEDDLE_FONT_MATH, FALSE, FALSE },
  [COLUMN_FORMULA] = { N_ ("values moved"), HEDDLE_FONT_MATH, FALSE, FALSE },
  [COLUMN_MOVED] = { "H", HEDDLE_FONT_SANS, TRUE, FALSE },
  [COLUMN_HELD] = { "M", HEDDLE_FONT_SANS, TRUE, FALSE },
  [COLUMN_TIME] = { N_ ("time"), HEDDLE_FONT_SANS, TRUE, TRUE },
  [COLUMN_BOUND] = { N_ ("bound"), HEDDLE_FONT_SANS, FALSE, TRUE },
};

typedef struct
{
  HeddlePainter painter;
  const HeddleChart *chart;
  GPtrArray *rows; /* of char *[N_COLUMNS] */
  double widths[N_COLUMNS];
} Table;

/* --- cells -------------------------------------------------------------------------------------------- */

static char *
moved_text (const HeddleChart *chart, gint64 elements, gint64 bytes)
{
  static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
  double value = (double) bytes;
  guint unit = 0;

  if (heddle_machine_is_abstract (chart->machine))
    return g_strdup_printf ("%" PRId64, elements);
  if (bytes == G_MAXINT64)
    return g_strdup (_ ("beyond 64 bits"));
  for (; value >= 1000. && unit + 1 < G_N_ELEMENTS (units); unit++)
    value /= 1000.;
  return g_strdup_printf ("%.3g %s", value, units[unit]);
}

char *
heddle_paint_time_text (double seconds)
{
  if (seconds < 1e-3)
    return g_strdup_printf ("%.3g µs", seconds * 1e6);
  if (seconds < 1.)
    return g_strdup_printf ("%.3g ms", seconds * 1e3);
  return g_strdup_printf ("%.3g s", seconds);
}

/* Returns "g_q = 384, s_x = 64". */
static char *
tiles_text (const HeddleChart *chart, const HeddleKernel *kernel)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);
      const HeddleAxis *axis = heddle_diagram_get_axis (chart->diagram, label->axis);
      gboolean loops = label->kind == HEDDLE_LABEL_GROUP || label->kind == HEDDLE_LABEL_STREAM;

      if (loops && axis != NULL)
        g_string_append_printf (text, "%s%c_{%s} = %" PRId64, text->len > 0 ? ",  " : "",
            label->kind == HEDDLE_LABEL_GROUP ? 'g' : 's', axis->name, label->size);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
add_kernel (Table *self, const HeddleKernel *kernel)
{
  const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, 0);
  gboolean abstract = heddle_machine_is_abstract (self->chart->machine);
  char **row = g_new0 (char *, N_COLUMNS + 1);

  row[COLUMN_KERNEL] = g_strdup (kernel->title);
  row[COLUMN_TILES] = tiles_text (self->chart, kernel);
  row[COLUMN_FORMULA] = heddle_math_from_expr (level->transfer_symbolic, self->chart->diagram);
  row[COLUMN_MOVED] = moved_text (self->chart, level->transfer_elements, level->transfer_bytes);
  row[COLUMN_HELD] = heddle_paint_held_text (level->memory_elements, abstract ? 0 : level->memory_bytes);
  row[COLUMN_TIME] = heddle_paint_time_text (kernel->expected_s);
  row[COLUMN_BOUND] = g_strdup (kernel->bound);
  g_ptr_array_add (self->rows, row);
}

static void
add_total (Table *self)
{
  const HeddleDerivation *derivation = self->chart->derivation;
  char **row = g_new0 (char *, N_COLUMNS + 1);

  for (guint i = 0; i < N_COLUMNS; i++)
    row[i] = g_strdup ("");
  g_free (row[COLUMN_KERNEL]);
  g_free (row[COLUMN_MOVED]);
  g_free (row[COLUMN_TIME]);
  row[COLUMN_KERNEL] = g_strdup (_ ("in all"));
  row[COLUMN_MOVED] = moved_text (self->chart, derivation->transfer_elements, derivation->transfer_bytes);
  row[COLUMN_TIME] = heddle_paint_time_text (derivation->expected_s);
  g_ptr_array_add (self->rows, row);
}

/* --- painting ------------------------------------------------------------------------------------------ */

static gboolean
is_shown (const Table *self, Column column)
{
  return !columns[column].timed || !heddle_machine_is_abstract (self->chart->machine);
}

static HeddleFont
head_font (Column column)
{
  return column == COLUMN_MOVED || column == COLUMN_HELD ? HEDDLE_FONT_MATH : HEDDLE_FONT_SANS;
}

static double
width_of (const char *text, HeddleFont font)
{
  return heddle_math_layout (
      NULL, HEDDLE_PART_COLUMN, NULL, text, font, SIZE, (HeddleColor){ 0 }, 0., 0., NULL, NULL);
}

static void
measure (Table *self)
{
  for (guint k = 0; k < N_COLUMNS; k++)
    {
      self->widths[k] = width_of (_ (columns[k].title), head_font (k));
      for (guint i = 0; i < self->rows->len; i++)
        self->widths[k] = MAX (
            self->widths[k], width_of (((char **) g_ptr_array_index (self->rows, i))[k], columns[k].font));
    }
}

static void
paint_row (Table *self, const char *const *cells, gboolean head, double y)
{
  double x = 0.;

  for (guint k = 0; k < N_COLUMNS; k++)
    {
      HeddleFont font = head ? head_font (k) : columns[k].font;

      if (!is_shown (self, k))
        continue;
      heddle_paint_label (&self->painter, HEDDLE_PART_COLUMN, NULL, cells[k], font, SIZE, NULL,
          columns[k].right ? x + self->widths[k] : x, y + .7 * ROW, columns[k].right ? 1. : 0.);
      x += self->widths[k] + GAP;
    }
}

static double
total_width (const Table *self)
{
  double width = -GAP;

  for (guint k = 0; k < N_COLUMNS; k++)
    width += is_shown (self, k) ? self->widths[k] + GAP : 0.;
  return width;
}

static void
paint_rule (Table *self, double y, double thickness)
{
  const HeddleStroke stroke = { .color = self->painter.ink, .width = thickness };
  HeddleItem *item = heddle_paint_path (&self->painter, HEDDLE_PART_COLUMN, NULL, &stroke, NULL);

  heddle_item_move_to (item, 0., y);
  heddle_item_line_to (item, total_width (self), y);
}

static void
paint (Table *self)
{
  const HeddleDerivation *derivation = self->chart->derivation;
  const char *head[N_COLUMNS];
  double y = ROW;

  for (guint k = 0; k < N_COLUMNS; k++)
    head[k] = _ (columns[k].title);
  paint_rule (self, 0., 1.5);
  paint_row (self, head, TRUE, 0.);
  paint_rule (self, y, 1.);
  for (guint i = 0; i < self->rows->len; i++, y += ROW)
    {
      if (i == derivation->kernels->len)
        paint_rule (self, y, 1.);
      paint_row (self, g_ptr_array_index (self->rows, i), FALSE, y);
    }
  paint_rule (self, y, 1.5);
}

/* Cells that are shown, for those who set them as a table of their own. */
static char **
shown_cells (const Table *self, const char *const *cells)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint k = 0; k < N_COLUMNS; k++)
    if (is_shown (self, k))
      g_strv_builder_add (builder, cells[k]);
  return g_strv_builder_end (builder);
}

static void
describe_table (const Table *self)
{
  HeddleSceneTable table = { .rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev),
    .total = self->rows->len > 1 };
  g_autoptr (GString) sides = g_string_new (NULL), math = g_string_new (NULL);
  const char *head[N_COLUMNS];

  for (guint k = 0; k < N_COLUMNS; k++)
    {
      head[k] = _ (columns[k].title);
      if (is_shown (self, k))
        g_string_append_c (sides, columns[k].right ? 'r' : 'l');
    }
  for (int heads = 0; heads < 2; heads++)
    for (guint k = 0; k < N_COLUMNS; k++)
      if (is_shown (self, k))
        g_string_append_c (math, (heads ? head_font (k) : columns[k].font) == HEDDLE_FONT_MATH ? 'm' : 't');
  g_ptr_array_add (table.rows, shown_cells (self, head));
  for (guint i = 0; i < self->rows->len; i++)
    g_ptr_array_add (table.rows, shown_cells (self, g_ptr_array_index (self->rows, i)));
  table.columns = g_strdup (sides->str);
  table.math = g_strdup (math->str);
  heddle_scene_set_table (self->painter.scene, &table);
}

HeddleScene *
heddle_chart_render_costs (const HeddleChart *self)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  Table table = { .painter = heddle_painter_for (self->theme), .chart = self, .rows = rows };

  for (guint i = 0; i < self->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (self->derivation->kernels, i);

      if (kernel->levels->len > 0)
        add_kernel (&table, kernel);
    }
  if (rows->len > 1)
    add_total (&table);
  measure (&table);
  paint (&table);
  describe_table (&table);
  return table.painter.scene;
}
