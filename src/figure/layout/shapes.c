/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation.h"
#include "figure/layout/box.h"
#include "figure/layout/combine.h"
#include "figure/layout/cups.h"
#include "figure/layout/figure-node.h"
#include "figure/layout/graph.h"
#include "figure/layout/lookup.h"
#include "figure/layout/norms.h"
#include "figure/layout/shapes.h"
#include "figure/layout/title-size.h"

#define TITLE_REACH 40.
#define WIDEST_SIGN 16. /* px, of what stands over the dots in which wires join, and is no formula */

static double
line_y (const HeddleLayout *self, int line)
{
  return heddle_layout_line_y (self, line);
}

double
heddle_figure_node_shift (const HeddleFigureNode *node, double y)
{
  return y >= node->low && y <= node->high ? y + node->dy : y;
}

/* --- the box ----------------------------------------------------------------------------------- */

typedef struct
{
  double top, bottom;
} Span;

static void
span_add (Span *span, double y)
{
  span->top = MIN (span->top, y);
  span->bottom = MAX (span->bottom, y);
}

/* Heights of the operands' wires, all or only core ones, and of wires that begin here. */
static Span
span_of_wires (const HeddleLayout *self, const HeddleFigureNode *node, gboolean only_core)
{
  Span span = { G_MAXDOUBLE, -G_MAXDOUBLE };

  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        {
          const HeddleStrand *strand = heddle_strand (member->strands, j);
          if (!only_core || strand->core)
            span_add (&span, line_y (self, strand->target));
        }
    }
  for (guint i = 0; i < node->results->len; i++)
    {
      const HeddleStrand *result = heddle_strand (node->results, i);
      const gboolean made = node->shape == HEDDLE_SHAPE_LINEAR || node->shape == HEDDLE_SHAPE_REINDEX
                            || node->shape == HEDDLE_SHAPE_BOX;
      if (!only_core || (made && result->fresh && result->axis != NULL))
        span_add (&span, line_y (self, result->line));
    }
  if (span.top > span.bottom)
    return only_core ? span_of_wires (self, node, FALSE) : (Span){ 0., 0. };
  return span;
}

/* Gives the wires that change places. */
static Span
span_of_crossing (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const HeddleMember *member = heddle_figure_node_member (self, node, 0);
  Span span = { G_MAXDOUBLE, -G_MAXDOUBLE };

  for (guint i = 0; i < member->strands->len; i++)
    if (heddle_guint (member->order, i) != i)
      {
        span_add (&span, line_y (self, heddle_strand (member->strands, i)->line));
        span_add (&span, line_y (self, heddle_member_entering (member, i)->target));
      }
  return span.top <= span.bottom ? span : span_of_wires (self, node, FALSE);
}

/* Returns the room over the highest wire in a box with a title or a map; less where it only passes through. */
static double
room_over (const HeddleFigureNode *node, gboolean passes)
{
  if (node->attached_title != NULL)
    return HEDDLE_FLOAT_ROOM;
  const double line = node->title_width <= 0. ? heddle_titled_pad (node) : passes ? 26. : 36.;

  return line + (heddle_title_n_lines (node->title) - 1) * HEDDLE_TITLE_LEADING * 13.;
}

/* A box with a title takes in the woven wires just above, so that the title does not lie on them. */
static void
place_titled_box (const HeddleLayout *self, HeddleFigureNode *node)
{
  const Span core = span_of_wires (self, node, TRUE);
  double top = core.top;

  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = member->strands->len; j-- > 0;)
        {
          const double y = line_y (self, heddle_member_entering (member, j)->target);
          if (y < top && y > top - TITLE_REACH)
            top = y;
        }
    }
  node->boxed = TRUE;
  node->top = top - room_over (node, top < core.top);
  node->bottom = core.bottom + heddle_figure_node_foot (self, node);
}

