/* SPDX-License-Identifier: MIT */
#include "figure/layout/graph.h"
#include "figure/layout/norms.h"
#include "figure/layout/shapes.h"
#include "figure/paint/norms.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

#define RADIUS 10.

#define DIAGONAL 0.7071

/* Paints the wires from the sides of the node to the circle, above or below its middle. */
static void
paint_round (HeddlePainter *self, const HeddleFigureNode *node, const HeddleMember *member,
    const HeddleStrand *strand, const HeddleStroke *stroke, double y)
{
  const double x = node->x + node->width / 2., spread = heddle_paint_spread (self, strand->axis);
  const double from = heddle_figure_node_shift (node, heddle_layout_line_y (self->layout, strand->target));
  const double to = y + (from > y ? DIAGONAL : -DIAGONAL) * RADIUS;

  for (int side = -1; side <= 1; side += 2)
    for (int line = spread > 0. ? -1 : 0; line <= (spread > 0. ? 1 : 0); line += 2)
      {
        const double edge = x + side * (node->width / 2. - HEDDLE_ROUND_SIDE),
                     tip = x + side * DIAGONAL * RADIUS;
        const double reach = 0.5 * (tip - edge);
        HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_WIRE, member->value, stroke, NULL);
        item->axis = strand->axis;
        item->value = member->value;
        heddle_item_move_to (item, edge, from + line * spread);
        heddle_item_curve_to (item, edge + reach, from + line * spread, tip - 0.3 * reach,
            to - (to - from) * 0.2 + line * spread, tip, to + line * spread);
      }
}

gboolean
heddle_paint_batch_norm (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  const HeddleMember *member = heddle_figure_node_member (self->layout, node, 0);
  const HeddleStrand *channel = heddle_figure_node_channel (self->layout, node);
  const HeddleStroke bold = { .color = stroke->color, .width = 2. };

  if (channel == NULL)
    return FALSE;
  const double y = heddle_figure_node_shift (node, heddle_layout_line_y (self->layout, channel->target));
  for (guint i = 0; i < member->strands->len; i++)
    if (heddle_member_acts (member, i))
      paint_round (self, node, member, heddle_member_entering (member, i), stroke, y);
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, &bold, &self->paper);
  heddle_item_arc (item, node->x + node->width / 2., y, RADIUS, 0, 4, FALSE);
  heddle_item_close (item);
  return TRUE;
}
