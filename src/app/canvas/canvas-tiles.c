/* SPDX-License-Identifier: MIT */

/* Which items are in view, without looking at each: the scene is divided into tiles that know what reaches into them. */

#include "app/canvas/canvas-private.h"

#define TILE_SIZE 400.
/* Tiles grow, so that there are never more. */
#define MOST_TILES 8192

/* The tiles that a rectangle touches, as ranges of columns and rows. */
typedef struct
{
  guint left, right, top, bottom;
} Range;

static guint
tile_at (double place, double tile_size, guint n)
{
  return (guint) CLAMP (floor (place / tile_size), 0, n - 1.);
}

static Range
range_of (HeddleCanvas *self, const graphene_rect_t *area)
{
  const guint n_columns = self->n_tile_columns, n_rows = self->tiles->len / n_columns;
  const double x = area->origin.x - self->tile_origin.x, y = area->origin.y - self->tile_origin.y;

  return (Range){ tile_at (x, self->tile_size, n_columns),
    tile_at (x + area->size.width, self->tile_size, n_columns), tile_at (y, self->tile_size, n_rows),
    tile_at (y + area->size.height, self->tile_size, n_rows) };
}

static void
free_tile (gpointer tile)
{
  if (tile != NULL)
    g_array_unref (tile);
}

static GArray *
get_tile (HeddleCanvas *self, guint column, guint row)
{
  gpointer *tile = &self->tiles->pdata[row * self->n_tile_columns + column];

  if (*tile == NULL)
    *tile = g_array_new (FALSE, FALSE, sizeof (guint));
  return *tile;
}

static void
make_tiles (HeddleCanvas *self)
{
  double x, y, width, height;
  guint n_rows;

  heddle_canvas_get_extent (self, &x, &y, &width, &height);
  graphene_point_init (&self->tile_origin, x, y);
  self->tile_size = TILE_SIZE;
  while ((width / self->tile_size + 1) * (height / self->tile_size + 1) > MOST_TILES)
    self->tile_size *= 2;
  self->n_tile_columns = (guint) (width / self->tile_size) + 1;
  n_rows = (guint) (height / self->tile_size) + 1;
  self->tiles = g_ptr_array_new_with_free_func (free_tile);
  g_ptr_array_set_size (self->tiles, self->n_tile_columns * n_rows);
}

void
heddle_canvas_tiles_init (HeddleCanvas *self)
{
  make_tiles (self);
  for (guint i = 0; i < self->item_bounds->len; i++)
    {
      const Range range = range_of (self, &g_array_index (self->item_bounds, graphene_rect_t, i));

      for (guint row = range.top; row <= range.bottom; row++)
        for (guint column = range.left; column <= range.right; column++)
          g_array_append_val (get_tile (self, column, row), i);
    }
}

void
heddle_canvas_tiles_drop (HeddleCanvas *self)
{
  g_clear_pointer (&self->tiles, g_ptr_array_unref);
  g_clear_pointer (&self->visible, g_array_unref);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const guint x = *(const guint *) a, y = *(const guint *) b;

  return x < y ? -1 : x > y;
}

/* Also of what has no height or no width. */
static gboolean
touch (const graphene_rect_t *a, const graphene_rect_t *b)
{
  return a->origin.x <= b->origin.x + b->size.width && b->origin.x <= a->origin.x + a->size.width
         && a->origin.y <= b->origin.y + b->size.height && b->origin.y <= a->origin.y + a->size.height;
}

/* What is sorted keeps one of each, and of those only what the view touches. */
static void
keep_seen (HeddleCanvas *self, const graphene_rect_t *view)
{
  guint n = 0, last = G_MAXUINT;

  for (guint i = 0; i < self->visible->len; i++)
    {
      const guint item = g_array_index (self->visible, guint, i);
      const graphene_rect_t *bounds = &g_array_index (self->item_bounds, graphene_rect_t, item);

      if (item == last || !touch (view, bounds))
        continue;
      g_array_index (self->visible, guint, n++) = last = item;
    }
  g_array_set_size (self->visible, n);
}

void
heddle_canvas_find_visible (HeddleCanvas *self, const graphene_rect_t *view)
{
  const Range range = range_of (self, view);

  g_clear_pointer (&self->visible, g_array_unref);
  self->visible = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint row = range.top; row <= range.bottom; row++)
    for (guint column = range.left; column <= range.right; column++)
      {
        const GArray *tile = self->tiles->pdata[row * self->n_tile_columns + column];

        if (tile != NULL)
          g_array_append_vals (self->visible, tile->data, tile->len);
      }
  g_array_sort (self->visible, compare);
  keep_seen (self, view);
}
