/* SPDX-License-Identifier: MIT */
#include "figure/layout/blocks.h"
#include "figure/layout/figure-node.h"
#include "figure/layout/naming.h"
#include "figure/layout/overhang.h"
#include "figure/layout/regions.h"
#include "figure/layout/shapes.h"

#include <math.h>

/* What stands over wires reaches over columns beside its own, where nothing is in its rows: a scale without a ground over
 * the arrow of its contraction, where wires have just ended; an elementwise function over the names of other wires. */

#define COLUMNS 2 /* that it may reach over */
#define OVER_ARROW 24. /* px, of the formula */
#define UNDER_ARROW 8.
#define OVER_WIRE 17. /* of a name */
#define MOST_COMPARED 200
#define NAME_HALF                                                                                            \
  22. /* px, of the height of a name at the end of wires, or of its card, with what is free around it; … */
#define BEYOND_WIRES 12. /* …and how far it is higher than these */
#define BESIDE_FLOAT 4. /* px from an elementwise function to what is above it, or beside it */

typedef struct
{
  const HeddleLayout *layout;
  double top, bottom;
} Place;

static gboolean
meets (const Place *self, double y1, double y2)
{
  return MIN (y1, y2) < self->bottom && MAX (y1, y2) > self->top;
}

static double
line_y (const Place *self, int line)
{
  return heddle_layout_line_y (self->layout, line);
}

/* Returns whether a wire of @member, its name, or what it turns to at column @t comes there. */
static gboolean
meets_wire (const Place *self, const HeddleMember *member, const HeddleStrand *strand, int t)
{
  const double y = line_y (self, strand->line), target = line_y (self, strand->target);

  if (meets (self, y - (heddle_member_names (member, strand, t) ? OVER_WIRE : 1.), y + 1.))
    return TRUE;
  if (member->from == t && meets (self, line_y (self, strand->source), y))
    return TRUE;
  return member->to == t
         && (meets (self, y, target)
             || (strand->join >= 0 && meets (self, target, line_y (self, strand->join))));
}

static gboolean
meets_member (const Place *self, const HeddleMember *member, int t)
{
  const double first = line_y (self, heddle_strand (member->strands, 0)->line),
               last = line_y (self, heddle_strand (member->strands, member->strands->len - 1)->line);
  const gboolean named = member->start == HEDDLE_START_LOAD || member->end != HEDDLE_END_OPERATION;

  for (guint i = 0; i < member->strands->len; i++)
    if (meets_wire (self, member, heddle_strand (member->strands, i), t))
      return TRUE;
  return named && meets (self, first - OVER_WIRE, last + OVER_WIRE);
}

/* Its box, or its wires and what stands over them. */
static gboolean
meets_node (const Place *self, const HeddleFigureNode *node)
{
  const gboolean titled = !node->boxed && node->title != NULL;

  return meets (self, node->top - (titled ? node->above : 0.), node->bottom);
}

/* Returns whether so much is in column @t that nothing is looked for there: each of many would be compared with all. */
static gboolean
is_crowded (const HeddleLayout *self, int t)
{
  const GPtrArray *live = self->live->pdata[t], *nodes = self->stages->pdata[t];

  return live->len > MOST_COMPARED || nodes->len > MOST_COMPARED;
}

/* Returns whether no wire or name of column @t comes there. */
static gboolean
is_free_of_wires (const Place *self, int t)
{
  const GPtrArray *live = self->layout->live->pdata[t];

  for (guint i = 0; i < live->len; i++)
    if (meets_member (self, live->pdata[i], t))
      return FALSE;
  return !heddle_layout_column (self->layout, t)->breaks;
}

/* Returns whether no operation of stage @t but @except comes there. */
static gboolean
is_free_of_nodes (const Place *self, int t, const HeddleFigureNode *except)
{
  const GPtrArray *nodes = self->layout->stages->pdata[t];

  for (guint i = 0; i < nodes->len; i++)
    if (nodes->pdata[i] != except && meets_node (self, nodes->pdata[i]))
      return FALSE;
  return TRUE;
}

static gboolean
is_free (const Place *self, int t)
{
  return is_free_of_wires (self, t) && is_free_of_nodes (self, t, NULL);
}

/* A block that ends there would have to hold it. */
static gboolean
ends_block (const HeddleLayout *self, const HeddleFigureNode *node)
{
  for (guint i = 0; i < self->blocks->len; i++)
    {
      const HeddleShownBlock *shown = self->blocks->pdata[i];
      if (shown->last < node->stage + COLUMNS && g_hash_table_contains (shown->nodes, node))
        return TRUE;
    }
  return FALSE;
}

