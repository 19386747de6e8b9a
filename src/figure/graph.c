/* SPDX-License-Identifier: MIT */
#include "figure/blocks.h"

/* A wire across more columns than this is not drawn through: the value is named where it is made and where it is read. It keeps long
 * diagrams readable, and their layout linear. */
#define LONGEST_WIRE 24
/* In a long diagram an input that is read later than this begins where it is read. */
#define EARLY 4

/* One place where a value is read. */
typedef struct
{
  int reader; /* node, or -1: an output */
  guint slot;
  guint key;
} Use;

typedef struct
{
  const char *value;
  int producer; /* node, or -1 */
  GArray *uses; /* of Use: readers by node and slot, then outputs; at last by key */
  guint n_reads; /* how many of them are readers */
} Flow;

typedef struct
{
  HeddleLayout *layout;
  GPtrArray *flows; /* of Flow, in the order of the diagram's values */
  GHashTable *flow_of; /* value id -> Flow */
  guint key;
  gboolean *visited; /* nodes */
} Builder;

static void
flow_free (gpointer data)
{
  Flow *flow = data;

  g_array_unref (flow->uses);
  g_free (flow);
}

static Flow *
builder_flow (Builder *self, const char *value)
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
collect_flows (Builder *self)
{
  const HeddleDiagram *diagram = self->layout->diagram;

  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = diagram->values->pdata[i];
      if (g_hash_table_contains (self->layout->inlined, value->id)
          || is_within_node (self->layout, value->id))
        continue;
      Flow *flow = g_new0 (Flow, 1);
      flow->value = value->id;
      flow->producer = -1;
      flow->uses = g_array_new (FALSE, FALSE, sizeof (Use));
      g_ptr_array_add (self->flows, flow);
      g_hash_table_insert (self->flow_of, (gpointer) value->id, flow);
    }
}

/* The values that begin at a node; an attached operation has but one. */
static void
collect_made (Builder *self, guint index)
{
  const HeddleFigureNode *node = heddle_layout_node (self->layout, index);
  Flow *made = builder_flow (self, node->result);

  if (made != NULL)
    made->producer = index;
  for (guint i = 1; i < heddle_operation_n_results (node->operation); i++)
    {
      made = builder_flow (self, heddle_operation_get_result (node->operation, i));
      if (made != NULL)
        made->producer = index;
    }
}

static void
collect_uses (Builder *self)
{
  for (guint i = 0; i < self->layout->nodes->len; i++)
    {
      const HeddleFigureNode *node = heddle_layout_node (self->layout, i);
      collect_made (self, i);
      for (guint slot = 0; slot < node->operation->operands->len; slot++)
        {
          Flow *flow = builder_flow (self, heddle_ids_index (node->operation->operands, slot));
          const Use use = { i, slot, 0 };
          if (flow == NULL)
            continue;
          g_array_append_val (flow->uses, use);
          flow->n_reads++;
        }
    }
}

/* --- order from top to bottom ------------------------------------------------------------ */

typedef struct
{
  guint node, slot;
} Step;

static void
number_use (Builder *self, Flow *flow, int reader, guint slot)
{
  guint low = 0, high = flow->n_reads;

  while (low < high)
    {
      const guint middle = (low + high) / 2;
      const Use *use = &g_array_index (flow->uses, Use, middle);
      if (use->reader < reader || (use->reader == reader && use->slot < slot))
        low = middle + 1;
      else
        high = middle;
    }
  g_array_index (flow->uses, Use, low).key = ++self->key;
}

static void
push_node (Builder *self, GArray *stack, int node)
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
number_above (Builder *self, int root)
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
      Flow *flow = builder_flow (self, heddle_ids_index (node->operation->operands, step->slot));
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

static void
number_uses (Builder *self)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->layout->diagram);

  for (guint i = 0; i < outputs->len; i++)
    {
      Flow *flow = builder_flow (self, heddle_ids_index (outputs, i));
      if (flow == NULL)
        continue;
      number_above (self, flow->producer);
      const Use use = { -1, i, ++self->key };
      g_array_append_val (flow->uses, use);
    }
  for (guint i = 0; i < self->flows->len; i++)
    number_above (self, ((Flow *) self->flows->pdata[i])->producer);
}

/* --- columns ------------------------------------------------------------------------------- */

static int
ready_at (const Builder *self, const Flow *flow)
{
  if (flow->producer >= 0)
    return heddle_layout_node (self->layout, flow->producer)->stage + 1;
  return flow->uses->len > 1 ? 1 : 0; /* an input that is copied is shown before */
}

