/* SPDX-License-Identifier: MIT */
#include "figure/scene/pick.h"
#include "figure/scene/private.h"
#include "figure/scene/scene.h"

#include <math.h>

#define CELL 64.
/* What touches more cells than this is looked at for every point: a tint, a very long curve. */
#define MANY_CELLS 512
#define CURVE_STEPS 24

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
grid_add (HeddleGrid *self, GArray *reaches, const HeddleItem *item, guint number)
{
  double x, y, width, height;

  heddle_item_get_bounds (item, &x, &y, &width, &height);
  const int left = cell_of (x), right = cell_of (x + width), top = cell_of (y), bottom = cell_of (y + height);
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

static HeddleGrid *
grid_new (const HeddleScene *scene)
{
  HeddleGrid *self = g_new0 (HeddleGrid, 1);
  g_autoptr (GArray) reaches = g_array_new (FALSE, FALSE, sizeof (Reach));

  self->cells = g_hash_table_new (hash_cell, NULL);
  self->begins = g_array_new (FALSE, TRUE, sizeof (guint));
  g_array_set_size (self->begins, 1);
  self->large = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < scene->items->len; i++)
    {
      const HeddleItem *item = scene->items->pdata[i];
      if (item->kind != HEDDLE_ITEM_SHADOW)
        grid_add (self, reaches, item, i);
    }
  grid_sort (self, reaches);
  return self;
}

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

/* What wins where several things lie on one another; leaves room between for how they are hit. */
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

/* A label that is only near does not win over a wire that is hit, but over one that is near as well. */
static int
item_rank (const Pick *pick, const HeddleItem *item)
{
  const double near = .25 * pick->tolerance;
  const int rank = part_rank (item->part);

  if (item->part == HEDDLE_PART_AXIS_LABEL || item->part == HEDDLE_PART_VALUE_LABEL)
    return item_contains (item, pick->x, pick->y, -near) ? rank : part_rank (HEDDLE_PART_WIRE) + 1;
  if (item->part == HEDDLE_PART_WIRE)
    return item_contains (item, pick->x, pick->y, near) ? rank + 2 : rank;
  return rank;
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
      if (pick->best != NULL && (rank < pick->rank || (rank == pick->rank && number < pick->number)))
        continue;
      pick->best = item;
      pick->rank = rank;
      pick->number = number;
    }
}

static void
pick_in_cell (Pick *pick, const HeddleGrid *grid, int column, int row)
{
  const guint *begins = (const guint *) grid->begins->data;
  const guint number = GPOINTER_TO_UINT (g_hash_table_lookup (grid->cells, cell_key (column, row)));

  if (number > 0)
    pick_among (pick, grid->items + begins[number - 1], begins[number] - begins[number - 1]);
}

/**
 * heddle_scene_pick:
 * @self: a scene
 * @x: px
 * @y: px
 * @tolerance: px
 *
 * Safe to be called from several threads once the scene is complete.
 *
 * Returns: (transfer none) (nullable): the topmost item within @tolerance that stands for something; tags, glyphs and labels win
 *   over boxes, boxes over wires, wires over what lies behind; a wire that is hit wins over a label that is only near
 */
const HeddleItem *
heddle_scene_pick (const HeddleScene *self, double x, double y, double tolerance)
{
  g_return_val_if_fail (self != NULL, NULL);

  HeddleScene *mutable = (HeddleScene *) self; /* the grid is no part of what the scene is */
  Pick pick = { self, x, y, tolerance, 0, 0, NULL };

  g_mutex_lock (&mutable->lock);
  if (mutable->grid == NULL)
    mutable->grid = grid_new (self);
  pick_among (&pick, (const guint *) mutable->grid->large->data, mutable->grid->large->len);
  for (int column = cell_of (x - tolerance); column <= cell_of (x + tolerance); column++)
    for (int row = cell_of (y - tolerance); row <= cell_of (y + tolerance); row++)
      pick_in_cell (&pick, mutable->grid, column, row);
  g_mutex_unlock (&mutable->lock);
  return pick.best;
}
