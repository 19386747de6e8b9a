/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/box.h"
#include "figure/layout/graph.h"
#include "figure/layout/weave-node.h"
#include "figure/layout/weave-reindex.h"
#include "figure/layout/weave.h"

#define UNDER_WINDOW 7. /* px, from a wire that ends at once to the next below it */
#define UNDER_GLYPH 13. /* …so that a hexagon's edge lies between them */

/* A reindexing falls apart into groups of axes of the operand and of the result that depend on one another. One to one by the index
 * itself, the wire goes on (under another name, a hexagon stands on it); several to one by the index itself is a diagonal; anything
 * else is a glyph with wires in and out. */

typedef struct
{
  HeddleLayout *layout;
  HeddleFigureNode *node;
  HeddleMember *member;
  const HeddleValue *operand, *result;
  guint n_in, n_out;
  guint *parent; /* union-find over operand axes, then result axes */
} Reindex;

static guint
root_of (Reindex *self, guint i)
{
  while (self->parent[i] != i)
    i = self->parent[i] = self->parent[self->parent[i]];
  return i;
}

static void
unite (Reindex *self, guint a, guint b)
{
  const guint first = root_of (self, a), second = root_of (self, b);

  self->parent[MAX (first, second)] = MIN (first, second);
}

typedef struct
{
  Reindex *reindex;
  guint in;
} Visit;

static gboolean
visit_index (const HeddleExpr *expr, gpointer data)
{
  const Visit *visit = data;

  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_INDEX)
    {
      const int out = heddle_ids_find (visit->reindex->result->axes, heddle_expr_get_symbol (expr));
      if (out >= 0)
        unite (visit->reindex, visit->in, visit->reindex->n_in + out);
    }
  return TRUE;
}

static void
find_groups (Reindex *self)
{
  const GPtrArray *indices = self->node->operation->indices;

  self->parent = g_new (guint, self->n_in + self->n_out);
  for (guint i = 0; i < self->n_in + self->n_out; i++)
    self->parent[i] = i;
  for (guint i = 0; indices != NULL && i < self->n_in && i < indices->len; i++)
    heddle_expr_walk (indices->pdata[i], visit_index, &(Visit){ self, i });
}

/* Which axis of the operand a wire is. */
static guint
axis_number (const Reindex *self, const HeddleStrand *strand)
{
  return MAX (heddle_ids_find (self->operand->axes, strand->axis), 0);
}

static int
declared_place (Reindex *self, guint strand)
{
  const guint root = root_of (self, axis_number (self, heddle_strand (self->member->strands, strand)));

  for (guint i = 0; i < self->n_out; i++)
    if (root_of (self, self->n_in + i) == root)
      return i;
  return -1;
}

/* The wires of a group side by side; of a permutation, in the order of the result. */
static void
order_groups (Reindex *self)
{
  const guint n = self->member->strands->len;
  g_autofree guint *order = g_new (guint, n);
  g_autofree gboolean *taken = g_new0 (gboolean, n);
  guint filled = 0;

  for (guint i = 0; i < n; i++)
    {
      guint first = i;
      if (self->node->shape == HEDDLE_SHAPE_CROSS)
        for (guint j = 0; j < n; j++)
          first = declared_place (self, j) == (int) i ? j : first;
      const guint root = root_of (self, axis_number (self, heddle_strand (self->member->strands, first)));
      for (guint j = 0; j < n; j++)
        if (!taken[j] && root_of (self, axis_number (self, heddle_strand (self->member->strands, j))) == root)
          {
            taken[j] = TRUE;
            order[filled++] = j;
          }
    }
  heddle_member_set_order (self->layout, self->member, order);
}

static void
group_free (gpointer data)
{
  HeddleReindexGroup *group = data;

  g_array_unref (group->inputs);
  g_array_unref (group->outputs);
  g_array_unref (group->operand_axes);
  g_free (group);
}

static HeddleReindexGroup *
group_new (void)
{
  HeddleReindexGroup *group = g_new0 (HeddleReindexGroup, 1);

  group->inputs = g_array_new (FALSE, FALSE, sizeof (guint));
  group->outputs = heddle_ids_new ();
  group->operand_axes = g_array_new (FALSE, FALSE, sizeof (guint));
  return group;
}

static gboolean
all_plain (const Reindex *self, const HeddleReindexGroup *group)
{
  for (guint i = 0; i < group->operand_axes->len; i++)
    {
      const HeddleExpr *index = self->node->operation->indices->pdata[heddle_guint (group->operand_axes, i)];
      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX)
        return FALSE;
    }
  return TRUE;
}

