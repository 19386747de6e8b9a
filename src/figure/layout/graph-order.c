/* SPDX-License-Identifier: MIT */
#include "diagram/graph/operation.h"
#include "figure/layout/graph-order.h"
#include "figure/layout/graph.h"
#include "figure/layout/layout.h"

/* Wires have an order from top to bottom. */

typedef struct
{
  guint node, place;
  gboolean entered; /* what the operand in this place is made from is done */
} Step;

/* Returns whether what makes the value of use number @use hangs on it. What hangs on nothing yet does from
 * now on. */
static gboolean
descends (HeddleGraphBuilder *self, guint use)
{
  const int producer = heddle_graph_use (self, use)->flow->producer;

  if (producer < 0)
    return FALSE;
  if (self->parents[producer] == HEDDLE_UNKNOWN_USE)
    self->parents[producer] = use;
  return self->parents[producer] == use;
}

static void
number_use (HeddleGraphBuilder *self, guint number)
{
  HeddleUse *use = heddle_graph_use (self, number);

  use->key = ++self->key;
  if (use->flow->primary == HEDDLE_NO_USE)
    use->flow->primary = number;
}

static void
push_node (HeddleGraphBuilder *self, GArray *stack, guint node)
{
  const Step step = { node, self->begin[node], FALSE };

  self->lows[node] = heddle_layout_node (self->layout, node)->stage;
  g_array_append_val (stack, step);
}

static void
pop_node (HeddleGraphBuilder *self, GArray *stack)
{
  const guint node = g_array_index (stack, Step, stack->len - 1).node;

  g_array_set_size (stack, stack->len - 1);
  if (stack->len == 0)
    return;
  const guint reader = g_array_index (stack, Step, stack->len - 1).node;
  self->lows[reader] = MIN (self->lows[reader], self->lows[node]);
}

/* Depth first through what node @root is made from, operands in order: the uses in one node's operand lie together between those of its
 * neighbours, so that operands are side by side when their operation is reached, and wires cross only where a value is copied. */
static void
number_above (HeddleGraphBuilder *self, guint root)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Step));

  push_node (self, stack, root);
  while (stack->len > 0)
    {
      Step *step = &g_array_index (stack, Step, stack->len - 1);
      if (step->place == self->begin[step->node + 1])
        {
          pop_node (self, stack);
          continue;
        }
      const guint use = self->places[step->place];
      const HeddleFlow *flow = heddle_graph_use (self, use)->flow;
      if (!step->entered && descends (self, use))
        {
          step->entered = TRUE; /* once it is done, this operand is looked at again */
          push_node (self, stack, flow->producer);
          continue;
        }
      self->lows[step->node] = MIN (self->lows[step->node], flow->from);
      number_use (self, use);
      step->place++;
      step->entered = FALSE;
    }
}

/* Returns whether nobody reads anything that the node makes. */
static gboolean
is_unread (const HeddleGraphBuilder *self, const HeddleFigureNode *node)
{
  const HeddleFlow *made = heddle_graph_flow (self, node->result);
  guint n = made != NULL ? made->uses->len : 0;

  for (guint i = 1; i < heddle_operation_n_results (node->operation); i++)
    {
      made = heddle_graph_flow (self, heddle_operation_get_result (node->operation, i));
      n += made != NULL ? made->uses->len : 0;
    }
  return n == 0;
}

void
heddle_graph_number (HeddleGraphBuilder *self)
{
  self->key = 0;
  for (guint i = 0; i < self->outputs->len; i++)
    {
      const guint use = heddle_guint (self->outputs, i);
      if (descends (self, use))
        number_above (self, heddle_graph_use (self, use)->flow->producer);
      number_use (self, use);
    }
  for (guint i = 0; i < self->layout->nodes->len; i++)
    if (is_unread (self, heddle_layout_node (self->layout, i)))
      number_above (self, i);
}
