/* SPDX-License-Identifier: MIT */
#include "figure/layout/cups.h"
#include "figure/layout/layout.h"
#include "figure/paint/cups.h"
#include "figure/paint/paint.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

/* A contraction: the wires of an axis meet in a cup, and what is left goes on as an arrow. */

double
heddle_figure_node_attached_x (const HeddleFigureNode *node)
{
  return node->x + node->width + HEDDLE_ATTACHED_GAP;
}

static void
add_bow (HeddleItem *item, double x, double y1, double y2, double r)
{
  heddle_item_move_to (item, x, y1);
  heddle_item_arc (item, x, y1 + r, r, 3, 1, TRUE);
  heddle_item_line_to (item, x + r, y2 - r);
  heddle_item_arc (item, x, y2 - r, r, 0, 1, TRUE);
}

static void
paint_cup (
    HeddlePainter *self, const HeddleFigureNode *node, const HeddleCup *cup, const HeddleStroke *stroke)
{
  const double x = node->x + node->inset, y1 = cup->y1 + node->dy, y2 = cup->y2 + node->dy, r = cup->radius;
  const HeddleMember *member = g_array_index (cup->members, HeddleMember *, 0);
  const guint from = heddle_scene_get_n_items (self->scene);

  if (cup->strands->len == 1)
    {
      heddle_paint_dot (self, HEDDLE_PART_GLYPH, node->operation->id, stroke, x, y1);
      return;
    }
  const double spread = heddle_paint_spread (self, cup->axis);
  HeddleStroke glow;
  if (heddle_paint_glow (self, cup->axis, &glow))
    add_bow (heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, &glow, NULL), x, y1, y2, r);
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_WIRE, member->value, stroke, NULL);
  item->sign = HEDDLE_SIGN_CUP;
  for (int side = spread > 0. ? -1 : 0; side <= (spread > 0. ? 1 : 0); side += 2)
    add_bow (item, x, y1 - side * spread, y2 + side * spread, r + side * spread);
  for (guint i = 0; i < cup->strands->len; i++)
    {
      const double y
          = heddle_layout_line_y (self->layout, g_array_index (cup->strands, HeddleStrand *, i)->target)
            + node->dy;
      if (y - y1 < 0.5 || y2 - y < 0.5)
        continue;
      item = heddle_paint_path (
          self, HEDDLE_PART_WIRE, g_array_index (cup->members, HeddleMember *, i)->value, stroke, NULL);
      heddle_item_move_to (item, x, y);
      heddle_item_line_to (item, x + r, y);
      heddle_paint_dot (self, HEDDLE_PART_WIRE, member->value, stroke, x + r, y);
    }
  heddle_paint_mark (self, from, cup->axis, member->value);
}

void
heddle_paint_contraction (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  g_autoptr (GPtrArray) cups = heddle_figure_node_cups (self->layout, node);
  const char *object = node->operation->id;
  double x = node->x + node->inset, y = (node->top + node->bottom) / 2.;

  for (guint i = 0; i < cups->len; i++)
    {
      const HeddleCup *cup = cups->pdata[i];
      paint_cup (self, node, cup, stroke);
      if (x > node->x + node->inset + cup->radius)
        continue;
      x = node->x + node->inset + cup->radius;
      y = (cup->y1 + cup->y2) / 2. + node->dy;
    }
  if (!node->cups || (node->attached == NULL && !heddle_paint_tells_tuples (self)))
    return;
  const double tip = node->attached_width > 0.
                         ? heddle_figure_node_attached_x (node) + node->attached_width - 8.
                         : node->x + node->width - 6.;
  HeddleStroke shaft = *stroke;
  shaft.n_dashes = 0;
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &shaft, NULL);
  heddle_item_move_to (item, x, y);
  heddle_item_line_to (item, tip - 7., y);
  heddle_paint_arrow_head (self, HEDDLE_PART_GLYPH, object, stroke, tip, y);
  if (node->attached_width > 0.)
    heddle_paint_label (self, HEDDLE_PART_GLYPH, node->attached->id, node->title, HEDDLE_FONT_MATH, 14., NULL,
        heddle_figure_node_attached_x (node) + node->attached_width / 2., y - 7., 0.5);
}
