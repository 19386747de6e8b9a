/* SPDX-License-Identifier: MIT */
#include "diagram/graph/diagram.h"
#include "figure/layout/graph-members.h"
#include "figure/layout/layout.h"
#include "figure/layout/skips.h"

/* Each use of a value becomes a bundle of wires from column to column. */

/* A wire across more columns than this is not drawn through: the value is named where it is made and where it is read. It keeps long
 * diagrams readable, and their layout linear. */
#define LONGEST_WIRE 24
/* In a long diagram an input that is read later than this begins where it is read. */
#define EARLY 4

/* From one use to the next, so that there is room between them for what is named beside it. */
#define KEYS 3

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
  member->key = use != NULL ? KEYS * use->key : 0;
  member->carded = use != NULL && use->carded;
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
by_key (gconstpointer a, gconstpointer b, gpointer data)
{
  const HeddleGraphBuilder *self = data;
  const guint first = heddle_graph_use (self, *(const guint *) a)->key,
              second = heddle_graph_use (self, *(const guint *) b)->key;

  return first < second ? -1 : first > second;
}

/* Returns where the first wires of a value begin. */
static int
first_column (const HeddleGraphBuilder *self, const HeddleFlow *flow)
{
  int first_use = G_MAXINT;

  if (flow->producer >= 0)
    return heddle_layout_node (self->layout, flow->producer)->stage + 1;
  for (guint i = 0; i < flow->uses->len; i++)
    first_use = MIN (first_use, heddle_graph_use (self, heddle_guint (flow->uses, i))->to);
  if (flow->uses->len == 0 || self->layout->n_stages <= HEDDLE_MANY_COLUMNS || first_use <= EARLY)
    return 0;
  return first_use - (flow->uses->len > 1 ? 1 : 0);
}

void
heddle_graph_find_columns (HeddleGraphBuilder *self)
{
  for (guint i = 0; i < self->uses->len; i++)
    heddle_graph_use (self, i)->to = use_column (self, heddle_graph_use (self, i));
  for (guint i = 0; i < self->flows->len; i++)
    {
      HeddleFlow *flow = self->flows->pdata[i];
      const HeddleValue *value = heddle_diagram_get_value (self->layout->diagram, flow->value);
      flow->n_wires = MAX (value->axes->len, 1);
      flow->from = first_column (self, flow);
      flow->copies_from = flow->from + (flow->producer < 0 ? 1 : 0);
      for (guint j = 0; j < flow->uses->len; j++)
        {
          HeddleUse *use = heddle_graph_use (self, heddle_guint (flow->uses, j));
          const gboolean read = use->reader >= 0;
          const gboolean named = heddle_layout_skips_end (self->layout, flow->value);
          use->far = use->to - flow->from > LONGEST_WIRE;
          use->saves = !read && named;
          use->loads = read && flow->producer < 0 && named;
          if (use->saves)
            use->to = flow->copies_from;
          use->carded = use->saves
                        || (read
                            && (use->fan || use->loads
                                || (use->to > flow->copies_from
                                    && heddle_layout_skips (self->layout, flow->value, use->reader))));
          use->cut = read && (use->far || use->carded);
        }
    }
}

static HeddleStart
start_of (const HeddleFlow *flow, int first)
{
  return first >= 0 ? HEDDLE_START_COPY : flow->producer >= 0 ? HEDDLE_START_OPERATION : HEDDLE_START_INPUT;
}

static void
add_unread (HeddleGraphBuilder *self, const HeddleFlow *flow)
{
  HeddleMember *member = add_member (self->layout, flow, start_of (flow, -1), HEDDLE_END_DROP, NULL);

  member->from = member->to = flow->from;
  member->key = KEYS * ++self->key;
}

/* The place of what is named beside the wires of @use: under them, unless the operation that reads them at column @t has them above all its
 * other operands. Nothing comes between the operands of an operation. */
static guint
key_beside (const HeddleGraphBuilder *self, const HeddleUse *use, int t)
{
  guint top = use->key, bottom = use->key;

  if (use->reader < 0 || use->to > t)
    return KEYS * bottom + 1;
  for (guint place = self->begin[use->reader]; place < self->begin[use->reader + 1]; place++)
    {
      const guint key = heddle_graph_use (self, self->places[place])->key;
      top = MIN (top, key);
      bottom = MAX (bottom, key);
    }
  return use->key == top && top < bottom ? KEYS * top - 1 : KEYS * bottom + 1;
}

/* The wires that end in the value's name, for those that are cut: beside those of its primary use, from which they are copied. */
static void
add_saved (HeddleGraphBuilder *self, const HeddleFlow *flow, const HeddleUse *use, int first)
{
  HeddleMember *member = add_member (self->layout, flow, start_of (flow, first), HEDDLE_END_SAVE, NULL);

  member->from = member->to = first >= 0 ? flow->copies_from : flow->from;
  member->first = first;
  member->carded = use->carded;
  member->key = first >= 0 ? key_beside (self, heddle_graph_use (self, flow->primary), member->from)
                           : KEYS * use->key;
}

/* Returns whether the value is to be named for @use where it is made. An input is named there already. */
static gboolean
needs_saving (const HeddleFlow *flow, const HeddleUse *use)
{
  return use->cut && !use->loads && (flow->producer >= 0 || !use->fan);
}

static void
add_read (HeddleGraphBuilder *self, const HeddleFlow *flow, const HeddleUse *use, int first)
{
  HeddleMember *member
      = add_member (self->layout, flow, use->cut ? HEDDLE_START_LOAD : start_of (flow, first),
          use->saves        ? HEDDLE_END_SAVE
          : use->reader < 0 ? HEDDLE_END_OUTPUT
                            : HEDDLE_END_OPERATION,
          use);

  member->from = use->cut ? use->to : first >= 0 ? flow->copies_from : flow->from;
  member->to = use->saves || (use->far && !use->cut) ? member->from : use->to;
  member->first = use->cut ? -1 : first;
}

/* The primary use first, from which the others are copied. */
static void
add_members_of (HeddleGraphBuilder *self, HeddleFlow *flow)
{
  gboolean saved = FALSE;
  int first = -1;

  g_array_sort_with_data (flow->uses, by_key, self);
  if (flow->uses->len == 0)
    add_unread (self, flow);
  for (guint turn = 0; turn < 2; turn++)
    for (guint i = 0; i < flow->uses->len; i++)
      {
        const guint number = heddle_guint (flow->uses, i);
        const HeddleUse *use = heddle_graph_use (self, number);
        if ((number == flow->primary) != (turn == 0))
          continue;
        const int before = self->layout->members->len;
        if (needs_saving (flow, use) && !saved)
          add_saved (self, flow, use, first);
        add_read (self, flow, use, first);
        saved |= needs_saving (flow, use);
        first = first < 0 ? before : first;
      }
}

void
heddle_graph_add_members (HeddleGraphBuilder *self)
{
  self->layout->members = g_ptr_array_new_with_free_func (member_free);
  for (guint i = 0; i < self->flows->len; i++)
    add_members_of (self, self->flows->pdata[i]);
}
