/* SPDX-License-Identifier: MIT */
#include "diagram/graph/diagram.h"
#include "figure/layout/bends.h"
#include "figure/layout/cups.h"
#include "figure/layout/graph.h"
#include "figure/layout/ribbons.h"
#include "figure/layout/shapes.h"

#include <math.h>

#define BESIDE_ARROW 8. /* px over and under the arrow of a contraction … */
#define OVER_ARROW 24. /* …and over it where a scale stands there */

/* Returns how far right the bow of the contraction @node reaches at @dy px over or under its middle: a semicircle, where
 * its wires come to it in adjacent rows. */
static double
bow_at (const HeddleFigureNode *node, double dy)
{
  const double half = (node->bottom - node->top) / 2., r = node->reach;

  return node->x + node->inset + (half > r + 1. ? r : sqrt (MAX (r * r - dy * dy, 0.)));
}

/* Returns how far right @node reaches at the height @y. Of a contraction without a ground there is beside the cup only
 * the arrow, with the scale over it. */
static double
right_at (const HeddleFigureNode *node, double y)
{
  const double all
      = node->x + node->width + (node->attached_width > 0. ? node->attached_width + HEDDLE_ATTACHED_GAP : 0.);
  const double arrow = (node->top + node->bottom) / 2.;

  if (node->shape != HEDDLE_SHAPE_CUP || !node->cups || !node->bare)
    return all;
  return y > arrow - (node->attached_width > 0. ? OVER_ARROW : BESIDE_ARROW) && y < arrow + BESIDE_ARROW
             ? all - (node->attached_width > 0. ? 0. : HEDDLE_CUP_ARROW)
             : bow_at (node, y - arrow);
}

/* Returns whether a bend from @x1 to @x2 keeps clear of @node. */
static gboolean
bend_is_clear (
    const HeddleLayout *self, const HeddleFigureNode *node, double x1, double y1, double x2, double y2)
{
  double top, bottom;

  if (!heddle_figure_node_blocks (self, node, &top, &bottom) || MAX (y1, y2) <= top - 3.
      || MIN (y1, y2) >= bottom + 3.)
    return TRUE;
  for (int i = 1; i < 16; i++)
    {
      const double t = i / 16., u = 1. - t;
      const double x = u * u * u * x1 + 3. * u * u * t * (x1 + 0.4 * (x2 - x1))
                       + 3. * u * t * t * (x2 - 0.4 * (x2 - x1)) + t * t * t * x2;
      const double y = y1 + (y2 - y1) * (3. * u * t * t + t * t * t);
      if (x > node->x - 3. && x < right_at (node, y) + 3. && y > top - 3. && y < bottom + 3.)
        return FALSE;
    }
  return TRUE;
}

/* Its wires begin at the right side of the box, whatever its place. */
static gboolean
begins_at_box (const HeddleLayout *self, const HeddleMember *member, const HeddleFigureNode *node)
{
  return (node->shape == HEDDLE_SHAPE_BOX || node->shape == HEDDLE_SHAPE_COMBINE) && member->producer >= 0
         && heddle_layout_node (self, member->producer) == node;
}

/* Returns whether all bends of @member keep clear of the boxes and titles of the stage before it. */
static gboolean
member_bends_clear (const HeddleLayout *self, const HeddleMember *member, double x1, double x2)
{
  const GPtrArray *nodes = self->stages->pdata[MAX (member->from - 1, 0)];

  for (guint i = 0; i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      const double y1 = heddle_layout_line_y (self, strand->source),
                   y2 = heddle_layout_line_y (self, strand->line);
      if (fabs (y1 - y2) < 0.5)
        continue;
      for (guint j = 0; j < nodes->len; j++)
        if (!begins_at_box (self, member, nodes->pdata[j])
            && !bend_is_clear (self, nodes->pdata[j], x1, y1, x2, y2))
          return FALSE;
    }
  return TRUE;
}

#define FIRST_STEEP 32. /* px a bend takes at least … */
#define LAST_STEEP 56. /* … and at most; between these as much as it goes down */
#define LEAST_BEND 10. /* px of a bend that come after the operations beside which it begins */
#define BEND_STEPS 16 /* places at which a bend may begin beside an operation */

double
heddle_layout_bend_length (double dy)
{
  return dy < 0.5 ? 0. : CLAMP (dy, FIRST_STEEP, LAST_STEEP);
}

/* Returns how far the wire of a strand goes up or down from where its operation, which may have been moved,
 * lets go of it. */
static double
step_of (const HeddleLayout *self, const HeddleMember *member, const HeddleStrand *strand)
{
  double source = heddle_layout_line_y (self, strand->source);

  if (member->start == HEDDLE_START_OPERATION && strand->axis != NULL)
    source = heddle_figure_node_shift (heddle_layout_node (self, member->producer), source);
  return fabs (heddle_layout_line_y (self, strand->line) - source);
}

