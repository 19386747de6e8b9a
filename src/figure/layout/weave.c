/* SPDX-License-Identifier: MIT */
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation.h"
#include "figure/layout/blocks.h"
#include "figure/layout/casts.h"
#include "figure/layout/graph.h"
#include "figure/layout/measure-node.h"
#include "figure/layout/regions.h"
#include "figure/layout/weave-node.h"
#include "figure/layout/weave.h"

#include <math.h>

/* In a long diagram a bundle in which so many wires have ended is drawn together again. */
#define TORN 3 /* wires that have ended, within what is read as one */
#define LARGE_HOLE 8
#define REGION_HEAD 52. /* room for what is written along a region's top */
#define REGION_FOOT 20.
#define CLEARANCE 19. /* between the boxes of two members, for the separator … */
#define BETWEEN_BLOCKS                                                                                       \
  8. /* …and between the edges of two blocks, each of which keeps its own distance from what is in it */
#define UNDER_NAME 10. /* more, under wires that have something below them: a card, or a type */

int
heddle_layout_add_line (HeddleLayout *self, int prefer, double offset)
{
  const HeddleLine line = { .prefer = prefer, .or_between = -1, .offset = offset, .above = -1 };

  g_array_append_val (self->lines, line);
  return self->lines->len - 1;
}

/* A line that would be midway between two others. */
int
heddle_layout_add_line_between (HeddleLayout *self, int above, int below)
{
  const int line = heddle_layout_add_line (self, above, 0.);

  g_array_index (self->lines, HeddleLine, line).or_between = below;
  return line;
}

/* --- what a member begins with --------------------------------------------------------------- */

static void
append_strand (HeddleMember *member, const char *axis, int source, int line, guint hole)
{
  const HeddleStrand strand
      = { .axis = axis, .source = source, .line = line, .target = line, .join = -1, .hole = hole };

  g_array_append_val (member->strands, strand);
}

static void
begin_at_input (HeddleLayout *self, HeddleMember *member)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, member->value);

  for (guint i = 0; i < MAX (value->axes->len, 1); i++)
    {
      const int line = heddle_layout_add_line (self, -1, 0.);
      append_strand (member, value->axes->len > 0 ? heddle_ids_index (value->axes, i) : NULL, line, line, 0);
    }
}

static const HeddleStrand *
find_strand (const GArray *strands, const char *axis)
{
  for (guint i = 0; i < strands->len; i++)
    if (heddle_strand (strands, i)->axis == axis)
      return heddle_strand (strands, i);
  return NULL;
}

static gboolean
in_declared_order (const HeddleValue *value, const GArray *strands)
{
  for (guint i = 0; i < strands->len && i < value->axes->len; i++)
    if (heddle_strand (strands, i)->axis != heddle_ids_index (value->axes, i))
      return FALSE;
  return TRUE;
}

static guint
count_holes (const GArray *strands)
{
  guint holes = 0;

  for (guint i = 1; i < strands->len; i++)
    holes += heddle_strand (strands, i)->hole;
  return holes;
}

/* The wires of an output lie side by side in the order of its axes, those of what is read as one in their own. The lowest stays where it is
 * if it can; the others bend to it. */
static void
gather (HeddleLayout *self, HeddleMember *member, const GArray *sources, gboolean copy)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, member->value);
  const gboolean output = member->end == HEDDLE_END_OUTPUT;
  const gboolean anchored = !copy && (!output || in_declared_order (value, sources));
  const int bottom = heddle_strand (sources, sources->len - 1)->line;
  int below = -1;

  for (guint i = sources->len; i-- > 0;)
    {
      const HeddleStrand *source
          = output ? find_strand (sources, heddle_ids_index (value->axes, i)) : heddle_strand (sources, i);
      int line = source->line;
      if (below >= 0 || !anchored)
        line = heddle_layout_add_line (self,
            below >= 0 ? below
            : copy     ? -1
                       : bottom,
            below >= 0 ? -HEDDLE_PITCH : 0.);
      append_strand (member, source->axis, source->line, line, 0);
      below = line;
    }
  for (guint i = 0; i < member->strands->len / 2; i++) /* from the top */
    {
      HeddleStrand *a = heddle_strand (member->strands, i);
      HeddleStrand *b = heddle_strand (member->strands, member->strands->len - 1 - i);
      const HeddleStrand swap = *a;
      *a = *b;
      *b = swap;
    }
}

/* Returns whether a linear map or a box that reads the value would have to reach over more than a few wires
 * that have ended, or what is made of it by reading at other indices, beside which new wires begin. */
