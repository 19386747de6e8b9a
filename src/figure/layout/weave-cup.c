/* SPDX-License-Identifier: MIT */
#include "diagram/graph/diagram.h"
#include "figure/layout/graph.h"
#include "figure/layout/weave-cup.h"
#include "figure/layout/weave-node.h"
#include "figure/layout/weave.h"

/* Returns how many operands have the axis, and the first and last of them. */
static guint
holders (const HeddleLayout *self, const HeddleFigureNode *node, const char *axis, int *first, int *last)
{
  guint n = 0;

  *first = *last = -1;
  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; axis != NULL && j < member->strands->len; j++)
        if (heddle_strand (member->strands, j)->axis == axis)
          {
            *first = *first < 0 ? (int) i : *first;
            *last = i;
            n++;
          }
    }
  return n;
}

/* Which of the arrays that share an axis keeps its wire: the upper one if the axis comes before the upper array's own in the result. */
static int
keeper (const HeddleLayout *self, const HeddleFigureNode *node, const char *axis, int first, int last)
{
  const HeddleValue *result = heddle_diagram_get_value (self->diagram, node->result);
  const int place = heddle_ids_find (result->axes, axis);
  const HeddleMember *upper = heddle_figure_node_member (self, node, first);

  for (guint i = 0; i < upper->strands->len; i++)
    {
      const char *own = heddle_strand (upper->strands, i)->axis;
      int own_first, own_last;
      if (own != NULL && !heddle_figure_node_is_core (node, own)
          && holders (self, node, own, &own_first, &own_last) == 1
          && heddle_ids_find (result->axes, own) < place)
        return last;
    }
  return first;
}

/* Where a wire of a contraction's operand comes to lie. */
typedef enum
{
  SIDE_LEAVING, /* it lies on top and joins a wire above: it crosses the cup on its way, wherever it is */
  SIDE_TOP,
  SIDE_BETWEEN,
  SIDE_BOTTOM,
  N_SIDES,
} Side;

static void
find_sides (HeddleLayout *self, HeddleFigureNode *node, guint operand, Side *sides)
{
  const HeddleMember *member = heddle_figure_node_member (self, node, operand);
  gboolean on_top = TRUE;

  for (guint i = 0; i < member->strands->len; i++)
    {
      const char *axis = heddle_strand (member->strands, i)->axis;
      int first, last;
      sides[i] = SIDE_BETWEEN;
      const gboolean shared = axis != NULL && holders (self, node, axis, &first, &last) > 1;
      if (shared && heddle_figure_node_is_core (node, axis))
        sides[i] = first < (int) operand ? SIDE_TOP : SIDE_BOTTOM;
      else if (shared && first == (int) operand && keeper (self, node, axis, first, last) == last)
        sides[i] = SIDE_BOTTOM; /* on its way down it leaves the cup */
      else if (shared && on_top && first < (int) operand
               && keeper (self, node, axis, first, last) != (int) operand)
        sides[i] = SIDE_LEAVING;
      on_top &= sides[i] == SIDE_LEAVING;
    }
}

/* Contracted wires come to the edge of the array that faces the array which has them too, in the reverse order on the other side, so that
 * the cups lie in one another. */
static void
order_for_cup (HeddleLayout *self, HeddleFigureNode *node, guint operand)
{
  HeddleMember *member = heddle_figure_node_member (self, node, operand);
  const guint n = member->strands->len;
  g_autofree guint *order = g_new (guint, n);
  g_autofree Side *sides = g_new (Side, n);
  guint filled = 0;

  find_sides (self, node, operand, sides);
  const HeddleMember *before = operand > 0 ? heddle_figure_node_member (self, node, operand - 1) : NULL;
  while (filled < n && sides[filled] == SIDE_LEAVING)
    {
      order[filled] = filled;
      filled++;
    }
  for (guint i = before != NULL ? before->strands->len : 0;
       i-- > 0;) /* facing: the lowest above comes first */
    for (guint j = 0; j < n; j++)
      if (sides[j] == SIDE_TOP
          && heddle_strand (member->strands, j)->axis == heddle_member_entering (before, i)->axis)
        {
          order[filled++] = j;
          sides[j] = N_SIDES;
        }
  for (Side side = SIDE_TOP; side < N_SIDES; side++)
    for (guint i = 0; i < n; i++)
      if (sides[i] == side)
        order[filled++] = i;
  heddle_member_set_order (self, member, order);
}

/* Finds which wires of a contraction go on, and in which order they enter it. */
void
heddle_layout_weave_cup (HeddleLayout *self, HeddleFigureNode *node)
{
  for (guint i = 0; i < node->members->len; i++)
    order_for_cup (self, node, i);
  for (guint i = 0; i < node->members->len; i++)
    {
      HeddleMember *member = heddle_figure_node_member (self, node, i);
      guint ended = 0;
      for (guint j = 0; j < member->strands->len; j++)
        {
          HeddleStrand *strand = heddle_member_entering (member, j);
          int first, last;
          strand->core = heddle_figure_node_is_core (node, strand->axis);
          holders (self, node, strand->axis, &first, &last);
          if (strand->axis == NULL || strand->core
              || (first != last && keeper (self, node, strand->axis, first, last) != (int) i))
            ended += 1 + strand->hole;
          else
            {
              heddle_figure_node_add_result (node, strand->axis, strand->target, FALSE)->hole
                  = node->results->len > 0 ? strand->hole + ended : 0;
              ended = 0;
            }
        }
      if (i + 1 < node->members->len && ended > 0)
        { /* what ended at the bottom lies above the next array's first survivor */
          HeddleMember *next = heddle_figure_node_member (self, node, i + 1);
          if (next->strands->len > 0)
            heddle_member_entering (next, 0)->hole += ended;
        }
    }
}
