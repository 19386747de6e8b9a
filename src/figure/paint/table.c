/* SPDX-License-Identifier: MIT */
#include "derive/cost/level-cost.h"
#include "derive/kernel/derived-kernel.h"
#include "figure/layout/figure-spec.h"
#include "figure/layout/layout.h"
#include "figure/paint/table.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

#include <math.h>

/* H, what is moved, and M, what is held, at each column of the diagram, above it. */

#define ROW 24.
#define DISTANCE 14. /* over the drawing */
#define SIZE 12.
#define SYMBOL_SIZE 15.
#define TOTAL 96. /* width of the last cell */

typedef struct
{
  gint64 moved, held, held_bytes;
} Cost;

typedef struct
{
  Cost *inside, *outside; /* per data column: within the regions that end there, and after their edge */
  gint64 moved, held, held_bytes;
} Table;

static void
add_cost (Table *self, Cost *cost, const HeddleColumnCost *column)
{
  cost->moved += column->transfer_elements;
  cost->held = MAX (cost->held, column->memory_elements);
  cost->held_bytes = MAX (cost->held_bytes, column->memory_bytes);
  self->held = MAX (self->held, column->memory_elements);
  self->held_bytes = MAX (self->held_bytes, column->memory_bytes);
}

static int
first_stage (const HeddlePainter *self, const HeddleKernel *kernel)
{
  int first = self->layout->n_stages;

  for (guint i = 0; i < kernel->operations->len; i++)
    {
      const guint index = GPOINTER_TO_UINT (
          g_hash_table_lookup (self->layout->node_of, heddle_ids_index (kernel->operations, i)));
      if (index > 0)
        first = MIN (first, heddle_layout_node (self->layout, index - 1)->stage);
    }
  return first;
}

/* What the last operation moves is what is saved, after the region's edge. */
static void
add_kernel (const HeddlePainter *self, Table *table, const HeddleKernel *kernel)
{
  /* What merges parts of several GPUs is not drawn. */
  const gboolean drawn = first_stage (self, kernel) < self->layout->n_stages;

  for (guint i = 0; drawn && i < kernel->columns->len; i++)
    {
      const HeddleColumnCost *column = kernel->columns->pdata[i];
      int t = first_stage (self, kernel);
      if (column->operation != NULL)
        {
          const guint index
              = GPOINTER_TO_UINT (g_hash_table_lookup (self->layout->node_of, column->operation));
          t = index > 0 ? heddle_layout_node (self->layout, index - 1)->stage + 1 : t;
        }
      add_cost (table, &table->inside[t], column);
      const gboolean edge = heddle_layout_column (self->layout, t)->save < G_MAXDOUBLE;
      if (!edge || i + 1 < kernel->columns->len || column->operation == NULL)
        continue;
      table->inside[t].moved -= column->transfer_elements;
      table->outside[t].moved += column->transfer_elements;
    }
}

static char *
format_count (gint64 n)
{
  static const char *const units[] = { "", " K", " M", " G", " T", " P", " E" };
  double value = n;
  guint unit = 0;

  if (n < 10000)
    return g_strdup_printf ("%" G_GINT64_FORMAT, n);
  while (value >= 1000. && unit + 1 < G_N_ELEMENTS (units))
    {
      value /= 1000.;
      unit++;
    }
  return g_strdup_printf (value < 9.95 ? "%.2f%s" : "%.1f%s", value, units[unit]);
}

char *
heddle_paint_held_text (gint64 elements, gint64 bytes)
{
  if (bytes <= 0)
    return format_count (elements);
  if (bytes < 1 << 20)
    return g_strdup_printf ("%.1f KiB", bytes / 1024.);
  if (bytes < 1 << 30)
    return g_strdup_printf ("%.2f MiB", bytes / 1048576.);
  return g_strdup_printf ("%.2f GiB", bytes / 1073741824.);
}

static void
paint_rule (HeddlePainter *self, double x1, double x2, double y, double width, const HeddleColor *color)
{
  const HeddleStroke stroke = { .color = *color, .width = width };
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_COLUMN, NULL, &stroke, NULL);

  heddle_item_move_to (item, x1, y);
  heddle_item_line_to (item, x2, y);
}