static gboolean
is_torn (const HeddleLayout *self, const HeddleMember *member, const GArray *sources)
{
  const HeddleFigureNode *reader = member->reader >= 0 ? heddle_layout_node (self, member->reader) : NULL;
  guint torn = 0, since = 0;
  gboolean within = FALSE;

  if (reader == NULL
      || (reader->shape != HEDDLE_SHAPE_LINEAR && reader->shape != HEDDLE_SHAPE_BOX
          && reader->shape != HEDDLE_SHAPE_REINDEX))
    return FALSE;
  for (guint i = 0; i < sources->len; i++)
    {
      const HeddleStrand *source = heddle_strand (sources, i);
      since += source->hole;
      if (reader->shape != HEDDLE_SHAPE_REINDEX && !heddle_figure_node_is_core (reader, source->axis))
        continue;
      torn = within ? MAX (torn, since) : torn;
      within = TRUE;
      since = 0;
    }
  return torn >= TORN;
}

/* Begins at @sources, the wires where they come from, `line` being where. What the results of a call with
 * several pass on their way is not known at the call: they may bend (@free). */
static void
begin_at_sources (
    HeddleLayout *self, HeddleMember *member, const GArray *sources, gboolean copy, gboolean free)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, member->value);
  const guint holes = count_holes (sources);
  const gboolean output = member->end == HEDDLE_END_OUTPUT;

  const gboolean gathers = output || is_torn (self, member, sources);

  if (gathers && value->axes->len == sources->len && value->axes->len > 0
      && (copy || holes > 0 || (output && !in_declared_order (value, sources))))
    {
      gather (self, member, sources, copy);
      return;
    }
  for (guint i = 0; i < sources->len; i++)
    {
      const HeddleStrand *source = heddle_strand (sources, i);
      const gboolean moves = copy || free || (holes >= LARGE_HOLE && self->n_stages > HEDDLE_MANY_COLUMNS);
      append_strand (member, source->axis, source->line,
          moves ? heddle_layout_add_line (self, free && !copy ? source->line : -1, 0.) : source->line,
          moves ? 0 : source->hole);
    }
}

static void
begin_at_node (HeddleLayout *self, HeddleMember *member)
{
  const HeddleFigureNode *node = heddle_layout_node (self, member->producer);
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (HeddleStrand));

  for (guint i = 0; i < node->results->len; i++)
    if (heddle_strand (node->results, i)->value == member->value)
      g_array_append_val (sources, *heddle_strand (node->results, i));
  begin_at_sources (self, member, sources, member->start == HEDDLE_START_COPY,
      heddle_operation_n_results (node->operation) > 1);
}

static void
begin_member (HeddleLayout *self, HeddleMember *member)
{
  if (member->start == HEDDLE_START_INPUT || member->start == HEDDLE_START_LOAD)
    begin_at_input (self, member);
  else if (member->producer >= 0)
    begin_at_node (self, member);
  else
    begin_at_sources (self, member, heddle_layout_member (self, member->first)->strands, TRUE, FALSE);
  for (guint i = 0; i < member->strands->len; i++)
    g_array_append_val (member->order, i);
}

/* Puts the wires of an operand into the order in which the operation takes them; those between the first and the last that move get
 * new lines, in the places of one another. */
void
heddle_member_set_order (HeddleLayout *self, HeddleMember *member, const guint *order)
{
  const guint n = member->strands->len;
  guint first = 0, last = n;

  while (first < n && order[first] == first)
    first++;
  while (last > first && order[last - 1] == last - 1)
    last--;
  member->crosses = last > first;
  for (guint i = 0; i < n; i++)
    heddle_guint (member->order, i) = order[i];
  for (guint i = first; i < last; i++)
    heddle_member_entering (member, i)->target
        = heddle_layout_add_line (self, heddle_strand (member->strands, i)->line, 0.);
}

/* --- what must be kept apart ------------------------------------------------------------------ */

static void
keep_apart (HeddleLayout *self, int above, int below, double gap)
{
  HeddleLine *line = &g_array_index (self->lines, HeddleLine, below);

  if (above == below || (line->above == above && line->gap >= gap))
    return;
  const HeddleConstraint constraint = { above, below, gap };
  g_array_append_val (self->constraints, constraint);
  line->above = above;
  line->gap = gap;
}

/* Returns whether something stands under the lowest wire: a card's edge, or the type of a cast or of what
 * is not real. */
static gboolean
has_below (const HeddleLayout *self, const HeddleMember *member)
{
  return member->carded || heddle_layout_has_type (self, member);
}

/* For the head of a region that lies below the gap, and the foot of one above. */
static double
region_room (const HeddleLayout *self, const HeddleMember *above, const HeddleMember *below, int t)
{
  const int first = heddle_layout_region_at (self, above, t),
            second = heddle_layout_region_at (self, below, t);

  if (first == second)
    return 0.;
  return (second >= 0 ? REGION_HEAD : 0.) + (first >= 0 ? REGION_FOOT : 0.);
}

static double
member_gap (const HeddleLayout *self, const HeddleMember *above, const HeddleMember *below, int t)
{
  const double names = has_below (self, above) || below->carded ? UNDER_NAME : 0.;

  return HEDDLE_TUPLE_PITCH + names + region_room (self, above, below, t);
}