static gboolean
moves (const HeddleLayout *self, const HeddleStrand *strand)
{
  return fabs (heddle_layout_line_y (self, strand->line) - heddle_layout_line_y (self, strand->source)) > 0.5;
}

/* Returns where the wires of @member may bend at the earliest: beside the operation before, but not before the dots in which others join them. */
static double
earliest_bend (const HeddleLayout *self, const HeddleMember *member)
{
  const double beside = heddle_layout_column (self, MAX (member->from - 1, 0))->operations - 8.;

  if (member->start != HEDDLE_START_OPERATION)
    return beside;
  const HeddleFigureNode *node = heddle_layout_node (self, member->producer);
  for (guint i = 0; i < member->strands->len; i++)
    if (moves (self, heddle_strand (member->strands, i))
        && heddle_figure_node_joins_at (self, node, heddle_strand (member->strands, i)->source))
      return MAX (beside, node->x + node->width);
  return beside;
}

/* Returns the first place from @x1 to @x2 from which on a bend of @length, or one as long as it can be before @end,
 * keeps clear of what it begins beside, wherever it begins up to @x2. */
static double
first_clear (
    const HeddleLayout *self, const HeddleMember *member, double x1, double x2, double length, double end)
{
  double first = x2;

  for (int i = BEND_STEPS - 1; i >= 0; i--)
    {
      const double x = x1 + (x2 - x1) * i / BEND_STEPS;
      if (!member_bends_clear (self, member, x, MIN (x + length, end)))
        break;
      first = x;
    }
  return first;
}

static gboolean
is_copied (const HeddleLayout *self, const HeddleMember *member)
{
  return heddle_diagram_count_readers (self->diagram, member->value)
             + g_hash_table_contains (self->outputs, member->value)
         > 1;
}

/* Sets `bend_from` and `bend_to` of @member: where its wires change their height. */
static void
member_place_bends (HeddleLayout *self, HeddleMember *member)
{
  const HeddleColumn *before = heddle_layout_column (self, MAX (member->from - 1, 0));
  double largest = 0.;
  gboolean fresh = FALSE;

  member->bend_to = heddle_layout_column (self, member->from)->x;
  member->bend_from = before->bends + member->leave;
  for (guint i = 0; i < member->strands->len; i++)
    {
      HeddleStrand *strand = heddle_strand (member->strands, i);
      const double dy = step_of (self, member, strand);
      largest = MAX (largest, dy);
      fresh |= strand->fresh && dy > 0.5;
      strand->drop += strand->drop > 0. ? before->bends : 0.;
    }
  if (member->start != HEDDLE_START_OPERATION || is_copied (self, member))
    return;
  const double wish = member->bend_to - CLAMP (largest, FIRST_STEEP, LAST_STEEP),
               early = MAX (wish, earliest_bend (self, member));
  if (fresh || wish >= member->bend_from)
    member->bend_from = MAX (wish, member->bend_from);
  else
    member->bend_from = first_clear (self, member, early, member->bend_from, G_MAXDOUBLE, member->bend_to);
}

/* Returns how far apart a member's wires come and go on. */
static double
largest_step (const HeddleLayout *self, const HeddleMember *member, gboolean *fresh)
{
  double largest = 0.;

  *fresh = member->start == HEDDLE_START_COPY;
  for (guint i = 0; i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      const double dy = step_of (self, member, strand);
      *fresh |= dy > 0.5 && strand->fresh;
      if (strand->axis == NULL && member->start == HEDDLE_START_OPERATION)
        largest = MAX (largest, 30.);
      largest = MAX (largest, dy);
    }
  return largest;
}

double
heddle_layout_bends_width (HeddleLayout *self, int t, double operations)
{
  const GPtrArray *live = t < self->n_stages ? self->live->pdata[t + 1] : NULL;
  double width = heddle_layout_place_ribbons (self, t);

  for (guint i = 0; live != NULL && i < live->len; i++)
    {
      const HeddleMember *member = live->pdata[i];
      gboolean fresh;
      if (member->from != t + 1 || heddle_strand (member->strands, 0)->drop > 0.)
        continue;
      const double length = heddle_layout_bend_length (largest_step (self, member, &fresh));
      const double x = earliest_bend (self, member);
      const double end = heddle_layout_column (self, t)->operations + operations;
      const double free = fresh || is_copied (self, member)
                              ? 0.
                              : end - first_clear (self, member, x, end, length, G_MAXDOUBLE);
      width = MAX (width,
          member->start == HEDDLE_START_COPY ? length + 14. : MAX (length - free, MIN (length, LEAST_BEND)));
    }
  return width;
}

void
heddle_layout_place_bends (HeddleLayout *self)
{
  for (guint i = 0; i < self->members->len; i++)
    member_place_bends (self, heddle_layout_member (self, i));
}
