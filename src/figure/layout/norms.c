/* SPDX-License-Identifier: MIT */
#include "figure/layout/graph.h"
#include "figure/layout/layout.h"
#include "figure/layout/norms.h"

/* A norm over a batch: its circle is on the wire of a channel, and the wires along which it acts go into the circle and come out. */

gboolean
heddle_member_acts (const HeddleMember *member, guint i)
{
  return heddle_member_entering (member, i)->core;
}

/* The wire beside one that it acts along, as far down as there is one: the strand entering in that place; or NULL. */
const HeddleStrand *
heddle_figure_node_channel (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const HeddleMember *member = heddle_figure_node_member (self, node, 0);

  if (node->shape != HEDDLE_SHAPE_NORMALISE || !g_str_equal (node->operation->kind->glyph, "batchnorm"))
    return NULL;
  for (guint i = member->strands->len; i-- > 0;)
    if (!heddle_member_acts (member, i)
        && ((i > 0 && heddle_member_acts (member, i - 1))
            || (i + 1 < member->strands->len && heddle_member_acts (member, i + 1))))
      return heddle_member_entering (member, i);
  return NULL;
}

gboolean
heddle_figure_node_rounds (const HeddleLayout *self, const HeddleFigureNode *node)
{
  return heddle_figure_node_channel (self, node) != NULL;
}
