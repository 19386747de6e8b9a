/* SPDX-License-Identifier: MIT */
#include "figure/graph-private.h"

/* The order of wires from top to bottom. */

typedef struct
{
  guint node, slot;
} Step;

static void
number_use (HeddleGraphBuilder *self, HeddleFlow *flow, int reader, guint slot)
{
  guint low = 0, high = flow->n_reads;

  while (low < high)
    {
      const guint middle = (low + high) / 2;
      const HeddleUse *use = &g_array_index (flow->uses, HeddleUse, middle);
      if (use->reader < reader || (use->reader == reader && use->slot < slot))
        low = middle + 1;
      else
        high = middle;
    }
  g_array_index (flow->uses, HeddleUse, low).key = ++self->key;
}

static void
push_node (HeddleGraphBuilder *self, GArray *stack, int node)
{
  const Step step = { node, 0 };

  if (node < 0 || self->visited[node])
    return;
  self->visited[node] = TRUE;
  g_array_append_val (stack, step);
}

/* Depth first through what @root is made from, operands in order: the uses in one node's operand lie together between those of its
 * neighbours, so that operands are side by side when their operation is reached, and wires cross only where a value is copied. */
static void
number_above (HeddleGraphBuilder *self, int root)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Step));

  push_node (self, stack, root);
  while (stack->len > 0)
    {
      Step *step = &g_array_index (stack, Step, stack->len - 1);
      const HeddleFigureNode *node = heddle_layout_node (self->layout, step->node);
      if (step->slot >= node->operation->operands->len)
        {
          g_array_set_size (stack, stack->len - 1);
          continue;
        }
      HeddleFlow *flow = heddle_graph_flow (self, heddle_ids_index (node->operation->operands, step->slot));
      const guint before = stack->len;
      if (flow != NULL)
        push_node (self, stack, flow->producer);
      if (stack->len > before)
        continue; /* once it is done, this operand is looked at again */
      if (flow != NULL)
        number_use (self, flow, step->node, step->slot);
      step->slot++;
    }
}

void
heddle_graph_number_uses (HeddleGraphBuilder *self)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->layout->diagram);

  for (guint i = 0; i < outputs->len; i++)
    {
      HeddleFlow *flow = heddle_graph_flow (self, heddle_ids_index (outputs, i));
      if (flow == NULL)
        continue;
      number_above (self, flow->producer);
      const HeddleUse use = { -1, i, ++self->key };
      g_array_append_val (flow->uses, use);
    }
  for (guint i = 0; i < self->flows->len; i++)
    number_above (self, ((HeddleFlow *) self->flows->pdata[i])->producer);
}
