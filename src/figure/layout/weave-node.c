/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "figure/layout/box.h"
#include "figure/layout/combine.h"
#include "figure/layout/graph.h"
#include "figure/layout/weave-cup.h"
#include "figure/layout/weave-node.h"
#include "figure/layout/weave-reindex.h"
#include "figure/layout/weave.h"

/* Which wire of an operand goes on as which of the result, by the shape of the operation. */

HeddleStrand *
heddle_figure_node_add_result (HeddleFigureNode *node, const char *axis, int line, gboolean fresh)
{
  const HeddleStrand strand = { .axis = axis,
    .value = node->result,
    .source = line,
    .line = line,
    .target = line,
    .join = -1,
    .fresh = fresh };

  g_array_append_val (node->results, strand);
  return heddle_strand (node->results, node->results->len - 1);
}

gboolean
heddle_figure_node_is_core (const HeddleFigureNode *node, const char *axis)
{
  if (axis != NULL && node->shape == HEDDLE_SHAPE_MASK)
    return heddle_expr_uses (node->operation->body, HEDDLE_EXPR_INDEX, axis);
  return axis != NULL && heddle_ids_contain (node->operation->axes, axis);
}

HeddleStrand *
heddle_figure_node_result (const HeddleFigureNode *node, const char *axis)
{
  for (guint i = 0; i < node->results->len; i++)
    if (heddle_strand (node->results, i)->axis == axis)
      return heddle_strand (node->results, i);
  return NULL;
}

const HeddleFigureNode *
heddle_layout_only_reader (const HeddleLayout *self, const HeddleFigureNode *node)
{
  if (heddle_diagram_count_readers (self->diagram, node->result) != 1
      || g_hash_table_contains (self->outputs, node->result))
    return NULL;
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->diagram, node->result);
  const HeddleOperation *operation = readers->pdata[0];
  const guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->node_of, operation->id));

  return index > 0 ? heddle_layout_node (self, index - 1) : NULL;
}

/* The arrow of a scalar goes straight on: from the lowest wire that a reduction ends, from the middle of a contraction's cups. */
static int
line_for_scalar (HeddleLayout *self, const HeddleFigureNode *node)
{
  int top = -1, bottom = -1;

  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        {
          const HeddleStrand *strand = heddle_member_entering (member, j);
          if (!strand->core)
            continue;
          top = top < 0 ? strand->target : top;
          bottom = strand->target;
        }
    }
  if (bottom < 0 || node->shape == HEDDLE_SHAPE_REDUCE)
    return bottom >= 0 ? bottom : heddle_layout_add_line (self, -1, 0.);
  return heddle_layout_add_line_between (self, top, bottom);
}

/* An axis that no operand has begins as a new wire, below the one before it in the result's own order. A result without any is an arrow. */
static void
complete_results (HeddleLayout *self, HeddleFigureNode *node)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, node->result);
  guint place = 0;

  for (guint i = node->results->len; i-- > 0;)
    if (heddle_strand (node->results, i)->axis != NULL
            ? !heddle_ids_contain (value->axes, heddle_strand (node->results, i)->axis)
            : value->axes->len > 0)
      g_array_remove_index (node->results, i);
  for (guint i = 0; i < value->axes->len; i++)
    {
      const char *axis = heddle_ids_index (value->axes, i);
      HeddleStrand *known = heddle_figure_node_result (node, axis);
      if (known != NULL)
        {
          place = (guint) (known - heddle_strand (node->results, 0)) + 1;
          continue;
        }
      const HeddleStrand *below = place < node->results->len ? heddle_strand (node->results, place) : NULL;
      const int line = heddle_layout_add_line (self, below != NULL ? below->line : -1, -HEDDLE_PITCH);
      const HeddleStrand strand = { .axis = axis,
        .value = node->result,
        .source = line,
        .line = line,
        .target = line,
        .join = -1,
        .fresh = TRUE };
      g_array_insert_val (node->results, place, strand);
      place++;
    }
  if (value->axes->len == 0 && node->results->len == 0)
    heddle_figure_node_add_result (node, NULL, line_for_scalar (self, node), TRUE);
}

