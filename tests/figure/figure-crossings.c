/* SPDX-License-Identifier: MIT */
#include "figure-check.h"

#include <math.h>
#include "figure/scene/scene.h"

#define STEPS 24
#define BUNDLE_GAP 4. /* px: between the two lines of a bundle, and more */
#define AT_END 1.5 /* px: wires that meet where one of them ends do not cross */

/* A wire as straight pieces. */
static GArray *
trace (const HeddleItem *wire)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (Place));
  Place from = { 0., 0. };

  for (guint i = 0; i < wire->path->len; i++)
    {
      const HeddleSegment *segment = &g_array_index (wire->path, HeddleSegment, i);
      const guint n = segment->kind == HEDDLE_SEGMENT_CURVE ? STEPS : 1;
      for (guint step = 1; step <= n; step++)
        {
          const double t = (double) step / n, u = 1. - t;
          Place at = { segment->x1, segment->y1 };
          if (n > 1)
            {
              at.x = u * u * u * from.x + 3. * u * u * t * segment->x1 + 3. * u * t * t * segment->x2
                     + t * t * t * segment->x3;
              at.y = u * u * u * from.y + 3. * u * u * t * segment->y1 + 3. * u * t * t * segment->y2
                     + t * t * t * segment->y3;
            }
          g_array_append_val (places, at);
        }
      from = g_array_index (places, Place, places->len - 1);
    }
  return places;
}

static double
side (Place a, Place b, Place c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Whether @c and @d are on different sides of the line through @a and @b; what is on it counts to one of them. */
static gboolean
parts (Place a, Place b, Place c, Place d)
{
  return (side (a, b, c) >= 0.) != (side (a, b, d) >= 0.);
}

static gboolean
is_end (const GArray *places, Place place)
{
  const Place first = g_array_index (places, Place, 0), last = g_array_index (places, Place, places->len - 1);

  return hypot (first.x - place.x, first.y - place.y) < AT_END
         || hypot (last.x - place.x, last.y - place.y) < AT_END;
}

static guint
count_between (const GArray *one, const GArray *other)
{
  guint n = 0;

  for (guint i = 1; i < one->len; i++)
    for (guint j = 1; j < other->len; j++)
      {
        const Place a = g_array_index (one, Place, i - 1), b = g_array_index (one, Place, i);
        const Place c = g_array_index (other, Place, j - 1), d = g_array_index (other, Place, j);
        const double c_side = side (a, b, c), d_side = side (a, b, d);
        if (!parts (a, b, c, d) || !parts (c, d, a, b))
          continue;
        const double t = c_side / (c_side - d_side);
        const Place at = { c.x + t * (d.x - c.x), c.y + t * (d.y - c.y) };
        n += !is_end (one, at) && !is_end (other, at);
      }
  return n;
}

/* Whether @item is the other line of the bundle whose first line is @before: two lines beside each other are one wire. */
static gboolean
doubles (const HeddleItem *before, const HeddleItem *item)
{
  if (before == NULL || item->axis == NULL || before->axis != item->axis || before->value != item->value
      || before->path->len != item->path->len)
    return FALSE;
  const HeddleSegment *first = &g_array_index (before->path, HeddleSegment, 0);
  const HeddleSegment *second = &g_array_index (item->path, HeddleSegment, 0);
  return fabs (first->x1 - second->x1) < BUNDLE_GAP && fabs (first->y1 - second->y1) < BUNDLE_GAP;
}

guint
figure_count_crossings (const HeddleScene *scene)
{
  const HeddleItem *before = NULL;
  g_autoptr (GPtrArray) wires = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (item->part != HEDDLE_PART_WIRE || !item->stroke)
        continue;
      if (!doubles (before, item))
        g_ptr_array_add (wires, trace (item));
      before = item;
    }
  for (guint i = 0; i < wires->len; i++)
    for (guint j = i + 1; j < wires->len; j++)
      n += count_between (wires->pdata[i], wires->pdata[j]);
  return n;
}
