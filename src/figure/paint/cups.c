/* SPDX-License-Identifier: MIT */
#include "figure/layout/cups.h"
#include "figure/layout/figure-node.h"
#include "figure/paint/cups.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

#include <math.h>

/* In a contraction the wires of an axis meet in a cup, and what is left goes on as an arrow. */

double
heddle_figure_node_attached_x (const HeddleFigureNode *node)
{
  return node->x + node->width + HEDDLE_ATTACHED_GAP;
}

/* Adds a bow from the upper wire at @x to the lower one, @more px wider: straight on, nearer to one
 * another, and around. */
static void
add_bow (HeddleItem *item, const HeddleCup *cup, double x, double dy, double more)
{
  const double y1 = cup->y1 + dy - more, y2 = cup->y2 + dy + more, r = cup->radius + more;
  const double from = x + cup->lead, to = from + cup->length, turn = 0.4 * cup->length;
  const double middle = cup->middle + dy;

  heddle_item_move_to (item, x, y1);
  if (cup->lead > 0.)
    heddle_item_line_to (item, from, y1);
  if (cup->length > 0.)
    heddle_item_curve_to (item, from + turn, y1, to - turn, middle - r, to, middle - r);
  heddle_item_arc (item, to, middle, r, 3, 1, TRUE);
  heddle_item_arc (item, to, middle, r, 0, 1, TRUE);
  if (cup->length > 0.)
    heddle_item_curve_to (item, to - turn, middle + r, from + turn, y2, from, y2);
  if (cup->lead > 0.)
    heddle_item_line_to (item, x, y2);
}

/* A wire between the outermost ones of a cup ends on it in a dot. */
static void
paint_inner (HeddlePainter *self, const HeddleCup *cup, const char *value, const HeddleStroke *stroke,
    double x, double y, double dy)
{
  const double at = heddle_cup_y (cup, y) + dy, aside = at - cup->middle - dy, turn = 0.4 * cup->length;
  const double from = x + cup->lead, to = from + cup->length;
  const double end = to + sqrt (MAX (cup->radius * cup->radius - aside * aside, 0.));
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_WIRE, value, stroke, NULL);

  heddle_item_move_to (item, x, y + dy);
  if (cup->lead > 0.)
    heddle_item_line_to (item, from, y + dy);
  if (cup->length > 0.)
    heddle_item_curve_to (item, from + turn, y + dy, to - turn, at, to, at);
  heddle_item_line_to (item, end, at);
  heddle_paint_dot (self, HEDDLE_PART_WIRE, value, stroke, end, at);
}

static void
paint_cup (
    HeddlePainter *self, const HeddleFigureNode *node, const HeddleCup *cup, const HeddleStroke *stroke)
{
  const double x = node->x + node->inset, dy = node->dy;
  const HeddleMember *member = g_array_index (cup->members, HeddleMember *, 0);
  const guint from = heddle_scene_get_n_items (self->scene);

  if (cup->strands->len == 1)
    {
      heddle_paint_dot (self, HEDDLE_PART_GLYPH, node->operation->id, stroke, x, cup->y1 + dy);
      return;
    }
  const double spread = heddle_paint_spread (self, cup->axis);
  HeddleStroke glow;
  if (heddle_paint_glow (self, cup->axis, &glow))
    add_bow (heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, &glow, NULL), cup, x, dy, 0.);
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_WIRE, member->value, stroke, NULL);
  item->sign = HEDDLE_SIGN_CUP;
  for (int side = spread > 0. ? -1 : 0; side <= (spread > 0. ? 1 : 0); side += 2)
    add_bow (item, cup, x, dy, side * spread);
  for (guint i = 0; i < cup->strands->len; i++)
    {
      const double y
          = heddle_layout_line_y (self->layout, g_array_index (cup->strands, HeddleStrand *, i)->target);
      if (y - cup->y1 >= 0.5 && cup->y2 - y >= 0.5)
        paint_inner (self, cup, g_array_index (cup->members, HeddleMember *, i)->value, stroke, x, y, dy);
    }
  heddle_paint_mark (self, from, cup->axis, member->value);
}

void
heddle_paint_contraction (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  g_autoptr (GPtrArray) cups = heddle_figure_node_cups (self->layout, node);
  const char *object = node->operation->id;
  const double x = node->x + node->inset + node->reach;
  double widest = 0., y = (node->top + node->bottom) / 2.;

  for (guint i = 0; i < cups->len; i++)
    {
      const HeddleCup *cup = cups->pdata[i];
      paint_cup (self, node, cup, stroke);
      const double reach = cup->lead + cup->length + cup->radius;
      y = reach >= widest ? cup->middle + node->dy : y;
      widest = MAX (widest, reach);
    }
  if (!node->cups || (node->attached == NULL && !heddle_paint_tells_tuples (self)))
    return;
  const double tip = node->attached_width > 0.
                         ? heddle_figure_node_attached_x (node) + node->attached_width - HEDDLE_SCALE_TIP
                         : node->x + node->width - 6.;
  HeddleStroke shaft = *stroke;
  shaft.n_dashes = 0;
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, &shaft, NULL);
  heddle_item_move_to (item, x, y);
  heddle_item_line_to (item, tip - 7., y);
  heddle_paint_arrow_head (self, HEDDLE_PART_GLYPH, object, stroke, tip, y);
  const guint from = heddle_scene_get_n_items (self->scene);
  if (node->attached_width > 0. && heddle_scale_is_bare (self->layout, node))
    heddle_paint_label (self, HEDDLE_PART_GLYPH, node->attached->id, node->title, HEDDLE_FONT_MATH, 14., NULL,
        x + HEDDLE_SCALE_LEAD, y - 7., 0.);
  else if (node->attached_width > 0.)
    heddle_paint_label (self, HEDDLE_PART_GLYPH, node->attached->id, node->title, HEDDLE_FONT_MATH, 14., NULL,
        heddle_figure_node_attached_x (node) + node->attached_width / 2., y - 7., 0.5);
  heddle_paint_mean (self, from, HEDDLE_MEANING_SCALE);
}