static void
paint_text (HeddlePainter *self, const char *text, HeddleFont font, double x, double y, double align)
{
  heddle_paint_label (self, HEDDLE_PART_COLUMN, NULL, text, font, SIZE, NULL, x, y, align);
}

static void
paint_cell (HeddlePainter *self, const Table *table, const Cost *cost, double x, double y)
{
  if (cost->moved > 0)
    {
      g_autofree char *moved = format_count (cost->moved);
      paint_text (self, moved, HEDDLE_FONT_SANS, x, y + 16., 0.5);
    }
  if (cost->held > 0)
    {
      g_autofree char *held = heddle_paint_held_text (cost->held, cost->held_bytes);
      const gboolean peak = cost->held == table->held;
      paint_text (self, held, peak ? HEDDLE_FONT_SANS_BOLD : HEDDLE_FONT_SANS, x, y + ROW + 16., 0.5);
    }
}

static void
paint_symbols (HeddlePainter *self, double x, double y, double align)
{
  heddle_paint_label (
      self, HEDDLE_PART_COLUMN, NULL, "H", HEDDLE_FONT_MATH, SYMBOL_SIZE, NULL, x, y + 17., align);
  heddle_paint_label (
      self, HEDDLE_PART_COLUMN, NULL, "M", HEDDLE_FONT_MATH, SYMBOL_SIZE, NULL, x, y + ROW + 17., align);
}

/* Where a line of the figure begins the symbols are said again. */
static void
paint_cells (HeddlePainter *self, const Table *table, double y)
{
  for (int t = 0; t <= self->layout->n_stages; t++)
    {
      const HeddleColumn *column = heddle_layout_column (self->layout, t);
      const gboolean edge = column->after < G_MAXDOUBLE;
      if (column->breaks)
        paint_symbols (self, column->wrap + 10., y, 0.);
      paint_cell (self, table, &table->inside[t], edge && t > 0 ? column->after : column->labels, y);
      if (edge)
        paint_cell (
            self, table, &table->outside[t], column->outer < G_MAXDOUBLE ? column->outer : column->labels, y);
    }
}

static void
paint_frame (HeddlePainter *self, const Table *table, double left, double right, double y)
{
  g_autofree char *moved = format_count (table->moved),
                  *held = heddle_paint_held_text (table->held, table->held_bytes);
  g_autofree char *all = g_strconcat (moved, " in all", NULL), *most = g_strconcat (held, " at most", NULL);
  const double names = -14.;

  paint_rule (self, left, right + TOTAL, y, 1., &self->ink);
  paint_rule (self, left, right + TOTAL, y + ROW, 1., &self->dim);
  paint_rule (self, left, right + TOTAL, y + 2. * ROW, 1., &self->ink);
  paint_symbols (self, names, y, 1.);
  paint_text (self, "values moved", HEDDLE_FONT_SANS, names - 20., y + 16., 1.);
  paint_text (self, "held", HEDDLE_FONT_SANS, names - 20., y + ROW + 16., 1.);
  paint_text (self, all, HEDDLE_FONT_SANS, right + TOTAL / 2., y + 16., 0.5);
  paint_text (self, most, HEDDLE_FONT_SANS, right + TOTAL / 2., y + ROW + 16., 0.5);
}

void
heddle_paint_table (HeddlePainter *self)
{
  const HeddleFigure *figure = self->layout->figure;
  double x, y, width, height;

  if (!(figure->show & HEDDLE_SHOW_COLUMNS) || figure->derivation == NULL)
    return;
  g_autofree Cost *inside = g_new0 (Cost, self->layout->n_stages + 2);
  g_autofree Cost *outside = g_new0 (Cost, self->layout->n_stages + 2);
  Table table = { .inside = inside, .outside = outside };
  for (guint i = 0; i < figure->derivation->kernels->len; i++)
    add_kernel (self, &table, figure->derivation->kernels->pdata[i]);
  table.moved = figure->derivation->transfer_elements;
  heddle_scene_get_bounds (self->scene, &x, &y, &width, &height);
  const double top = y - DISTANCE - 2. * ROW, left = MIN (x, -14. - 20. - 80.);
  const guint from = heddle_scene_get_n_items (self->scene);
  paint_frame (self, &table, left, x + width, top);
  paint_cells (self, &table, top);
  heddle_paint_mean (self, from, HEDDLE_MEANING_COSTS);
}