/* Splitting and merging of axes divide, or multiply by a size. */
static gboolean
is_view (const Reindex *self, const HeddleReindexGroup *group)
{
  for (guint i = 0; i < group->operand_axes->len; i++)
    {
      const HeddleExpr *index = self->node->operation->indices->pdata[heddle_guint (group->operand_axes, i)];
      const gboolean divides = heddle_expr_count (index, HEDDLE_EXPR_FLOOR) > 0
                               || heddle_expr_count (index, HEDDLE_EXPR_MOD) > 0
                               || heddle_expr_count (index, HEDDLE_EXPR_INDEX) > 1;
      if (divides && heddle_expr_count (index, HEDDLE_EXPR_SIZE) > 0)
        return TRUE;
    }
  return FALSE;
}

/* The linear map that alone reads the result; or NULL. */
static const HeddleFigureNode *
find_linear (const Reindex *self)
{
  const HeddleFigureNode *reader = heddle_layout_only_reader (self->layout, self->node);

  return reader != NULL && reader->shape == HEDDLE_SHAPE_LINEAR ? reader : NULL;
}

static int
entering_place (Reindex *self, guint root)
{
  for (guint i = 0; i < self->member->strands->len; i++)
    if (root_of (self, axis_number (self, heddle_member_entering (self->member, i))) == root)
      return i;
  return -1;
}

/* Returns whether what the linear map @reader takes lies above the group @root, and nothing of it below:
 * then its own part comes first. */
static gboolean
reads_above (Reindex *self, const HeddleFigureNode *reader, guint root)
{
  const int place = entering_place (self, root);
  gboolean above = FALSE;

  for (guint i = 0; i < self->n_out; i++)
    {
      const guint other = root_of (self, self->n_in + i);
      if (other == root || !heddle_figure_node_is_core (reader, heddle_ids_index (self->result->axes, i)))
        continue;
      if (entering_place (self, other) > place)
        return FALSE;
      above = TRUE;
    }
  return above;
}

static void
add_output (Reindex *self, HeddleReindexGroup *group, const char *axis)
{
  const guint place = group->outputs->len;
  const HeddleStrand *old = place < group->inputs->len
                                ? heddle_member_entering (self->member, heddle_guint (group->inputs, place))
                                : NULL;
  const int line = old != NULL ? old->target : heddle_layout_add_line (self->layout, -1, 0.);

  heddle_figure_node_add_result (self->node, axis, line, TRUE)->hole
      = old != NULL && place == 0 ? old->hole : 0;
  heddle_ids_append (group->outputs, axis);
}

static void
add_outputs (Reindex *self, HeddleReindexGroup *group, guint root)
{
  const HeddleFigureNode *reader = find_linear (self);
  const gboolean core_first = reader != NULL && reads_above (self, reader, root);

  for (guint turn = 0; turn < 2; turn++)
    for (guint i = 0; i < self->n_out; i++)
      {
        const char *axis = heddle_ids_index (self->result->axes, i);
        const gboolean first = !core_first || heddle_figure_node_is_core (reader, axis);
        if (root_of (self, self->n_in + i) == root && first == (turn == 0))
          add_output (self, group, axis);
      }
}

static void
mark_group (Reindex *self, HeddleReindexGroup *group)
{
  const gboolean plain = all_plain (self, group);
  const HeddleStrand *first = heddle_member_entering (self->member, heddle_guint (group->inputs, 0));
  const HeddleStrand *out = group->outputs->len == 1
                                ? heddle_figure_node_result (self->node, heddle_ids_index (group->outputs, 0))
                                : NULL;
  const gboolean same = plain && out != NULL && group->inputs->len == 1 && out->axis == first->axis;

  group->bar = !plain && is_view (self, group);
  for (guint i = 0; i < group->inputs->len; i++)
    heddle_member_entering (self->member, heddle_guint (group->inputs, i))->core = !same;
  if (plain && group->inputs->len > 1 && out != NULL) /* a diagonal */
    for (guint i = 1; i < group->inputs->len; i++)
      heddle_member_entering (self->member, heddle_guint (group->inputs, i))->join = out->line;
  if (same)
    heddle_figure_node_result (self->node, heddle_ids_index (group->outputs, 0))->fresh = FALSE;
}

