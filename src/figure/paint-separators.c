/* SPDX-License-Identifier: MIT */
#include "figure/paint.h"

#include <math.h>

#define DASH 7.5
#define GAP 6.
#define LEAST_GAP 3.
#define FOOT 4. /* of a step, on the level */
#define OVERHANG 12. /* before the wires begin */
#define INTO_CUP 6. /* past the beginning of a cup */
#define AROUND 7.5 /* px from a box */
#define LEAST_STEP 3. /* px: what is less looks like a slip */
#define LEAST_ROOM 12. /* for a step between columns */
#define CROSSING_ROOM 45. /* where wires change places */

/* A level stretch, and how much room is before it to come there. */
typedef struct
{
  double x1, x2, y, room;
} Piece;

/* A separator from left to right. */
typedef struct
{
  GArray *pieces; /* of Piece */
  double level; /* where it goes on behind boxes */
} Chain;

/* Heights at which a separator keeps clear of the wires on both sides. */
typedef struct
{
  double top, bottom;
} Gap;

typedef struct
{
  HeddlePainter *painter;
  GPtrArray *chains; /* of Chain */
} Separators;

static void
chain_free (gpointer data)
{
  Chain *chain = data;

  g_array_unref (chain->pieces);
  g_free (chain);
}

static double
line_y (const Separators *self, int line)
{
  return heddle_layout_line_y (self->painter->layout, line);
}

static Chain *
chain_of (const Separators *self, const HeddleMember *member)
{
  return self->chains->pdata[member->chain];
}

static void
add_piece (Chain *chain, double x1, double x2, double y, double room)
{
  GArray *pieces = chain->pieces;
  const Piece piece = { x1, x2, y, room };

  if (x2 <= x1)
    return;
  if (pieces->len > 0)
    {
      Piece *last = &g_array_index (pieces, Piece, pieces->len - 1);
      if (fabs (last->y - y) < LEAST_STEP)
        {
          last->x2 = MAX (last->x2, x2);
          return;
        }
    }
  g_array_append_val (pieces, piece);
}

/* --- collecting ----------------------------------------------------------------------------------------- */

/* The separator above an operation's result is the one above its first operand. */
static void
assign_chain (Separators *self, HeddleMember *member)
{
  const HeddleLayout *layout = self->painter->layout;

  if (member->start == HEDDLE_START_OPERATION
      && heddle_layout_node (layout, member->producer)->members->len > 0)
    member->chain
        = heddle_figure_node_member (layout, heddle_layout_node (layout, member->producer), 0)->chain;
  if (member->chain >= 0)
    return;
  Chain *chain = g_new0 (Chain, 1);
  chain->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  member->chain = self->chains->len;
  g_ptr_array_add (self->chains, chain);
}

static const HeddleFigureNode *
reader_at (const Separators *self, const HeddleMember *member, int t)
{
  return member->to == t && member->reader >= 0 ? heddle_layout_node (self->painter->layout, member->reader)
                                                : NULL;
}

static double
node_right (const HeddleFigureNode *node)
{
  return node->x + node->width
         + (node->attached_width > 0. ? node->attached_width + HEDDLE_ATTACHED_GAP : 0.);
}

/* At the least distance of tuples there is one place, midway. What is written along the top of a region stays below it. */
static Gap
gap_between (
    const Separators *self, const HeddleMember *above, const HeddleMember *below, int t, double y1, double y2)
{
  const int first = heddle_layout_region_at (self->painter->layout, above, t);
  const int second = heddle_layout_region_at (self->painter->layout, below, t);
  const double middle = (y1 + y2) / 2., half = HEDDLE_TUPLE_PITCH / 2.;

  if (first == second || second < 0)
    return (Gap){ MIN (y1 + half, middle), MAX (y2 - half, middle) };
  const double over = MIN (y1 + half + (first >= 0 ? 12. : 0.), middle);
  return (Gap){ over, over };
}