/* Every wire that is not core goes on; each remembers how many have ended above it. */
static void
weave_through (HeddleLayout *self, HeddleFigureNode *node, gboolean keep_core)
{
  for (guint i = 0; i < node->members->len; i++)
    {
      HeddleMember *member = heddle_figure_node_member (self, node, i);
      guint ended = 0;
      for (guint j = 0; j < member->strands->len; j++)
        {
          HeddleStrand *strand = heddle_member_entering (member, j);
          strand->core = heddle_figure_node_is_core (node, strand->axis);
          if (strand->axis == NULL || (strand->core && !keep_core))
            {
              ended += strand->hole + !heddle_layout_line_is_close (self, strand->target);
              continue;
            }
          heddle_figure_node_add_result (node, strand->axis, strand->target, FALSE)->hole
              = strand->hole + ended;
          ended = 0;
        }
    }
}

/* --- wires that join ----------------------------------------------------------------------------- */

/* A wire that ends here although the result has its axis joins the wire that goes on; a scalar joins the nearest. */
static void
join_strands (HeddleLayout *self, HeddleFigureNode *node)
{
  for (guint i = 0; i < node->members->len; i++)
    {
      HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        {
          HeddleStrand *strand = heddle_strand (member->strands, j);
          const HeddleStrand *result = heddle_figure_node_result (node, strand->axis);
          if (strand->axis == NULL)
            strand->join = heddle_strand (node->results, i == 0 ? 0 : node->results->len - 1)->line;
          if (strand->axis == NULL && strand->join == strand->target)
            strand->join = -1;
          if (strand->axis != NULL && !strand->core && result != NULL && result->line != strand->target)
            strand->join = result->line;
        }
    }
}

/* The operand whose wires go on as they are: the one with the most axes, the first of those. */
static guint
widest_operand (const HeddleLayout *self, const HeddleFigureNode *node)
{
  guint widest = 0, most = 0;

  for (guint i = 0; i < node->members->len; i++)
    {
      const guint n = heddle_figure_node_member (self, node, i)->strands->len;
      const gboolean scalar
          = heddle_strand (heddle_figure_node_member (self, node, i)->strands, 0)->axis == NULL;
      if ((scalar ? 0 : n) > most)
        {
          most = n;
          widest = i;
        }
    }
  return widest;
}

static gboolean
operand_has (const HeddleLayout *self, const HeddleFigureNode *node, guint operand, const char *axis)
{
  const HeddleMember *member = heddle_figure_node_member (self, node, operand);

  for (guint i = 0; i < member->strands->len; i++)
    if (heddle_strand (member->strands, i)->axis == axis)
      return TRUE;
  return FALSE;
}

static void
weave_join (HeddleLayout *self, HeddleFigureNode *node)
{
  const guint widest = widest_operand (self, node);

  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        {
          const HeddleStrand *strand = heddle_member_entering (member, j);
          if (strand->axis == NULL || (i != widest && operand_has (self, node, widest, strand->axis))
              || heddle_figure_node_result (node, strand->axis) != NULL)
            continue;
          heddle_figure_node_add_result (node, strand->axis, strand->target, FALSE)->hole = strand->hole;
        }
    }
}

/* --- a learned linear map --------------------------------------------------------------------------- */

/* Its wires are side by side, and each of the others passes on the side where it crosses fewer of them; below where that is all the same. */
static void
order_for_linear (HeddleLayout *self, HeddleFigureNode *node, HeddleMember *member)
{
  const guint n = member->strands->len;
  g_autofree guint *order = g_new (guint, n);
  guint filled = 0, n_core = 0;

  for (guint i = 0; i < n; i++)
    n_core += heddle_figure_node_is_core (node, heddle_strand (member->strands, i)->axis);
  for (guint place = 0; place < 3; place++) /* above, its own, below */
    for (guint i = 0, before = 0; i < n; i++)
      {
        const gboolean core = heddle_figure_node_is_core (node, heddle_strand (member->strands, i)->axis);
        const guint wish = core ? 1 : 2 * before < n_core ? 0 : 2;
        before += core;
        if (wish == place)
          order[filled++] = i;
      }
  heddle_member_set_order (self, member, order);
}

