/* SPDX-License-Identifier: MIT */
#include "figure/layout/box.h"
#include "figure/paint/source.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

static void
paint_unit (
    HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke, double y1, double y2)
{
  const double x = node->x + node->width / 2., r = MIN (HEDDLE_SOURCE_LARGEST_RADIUS, (y2 - y1) / 2.);
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, stroke, NULL);

  heddle_item_move_to (item, x, y1);
  heddle_item_arc (item, x, y1 + r, r, 3, -1, TRUE);
  heddle_item_line_to (item, x - r, y2 - r);
  heddle_item_arc (item, x, y2 - r, r, 2, -1, TRUE);
}

/* Its point on the left. */
static void
paint_element (
    HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke, double y1, double y2)
{
  const double right = node->x + node->width / 2., left = right - (node->width - 8.), up = 9.;
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, stroke, &self->paper);

  heddle_item_move_to (item, right, y1 - up);
  heddle_item_line_to (item, right, y2 + up);
  heddle_item_line_to (item, left + 8., y2 + up);
  heddle_item_line_to (item, left, (y1 + y2) / 2.);
  heddle_item_line_to (item, left + 8., y1 - up);
  heddle_item_close (item);
  heddle_paint_label (self, HEDDLE_PART_GLYPH, node->operation->id, node->title, HEDDLE_FONT_MATH, 12., NULL,
      (left + 4. + right) / 2., (y1 + y2) / 2. + 4., 0.5);
}

void
heddle_paint_source (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  double top = G_MAXDOUBLE, bottom = -G_MAXDOUBLE;

  for (guint i = 0; i < node->results->len; i++)
    {
      const double y = heddle_layout_line_y (self->layout, heddle_strand (node->results, i)->line) + node->dy;
      top = MIN (top, y);
      bottom = MAX (bottom, y);
    }
  if (node->title == NULL)
    paint_unit (self, node, stroke, top, bottom);
  else
    paint_element (self, node, stroke, top, bottom);
}