static Gap
data_gap (const Separators *self, const HeddleMember *above, const HeddleMember *below, int t)
{
  const HeddleStrand *last = heddle_strand (above->strands, above->strands->len - 1);

  return gap_between (self, above, below, t, line_y (self, last->line),
      line_y (self, heddle_strand (below->strands, 0)->line));
}

/* The height of the uppermost or the lowest wire where the operations of stage @t are: in the order in which they take it, if one does, and
 * among what they make of it. */
static double
edge_at (const Separators *self, const HeddleMember *member, int t, gboolean lowest)
{
  const guint i = lowest ? member->strands->len - 1 : 0;

  if (member->to != t || member->end != HEDDLE_END_OPERATION)
    return line_y (self, heddle_strand (member->strands, i)->line);
  const HeddleFigureNode *node = heddle_layout_node (self->painter->layout, member->reader);
  double y = line_y (self, heddle_member_entering (member, i)->target);
  for (guint j = 0; node->shape == HEDDLE_SHAPE_REINDEX && j < node->results->len; j++)
    {
      const double made = line_y (self, heddle_strand (node->results, j)->line);
      y = lowest ? MAX (y, made) : MIN (y, made);
    }
  return y;
}

static Gap
entry_gap (const Separators *self, const HeddleMember *above, const HeddleMember *below, int t)
{
  return gap_between (self, above, below, t, edge_at (self, above, t, TRUE), edge_at (self, below, t, FALSE));
}

/* Straight on as long as it can; it begins midway. */
static double
pass (Chain *chain, Gap gap)
{
  const gboolean begins = chain->pieces->len == 0;

  chain->level = begins ? (gap.top + gap.bottom) / 2. : CLAMP (chain->level, gap.top, gap.bottom);
  return chain->level;
}

/* Around the box or the title of @node, if it lies on the way. */
static double
add_detour (
    const Separators *self, Chain *chain, const HeddleFigureNode *node, double from, double y, gboolean below)
{
  double top, bottom;

  if (node == NULL || !heddle_figure_node_blocks (self->painter->layout, node, &top, &bottom))
    return from;
  const double edge = below ? bottom : top;
  const double around = below ? edge + AROUND : edge - AROUND;
  if (below ? y >= edge + 4.5 : y <= edge - 4.5)
    return from;
  const double step = fabs (around - y);
  add_piece (chain, from, node->x - 4. - step, y, step);
  add_piece (chain, node->x - 4., node_right (node) + 4., around, step);
  return node_right (node) + 4. + step;
}

static double
begin_x (const Separators *self, const HeddleMember *above, const HeddleMember *below, int t)
{
  const HeddleColumn *column = heddle_layout_column (self->painter->layout, t);
  double x = column->x;

  for (int i = 0; i < 2; i++)
    {
      const HeddleMember *member = i == 0 ? above : below;
      if (member->from == t && (member->start == HEDDLE_START_INPUT || member->start == HEDDLE_START_LOAD))
        x = MAX (x, heddle_paint_wire_start (self->painter, member) - OVERHANG);
    }
  return t == 0 ? -OVERHANG : x;
}

static void
add_pair (Separators *self, const HeddleMember *above, const HeddleMember *below, int t)
{
  const HeddleLayout *layout = self->painter->layout;
  const HeddleColumn *column = heddle_layout_column (layout, t);
  const HeddleFigureNode *a = reader_at (self, above, t), *b = reader_at (self, below, t);
  const gboolean ends = (above->to == t && a == NULL) || (below->to == t && b == NULL);
  Chain *chain = chain_of (self, below);
  const HeddleColumn *before = t > 0 ? heddle_layout_column (layout, t - 1) : column;
  const double begin = begin_x (self, above, below, t);
  double x = column->cross, y = pass (chain, data_gap (self, above, below, t));

  if (ends)
    x = heddle_paint_wire_end (self->painter, above->to == t && a == NULL ? above : below);
  add_piece (chain, begin, x, y, MAX (column->x - before->bends, LEAST_ROOM));
  if (ends)
    return;
  const double entry = pass (chain, entry_gap (self, above, below, t));
  const double step = fabs (entry - y) < LEAST_STEP ? 0. : MIN (fabs (entry - y), CROSSING_ROOM);
  if (a != NULL && a == b)
    {
      add_piece (chain, x + step, a->x + (a->shape == HEDDLE_SHAPE_CUP ? HEDDLE_CUP_INSET + INTO_CUP : 0.),
          entry, step);
      return;
    }
  x = add_detour (self, chain, a, x + step, entry, TRUE);
  x = add_detour (self, chain, b, x, entry, FALSE);
  add_piece (chain, x, column->bends, entry, step);
}