static gboolean
comes_from_operand (const HeddleMember *member, const HeddleFigureNode *node, const char *axis)
{
  for (guint i = 0; i < member->strands->len; i++)
    if (heddle_strand (member->strands, i)->axis == axis)
      return !heddle_figure_node_is_core (node, axis);
  return FALSE;
}

/* The next wire that the linear map takes, from number @next on, and leaves room below it for a name; or NULL. */
static const HeddleStrand *
next_reusable (
    const HeddleLayout *self, const HeddleFigureNode *node, const HeddleMember *member, guint *next)
{
  while (*next < member->strands->len)
    {
      const HeddleStrand *strand = heddle_member_entering (member, (*next)++);
      if (!heddle_figure_node_is_core (node, strand->axis))
        return NULL;
      if (!heddle_layout_line_is_close (self, strand->target))
        return strand;
    }
  return NULL;
}

/* New axes take the lines of the old ones as far as these reach. */
static void
weave_linear (HeddleLayout *self, HeddleFigureNode *node)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, node->result);
  HeddleMember *member = heddle_figure_node_member (self, node, 0);
  gboolean placed = FALSE;

  order_for_linear (self, node, member);
  for (guint i = 0; i < member->strands->len; i++)
    {
      HeddleStrand *strand = heddle_member_entering (member, i);
      strand->core = heddle_figure_node_is_core (node, strand->axis);
      if (!strand->core && strand->axis != NULL)
        heddle_figure_node_add_result (node, strand->axis, strand->target, FALSE)->hole = strand->hole;
      if (!strand->core || placed)
        continue;
      placed = TRUE;
      guint next = i;
      for (guint j = 0; j < value->axes->len; j++)
        {
          const char *axis = heddle_ids_index (value->axes, j);
          if (comes_from_operand (member, node, axis))
            continue;
          const HeddleStrand *old = next_reusable (self, node, member, &next);
          heddle_figure_node_add_result (
              node, axis, old != NULL ? old->target : heddle_layout_add_line (self, -1, 0.), TRUE)
              ->hole
              = old != NULL ? old->hole : 0;
        }
    }
}

/* --- the order of what is made ------------------------------------------------------------------------ */

#define FARTHEST 3 /* operations between what makes wires and the contraction in which they meet others */

/* A contraction, and the place of the operand that comes from a node through operations on single wires alone. */
typedef struct
{
  const HeddleFigureNode *cup;
  guint place;
} Meeting;

static gboolean
passes_wires (const HeddleFigureNode *node)
{
  return node->members->len == 1
         && (node->shape == HEDDLE_SHAPE_FLOAT || node->shape == HEDDLE_SHAPE_REINDEX
             || node->shape == HEDDLE_SHAPE_NORMALISE || node->shape == HEDDLE_SHAPE_MASK);
}

static gboolean
find_meeting (const HeddleLayout *self, const HeddleFigureNode *node, Meeting *meeting)
{
  const HeddleFigureNode *reader = heddle_layout_only_reader (self, node);

  for (guint i = 0; i < FARTHEST && reader != NULL && passes_wires (reader); i++)
    {
      node = reader;
      reader = heddle_layout_only_reader (self, node);
    }
  if (reader == NULL || !reader->cups || reader->members->len != 2
      || g_hash_table_contains (self->outputs, reader->result)) /* there its wires come in their own order */
    return FALSE;
  meeting->cup = reader;
  meeting->place = heddle_figure_node_member (self, reader, 0)->value == node->result ? 0 : 1;
  return TRUE;
}

/* Contracted axes face the other operand. In the lower one those that join a wire from above come next. In the upper one such wires go down
 * beside the cup from wherever they are: where it makes some, the order stays. */
