/* SPDX-License-Identifier: MIT */
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

#include <string.h>
#include <math.h>

HeddleScene *
heddle_scene_new (void)
{
  HeddleScene *self = g_new0 (HeddleScene, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_item_free);
  g_mutex_init (&self->lock);
  return self;
}

HeddleScene *
heddle_scene_ref (HeddleScene *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
heddle_scene_set_table (HeddleScene *self, const HeddleSceneTable *table)
{
  g_return_if_fail (self != NULL && self->table.rows == NULL);

  self->table = *table;
}

const HeddleSceneTable *
heddle_scene_get_table (const HeddleScene *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->table.rows != NULL ? &self->table : NULL;
}

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
  g_clear_pointer (&self->table.rows, g_ptr_array_unref);
  g_free (self->table.columns);
  g_free (self->table.math);
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
  if (item->formula != NULL)
    g_free (item->formula->source);
  g_free (item->formula);
  g_free (item);
}

void
heddle_scene_set_formula (HeddleScene *self, guint from, const HeddleFormula *formula, double x, double y)
{
  g_return_if_fail (self != NULL && formula != NULL);

  if (from >= self->items->len)
    return;
  HeddleItem *head = self->items->pdata[from];
  g_return_if_fail (head->formula == NULL);
  head->formula = g_memdup2 (formula, sizeof *formula);
  head->formula->source = g_strdup (formula->source);
  head->formula->dx = x - head->x;
  head->formula->dy = y - head->y;
  for (guint i = from; i < self->items->len; i++)
    ((HeddleItem *) self->items->pdata[i])->label = from + 1;
}

void
heddle_item_set_dash (HeddleItem *item, const double *dash, guint n)
{
  g_return_if_fail (item != NULL && n < 16);

  g_free (item->dash);
  item->dash = g_memdup2 (dash, n * sizeof *dash);
  item->n_dashes = n;
}

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
  copy->formula = NULL; /* said once */
  return copy;
}