static void
place_box (const HeddleLayout *self, HeddleFigureNode *node)
{
  Span span;
  double pad;

  switch (node->shape)
    {
    case HEDDLE_SHAPE_NORMALISE:
    case HEDDLE_SHAPE_MASK:
      place_titled_box (self, node);
      break;
    case HEDDLE_SHAPE_BOX:
      span = span_of_wires (self, node, TRUE);
      node->top = MIN (span.top - 10., (span.top + span.bottom) / 2. - node->half);
      node->bottom = MAX (span.bottom + 10., (span.top + span.bottom) / 2. + node->half);
      break;
    case HEDDLE_SHAPE_CUP:
    case HEDDLE_SHAPE_LINEAR:
      span = span_of_wires (self, node, TRUE);
      if (node->shape == HEDDLE_SHAPE_CUP && !node->cups)
        {
          node->top = span.top - HEDDLE_WIRE_REACH;
          node->bottom = span.bottom + HEDDLE_WIRE_REACH;
          break;
        }
      pad = node->shape == HEDDLE_SHAPE_CUP        ? heddle_cup_pad (node)
            : node->bare && node->attached == NULL ? heddle_linear_pad_bare (span.bottom - span.top)
                                                   : heddle_linear_pad (node);
      node->boxed = TRUE;
      node->top = span.top - pad;
      node->bottom = span.bottom + pad;
      break;
    case HEDDLE_SHAPE_CROSS:
      span = span_of_crossing (self, node);
      node->top = span.top - HEDDLE_WIRE_REACH;
      node->bottom = span.bottom + HEDDLE_WIRE_REACH;
      break;
    default:
      span = span_of_wires (
          self, node, node->shape == HEDDLE_SHAPE_REDUCE || node->shape == HEDDLE_SHAPE_REINDEX);
      node->top = span.top - HEDDLE_WIRE_REACH;
      node->bottom = span.bottom + HEDDLE_WIRE_REACH;
      break;
    }
  node->low = node->top;
  node->high = node->bottom;
  node->top += node->dy;
  node->bottom += node->dy;
}

/* --- where wires end and begin --------------------------------------------------------------------- */

/* Where wires pass from what an operation reads to what it makes. */
static double
middle (const HeddleFigureNode *node)
{
  return node->shape == HEDDLE_SHAPE_COMBINE ? heddle_combine_x (node) : node->x + node->width / 2.;
}

static double
join_x (const HeddleFigureNode *node)
{
  return node->x + node->width - (node->shape == HEDDLE_SHAPE_JOIN ? node->tail : 8.);
}

static double
core_end (const HeddleLayout *self, const HeddleFigureNode *node)
{
  switch (node->shape)
    {
    case HEDDLE_SHAPE_CUP:
      return node->x + node->inset;
    case HEDDLE_SHAPE_LINEAR:
      return node->x + (node->width - node->title_width) / 2. - 4.;
    case HEDDLE_SHAPE_BOX:
      return heddle_box_left (node);
    case HEDDLE_SHAPE_REDUCE:
    case HEDDLE_SHAPE_REINDEX:
      return node->x + node->inset;
    case HEDDLE_SHAPE_COMBINE:
      return heddle_combine_x (node) - heddle_combine_reach (node);
    default:
      return heddle_figure_node_rounds (self, node) ? node->x + HEDDLE_ROUND_SIDE
                                                    : node->x + node->width / 2.;
    }
}

static double
fresh_start (const HeddleLayout *self, const HeddleFigureNode *node)
{
  switch (node->shape)
    {
    case HEDDLE_SHAPE_CUP:
      return !node->cups
                 ? node->x + node->inset
                 : node->x + node->width
                       + (node->attached_width > 0. ? HEDDLE_ATTACHED_GAP + node->attached_width - 8. : -6.);
    case HEDDLE_SHAPE_LINEAR:
      return node->x + (node->width + node->title_width) / 2. + 4.;
    case HEDDLE_SHAPE_BOX:
      return heddle_box_right (node);
    case HEDDLE_SHAPE_REINDEX:
      return node->x + node->width - node->inset;
    case HEDDLE_SHAPE_REDUCE:
      return node->x + node->reach;
    case HEDDLE_SHAPE_JOIN:
      return join_x (node);
    case HEDDLE_SHAPE_COMBINE:
      return heddle_combine_x (node) + heddle_combine_reach (node);
    default:
      return node->x + node->width / 2.;
    }
}

/* The arrow of a scalar leaves a contraction from its widest cup, a reduction from its dot. */
static double
scalar_y (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const Span span = span_of_wires (self, node, TRUE);

  if (!node->cups)
    return span.bottom + node->dy;
  return (span.top + span.bottom) / 2. + node->dy;
}

/* Returns the wire that a strand joins; an arrow that begins here is not at its own height yet. */
static HeddlePoint
joined_at (const HeddleLayout *self, const HeddleFigureNode *node, int line)
{
  const HeddleStrand *first = heddle_strand (node->results, 0);
  HeddlePoint point = { join_x (node), heddle_figure_node_shift (node, line_y (self, line)) };

  if (first->axis == NULL && first->fresh)
    point = (HeddlePoint){ fresh_start (self, node), scalar_y (self, node) };
  return point;
}

static void
end_strands (const HeddleLayout *self, HeddleFigureNode *node)
{
  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        {
          HeddleStrand *strand = heddle_strand (member->strands, j);
          strand->end.x = strand->core ? core_end (self, node) : middle (node);
          strand->end.y = heddle_figure_node_shift (node, line_y (self, strand->target));
          if (strand->join >= 0)
            strand->end = joined_at (self, node, strand->join);
        }
    }
}