static guint
rank_of_made (const HeddleLayout *self, const Meeting *meeting, const char *axis)
{
  const HeddleMember *other = heddle_figure_node_member (self, meeting->cup, 1 - meeting->place);
  const gboolean contracted = heddle_ids_contain (meeting->cup->operation->axes, axis);
  const gboolean shared
      = heddle_ids_contain (heddle_diagram_get_value (self->diagram, other->value)->axes, axis);

  if (meeting->place > 0)
    return contracted ? 0 : shared ? 1 : 2;
  return contracted ? 1 : shared ? G_MAXUINT : 0;
}

/* Wires that begin side by side come in the order in which the contraction that reads them crosses them least; else in the order of the
 * result's axes. */
static void
order_made (const HeddleLayout *self, HeddleFigureNode *node)
{
  Meeting meeting;

  if (!find_meeting (self, node, &meeting))
    return;
  for (guint i = 1; i < node->results->len; i++)
    for (guint j = i; j > 0; j--)
      {
        HeddleStrand *upper = heddle_strand (node->results, j - 1), *lower = heddle_strand (node->results, j);
        if (!upper->fresh || !lower->fresh || upper->axis == NULL || lower->axis == NULL)
          break;
        const guint first = rank_of_made (self, &meeting, upper->axis),
                    second = rank_of_made (self, &meeting, lower->axis);
        if (first <= second || first == G_MAXUINT)
          break;
        const char *axis = upper->axis;
        upper->axis = lower->axis;
        lower->axis = axis;
      }
}

/* --- all -------------------------------------------------------------------------------------------- */

/* Scalars alone: the first goes on, the others join it. */
static gboolean
weave_scalars (HeddleLayout *self, HeddleFigureNode *node)
{
  for (guint i = 0; i < node->members->len; i++)
    if (heddle_strand (heddle_figure_node_member (self, node, i)->strands, 0)->axis != NULL)
      return FALSE;
  if (node->members->len > 0)
    heddle_figure_node_add_result (
        node, NULL, heddle_strand (heddle_figure_node_member (self, node, 0)->strands, 0)->target, FALSE);
  return node->members->len > 0;
}

/* Sets the order in which wires enter the node, which are core, which join, and the node's results from the top. */
void
heddle_layout_weave_node (HeddleLayout *self, HeddleFigureNode *node)
{
  if (node->shape == HEDDLE_SHAPE_BOX
      && (node->members->len > 0 || node->operation->kind->form == HEDDLE_FORM_CALL))
    {
      heddle_layout_weave_box (self, node);
      return;
    }
  if (heddle_diagram_get_value (self->diagram, node->result)->axes->len == 0 && weave_scalars (self, node))
    {
      join_strands (self, node);
      return;
    }
  switch (node->members->len == 0 ? HEDDLE_SHAPE_FLOAT : node->shape)
    {
    case HEDDLE_SHAPE_CUP:
      heddle_layout_weave_cup (self, node);
      break;
    case HEDDLE_SHAPE_LINEAR:
      weave_linear (self, node);
      break;
    case HEDDLE_SHAPE_JOIN:
      weave_join (self, node);
      break;
    case HEDDLE_SHAPE_REINDEX:
    case HEDDLE_SHAPE_CROSS:
      heddle_layout_weave_reindex (self, node);
      break;
    case HEDDLE_SHAPE_COMBINE:
      heddle_layout_weave_combine (self, node);
      break;
    case HEDDLE_SHAPE_REDUCE:
      weave_through (self, node, FALSE);
      break;
    case HEDDLE_SHAPE_BOX:
    case HEDDLE_SHAPE_FLOAT:
    case HEDDLE_SHAPE_SOURCE:
    case HEDDLE_SHAPE_MASK:
    case HEDDLE_SHAPE_NORMALISE:
      weave_through (self, node, TRUE);
      break;
    }
  complete_results (self, node);
  if (node->shape == HEDDLE_SHAPE_LINEAR || node->shape == HEDDLE_SHAPE_COMBINE)
    order_made (self, node);
  join_strands (self, node);
}
