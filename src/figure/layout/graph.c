/* SPDX-License-Identifier: MIT */
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation.h"
#include "figure/layout/blocks.h"
#include "figure/layout/graph-members.h"
#include "figure/layout/graph-order.h"
#include "figure/layout/graph-search.h"
#include "figure/layout/graph.h"
#include "figure/layout/skips.h"

#define MOST_WORK 700000 /* of the search for the order, in wires looked at … */
#define MOST_WORK_AGAIN 100000 /* … and once copies have been cut */
#define MOST_CUTS 3 /* times: where copies are gone, others change places */

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

/* Tells whether wires of @value begin at the node: a call makes several values. */
static gboolean
figure_node_makes (const HeddleFigureNode *node, const char *value)
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

  return index > 0 && !figure_node_makes (heddle_layout_node (self, index - 1), value);
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
      flow->named = g_hash_table_contains (self->layout->named_inputs, value->id);
      flow->primary = HEDDLE_NO_USE;
      flow->uses = g_array_new (FALSE, FALSE, sizeof (guint));
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
add_use (HeddleGraphBuilder *self, HeddleFlow *flow, int reader, guint slot)
{
  const HeddleUse use = { .flow = flow, .reader = reader, .slot = slot };

  g_array_append_val (flow->uses, self->uses->len);
  g_array_append_val (self->uses, use);
}

static void
collect_uses (HeddleGraphBuilder *self)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->layout->diagram);
  const guint n = self->layout->nodes->len;

  self->begin = g_new0 (guint, n + 1);
  for (guint i = 0; i < n; i++)
    {
      const HeddleFigureNode *node = heddle_layout_node (self->layout, i);
      self->begin[i] = self->uses->len;
      collect_made (self, i);
      for (guint slot = 0; slot < node->operation->operands->len; slot++)
        {
          HeddleFlow *flow = heddle_graph_flow (self, heddle_ids_index (node->operation->operands, slot));
          if (flow != NULL)
            add_use (self, flow, i, slot);
        }
    }
  self->begin[n] = self->uses->len;
  for (guint i = 0; i < outputs->len; i++)
    {
      HeddleFlow *flow = heddle_graph_flow (self, heddle_ids_index (outputs, i));
      if (flow == NULL)
        continue;
      g_array_append_val (self->outputs, self->uses->len);
      add_use (self, flow, -1, i);
    }
}

/* As operands are written and outputs declared. */
static void
begin_forest (HeddleGraphBuilder *self)
{
  const guint n = self->layout->nodes->len;

  self->places = g_new (guint, self->uses->len + 1);
  self->parents = g_new (guint, n + 1);
  self->lows = g_new0 (int, n + 1);
  for (guint i = 0; i < self->uses->len; i++)
    self->places[i] = i;
  for (guint i = 0; i < n; i++)
    self->parents[i] = HEDDLE_UNKNOWN_USE;
}

/* --- columns ------------------------------------------------------------------------------- */

/* Counts once for each flow: it is asked for by every reader. */
static void
count_wired (const HeddleGraphBuilder *self)
{
  for (guint k = 0; k < self->flows->len; k++)
    {
      HeddleFlow *flow = self->flows->pdata[k];

      flow->n_wired = 0;
      for (guint i = 0; i < flow->uses->len; i++)
        flow->n_wired += !heddle_graph_use (self, heddle_guint (flow->uses, i))->fan;
    }
}

static int
ready_at (const HeddleGraphBuilder *self, const HeddleFlow *flow)
{
  if (flow->producer >= 0)
    return heddle_layout_node (self->layout, flow->producer)->stage + 1;
  return flow->n_wired > 1 ? 1 : 0; /* an input that is copied is shown before */
}

static void
assign_stages (HeddleGraphBuilder *self)
{
  count_wired (self);
  self->layout->n_stages = 0;
  for (guint i = 0; i < self->layout->nodes->len; i++)
    {
      HeddleFigureNode *node = heddle_layout_node (self->layout, i);
      node->stage = 0;
      node->products = 0;
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
by_key (gconstpointer a, gconstpointer b, gpointer data)
{
  const HeddleLayout *self = data;
  const guint first = heddle_layout_member (self, *(const guint *) a)->key,
              second = heddle_layout_member (self, *(const guint *) b)->key;

  return first < second ? -1 : first > second;
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

static void
builder_clear (HeddleGraphBuilder *self)
{
  g_hash_table_unref (self->flow_of);
  g_ptr_array_unref (self->flows);
  g_array_unref (self->uses);
  g_array_unref (self->outputs);
  g_free (self->begin);
  g_free (self->places);
  g_free (self->parents);
  g_free (self->lows);
}

static void
find_order (HeddleGraphBuilder *self, gsize work)
{
  assign_stages (self);
  heddle_layout_align_blocks (self->layout);
  heddle_graph_find_columns (self);
  heddle_graph_number (self);
  heddle_graph_search_order (self, work);
}

/* Nodes have been made; gives them stages and operands, and members their columns and order. */
void
heddle_layout_build_graph (HeddleLayout *self)
{
  HeddleGraphBuilder builder = { .layout = self };

  builder.flows = g_ptr_array_new_with_free_func (flow_free);
  builder.flow_of = g_hash_table_new (NULL, NULL);
  builder.uses = g_array_new (FALSE, FALSE, sizeof (HeddleUse));
  builder.outputs = g_array_new (FALSE, FALSE, sizeof (guint));
  collect_flows (&builder);
  collect_uses (&builder);
  begin_forest (&builder);
  find_order (&builder, MOST_WORK);
  for (guint i = 0; i < MOST_CUTS && !heddle_layout_draws_copies (self) && heddle_graph_cut_fans (&builder);
       i++)
    find_order (&builder, MOST_WORK_AGAIN);
  heddle_graph_add_members (&builder);
  link_operands (self);
  for (guint i = 0; i < self->nodes->len; i++)
    g_array_sort_with_data (heddle_layout_node (self, i)->members, by_key, self);
  fill_columns (self);
  fill_stages (self);
  builder_clear (&builder);
}