/* Returns whether a region begins or ends at one of the columns. */
static gboolean
has_edge (const HeddleLayout *self, int first)
{
  for (guint i = 0; i < self->regions->len; i++)
    {
      const HeddleShownRegion *region = heddle_layout_region (self, i);

      if (region != NULL && region->last >= 0
          && ((region->first >= first && region->first < first + COLUMNS)
              || (region->last + 1 >= first && region->last + 1 < first + COLUMNS)))
        return TRUE;
    }
  return FALSE;
}

/* Returns what the operations of the columns take at least. */
static double
room_over (const HeddleLayout *self, int first)
{
  double room = 0.;

  for (int t = first; t < first + COLUMNS; t++)
    {
      const GPtrArray *nodes = self->stages->pdata[t];
      double widest = 0.;
      for (guint i = 0; i < nodes->len; i++)
        widest = MAX (widest, ((const HeddleFigureNode *) nodes->pdata[i])->width);
      room += widest;
    }
  return room;
}

gboolean
heddle_layout_reaches_over (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const double y = (node->top + node->bottom) / 2.;
  const Place place = { self, y - OVER_ARROW, y + UNDER_ARROW };

  if (node->shape != HEDDLE_SHAPE_CUP || node->attached_width <= 0. || node->operation->axes->len != 1
      || has_edge (self, node->stage + 1) || !heddle_layout_is_bare (self, node->attached)
      || ends_block (self, node) || node->stage + COLUMNS > self->n_stages
      || room_over (self, node->stage + 1) < node->attached_width + HEDDLE_ATTACHED_GAP)
    return FALSE;
  for (int t = node->stage + 1; t <= node->stage + COLUMNS; t++)
    if (!is_free (&place, t))
      return FALSE;
  return TRUE;
}

static Place
place_of_float (const HeddleLayout *self, const HeddleFigureNode *node)
{
  Place place = { self, 0., 0. };

  heddle_figure_node_blocks (self, node, &place.top, &place.bottom);
  place.top -= BESIDE_FLOAT;
  return place;
}

gboolean
heddle_layout_floats_over_names (const HeddleLayout *self, const HeddleFigureNode *node, int t)
{
  const Place place = place_of_float (self, node);

  return t > 0 && t < self->n_stages && !is_crowded (self, t) && is_free_of_wires (&place, t);
}

/* Returns the operation in whose dots the wire that @node floats over goes straight on, where others come from below
 * and none of them is named; or NULL. */
static const HeddleFigureNode *
find_join (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const GPtrArray *live = self->live->pdata[node->stage + 1];

  for (guint i = 0; i < live->len; i++)
    {
      const HeddleMember *member = live->pdata[i];
      const HeddleFigureNode *reader
          = member->end == HEDDLE_END_OPERATION ? heddle_layout_node (self, member->reader) : NULL;
      const HeddleStrand *strand = heddle_strand (member->strands, 0);
      if (reader != NULL && member->value == node->result && member->to == node->stage + 1
          && reader->shape == HEDDLE_SHAPE_JOIN && reader->lead <= 0. && reader->dx == 0.
          && strand->target == strand->line && strand->join < 0)
        return reader;
    }
  return NULL;
}

double
heddle_layout_floats_over_join (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const Place place = place_of_float (self, node);
  const HeddleFigureNode *join = find_join (self, node);

  if (join == NULL || is_crowded (self, join->stage) || !is_free_of_nodes (&place, join->stage, join))
    return 0.;
  return MAX (join->width - join->tail - join->title_width / 2. - BESIDE_FLOAT, 0.);
}

/* Returns whether a block ends at stage @t: what reaches over it would stand on its edge. */
static gboolean
has_end_of_block (const HeddleLayout *self, int t)
{
  for (guint i = 0; i < self->blocks->len; i++)
    if (((const HeddleShownBlock *) self->blocks->pdata[i])->last == t)
      return TRUE;
  return FALSE;
}

gboolean
heddle_layout_name_reaches_over (const HeddleLayout *self, const HeddleMember *member, int t)
{
  const double first = heddle_layout_line_y (self, heddle_strand (member->strands, 0)->line),
               last
               = heddle_layout_line_y (self, heddle_strand (member->strands, member->strands->len - 1)->line);
  const double middle = (first + last) / 2., half = MAX ((last - first) / 2. + BEYOND_WIRES, NAME_HALF);
  const Place place = { self, middle - half, middle + half };

  return t < self->n_stages && !is_crowded (self, t) && !has_edge (self, t) && !has_end_of_block (self, t - 1)
         && is_free (&place, t);
}