static double
node_gap (const HeddleLayout *self, const HeddleMember *above, const HeddleMember *below, int t)
{
  const int a = above->to == t ? above->reader : -1, b = below->to == t ? below->reader : -1;
  const double base = member_gap (self, above, below, t);

  if (a == b)
    return base;
  const double free_below = a >= 0 ? heddle_layout_node (self, a)->below : 0.;
  const double free_above = b >= 0 ? heddle_layout_node (self, b)->above : 0.;
  const gboolean edges = a >= 0 && heddle_layout_node (self, a)->edge_below && b >= 0
                         && heddle_layout_node (self, b)->edge_above;
  const double between = edges ? BETWEEN_BLOCKS : CLEARANCE;
  return MAX (base, free_below + free_above + between + region_room (self, above, below, t));
}

typedef enum
{
  AT_DATA,
  AT_ENTRY,
  AT_RESULT,
} Checkpoint;

typedef struct
{
  HeddleLayout *layout;
  Checkpoint checkpoint;
  int t;
  int above; /* the line last seen */
  int also; /* AT_RESULT: the lowest wire that enters the operation above, whose box reaches to it; or -1 */
  const HeddleMember *member;
} Sweep;

static double
sweep_gap (const Sweep *self, const HeddleMember *member)
{
  if (self->member == NULL || self->member == member)
    {
      const gboolean close = self->above >= 0 && heddle_layout_line_is_close (self->layout, self->above);
      return close ? g_array_index (self->layout->lines, HeddleLine, self->above).close : HEDDLE_PITCH;
    }
  return self->checkpoint == AT_DATA ? member_gap (self->layout, self->member, member, self->t)
                                     : node_gap (self->layout, self->member, member, self->t);
}

static void
sweep_line (Sweep *self, const HeddleMember *member, int line)
{
  const double gap = sweep_gap (self, member);

  if (self->above >= 0)
    keep_apart (self->layout, self->above, line, gap);
  if (self->also >= 0 && self->member != member)
    keep_apart (self->layout, self->also, line, gap);
  self->above = line;
  self->member = member;
}

/* Sweeps the results of the operation that @member enters as its first operand: they are kept from its
 * neighbours' operands as well as their results. */
static void
sweep_results (Sweep *self, const HeddleMember *member)
{
  const HeddleFigureNode *node = heddle_layout_node (self->layout, member->reader);
  const HeddleMember *last = heddle_figure_node_member (self->layout, node, node->members->len - 1);
  const int top = heddle_member_entering (member, 0)->target;

  if (self->above >= 0)
    keep_apart (self->layout, self->above, top, sweep_gap (self, member));
  for (guint i = 0; i < node->results->len; i++)
    {
      const HeddleStrand *result = heddle_strand (node->results, i);
      if (i > 0 && heddle_strand (node->results, i - 1)->value != result->value)
        keep_apart (self->layout, self->above, result->line, HEDDLE_TUPLE_PITCH);
      sweep_line (self, member, result->line);
    }
  self->also = heddle_member_entering (last, last->strands->len - 1)->target;
}

static void
sweep_member (Sweep *self, const HeddleMember *member)
{
  const gboolean enters = member->to == self->t && member->end == HEDDLE_END_OPERATION;

  if (self->checkpoint == AT_RESULT && enters)
    {
      if (member
          == heddle_figure_node_member (self->layout, heddle_layout_node (self->layout, member->reader), 0))
        sweep_results (self, member);
      return;
    }
  for (guint i = 0; i < member->strands->len; i++)
    sweep_line (self, member,
        self->checkpoint == AT_DATA ? heddle_strand (member->strands, i)->line
                                    : heddle_member_entering (member, i)->target);
  self->also = -1;
}

static void
sweep (HeddleLayout *self, Checkpoint checkpoint, int t)
{
  const GPtrArray *live = self->live->pdata[t];
  Sweep state = { self, checkpoint, t, -1, -1, NULL };

  for (guint i = 0; i < live->len; i++)
    sweep_member (&state, live->pdata[i]);
}

/* Gives every wire its lines, from left to right, and notes which lines must be kept apart at every column. */
void
heddle_layout_weave (HeddleLayout *self)
{
  for (int t = 0; t <= self->n_stages; t++)
    {
      const GPtrArray *live = self->live->pdata[t], *nodes = self->stages->pdata[t];
      for (guint i = 0; i < live->len; i++) /* copies after what they are copied from: see their keys */
        if (((HeddleMember *) live->pdata[i])->from == t)
          begin_member (self, live->pdata[i]);
      sweep (self, AT_DATA, t);
      for (guint i = 0; i < nodes->len; i++)
        {
          heddle_layout_weave_node (self, nodes->pdata[i]);
          heddle_layout_measure_node (self, nodes->pdata[i]);
        }
      heddle_layout_make_room_for_blocks (self, t);
      sweep (self, AT_ENTRY, t);
      sweep (self, AT_RESULT, t);
    }
}
