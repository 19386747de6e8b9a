/* SPDX-License-Identifier: MIT */
#include "figure/scene/path.h"

#include <math.h>
#include <string.h>

/* Paths of items: lines, curves, arcs, rectangles. */

/* A line; a circle; a rectangle with round corners. */
static const guint rooms[] = { 2, 6, 10 };

HeddlePath *
heddle_path_new (void)
{
  HeddlePath *self = g_malloc (sizeof *self + rooms[0] * sizeof *self->data);

  self->len = 0;
  self->room = rooms[0];
  return self;
}

static guint
room_for (guint n)
{
  for (guint i = 0; i < G_N_ELEMENTS (rooms); i++)
    if (n <= rooms[i])
      return rooms[i];
  return n + n / 2;
}

void
heddle_item_append (HeddleItem *item, const HeddleSegment *segments, guint n)
{
  g_return_if_fail (item != NULL && item->kind == HEDDLE_ITEM_PATH);
  HeddlePath *path = item->path;

  if (path->len + n > path->room)
    {
      path->room = room_for (path->len + n);
      item->path = path = g_realloc (path, sizeof *path + path->room * sizeof *path->data);
    }
  memcpy (path->data + path->len, segments, n * sizeof *segments);
  path->len += n;
}

static void
append_segment (HeddleItem *item, const HeddleSegment *segment)
{
  heddle_item_append (item, segment, 1);
}

void
heddle_item_move_to (HeddleItem *item, double x, double y)
{
  append_segment (item, &(HeddleSegment){ .kind = HEDDLE_SEGMENT_MOVE, .x1 = x, .y1 = y });
}

static gboolean
path_is_at (const HeddleItem *item, double x, double y)
{
  if (item->path->len == 0)
    return FALSE;
  const HeddleSegment *last = &g_array_index (item->path, HeddleSegment, item->path->len - 1);
  const gboolean curve = last->kind == HEDDLE_SEGMENT_CURVE;
  return last->kind != HEDDLE_SEGMENT_CLOSE && fabs ((curve ? last->x3 : last->x1) - x) < 1e-6
         && fabs ((curve ? last->y3 : last->y1) - y) < 1e-6;
}

void
heddle_item_line_to (HeddleItem *item, double x, double y)
{
  g_return_if_fail (item != NULL && item->kind == HEDDLE_ITEM_PATH);

  if (!path_is_at (item, x, y))
    append_segment (item, &(HeddleSegment){ .kind = HEDDLE_SEGMENT_LINE, .x1 = x, .y1 = y });
}

void
heddle_item_curve_to (HeddleItem *item, double x1, double y1, double x2, double y2, double x3, double y3)
{
  append_segment (item, &(HeddleSegment){ HEDDLE_SEGMENT_CURVE, x1, y1, x2, y2, x3, y3 });
}

void
heddle_item_close (HeddleItem *item)
{
  append_segment (item, &(HeddleSegment){ .kind = HEDDLE_SEGMENT_CLOSE });
}

void
heddle_item_arc (HeddleItem *item, double x, double y, double radius, int from, int quarters, gboolean join)
{
  static const int cosines[] = { 1, 0, -1, 0 };
  const double reach = 0.5522847498 * radius;
  const int step = quarters < 0 ? -1 : 1;

  for (int i = 0; i < ABS (quarters); i++)
    {
      const int a = (((from + i * step) % 4) + 4) % 4, b = (a + step + 4) % 4;
      const double ax = cosines[a], ay = cosines[(a + 3) % 4], bx = cosines[b], by = cosines[(b + 3) % 4];
      const double x1 = x + radius * ax, y1 = y + radius * ay, x2 = x + radius * bx, y2 = y + radius * by;
      if (i == 0 && join)
        heddle_item_line_to (item, x1, y1);
      else if (i == 0)
        heddle_item_move_to (item, x1, y1);
      heddle_item_curve_to (item, x1 + reach * bx, y1 + reach * by, x2 + reach * ax, y2 + reach * ay, x2, y2);
    }
}

void
heddle_item_rectangle (HeddleItem *item, double x, double y, double width, double height, double radius)
{
  const double r = MIN (radius, MIN (width, height) / 2.);

  heddle_item_move_to (item, x + r, y);
  heddle_item_line_to (item, x + width - r, y);
  if (r > 0.)
    heddle_item_arc (item, x + width - r, y + r, r, 3, 1, TRUE);
  heddle_item_line_to (item, x + width, y + height - r);
  if (r > 0.)
    heddle_item_arc (item, x + width - r, y + height - r, r, 0, 1, TRUE);
  heddle_item_line_to (item, x + r, y + height);
  if (r > 0.)
    heddle_item_arc (item, x + r, y + height - r, r, 1, 1, TRUE);
  heddle_item_line_to (item, x, y + r);
  if (r > 0.)
    heddle_item_arc (item, x + r, y + r, r, 2, 1, TRUE);
  heddle_item_close (item);
}
