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

typedef struct
{
  double x1, x2, y;
} Piece;

typedef struct
{
  HeddlePainter *painter;
  GPtrArray *chains; /* of GArray of Piece: each separator from left to right */
} Separators;

static double
line_y (const Separators *self, int line)
{
  return heddle_layout_line_y (self->painter->layout, line);
}

static void
add_piece (Separators *self, int chain, double x1, double x2, double y)
{
  GArray *pieces = self->chains->pdata[chain];
  const Piece piece = { x1, x2, y };

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
  member->chain = self->chains->len;
  g_ptr_array_add (self->chains, g_array_new (FALSE, FALSE, sizeof (Piece)));
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

/* Midway, but over what is written along the top of a region. */
static double
between (
    const Separators *self, const HeddleMember *above, const HeddleMember *below, int t, double y1, double y2)
{
  const int first = heddle_layout_region_at (self->painter->layout, above, t);
  const int second = heddle_layout_region_at (self->painter->layout, below, t);

  if (first == second || second < 0)
    return (y1 + y2) / 2.;
  return MIN (y1 + HEDDLE_TUPLE_PITCH / 2. + (first >= 0 ? 12. : 0.), (y1 + y2) / 2.);
}

static double
data_y (const Separators *self, const HeddleMember *above, const HeddleMember *below, int t)
{
  const HeddleStrand *last = heddle_strand (above->strands, above->strands->len - 1);

  return between (self, above, below, t, line_y (self, last->line),
      line_y (self, heddle_strand (below->strands, 0)->line));
}

static double
entry_y (const Separators *self, const HeddleMember *above, const HeddleMember *below, int t)
{
  const HeddleStrand *last = heddle_member_entering (above, above->strands->len - 1);

  return between (self, above, below, t, line_y (self, last->target),
      line_y (self, heddle_member_entering (below, 0)->target));
}

/* Around the box of @node, if it lies on the way. */
static double
add_detour (Separators *self, int chain, const HeddleFigureNode *node, double from, double y, gboolean below)
{
  if (node == NULL || !node->boxed)
    return from;
  const double edge = below ? node->bottom : node->top;
  const double around = below ? edge + AROUND : edge - AROUND;
  if (below ? y >= edge + 3. : y <= edge - 3.)
    return from;
  const double step = fabs (around - y);
  add_piece (self, chain, from, node->x - 4. - step, y);
  add_piece (self, chain, node->x - 4., node_right (node) + 4., around);
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
  const double y = data_y (self, above, below, t), entry = entry_y (self, above, below, t);
  double x = column->cross;

  if (ends)
    x = heddle_paint_wire_end (self->painter, above->to == t && a == NULL ? above : below);
  add_piece (self, below->chain, begin_x (self, above, below, t), x, y);
  if (ends)
    return;
  if (a != NULL && a == b)
    {
      add_piece (self, below->chain, x,
          a->x + (a->shape == HEDDLE_SHAPE_CUP ? HEDDLE_CUP_INSET + INTO_CUP : 0.), entry);
      return;
    }
  x = add_detour (self, below->chain, a, x, entry, TRUE);
  x = add_detour (self, below->chain, b, x, entry, FALSE);
  add_piece (self, below->chain, x, column->bends, entry);
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

/* One solid stroke at 45 degrees with level feet. */
static void
paint_step (HeddlePainter *painter, double x, double y1, double y2)
{
  HeddleItem *item = begin_path (painter);

  heddle_item_move_to (item, x - FOOT, y1);
  heddle_item_line_to (item, x, y1);
  heddle_item_line_to (item, x + fabs (y2 - y1), y2);
  heddle_item_line_to (item, x + fabs (y2 - y1) + FOOT, y2);
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
      const double step = fabs (next->y - piece->y);
      const double at = MAX (next->x1 - step, begin + FOOT);
      paint_run (painter, begin, at - FOOT - 3., piece->y);
      paint_step (painter, at, piece->y, next->y);
      x = at + step + FOOT + 3.;
    }
}

/* Dashed lines between the members of a tuple: midway, around boxes, and no further than where two arrays become one. */
void
heddle_paint_separators (HeddlePainter *self)
{
  Separators separators = { self, g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref) };

  collect (&separators);
  for (guint i = 0; i < separators.chains->len; i++)
    paint_chain (self, separators.chains->pdata[i]);
  g_ptr_array_unref (separators.chains);
}
