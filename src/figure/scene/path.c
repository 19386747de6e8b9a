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

/* --- where it goes ------------------------------------------------------------------------------------ */

#define CURVE_STEPS 16 /* straight pieces of a curve */

typedef struct
{
  double left, top, right, bottom;
} Area;

/* Returns whether the straight piece from (@x1, @y1) comes into the area: what lies outside is cut off, side by side. */
static gboolean
piece_crosses (const Area *area, double x1, double y1, double x2, double y2)
{
  const double p[] = { x1 - x2, x2 - x1, y1 - y2, y2 - y1 };
  const double q[] = { x1 - area->left, area->right - x1, y1 - area->top, area->bottom - y1 };
  double from = 0., to = 1.;

  for (guint i = 0; i < G_N_ELEMENTS (p); i++)
    {
      if (p[i] == 0. && q[i] < 0.)
        return FALSE;
      if (p[i] < 0.)
        from = MAX (from, q[i] / p[i]);
      if (p[i] > 0.)
        to = MIN (to, q[i] / p[i]);
    }
  return from <= to;
}

static gboolean
curve_crosses (const Area *area, double x0, double y0, const HeddleSegment *segment)
{
  double from_x = x0, from_y = y0;

  for (guint i = 1; i <= CURVE_STEPS; i++)
    {
      const double t = (double) i / CURVE_STEPS, u = 1. - t;
      const double a = u * u * u, b = 3. * u * u * t, c = 3. * u * t * t, d = t * t * t;
      const double x = a * x0 + b * segment->x1 + c * segment->x2 + d * segment->x3;
      const double y = a * y0 + b * segment->y1 + c * segment->y2 + d * segment->y3;
      if (piece_crosses (area, from_x, from_y, x, y))
        return TRUE;
      from_x = x;
      from_y = y;
    }
  return FALSE;
}

gboolean
heddle_path_crosses (const HeddlePath *path, double left, double top, double right, double bottom)
{
  const Area area = { left, top, right, bottom };
  double x = 0., y = 0., start_x = 0., start_y = 0.;

  for (guint i = 0; i < path->len; i++)
    {
      const HeddleSegment *segment = &g_array_index (path, HeddleSegment, i);
      const gboolean curve = segment->kind == HEDDLE_SEGMENT_CURVE,
                     close = segment->kind == HEDDLE_SEGMENT_CLOSE;
      const double to_x = close ? start_x : curve ? segment->x3 : segment->x1;
      const double to_y = close ? start_y : curve ? segment->y3 : segment->y1;
      if (segment->kind == HEDDLE_SEGMENT_MOVE)
        {
          start_x = to_x;
          start_y = to_y;
        }
      else if (curve ? curve_crosses (&area, x, y, segment) : piece_crosses (&area, x, y, to_x, to_y))
        return TRUE;
      x = to_x;
      y = to_y;
    }
  return FALSE;
}
