/* SPDX-License-Identifier: MIT */
#include "figure/paint/squeeze.h"
#include "figure/scene/scene.h"

#include <math.h>

/* Wires keep their heights over all lines of a figure that is wrapped; where a line shows nothing of those between two others, it need not be
 * so high. Bands in which there is nothing but bends, sides of boxes and separators are made lower, and what passes them with them. */

#define WIRE_REACH 10. /* px kept over and under a wire */
#define EDGE_REACH 8. /* and the edges of a box, within which its corners and shadow are */
#define KEPT 14. /* of a band that is made lower */
#define PARENTHESIS 4. /* times as high as wide, at least */

typedef struct
{
  double top, bottom;
  double up; /* how far what is under it goes up, for this band and all above */
} Band;

static void
keep (GArray *solid, double top, double bottom)
{
  const Band band = { top, bottom, 0. };

  g_array_append_val (solid, band);
}

/* A bend with horizontal ends can be made lower; an arc would be no arc any more. */
static void
keep_segment (GArray *solid, const HeddleSegment *segment, double from_y)
{
  const double low = MIN (MIN (from_y, segment->y1), MIN (segment->y2, segment->y3));
  const double high = MAX (MAX (from_y, segment->y1), MAX (segment->y2, segment->y3));

  if (segment->kind == HEDDLE_SEGMENT_LINE && fabs (segment->y1 - from_y) < 0.01)
    keep (solid, from_y - WIRE_REACH, from_y + WIRE_REACH);
  else if (segment->kind == HEDDLE_SEGMENT_CURVE
           && (fabs (segment->y1 - from_y) > 0.01 || fabs (segment->y2 - segment->y3) > 0.01))
    keep (solid, low, high);
}

static void
keep_wire (GArray *solid, const HeddleItem *item)
{
  double y = 0.;

  for (guint i = 0; i < item->path->len; i++)
    {
      const HeddleSegment *segment = &g_array_index (item->path, HeddleSegment, i);
      keep_segment (solid, segment, y);
      if (segment->kind != HEDDLE_SEGMENT_CLOSE)
        y = segment->kind == HEDDLE_SEGMENT_CURVE ? segment->y3 : segment->y1;
    }
}

/* Around a block that is repeated. */
static gboolean
is_parenthesis (const HeddleItem *item, double width, double height)
{
  return item->kind == HEDDLE_ITEM_PATH && item->part == HEDDLE_PART_GLYPH && !item->fill
         && height > PARENTHESIS * width;
}

static void
keep_item (GArray *solid, const HeddleItem *item)
{
  const gboolean area = item->kind == HEDDLE_ITEM_SHADOW || item->part == HEDDLE_PART_BOX
                        || item->part == HEDDLE_PART_BACKGROUND || item->part == HEDDLE_PART_ANNOTATION;
  double x, y, width, height;

  if (item->part == HEDDLE_PART_SEPARATOR || item->part == HEDDLE_PART_COLUMN)
    return;
  heddle_item_get_bounds (item, &x, &y, &width, &height);
  if (item->kind == HEDDLE_ITEM_PATH && item->stroke && item->part == HEDDLE_PART_WIRE)
    keep_wire (solid, item);
  else if (item->kind != HEDDLE_ITEM_TEXT && (area || is_parenthesis (item, width, height)))
    {
      keep (solid, y - EDGE_REACH, y + EDGE_REACH);
      keep (solid, y + height - EDGE_REACH, y + height + EDGE_REACH);
    }
  else
    keep (solid, y, y + height);
}

static int
by_top (gconstpointer a, gconstpointer b)
{
  const double difference = ((const Band *) a)->top - ((const Band *) b)->top;

  return difference < 0. ? -1 : difference > 0.;
}

/* From the bands that are kept to those between them, which are not. */
static GArray *
find_empty (GArray *solid)
{
  GArray *empty = g_array_new (FALSE, FALSE, sizeof (Band));
  double bottom = G_MAXDOUBLE, up = 0.;

  g_array_sort (solid, by_top);
  for (guint i = 0; i < solid->len; i++)
    {
      const Band *band = &g_array_index (solid, Band, i);
      if (band->top > bottom + KEPT)
        {
          up += band->top - bottom - KEPT;
          const Band between = { bottom, band->top, up };
          g_array_append_val (empty, between);
        }
      bottom = bottom == G_MAXDOUBLE ? band->bottom : MAX (bottom, band->bottom);
    }
  return empty;
}

static double
squeezed (const GArray *empty, double y)
{
  guint low = 0, high = empty->len; /* bands before @low begin above */

  while (low < high)
    {
      const guint middle = (low + high) / 2;
      if (g_array_index (empty, Band, middle).top < y)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return y;
  const Band *band = &g_array_index (empty, Band, low - 1);
  const double height = band->bottom - band->top;
  return y - band->up + (y < band->bottom ? (height - KEPT) * (band->bottom - y) / height : 0.);
}

static void
squeeze_item (const GArray *empty, HeddleItem *item)
{
  const double y = squeezed (empty, item->y);

  if (item->kind == HEDDLE_ITEM_SHADOW)
    item->height = squeezed (empty, item->y + item->height) - y;
  item->y = y;
  for (guint i = 0; item->path != NULL && i < item->path->len; i++)
    {
      HeddleSegment *segment = &g_array_index (item->path, HeddleSegment, i);
      segment->y1 = squeezed (empty, segment->y1);
      segment->y2 = squeezed (empty, segment->y2);
      segment->y3 = squeezed (empty, segment->y3);
    }
}

/* Squeezes @items (HeddleItem), which are drawn in one line of a figure. */
void
heddle_paint_squeeze (const GPtrArray *items)
{
  g_autoptr (GArray) solid = g_array_new (FALSE, FALSE, sizeof (Band));

  for (guint i = 0; i < items->len; i++)
    keep_item (solid, items->pdata[i]);
  g_autoptr (GArray) empty = find_empty (solid);
  for (guint i = 0; i < items->len; i++)
    if (((const HeddleItem *) items->pdata[i])->part != HEDDLE_PART_COLUMN)
      squeeze_item (empty, items->pdata[i]);
}
