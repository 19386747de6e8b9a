/* SPDX-License-Identifier: MIT */
#include "figure/paint/paint.h"

/* A norm over a batch: its circle is on the wire of a channel, and the wires along which it acts go into the circle and come out. */

#define RADIUS 10.
#define DIAGONAL 0.7071

static gboolean
is_core (const HeddleMember *member, guint i)
{
  return heddle_member_entering (member, i)->core;
}

/* The wire beside one that it acts along, as far down as there is one: the strand entering in that place; or NULL. */
static const HeddleStrand *
find_channel (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const HeddleMember *member = heddle_figure_node_member (self, node, 0);

  if (node->shape != HEDDLE_SHAPE_NORMALISE || !g_str_equal (node->operation->kind->glyph, "batchnorm"))
    return NULL;
  for (guint i = member->strands->len; i-- > 0;)
    if (!is_core (member, i)
        && ((i > 0 && is_core (member, i - 1)) || (i + 1 < member->strands->len && is_core (member, i + 1))))
      return heddle_member_entering (member, i);
  return NULL;
}

gboolean
heddle_figure_node_rounds (const HeddleLayout *self, const HeddleFigureNode *node)
{
  return find_channel (self, node) != NULL;
}

/* From the sides of the node to the circle, above or below its middle. */
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
  const HeddleStrand *channel = find_channel (self->layout, node);
  const HeddleStroke bold = { .color = stroke->color, .width = 2. };

  if (channel == NULL)
    return FALSE;
  const double y = heddle_figure_node_shift (node, heddle_layout_line_y (self->layout, channel->target));
  for (guint i = 0; i < member->strands->len; i++)
    if (is_core (member, i))
      paint_round (self, node, member, heddle_member_entering (member, i), stroke, y);
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, &bold, &self->paper);
  heddle_item_arc (item, node->x + node->width / 2., y, RADIUS, 0, 4, FALSE);
  heddle_item_close (item);
  return TRUE;
}