/* What begins beside a wire that goes down to those below it goes down with it. */
static void
follow_down (Reindex *self)
{
  const GArray *results = self->node->results;
  HeddleLine *lines = (HeddleLine *) (void *) self->layout->lines->data;

  for (guint i = results->len - (results->len > 0); i-- > 1;)
    {
      HeddleLine *line = &lines[heddle_strand (results, i)->line];
      if (heddle_strand (results, i)->fresh && line->prefer < 0
          && lines[heddle_strand (results, i - 1)->line].prefer >= 0)
        {
          line->prefer = heddle_strand (results, i + 1)->line;
          line->offset = -HEDDLE_PITCH;
        }
    }
}

/* Returns how many wires a linear map makes. */
static guint
count_made (const HeddleLayout *self, const HeddleFigureNode *linear, const HeddleValue *operand)
{
  const HeddleValue *made = heddle_diagram_get_value (self->diagram, linear->result);
  guint n = 0;

  for (guint i = 0; i < made->axes->len; i++)
    {
      const char *axis = heddle_ids_index (made->axes, i);
      n += heddle_figure_node_is_core (linear, axis) || !heddle_ids_contain (operand->axes, axis);
    }
  return n;
}

/* Returns whether @reader, next to what is made here, ends the wire of the result in place @i, and what it
 * makes leaves it alone. */
static gboolean
ends_beside (const Reindex *self, const HeddleFigureNode *reader, guint i)
{
  const GArray *results = self->node->results;
  const HeddlePresentation *presentation = self->layout->figure->presentation;
  guint n_core = 0;

  if (reader == NULL || reader->stage != self->node->stage + 1 || reader->region != self->node->region
      || (presentation != NULL && presentation->bands == HEDDLE_BANDS_SHADED)
      || !heddle_figure_node_is_core (reader, heddle_strand (results, i)->axis))
    return FALSE;
  const gboolean core = heddle_figure_node_is_core (reader, heddle_strand (results, i + 1)->axis);
  for (guint j = 0; j < results->len; j++)
    n_core += heddle_figure_node_is_core (reader, heddle_strand (results, j)->axis);
  if (reader->shape == HEDDLE_SHAPE_LINEAR)
    return core && count_made (self->layout, reader, self->result) < n_core;
  return reader->shape == HEDDLE_SHAPE_REDUCE && !core;
}

/* A wire that begins here only to end at the next operation needs no row of its own: it lies close over the one below it, which is not
 * named there. */
static void
hold_close (Reindex *self)
{
  const GArray *results = self->node->results;
  const HeddleFigureNode *reader = heddle_layout_only_reader (self->layout, self->node);
  const gboolean window = heddle_layout_look (self->layout, self->node->operation) == HEDDLE_LOOK_WINDOW;

  for (guint i = 1; i + 1 < results->len; i++)
    {
      const HeddleStrand *made = heddle_strand (results, i), *below = heddle_strand (results, i + 1);
      if (made->fresh && !below->fresh && below->axis != NULL && ends_beside (self, reader, i))
        g_array_index (self->layout->lines, HeddleLine, made->line).close
            = window ? UNDER_WINDOW : UNDER_GLYPH;
    }
}

void
heddle_layout_weave_reindex (HeddleLayout *self, HeddleFigureNode *node)
{
  Reindex reindex = { .layout = self, .node = node, .member = heddle_figure_node_member (self, node, 0) };
  HeddleReindexGroup *group = NULL;
  guint last = G_MAXUINT;

  reindex.operand = heddle_diagram_get_value (self->diagram, reindex.member->value);
  reindex.result = heddle_diagram_get_value (self->diagram, node->result);
  reindex.n_in = reindex.operand->axes->len;
  reindex.n_out = reindex.result->axes->len;
  node->groups = g_ptr_array_new_with_free_func (group_free);
  if (reindex.n_in == 0 || node->operation->indices == NULL || node->operation->indices->len != reindex.n_in)
    return;
  find_groups (&reindex);
  order_groups (&reindex);
  for (guint i = 0; i < reindex.member->strands->len; i++)
    {
      const guint axis = axis_number (&reindex, heddle_member_entering (reindex.member, i));
      const guint root = root_of (&reindex, axis);
      if (root != last)
        g_ptr_array_add (node->groups, group = group_new ());
      last = root;
      g_array_append_val (group->inputs, i);
      g_array_append_val (group->operand_axes, axis);
    }
  for (guint i = 0; i < node->groups->len; i++)
    {
      group = node->groups->pdata[i];
      add_outputs (&reindex, group, root_of (&reindex, heddle_guint (group->operand_axes, 0)));
      mark_group (&reindex, group);
    }
  follow_down (&reindex);
  hold_close (&reindex);
  g_free (reindex.parent);
}