gboolean
heddle_item_is_lettering (const HeddleItem *item)
{
  return item->kind == HEDDLE_ITEM_TEXT || item->label > 0;
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

HeddleScene *
heddle_scene_take_band (HeddleScene *self, double top, double bottom)
{
  HeddleScene *band = heddle_scene_new ();
  gpointer *items = self->items->pdata;
  guint kept = 0;

  for (guint i = 0; i < self->items->len; i++)
    {
      double x, y, width, height;

      heddle_item_get_bounds (items[i], &x, &y, &width, &height);
      if (y + height / 2. < top || y + height / 2. >= bottom)
        items[kept++] = items[i];
      else
        g_ptr_array_add (band->items, items[i]);
    }
  g_ptr_array_set_free_func (self->items, NULL); /* the others are the band's now */
  g_ptr_array_set_size (self->items, (int) kept);
  g_ptr_array_set_free_func (self->items, (GDestroyNotify) heddle_item_free);
  g_clear_pointer (&self->grid, heddle_grid_free);
  g_clear_pointer (&self->objects, g_hash_table_unref);
  band->titles = self->titles != NULL ? g_hash_table_ref (self->titles) : NULL;
  band->title = g_strdup (self->title);
  band->description = g_strdup (self->description);
  return band;
}

void
heddle_scene_stack (HeddleScene *self, HeddleScene *from, double gap)
{
  double x, y, width, height, from_x, from_y, from_width, from_height;

  heddle_scene_get_bounds (self, &x, &y, &width, &height);
  heddle_scene_get_bounds (from, &from_x, &from_y, &from_width, &from_height);
  heddle_scene_take (self, from, x + (width - from_width) / 2. - from_x, y + height + gap - from_y);
}

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

guint
heddle_scene_get_n_items (const HeddleScene *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->items->len;
}

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

#define CURVE_STEPS 24

/* --- one item -------------------------------------------------------------------------- */

typedef struct
{
  double x, y; /* the point asked for */
  double from_x, from_y; /* where the path is */
  double nearest; /* squared distance so far */
  int winding;
} Probe;

static void
probe_line (Probe *probe, double x, double y)
{
  const double ax = probe->from_x, ay = probe->from_y, dx = x - ax, dy = y - ay;
  const double length = dx * dx + dy * dy;
  const double t = length > 0. ? CLAMP (((probe->x - ax) * dx + (probe->y - ay) * dy) / length, 0., 1.) : 0.;
  const double off_x = ax + t * dx - probe->x, off_y = ay + t * dy - probe->y;

  probe->nearest = MIN (probe->nearest, off_x * off_x + off_y * off_y);
  if ((ay <= probe->y) != (y <= probe->y) && probe->x < ax + (probe->y - ay) * dx / dy)
    probe->winding += y > ay ? 1 : -1;
  probe->from_x = x;
  probe->from_y = y;
}

static void
probe_curve (Probe *probe, const HeddleSegment *segment)
{
  const double x0 = probe->from_x, y0 = probe->from_y;

  for (int i = 1; i <= CURVE_STEPS; i++)
    {
      const double t = (double) i / CURVE_STEPS, u = 1. - t;
      const double a = u * u * u, b = 3. * u * u * t, c = 3. * u * t * t, d = t * t * t;
      probe_line (probe, a * x0 + b * segment->x1 + c * segment->x2 + d * segment->x3,
          a * y0 + b * segment->y1 + c * segment->y2 + d * segment->y3);
    }
}

static void
probe_path (Probe *probe, const HeddleItem *item)
{
  double start_x = 0., start_y = 0.;

  for (guint i = 0; i < item->path->len; i++)
    {
      const HeddleSegment *segment = &g_array_index (item->path, HeddleSegment, i);
      switch (segment->kind)
        {
        case HEDDLE_SEGMENT_MOVE:
          start_x = probe->from_x = segment->x1;
          start_y = probe->from_y = segment->y1;
          break;
        case HEDDLE_SEGMENT_LINE:
          probe_line (probe, segment->x1, segment->y1);
          break;
        case HEDDLE_SEGMENT_CURVE:
          probe_curve (probe, segment);
          break;
        case HEDDLE_SEGMENT_CLOSE:
          probe_line (probe, start_x, start_y);
          break;
        }
    }
}

static gboolean
item_contains (const HeddleItem *item, double x, double y, double tolerance)
{
  double left, top, width, height;

  heddle_item_get_bounds (item, &left, &top, &width, &height);
  if (x < left - tolerance || y < top - tolerance || x > left + width + tolerance
      || y > top + height + tolerance)
    return FALSE;
  if (item->kind != HEDDLE_ITEM_PATH)
    return item->kind == HEDDLE_ITEM_TEXT;

  Probe probe = { .x = x, .y = y, .nearest = G_MAXDOUBLE };
  probe_path (&probe, item);
  const double reach = tolerance + (item->stroke ? item->line_width / 2. : 0.);
  return (item->fill && probe.winding != 0) || (reach >= 0. && probe.nearest <= reach * reach);
}

gboolean
heddle_item_covers (const HeddleItem *item, double x, double y)
{
  return item->kind == HEDDLE_ITEM_PATH && item->fill && item_contains (item, x, y, 0.);
}

/* Returns the rank of a part: what wins where several things lie on one another. It leaves room between for
 * how they are hit. */
static int
part_rank (HeddlePart part)
{
  switch (part)
    {
    case HEDDLE_PART_TAG:
      return 18;
    case HEDDLE_PART_GLYPH:
    case HEDDLE_PART_AXIS_LABEL:
    case HEDDLE_PART_VALUE_LABEL:
      return 15;
    case HEDDLE_PART_ANNOTATION:
      return 12;
    case HEDDLE_PART_BOX:
      return 9;
    case HEDDLE_PART_WIRE:
      return 6;
    case HEDDLE_PART_SEPARATOR:
    case HEDDLE_PART_COLUMN:
      return 3;
    case HEDDLE_PART_BACKGROUND:
      return 0;
    }
  return 0;
}

typedef struct
{
  const HeddleScene *scene;
  double x, y, tolerance;
  int rank;
  guint number;
  const HeddleItem *best;
} Pick;

/* A label or a box that is only near does not win over a wire that is hit, but over one that is near as well. */
static int
item_rank (const Pick *pick, const HeddleItem *item)
{
  const double near = .25 * pick->tolerance;
  const int rank = part_rank (item->part);

  if (item->part == HEDDLE_PART_AXIS_LABEL || item->part == HEDDLE_PART_VALUE_LABEL)
    return item_contains (item, pick->x, pick->y, -near) ? rank : part_rank (HEDDLE_PART_WIRE) + 1;
  if (item->part == HEDDLE_PART_WIRE)
    return item_contains (item, pick->x, pick->y, near) ? rank + 2 : rank;
  if (item->part == HEDDLE_PART_BOX)
    return item_contains (item, pick->x, pick->y, 0.) ? rank : part_rank (HEDDLE_PART_WIRE) + 1;
  return rank;
}

/* Returns whether the letters of one item are hidden at the point by a note that was drawn over them. */
static gboolean
is_covered (const Pick *pick, const HeddleItem *item, guint number, const HeddleItem *by, guint by_number)
{
  return by != NULL && by->part == HEDDLE_PART_ANNOTATION && by_number > number
         && (item->part == HEDDLE_PART_AXIS_LABEL || item->part == HEDDLE_PART_VALUE_LABEL)
         && item_contains (by, pick->x, pick->y, 0);
}

static void
pick_among (Pick *pick, const guint *numbers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const guint number = numbers[i];
      const HeddleItem *item = pick->scene->items->pdata[number];
      if (item->object == NULL || !item_contains (item, pick->x, pick->y, pick->tolerance))
        continue;
      const int rank = item_rank (pick, item);
      if (is_covered (pick, item, number, pick->best, pick->number))
        continue;
      if (pick->best != NULL && !is_covered (pick, pick->best, pick->number, item, number)
          && (rank < pick->rank || (rank == pick->rank && number < pick->number)))
        continue;
      pick->best = item;
      pick->rank = rank;
      pick->number = number;
    }
}