static void
collect (Separators *self)
{
  const HeddleLayout *layout = self->painter->layout;

  for (int t = 0; t <= layout->n_stages; t++)
    {
      const GPtrArray *live = layout->live->pdata[t];
      for (guint i = 0; i < live->len; i++)
        {
          HeddleMember *member = live->pdata[i];
          if (member->from == t)
            assign_chain (self, member);
          if (i > 0)
            add_pair (self, live->pdata[i - 1], member, t);
        }
    }
}

/* --- painting --------------------------------------------------------------------------------------------- */

static HeddleItem *
begin_path (HeddlePainter *painter)
{
  const HeddleStroke stroke = { .color = painter->ink, .width = 2. };

  return heddle_paint_path (painter, HEDDLE_PART_SEPARATOR, NULL, &stroke, NULL);
}

/* Gaps are stretched so that a run ends on a whole dash. */
static void
paint_run (HeddlePainter *painter, double x1, double x2, double y)
{
  const double length = x2 - x1;

  if (length < 1.)
    return;
  HeddleItem *item = begin_path (painter);
  heddle_item_move_to (item, x1, y);
  heddle_item_line_to (item, x2, y);
  const double n
      = MIN (round ((length + GAP) / (DASH + GAP)), floor ((length + LEAST_GAP) / (DASH + LEAST_GAP)));
  if (n < 2.)
    return;
  item->dash[0] = DASH;
  item->dash[1] = (length - n * DASH) / (n - 1.);
  item->n_dashes = 2;
}

/* One solid stroke with level feet: at 45 degrees where there is room. */
static void
paint_step (HeddlePainter *painter, double x1, double x2, double y1, double y2)
{
  HeddleItem *item = begin_path (painter);

  heddle_item_move_to (item, x1 - FOOT, y1);
  heddle_item_line_to (item, x1, y1);
  heddle_item_line_to (item, x2, y2);
  heddle_item_line_to (item, x2 + FOOT, y2);
}

static void
paint_chain (HeddlePainter *painter, const GArray *pieces)
{
  double x = 0.;

  for (guint i = 0; i < pieces->len; i++)
    {
      const Piece *piece = &g_array_index (pieces, Piece, i);
      const Piece *next = i + 1 < pieces->len ? &g_array_index (pieces, Piece, i + 1) : NULL;
      const double begin = i == 0 ? piece->x1 : x;
      if (next == NULL)
        {
          paint_run (painter, begin, piece->x2, piece->y);
          continue;
        }
      const double dy = fabs (next->y - piece->y), step = next->room > 0. ? MIN (dy, next->room) : dy;
      const double at = MAX (next->x1 - step, begin + FOOT);
      paint_run (painter, begin, at - FOOT - 3., piece->y);
      paint_step (painter, at, at + step, piece->y, next->y);
      x = at + step + FOOT + 3.;
    }
}

/* Dashed lines between the members of a tuple: midway, around boxes, and no further than where two arrays become one. */
void
heddle_paint_separators (HeddlePainter *self)
{
  Separators separators = { self, g_ptr_array_new_with_free_func (chain_free) };

  collect (&separators);
  for (guint i = 0; i < separators.chains->len; i++)
    paint_chain (self, ((const Chain *) separators.chains->pdata[i])->pieces);
  g_ptr_array_unref (separators.chains);
}
