/* SPDX-License-Identifier: MIT */
#include "figure/scene/grid.h"

#include <math.h>

#define CELL 64.
/* What touches more cells than this is looked at for every point: a tint, a very long curve. */
#define MANY_CELLS 512

/* What reaches into a cell lies side by side in one array: large drawings have more cells than items. */
struct _HeddleGrid
{
  GHashTable *cells; /* key -> number of the cell, from 1 */
  GArray *begins; /* of guint: where in @items those of a cell begin; one more, the end */
  guint *items; /* numbers of items, ascending within a cell */
  GArray *large; /* of guint */
};

/* An item reaches into a cell. */
typedef struct
{
  guint cell, item;
} Reach;

void
heddle_grid_free (HeddleGrid *self)
{
  g_hash_table_unref (self->cells);
  g_array_unref (self->begins);
  g_free (self->items);
  g_array_unref (self->large);
  g_free (self);
}

static gpointer
cell_key (int column, int row)
{
  return GSIZE_TO_POINTER (((gsize) (guint32) column << 32) | (guint32) row);
}

/* Both halves of the key count: the direct hash takes the lower alone. */
static guint
hash_cell (gconstpointer key)
{
  const gsize value = (gsize) key;

  return (guint) (value >> 32) * 2654435761u ^ (guint) value * 40503u;
}

static int
cell_of (double x)
{
  return (int) floor (CLAMP (x / CELL, -1e9, 1e9));
}

/* Counts one more item in the cell, where the one before begins. */
static void
grid_reach (HeddleGrid *self, GArray *reaches, int column, int row, guint item)
{
  const gpointer key = cell_key (column, row);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->cells, key));

  if (number == 0)
    {
      const guint none = 0;
      g_array_append_val (self->begins, none);
      number = self->begins->len - 1;
      g_hash_table_insert (self->cells, key, GUINT_TO_POINTER (number));
    }
  g_array_index (self->begins, guint, number)++;
  const Reach reach = { number - 1, item };
  g_array_append_val (reaches, reach);
}

static void
grid_add (HeddleGrid *self, GArray *reaches, const HeddleGridBounds *bounds, guint number)
{
  const int left = cell_of (bounds->left), right = cell_of (bounds->right);
  const int top = cell_of (bounds->top), bottom = cell_of (bounds->bottom);

  if ((right - left + 1.) * (bottom - top + 1.) > MANY_CELLS)
    {
      g_array_append_val (self->large, number);
      return;
    }
  for (int column = left; column <= right; column++)
    for (int row = top; row <= bottom; row++)
      grid_reach (self, reaches, column, row, number);
}

/* From how many items each cell has to where they are. */
static void
grid_sort (HeddleGrid *self, const GArray *reaches)
{
  guint *begins = (guint *) self->begins->data;
  g_autofree guint *filled = g_new0 (guint, self->begins->len);

  for (guint i = 1; i < self->begins->len; i++)
    begins[i] += begins[i - 1];
  self->items = g_new (guint, reaches->len);
  for (guint i = 0; i < reaches->len; i++)
    {
      const Reach *reach = &g_array_index (reaches, Reach, i);
      self->items[begins[reach->cell] + filled[reach->cell]++] = reach->item;
    }
}

HeddleGrid *
heddle_grid_new (guint n, HeddleGridBoundsFunc bounds_of, gconstpointer data)
{
  HeddleGrid *self = g_new0 (HeddleGrid, 1);
  g_autoptr (GArray) reaches = g_array_new (FALSE, FALSE, sizeof (Reach));

  self->cells = g_hash_table_new (hash_cell, NULL);
  self->begins = g_array_new (FALSE, TRUE, sizeof (guint));
  g_array_set_size (self->begins, 1);
  self->large = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < n; i++)
    {
      HeddleGridBounds bounds;
      if (bounds_of (data, i, &bounds))
        grid_add (self, reaches, &bounds, i);
    }
  grid_sort (self, reaches);
  return self;
}

static void
append_cell (const HeddleGrid *self, int column, int row, GArray *numbers)
{
  const guint *begins = (const guint *) self->begins->data;
  const guint cell = GPOINTER_TO_UINT (g_hash_table_lookup (self->cells, cell_key (column, row)));

  if (cell > 0)
    g_array_append_vals (numbers, self->items + begins[cell - 1], begins[cell] - begins[cell - 1]);
}

static int
by_number (gconstpointer a, gconstpointer b)
{
  const guint first = *(const guint *) a, second = *(const guint *) b;

  return (first > second) - (first < second);
}

static void
sort_once (GArray *numbers)
{
  guint n = 0;

  g_array_sort (numbers, by_number);
  for (guint i = 0; i < numbers->len; i++)
    {
      const guint number = g_array_index (numbers, guint, i);
      if (n == 0 || g_array_index (numbers, guint, n - 1) != number)
        g_array_index (numbers, guint, n++) = number;
    }
  g_array_set_size (numbers, n);
}

GArray *
heddle_grid_find (const HeddleGrid *self, double left, double top, double right, double bottom)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  const int first = cell_of (left), last = cell_of (right), upper = cell_of (top), lower = cell_of (bottom);
  const gboolean all = (last - first + 1.) * (lower - upper + 1.) > self->begins->len;

  g_array_append_vals (numbers, self->large->data, self->large->len);
  for (int column = first; !all && column <= last; column++)
    for (int row = upper; row <= lower; row++)
      append_cell (self, column, row, numbers);
  if (all)
    g_array_append_vals (numbers, self->items, g_array_index (self->begins, guint, self->begins->len - 1));
  sort_once (numbers);
  return numbers;
}