/* Gives the bounds of an item that is not a shadow. */
static gboolean
find_bounds (gconstpointer data, guint number, HeddleGridBounds *bounds)
{
  const HeddleItem *item = ((const GPtrArray *) data)->pdata[number];
  double width, height;

  heddle_item_get_bounds (item, &bounds->left, &bounds->top, &width, &height);
  bounds->right = bounds->left + width;
  bounds->bottom = bounds->top + height;
  return item->kind != HEDDLE_ITEM_SHADOW;
}

static GArray *
find_in (const HeddleScene *self, double left, double top, double right, double bottom)
{
  HeddleScene *mutable = (HeddleScene *) self; /* the grid is no part of what the scene is */

  g_mutex_lock (&mutable->lock);
  if (mutable->grid == NULL)
    mutable->grid = heddle_grid_new (self->items->len, find_bounds, self->items);
  GArray *numbers = heddle_grid_find (mutable->grid, left, top, right, bottom);
  g_mutex_unlock (&mutable->lock);
  return numbers;
}

GArray *
heddle_scene_find_in (const HeddleScene *self, double left, double top, double right, double bottom)
{
  g_return_val_if_fail (self != NULL, NULL);
  return find_in (self, left, top, right, bottom);
}

const HeddleItem *
heddle_scene_pick (const HeddleScene *self, double x, double y, double tolerance)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_autoptr (GArray) numbers = find_in (self, x - tolerance, y - tolerance, x + tolerance, y + tolerance);
  Pick pick = { self, x, y, tolerance, 0, 0, NULL };

  pick_among (&pick, (const guint *) numbers->data, numbers->len);
  return pick.best;
}