static void
begin_results (const HeddleLayout *self, HeddleFigureNode *node)
{
  for (guint i = 0; i < node->results->len; i++)
    {
      HeddleStrand *result = heddle_strand (node->results, i);
      result->start.x = result->fresh ? fresh_start (self, node) : middle (node);
      if (result->axis != NULL && heddle_ids_contain (node->operation->axes, result->axis)
          && heddle_figure_node_rounds (self, node))
        result->start.x = node->x + node->width - HEDDLE_ROUND_SIDE;
      result->start.y = heddle_figure_node_shift (node, line_y (self, result->line));
      if (result->axis == NULL && result->fresh && heddle_operation_n_results (node->operation) == 1)
        result->start.y = scalar_y (self, node);
    }
}

static void
begin_strands (HeddleLayout *self, HeddleMember *member)
{
  const HeddleFigureNode *node
      = member->start == HEDDLE_START_OPERATION ? heddle_layout_node (self, member->producer) : NULL;

  for (guint i = 0; i < member->strands->len; i++)
    {
      HeddleStrand *strand = heddle_strand (member->strands, i);
      strand->start.y = line_y (self, strand->source);
      for (guint j = 0; node != NULL && j < node->results->len; j++)
        if (heddle_strand (node->results, j)->axis == strand->axis
            && heddle_strand (node->results, j)->value == member->value)
          {
            strand->start = heddle_strand (node->results, j)->start;
            strand->fresh = heddle_strand (node->results, j)->fresh;
          }
    }
}

gboolean
heddle_figure_node_joins_at (const HeddleLayout *self, const HeddleFigureNode *node, int line)
{
  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *operand = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < operand->strands->len; j++)
        if (heddle_strand (operand->strands, j)->join == line)
          return TRUE;
    }
  return FALSE;
}

double
heddle_figure_node_title_y (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const gboolean over = node->tail <= HEDDLE_JOIN_TAIL;
  double y = node->bottom, dots = node->bottom;

  for (guint i = 0; i < node->results->len; i++)
    {
      const int line = heddle_strand (node->results, i)->line;
      const double at = heddle_figure_node_shift (node, line_y (self, line));
      y = MIN (y, at);
      dots = heddle_figure_node_joins_at (self, node, line) ? MIN (dots, at) : dots;
    }
  if (over && dots > y && dots < node->bottom && node->title_width < WIDEST_SIGN)
    return dots - 7.; /* between the dots and the wire above */
  return y - (over ? 12. : 6.);
}

gboolean
heddle_figure_node_blocks (
    const HeddleLayout *self, const HeddleFigureNode *node, double *top, double *bottom)
{
  const double more = (heddle_title_n_lines (node->title) - 1) * HEDDLE_TITLE_LEADING * 15.;

  *top = node->top - (node->over != NULL ? HEDDLE_FLOAT_UNDER : 0.);
  *bottom = node->bottom;
  if (node->shape == HEDDLE_SHAPE_BOX && node->attached_title != NULL)
    *bottom += HEDDLE_FLOAT_UNDER;
  if (node->boxed || node->shape == HEDDLE_SHAPE_BOX)
    return TRUE;
  if (node->title == NULL)
    return FALSE;
  switch (node->shape)
    {
    case HEDDLE_SHAPE_FLOAT:
      *bottom = node->top;
      *top = node->top - 20. - more;
      return TRUE;
    case HEDDLE_SHAPE_JOIN:
      *bottom = heddle_figure_node_title_y (self, node) + 4.;
      *top = *bottom - 16. - more;
      return TRUE;
    case HEDDLE_SHAPE_COMBINE:
      if (heddle_combine_reach (node) > 0.)
        { /* a box */
          *top -= 3.;
          *bottom += 3.;
          return TRUE;
        }
      *bottom = node->top - 4.;
      *top = *bottom - 16.;
      return TRUE;
    case HEDDLE_SHAPE_REDUCE:
      *bottom = node->bottom - HEDDLE_WIRE_REACH;
      *top = *bottom - 14.;
      return TRUE;
    default:
      return FALSE;
    }
}

/* --- all --------------------------------------------------------------------------------------------- */

void
heddle_layout_place_boxes (HeddleLayout *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      HeddleFigureNode *node = heddle_layout_node (self, i);
      heddle_layout_nudge (self, node->operation->id, &node->dx, &node->dy);
      place_box (self, node);
    }
}

void
heddle_layout_place_shapes (HeddleLayout *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      end_strands (self, heddle_layout_node (self, i));
      begin_results (self, heddle_layout_node (self, i));
    }
  for (guint i = 0; i < self->members->len; i++)
    begin_strands (self, heddle_layout_member (self, i));
}
