/* SPDX-License-Identifier: MIT */
#include "figure/scene/path.h"
#include "figure/scene/pick.h"
#include "figure/scene/private.h"
#include "figure/scene/scene.h"

#include <string.h>

/**
 * heddle_scene_new:
 *
 * Returns: (transfer full): an empty display list
 */
HeddleScene *
heddle_scene_new (void)
{
  HeddleScene *self = g_new0 (HeddleScene, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_item_free);
  g_mutex_init (&self->lock);
  return self;
}

/**
 * heddle_scene_ref:
 * @self: a scene
 *
 * Returns: (transfer full): the same scene
 */
HeddleScene *
heddle_scene_ref (HeddleScene *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * heddle_scene_unref:
 * @self: (transfer full): a scene
 *
 * Frees the scene with its last reference.
 */
void
heddle_scene_unref (HeddleScene *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->grid, heddle_grid_free);
  g_clear_pointer (&self->objects, g_hash_table_unref);
  g_clear_pointer (&self->titles, g_hash_table_unref);
  g_free (self->title);
  g_free (self->description);
  g_ptr_array_unref (self->items);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
heddle_item_free (HeddleItem *item)
{
  g_free (item->path);
  g_free (item->dash);
  g_free (item->text);
  g_free (item);
}

void
heddle_item_set_dash (HeddleItem *item, const double *dash, guint n)
{
  g_return_if_fail (item != NULL && n < 16);

  g_free (item->dash);
  item->dash = g_memdup2 (dash, n * sizeof *dash);
  item->n_dashes = n;
}

/**
 * heddle_scene_add:
 * @self: a scene that nobody else reads yet
 * @kind: what the item is
 * @part: what it belongs to
 * @object: (nullable): the id of what it stands for; interned
 *
 * Returns: (transfer none): a new item on top of all others, to be filled in
 */
HeddleItem *
heddle_scene_add (HeddleScene *self, HeddleItemKind kind, HeddlePart part, const char *object)
{
  g_return_val_if_fail (self != NULL, NULL);

  HeddleItem *item = g_new0 (HeddleItem, 1);
  item->kind = kind;
  item->part = part;
  item->object = g_intern_string (object);
  if (kind == HEDDLE_ITEM_PATH)
    item->path = heddle_path_new ();
  g_ptr_array_add (self->items, item);
  g_clear_pointer (&self->grid, heddle_grid_free);
  g_clear_pointer (&self->objects, g_hash_table_unref);
  return item;
}

HeddleItem *
heddle_item_copy_style (const HeddleItem *item)
{
  HeddleItem *copy = g_memdup2 (item, sizeof *item);

  copy->text = g_strdup (item->text);
  copy->dash = g_memdup2 (item->dash, item->n_dashes * sizeof *item->dash);
  copy->path = item->path != NULL ? heddle_path_new () : NULL;
  return copy;
}

void
heddle_item_move (HeddleItem *item, double dx, double dy)
{
  item->x += dx;
  item->y += dy;
  for (guint i = 0; item->path != NULL && i < item->path->len; i++)
    {
      HeddleSegment *segment = &g_array_index (item->path, HeddleSegment, i);
      segment->x1 += dx;
      segment->y1 += dy;
      segment->x2 += dx;
      segment->y2 += dy;
      segment->x3 += dx;
      segment->y3 += dy;
    }
}

void
heddle_scene_take (HeddleScene *self, HeddleScene *from, double dx, double dy)
{
  const guint base = self->items->len + 1, n = from->items->len;

  for (guint i = 0; i < n; i++)
    {
      HeddleItem *item = from->items->pdata[i];
      heddle_item_move (item, dx, dy);
      item->object = item->axis = item->value = NULL;
      item->label += item->label > 0 ? base : 0;
      g_ptr_array_add (self->items, item);
    }
  g_ptr_array_set_free_func (from->items, NULL);
  g_ptr_array_set_size (from->items, 0);
  g_clear_pointer (&self->grid, heddle_grid_free);
  g_clear_pointer (&self->objects, g_hash_table_unref);
}

void
heddle_scene_stack (HeddleScene *self, HeddleScene *from, double gap)
{
  double x, y, width, height, from_x, from_y, from_width, from_height;

  heddle_scene_get_bounds (self, &x, &y, &width, &height);
  heddle_scene_get_bounds (from, &from_x, &from_y, &from_width, &from_height);
  heddle_scene_take (self, from, x + (width - from_width) / 2. - from_x, y + height + gap - from_y);
}

/**
 * heddle_scene_lower:
 * @self: a scene that nobody else reads yet
 * @from: the first of the items that are moved, which are all on top of it too
 * @to: the number it gets
 *
 * Puts what was added last below what was added before.
 */
void
heddle_scene_lower (HeddleScene *self, guint from, guint to)
{
  g_return_if_fail (self != NULL && to <= from && from <= self->items->len);

  const guint n = self->items->len - from;
  gpointer *items = self->items->pdata;
  g_autofree gpointer *moved = g_memdup2 (items + from, n * sizeof *items);
  memmove (items + to + n, items + to, (from - to) * sizeof *items);
  if (n > 0)
    memcpy (items + to, moved, n * sizeof *items);
  g_clear_pointer (&self->grid, heddle_grid_free);
  g_clear_pointer (&self->objects, g_hash_table_unref);
}

/**
 * heddle_scene_get_n_items:
 * @self: a scene
 *
 * Returns: how many items it has
 */
guint
heddle_scene_get_n_items (const HeddleScene *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->items->len;
}

/**
 * heddle_scene_get_item:
 * @self: a scene
 * @i: a number, less than that of items
 *
 * Returns: (transfer none): item @i, counted from the bottom
 */
const HeddleItem *
heddle_scene_get_item (const HeddleScene *self, guint i)
{
  g_return_val_if_fail (self != NULL && i < self->items->len, NULL);

  return self->items->pdata[i];
}

/* --- bounds ---------------------------------------------------------------------------- */

typedef struct
{
  double x1, y1, x2, y2;
} Extents;

static void
extents_add (Extents *extents, double x, double y)
{
  extents->x1 = MIN (extents->x1, x);
  extents->y1 = MIN (extents->y1, y);
  extents->x2 = MAX (extents->x2, x);
  extents->y2 = MAX (extents->y2, y);
}

static Extents
path_extents (const HeddleItem *item)
{
  Extents extents = { G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE, -G_MAXDOUBLE };

  for (guint i = 0; i < item->path->len; i++)
    {
      const HeddleSegment *segment = &g_array_index (item->path, HeddleSegment, i);
      if (segment->kind == HEDDLE_SEGMENT_CLOSE)
        continue;
      extents_add (&extents, segment->x1, segment->y1);
      if (segment->kind != HEDDLE_SEGMENT_CURVE)
        continue;
      extents_add (&extents, segment->x2, segment->y2);
      extents_add (&extents, segment->x3, segment->y3);
    }
  return extents;
}

/**
 * heddle_item_get_bounds:
 * @item: an item
 * @x: (out): left
 * @y: (out): top
 * @width: (out): width
 * @height: (out): height
 *
 * What the item covers, in px: the line's width and the shadow's spread included; curves by their control points. An empty path
 * covers nothing, at the origin.
 */
void
heddle_item_get_bounds (const HeddleItem *item, double *x, double *y, double *width, double *height)
{
  g_return_if_fail (item != NULL);

  Extents extents = { item->x, item->y, item->x + item->width, item->y + item->height };
  double spread = 0.;

  if (item->kind == HEDDLE_ITEM_TEXT)
    {
      extents.y1 = item->y - item->size * HEDDLE_TEXT_ASCENT;
      extents.y2 = item->y + item->size * HEDDLE_TEXT_DESCENT;
    }
  else if (item->kind == HEDDLE_ITEM_SHADOW)
    spread = 3. * item->sigma;
  else if (item->path->len == 0)
    extents = (Extents){ 0., 0., 0., 0. };
  else
    {
      extents = path_extents (item);
      spread = item->stroke ? item->line_width / 2. : 0.;
    }
  *x = extents.x1 - spread;
  *y = extents.y1 - spread;
  *width = extents.x2 - extents.x1 + 2. * spread;
  *height = extents.y2 - extents.y1 + 2. * spread;
}

/**
 * heddle_scene_get_bounds:
 * @self: a scene
 * @x: (out): left
 * @y: (out): top
 * @width: (out): width
 * @height: (out): height
 *
 * What the drawing covers, in px. An empty scene covers nothing, at the origin.
 */
void
heddle_scene_get_bounds (const HeddleScene *self, double *x, double *y, double *width, double *height)
{
  g_return_if_fail (self != NULL);

  Extents extents = { G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE, -G_MAXDOUBLE };
  for (guint i = 0; i < self->items->len; i++)
    {
      double left, top, across, down;
      heddle_item_get_bounds (self->items->pdata[i], &left, &top, &across, &down);
      extents_add (&extents, left, top);
      extents_add (&extents, left + across, top + down);
    }
  if (self->items->len == 0)
    extents = (Extents){ 0., 0., 0., 0. };
  *x = extents.x1;
  *y = extents.y1;
  *width = extents.x2 - extents.x1;
  *height = extents.y2 - extents.y1;
}

/**
 * heddle_scene_get_object_items:
 * @self: a scene
 * @object: an id
 *
 * Returns: (transfer container) (element-type HeddleItem): the items that stand for @object, from the bottom
 */
GPtrArray *
heddle_scene_get_object_items (const HeddleScene *self, const char *object)
{
  g_return_val_if_fail (self != NULL && object != NULL, NULL);

  HeddleScene *mutable = (HeddleScene *) self; /* the index is no part of what the scene is */
  const char *id = g_intern_string (object);
  GPtrArray *found = g_ptr_array_new ();

  g_mutex_lock (&mutable->lock);
  if (mutable->objects == NULL)
    {
      mutable->objects = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
      for (guint i = 0; i < self->items->len; i++)
        {
          const HeddleItem *item = self->items->pdata[i];
          GPtrArray *items = g_hash_table_lookup (mutable->objects, item->object);
          if (items == NULL)
            g_hash_table_insert (mutable->objects, (gpointer) item->object, items = g_ptr_array_new ());
          g_ptr_array_add (items, (gpointer) item);
        }
    }
  GPtrArray *items = g_hash_table_lookup (mutable->objects, id);
  if (items != NULL)
    g_ptr_array_extend (found, items, NULL, NULL);
  g_mutex_unlock (&mutable->lock);
  return found;
}
