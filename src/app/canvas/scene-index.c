/* SPDX-License-Identifier: MIT */

/* Which items are in view, without looking at each: the scene is divided into tiles that know what reaches into them. */

#include <math.h>

#include "app/canvas/scene-index.h"
#include "app/widgets/heap-trim.h"

#define TILE_SIZE 400.
/* Tiles grow, so that there are never more. */
#define MOST_TILES 8192
/* Fewer items are freed at once. */
#define MANY_ITEMS 5000

/* A range is the tiles that a rectangle touches, as columns and rows. */
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
range_of (const HeddleSceneIndex *self, const graphene_rect_t *area)
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
get_tile (HeddleSceneIndex *self, guint column, guint row)
{
  gpointer *tile = &self->tiles->pdata[row * self->n_tile_columns + column];

  if (*tile == NULL)
    *tile = g_array_new (FALSE, FALSE, sizeof (guint));
  return *tile;
}

static void
make_tiles (HeddleSceneIndex *self)
{
  const double width = self->extent.size.width, height = self->extent.size.height;
  guint n_rows;

  self->tile_origin = self->extent.origin;
  self->tile_size = TILE_SIZE;
  while ((width / self->tile_size + 1) * (height / self->tile_size + 1) > MOST_TILES)
    self->tile_size *= 2;
  self->n_tile_columns = (guint) (width / self->tile_size) + 1;
  n_rows = (guint) (height / self->tile_size) + 1;
  self->tiles = g_ptr_array_new_with_free_func (free_tile);
  g_ptr_array_set_size (self->tiles, self->n_tile_columns * n_rows);
}

static void
fill_tiles (HeddleSceneIndex *self)
{
  make_tiles (self);
  for (guint i = 0; i < self->items->len; i++)
    {
      const Range range = range_of (self, &g_array_index (self->items, graphene_rect_t, i));

      for (guint row = range.top; row <= range.bottom; row++)
        for (guint column = range.left; column <= range.right; column++)
          g_array_append_val (get_tile (self, column, row), i);
    }
}

static void
extend_object (HeddleSceneIndex *self, const char *id, const graphene_rect_t *part)
{
  graphene_rect_t *bounds = g_hash_table_lookup (self->objects, id);

  if (bounds == NULL)
    g_hash_table_insert (self->objects, (gpointer) id, g_memdup2 (part, sizeof *part));
  else
    graphene_rect_union (bounds, part, bounds);
}

/* An operation is its box and glyph; an axis and a value are their wires and labels. */
static void
extend_objects (HeddleSceneIndex *self, const HeddleItem *item, const graphene_rect_t *bounds)
{
  gboolean own = item->part == HEDDLE_PART_BOX || item->part == HEDDLE_PART_GLYPH
                 || item->part == HEDDLE_PART_ANNOTATION || item->part == HEDDLE_PART_BACKGROUND;
  gboolean wire = item->part == HEDDLE_PART_WIRE || item->part == HEDDLE_PART_AXIS_LABEL
                  || item->part == HEDDLE_PART_VALUE_LABEL;
  const char *const ids[] = { item->object, wire ? item->axis : NULL, wire ? item->value : NULL };

  if ((!own && !wire) || item->kind == HEDDLE_ITEM_SHADOW)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    if (ids[i] != NULL && (i == 0 || ids[i] != ids[i - 1]))
      extend_object (self, ids[i], bounds);
}

HeddleSceneIndex *
heddle_scene_index_new (HeddleScene *scene)
{
  HeddleSceneIndex *self = NULL;
  const guint n = heddle_scene_get_n_items (scene);
  double left, top, wide, tall;

  g_return_val_if_fail (scene != NULL, NULL);

  self = g_new0 (HeddleSceneIndex, 1);
  heddle_scene_get_bounds (scene, &left, &top, &wide, &tall);
  graphene_rect_init (&self->extent, left, top, wide, tall);
  self->objects = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->items = g_array_sized_new (FALSE, FALSE, sizeof (graphene_rect_t), n);
  for (guint i = 0; i < n; i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      graphene_rect_t bounds;
      double x, y, width, height;

      heddle_item_get_bounds (item, &x, &y, &width, &height);
      graphene_rect_init (&bounds, x, y, width, height);
      g_array_append_val (self->items, bounds);
      extend_objects (self, item, &bounds);
    }
  fill_tiles (self);
  return self;
}

/* Frees the index and what it measured; the scene is left alone. */
static void
scene_index_free (HeddleSceneIndex *self)
{
  g_array_unref (self->items);
  g_hash_table_unref (self->objects);
  g_ptr_array_unref (self->tiles);
  g_free (self);
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

/* Keeps one of each of the sorted items, and of those only what the view touches. */
static void
keep_seen (const HeddleSceneIndex *self, GArray *found, const graphene_rect_t *view)
{
  guint n = 0, last = G_MAXUINT;

  for (guint i = 0; i < found->len; i++)
    {
      const guint item = g_array_index (found, guint, i);

      if (item == last || !touch (view, &g_array_index (self->items, graphene_rect_t, item)))
        continue;
      g_array_index (found, guint, n++) = last = item;
    }
  g_array_set_size (found, n);
}

GArray *
heddle_scene_index_find (const HeddleSceneIndex *self, const graphene_rect_t *view)
{
  const Range range = range_of (self, view);
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint row = range.top; row <= range.bottom; row++)
    for (guint column = range.left; column <= range.right; column++)
      {
        const GArray *tile = self->tiles->pdata[row * self->n_tile_columns + column];

        if (tile != NULL)
          g_array_append_vals (found, tile->data, tile->len);
      }
  g_array_sort (found, compare);
  keep_seen (self, found, view);
  return found;
}

/* --- letting go ------------------------------------------------------------------------ */

typedef struct
{
  HeddleScene *scene;
  HeddleSceneIndex *index;
} Spent;

static void
spent_free (gpointer data)
{
  Spent *self = data;

  g_clear_pointer (&self->scene, heddle_scene_unref);
  g_clear_pointer (&self->index, scene_index_free);
  g_free (self);
}

void
heddle_scene_let_go (HeddleScene *scene, HeddleSceneIndex *index)
{
  Spent *spent = g_new (Spent, 1);

  *spent = (Spent){ scene, index };
  if (scene != NULL && heddle_scene_get_n_items (scene) > MANY_ITEMS)
    heddle_heap_trim_free (spent, spent_free);
  else
    spent_free (spent);
}
