/* SPDX-License-Identifier: MIT */
#include "figure/layout/norms.h"

/* A norm over a batch: its circle is on the wire of a channel, and the wires along which it acts go into the circle and come out. */

static const HeddleStrand *
entering (const HeddleMember *member, guint i)
{
  return heddle_strand (member->strands, heddle_guint (member->order, i));
}

static const HeddleMember *
operand_of (const HeddleLayout *self, const HeddleFigureNode *node)
{
  return heddle_layout_member (self, heddle_guint (node->members, 0));
}

gboolean
heddle_member_acts (const HeddleMember *member, guint i)
{
  return entering (member, i)->core;
}

/* The wire beside one that it acts along, as far down as there is one: the strand entering in that place; or NULL. */
const HeddleStrand *
heddle_figure_node_channel (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const HeddleMember *member = operand_of (self, node);

  if (node->shape != HEDDLE_SHAPE_NORMALISE || !g_str_equal (node->operation->kind->glyph, "batchnorm"))
    return NULL;
  for (guint i = member->strands->len; i-- > 0;)
    if (!heddle_member_acts (member, i)
        && ((i > 0 && heddle_member_acts (member, i - 1))
            || (i + 1 < member->strands->len && heddle_member_acts (member, i + 1))))
      return entering (member, i);
  return NULL;
}

gboolean
heddle_figure_node_rounds (const HeddleLayout *self, const HeddleFigureNode *node)
{
  return heddle_figure_node_channel (self, node) != NULL;
}

/* The wires that a batch norm acts along turn away from its foot, to the circle. */
double
heddle_figure_node_foot (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const HeddleStrand *channel = heddle_figure_node_channel (self, node);
  const HeddleMember *member = channel != NULL ? operand_of (self, node) : NULL;

  return member != NULL && heddle_member_acts (member, member->strands->len - 1) ? HEDDLE_ROUND_FOOT
                                                                                 : heddle_titled_pad (node);
}
