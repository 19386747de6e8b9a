/* SPDX-License-Identifier: MIT */
#include "figure/graph-private.h"

static void
flow_free (gpointer data)
{
  HeddleFlow *flow = data;

  g_array_unref (flow->uses);
  g_free (flow);
}

HeddleFlow *
heddle_graph_flow (const HeddleGraphBuilder *self, const char *value)
{
  return g_hash_table_lookup (self->flow_of, value);
}

gboolean
heddle_figure_node_makes (const HeddleFigureNode *node, const char *value)
{
  return node->result == value
         || (node->operation->more_results != NULL
             && heddle_ids_contain (node->operation->more_results, value));
}

/* What an operation hands to the one attached to it is no wire of its own. */
static gboolean
is_within_node (const HeddleLayout *self, const char *value)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (self->diagram, value);
  const guint index
      = producer != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->node_of, producer->id)) : 0;

  return index > 0 && !heddle_figure_node_makes (heddle_layout_node (self, index - 1), value);
}

static void
collect_flows (HeddleGraphBuilder *self)
{
  const HeddleDiagram *diagram = self->layout->diagram;

  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = diagram->values->pdata[i];
      if (g_hash_table_contains (self->layout->inlined, value->id)
          || is_within_node (self->layout, value->id))
        continue;
      HeddleFlow *flow = g_new0 (HeddleFlow, 1);
      flow->value = value->id;
      flow->producer = -1;
      flow->uses = g_array_new (FALSE, FALSE, sizeof (HeddleUse));
      g_ptr_array_add (self->flows, flow);
      g_hash_table_insert (self->flow_of, (gpointer) value->id, flow);
    }
}

/* The values that begin at a node; an attached operation has but one. */
static void
collect_made (HeddleGraphBuilder *self, guint index)
{
  const HeddleFigureNode *node = heddle_layout_node (self->layout, index);
  HeddleFlow *made = heddle_graph_flow (self, node->result);

  if (made != NULL)
    made->producer = index;
  for (guint i = 1; i < heddle_operation_n_results (node->operation); i++)
    {
      made = heddle_graph_flow (self, heddle_operation_get_result (node->operation, i));
      if (made != NULL)
        made->producer = index;
    }
}

static void
collect_uses (HeddleGraphBuilder *self)
{
  for (guint i = 0; i < self->layout->nodes->len; i++)
    {
      const HeddleFigureNode *node = heddle_layout_node (self->layout, i);
      collect_made (self, i);
      for (guint slot = 0; slot < node->operation->operands->len; slot++)
        {
          HeddleFlow *flow = heddle_graph_flow (self, heddle_ids_index (node->operation->operands, slot));
          const HeddleUse use = { i, slot, 0 };
          if (flow == NULL)
            continue;
          g_array_append_val (flow->uses, use);
          flow->n_reads++;
        }
    }
}

/* --- columns ------------------------------------------------------------------------------- */

static int
ready_at (const HeddleGraphBuilder *self, const HeddleFlow *flow)
{
  if (flow->producer >= 0)
    return heddle_layout_node (self->layout, flow->producer)->stage + 1;
  return flow->uses->len > 1 ? 1 : 0; /* an input that is copied is shown before */
}

static void
assign_stages (HeddleGraphBuilder *self)
{
  for (guint i = 0; i < self->layout->nodes->len; i++)
    {
      HeddleFigureNode *node = heddle_layout_node (self->layout, i);
      for (guint slot = 0; slot < node->operation->operands->len; slot++)
        {
          const HeddleFlow *flow
              = heddle_graph_flow (self, heddle_ids_index (node->operation->operands, slot));
          if (flow == NULL)
            continue;
          node->stage = MAX (node->stage, ready_at (self, flow));
          if (flow->producer >= 0)
            node->products
                = MAX (node->products, heddle_layout_node (self->layout, flow->producer)->products);
        }
      node->products += node->cups;
      self->layout->n_stages = MAX (self->layout->n_stages, node->stage + 1);
    }
  for (guint i = 0; i < self->flows->len; i++)
    self->layout->n_stages = MAX (self->layout->n_stages, ready_at (self, self->flows->pdata[i]));
}

static void
link_operands (HeddleLayout *self)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      const HeddleMember *member = heddle_layout_member (self, i);
      if (member->reader >= 0)
        g_array_append_val (heddle_layout_node (self, member->reader)->members, i);
    }
}

static int
by_slot (gconstpointer a, gconstpointer b, gpointer data)
{
  const HeddleLayout *self = data;

  return (int) heddle_layout_member (self, *(const guint *) a)->slot
         - (int) heddle_layout_member (self, *(const guint *) b)->slot;
}

static int
by_place (gconstpointer a, gconstpointer b)
{
  const guint first = (*(HeddleMember *const *) a)->key, second = (*(HeddleMember *const *) b)->key;

  return first < second ? -1 : first > second;
}

static void
fill_columns (HeddleLayout *self)
{
  self->live = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (int t = 0; t <= self->n_stages; t++)
    g_ptr_array_add (self->live, g_ptr_array_new ());
  for (guint i = 0; i < self->members->len; i++)
    {
      HeddleMember *member = heddle_layout_member (self, i);
      for (int t = member->from; t <= member->to; t++)
        g_ptr_array_add (self->live->pdata[t], member);
    }
  for (int t = 0; t <= self->n_stages; t++)
    g_ptr_array_sort (self->live->pdata[t], by_place);
}

static void
fill_stages (HeddleLayout *self)
{
  self->stages = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (int t = 0; t <= self->n_stages; t++)
    g_ptr_array_add (self->stages, g_ptr_array_new ());
  for (guint i = 0; i < self->nodes->len; i++)
    g_ptr_array_add (self->stages->pdata[heddle_layout_node (self, i)->stage], self->nodes->pdata[i]);
}

HeddleMember *
heddle_figure_node_member (const HeddleLayout *self, const HeddleFigureNode *node, guint i)
{
  return heddle_layout_member (self, heddle_guint (node->members, i));
}

HeddleStrand *
heddle_member_entering (const HeddleMember *member, guint i)
{
  return heddle_strand (member->strands, heddle_guint (member->order, i));
}

/* Nodes have been made; gives them stages and operands, and members their columns and order. */
void
heddle_layout_build_graph (HeddleLayout *self)
{
  HeddleGraphBuilder builder = { .layout = self };

  builder.flows = g_ptr_array_new_with_free_func (flow_free);
  builder.flow_of = g_hash_table_new (NULL, NULL);
  builder.visited = g_new0 (gboolean, self->nodes->len + 1);
  collect_flows (&builder);
  collect_uses (&builder);
  heddle_graph_number_uses (&builder);
  assign_stages (&builder);
  heddle_layout_align_blocks (self);
  heddle_graph_add_members (&builder);
  link_operands (self);
  for (guint i = 0; i < self->nodes->len; i++)
    g_array_sort_with_data (heddle_layout_node (self, i)->members, by_slot, self);
  fill_columns (self);
  fill_stages (self);
  g_hash_table_unref (builder.flow_of);
  g_ptr_array_unref (builder.flows);
  g_free (builder.visited);
}