static void
assign_stages (Builder *self)
{
  for (guint i = 0; i < self->layout->nodes->len; i++)
    {
      HeddleFigureNode *node = heddle_layout_node (self->layout, i);
      for (guint slot = 0; slot < node->operation->operands->len; slot++)
        {
          const Flow *flow = builder_flow (self, heddle_ids_index (node->operation->operands, slot));
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

/* --- members ------------------------------------------------------------------------------- */

static HeddleMember *
add_member (HeddleLayout *self, const Flow *flow, HeddleStart start, HeddleEnd end, const Use *use)
{
  HeddleMember *member = g_new0 (HeddleMember, 1);

  member->value = flow->value;
  member->start = start;
  member->end = end;
  member->producer = flow->producer;
  member->reader = use != NULL ? use->reader : -1;
  member->slot = use != NULL ? use->slot : 0;
  member->key = use != NULL ? use->key : 0;
  member->first = -1;
  member->chain = -1;
  member->strands = g_array_new (FALSE, FALSE, sizeof (HeddleStrand));
  member->order = g_array_new (FALSE, FALSE, sizeof (guint));
  g_ptr_array_add (self->members, member);
  return member;
}

static void
member_free (gpointer data)
{
  HeddleMember *member = data;

  g_array_unref (member->strands);
  g_array_unref (member->order);
  g_free (member);
}

static int
use_column (const Builder *self, const Use *use)
{
  return use->reader >= 0 ? heddle_layout_node (self->layout, use->reader)->stage : self->layout->n_stages;
}

static int
by_key (gconstpointer a, gconstpointer b)
{
  const guint first = ((const Use *) a)->key, second = ((const Use *) b)->key;

  return first < second ? -1 : first > second;
}

/* Where the first wires of a value begin. */
static int
first_column (const Builder *self, const Flow *flow)
{
  int first_use = G_MAXINT;

  if (flow->producer >= 0)
    return heddle_layout_node (self->layout, flow->producer)->stage + 1;
  for (guint i = 0; i < flow->uses->len; i++)
    first_use = MIN (first_use, use_column (self, &g_array_index (flow->uses, Use, i)));
  if (flow->uses->len == 0 || self->layout->n_stages <= HEDDLE_MANY_COLUMNS || first_use <= EARLY)
    return 0;
  return first_use - (flow->uses->len > 1 ? 1 : 0);
}

static void
add_unread (Builder *self, const Flow *flow, int from, HeddleEnd end, guint key)
{
  HeddleMember *member = add_member (
      self->layout, flow, flow->producer >= 0 ? HEDDLE_START_OPERATION : HEDDLE_START_INPUT, end, NULL);

  member->from = member->to = from;
  member->key = key > 0 ? key : ++self->key;
}

/* The wires that end in the value's name, for those that are cut. Returns the member from which others are copied. */
static int
add_saved (Builder *self, const Flow *flow, const Use *use, int from, int copies_from, int first)
{
  HeddleMember *member = add_member (self->layout, flow,
      first >= 0            ? HEDDLE_START_COPY
      : flow->producer >= 0 ? HEDDLE_START_OPERATION
                            : HEDDLE_START_INPUT,
      HEDDLE_END_SAVE, NULL);

  member->from = member->to = first >= 0 ? copies_from : from;
  member->first = first;
  member->key = use->key;
  return first >= 0 ? first : (int) self->layout->members->len - 1;
}

static void
add_members_of (Builder *self, Flow *flow)
{
  HeddleLayout *layout = self->layout;
  const int from = first_column (self, flow);
  const int copies_from = from + (flow->producer < 0 ? 1 : 0);
  int first = -1;
  gboolean saved = FALSE;

  g_array_sort (flow->uses, by_key);
  if (flow->uses->len == 0)
    add_unread (self, flow, from, HEDDLE_END_DROP, 0);
  for (guint i = 0; i < flow->uses->len; i++)
    {
      const Use *use = &g_array_index (flow->uses, Use, i);
      const int to = use_column (self, use);
      const gboolean output = use->reader<0, far = to - from> LONGEST_WIRE,
                     skips
                     = !output && to > copies_from && heddle_layout_skips (layout, flow->value, use->reader);
      HeddleStart start = first >= 0            ? HEDDLE_START_COPY
                          : flow->producer >= 0 ? HEDDLE_START_OPERATION
                                                : HEDDLE_START_INPUT;
      if (far && !output)
        {
          if (i == 0)
            add_unread (self, flow, from, HEDDLE_END_SAVE, use->key);
          start = HEDDLE_START_LOAD;
        }
      else if (skips)
        {
          if (!saved)
            first = add_saved (self, flow, use, from, copies_from, first);
          saved = TRUE;
          start = HEDDLE_START_LOAD;
        }
      HeddleMember *member
          = add_member (layout, flow, start, output ? HEDDLE_END_OUTPUT : HEDDLE_END_OPERATION, use);
      member->from = start == HEDDLE_START_LOAD ? to : start == HEDDLE_START_COPY ? copies_from : from;
      member->to = far && output ? member->from : to;
      member->first = start == HEDDLE_START_COPY ? first : -1;
      if (start != HEDDLE_START_LOAD && first < 0)
        first = layout->members->len - 1;
    }
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
  Builder builder = { .layout = self };

  builder.flows = g_ptr_array_new_with_free_func (flow_free);
  builder.flow_of = g_hash_table_new (NULL, NULL);
  builder.visited = g_new0 (gboolean, self->nodes->len + 1);
  self->members = g_ptr_array_new_with_free_func (member_free);
  collect_flows (&builder);
  collect_uses (&builder);
  number_uses (&builder);
  assign_stages (&builder);
  heddle_layout_align_blocks (self);
  for (guint i = 0; i < builder.flows->len; i++)
    add_members_of (&builder, builder.flows->pdata[i]);
  link_operands (self);
  for (guint i = 0; i < self->nodes->len; i++)
    g_array_sort_with_data (heddle_layout_node (self, i)->members, by_slot, self);
  fill_columns (self);
  fill_stages (self);
  g_hash_table_unref (builder.flow_of);
  g_ptr_array_unref (builder.flows);
  g_free (builder.visited);
}
