/* SPDX-License-Identifier: MIT */
#include "figure/graph-private.h"

/* Each use of a value becomes a bundle of wires from column to column. */

/* A wire across more columns than this is not drawn through: the value is named where it is made and where it is read. It keeps long
 * diagrams readable, and their layout linear. */
#define LONGEST_WIRE 24
/* In a long diagram an input that is read later than this begins where it is read. */
#define EARLY 4

static HeddleMember *
add_member (
    HeddleLayout *self, const HeddleFlow *flow, HeddleStart start, HeddleEnd end, const HeddleUse *use)
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
use_column (const HeddleGraphBuilder *self, const HeddleUse *use)
{
  return use->reader >= 0 ? heddle_layout_node (self->layout, use->reader)->stage : self->layout->n_stages;
}

static int
by_key (gconstpointer a, gconstpointer b)
{
  const guint first = ((const HeddleUse *) a)->key, second = ((const HeddleUse *) b)->key;

  return first < second ? -1 : first > second;
}

/* Where the first wires of a value begin. */
static int
first_column (const HeddleGraphBuilder *self, const HeddleFlow *flow)
{
  int first_use = G_MAXINT;

  if (flow->producer >= 0)
    return heddle_layout_node (self->layout, flow->producer)->stage + 1;
  for (guint i = 0; i < flow->uses->len; i++)
    first_use = MIN (first_use, use_column (self, &g_array_index (flow->uses, HeddleUse, i)));
  if (flow->uses->len == 0 || self->layout->n_stages <= HEDDLE_MANY_COLUMNS || first_use <= EARLY)
    return 0;
  return first_use - (flow->uses->len > 1 ? 1 : 0);
}

static void
add_unread (HeddleGraphBuilder *self, const HeddleFlow *flow, int from, HeddleEnd end, guint key)
{
  HeddleMember *member = add_member (
      self->layout, flow, flow->producer >= 0 ? HEDDLE_START_OPERATION : HEDDLE_START_INPUT, end, NULL);

  member->from = member->to = from;
  member->key = key > 0 ? key : ++self->key;
}

/* The wires that end in the value's name, for those that are cut. Returns the member from which others are copied. */
static int
add_saved (HeddleGraphBuilder *self, const HeddleFlow *flow, const HeddleUse *use, int from, int copies_from,
    int first)
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
add_members_of (HeddleGraphBuilder *self, HeddleFlow *flow)
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
      const HeddleUse *use = &g_array_index (flow->uses, HeddleUse, i);
      const int to = use_column (self, use);
      const gboolean output = use->reader<0, far = to - from> LONGEST_WIRE,
                     skips
                     = !output && to > copies_from && heddle_layout_skips (layout, flow->value, use->reader);
      const gboolean saves = output && heddle_layout_skips_end (layout, flow->value);
      HeddleStart start = first >= 0            ? HEDDLE_START_COPY
                          : flow->producer >= 0 ? HEDDLE_START_OPERATION
                                                : HEDDLE_START_INPUT;
      if (flow->producer < 0 && !output && heddle_layout_skips_end (layout, flow->value))
        start = HEDDLE_START_LOAD;
      else if (far && !output)
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
      HeddleMember *member = add_member (layout, flow, start,
          saves    ? HEDDLE_END_SAVE
          : output ? HEDDLE_END_OUTPUT
                   : HEDDLE_END_OPERATION,
          use);
      member->from = start == HEDDLE_START_LOAD ? to : start == HEDDLE_START_COPY ? copies_from : from;
      member->to = (far && output) || saves ? member->from : to;
      member->first = start == HEDDLE_START_COPY ? first : -1;
      if (start != HEDDLE_START_LOAD && first < 0)
        first = layout->members->len - 1;
    }
}

void
heddle_graph_add_members (HeddleGraphBuilder *self)
{
  self->layout->members = g_ptr_array_new_with_free_func (member_free);
  for (guint i = 0; i < self->flows->len; i++)
    add_members_of (self, self->flows->pdata[i]);
}
