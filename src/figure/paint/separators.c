/* SPDX-License-Identifier: MIT */
#include "diagram/base/dtype.h"
#include "figure/layout/box.h"
#include "figure/layout/casts.h"
#include "figure/layout/graph.h"
#include "figure/layout/layout.h"
#include "figure/layout/regions.h"
#include "figure/layout/shapes.h"
#include "figure/layout/title-size.h"
#include "figure/paint/separators.h"
#include "figure/paint/wires.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

#include <math.h>

#define DASH 7.5
#define GAP 6.
#define LEAST_GAP 3.
#define FOOT 4. /* of a step, on the level */
#define OVERHANG 12. /* before the wires begin */
#define AFTER_SOURCE 12.
#define INTO_CUP 6. /* past the beginning of a cup */
#define AROUND 7.5 /* px from a box */
#define NEAR 4. /* …where there is less room */
#define UNDER_CARRIED 22. /* the words that tell what an operation carries, under it … */
#define CARRIED_WIDTH 96. /* …as far from its left side */
#define UNDER_WIRE 10. /* at least */
#define OVER_WIRE 19.5 /* at least, where there is room: the names of axes stand there */
#define TIGHT 40. /* px between wires: less is no room for a step past a box and back before the next names */
#define UNDER_TYPE 17. /* where the type of a cast stands there */
#define LEAST_STEP 4.5 /* px: what is less looks like a slip */
#define LEAST_ROOM 12. /* for a step between columns */
#define LEAST_REST 40. /* px, of what comes behind a box at the end */
#define LARGEST_STEP 160. /* px: further away it goes on without one */

/* Heights at which a separator keeps clear of what is on both sides, and the one at which it would be. */
typedef struct
{
  double top, bottom, wish;
} Gap;

/* A level is a level stretch. The step to it ends where it begins, or begins there. */
typedef struct
{
  double x1, x2;
  Gap gap;
  double room; /* for that step; 0: as much as it takes */
  gboolean late;
  gboolean hidden; /* behind a box: nothing is drawn there */
  double y; /* once all are known */
} Piece;

typedef struct
{
  HeddlePainter *painter;
  GPtrArray *chains; /* of GArray of Piece: each separator from left to right */
} Separators;

static void
add_piece (GArray *chain, double x1, double x2, Gap gap, double room, gboolean late)
{
  if (gap.top > gap.bottom)
    gap.top = gap.bottom = (gap.top + gap.bottom) / 2.;
  const Piece piece = { x1, x2, gap, room, late, FALSE, CLAMP (gap.wish, gap.top, gap.bottom) };

  if (x2 > x1)
    g_array_append_val (chain, piece);
}

/* A stretch in which nothing is drawn. */
static void
add_hidden (GArray *chain, double x1, double x2)
{
  const double y = chain->len > 0 ? g_array_index (chain, Piece, chain->len - 1).y : 0.;
  const Piece piece = { .x1 = x1, .x2 = x2, .gap = { y, y, y }, .hidden = TRUE, .y = y };

  if (x2 > x1)
    g_array_append_val (chain, piece);
}

/* --- collecting ----------------------------------------------------------------------------------------- */

static gboolean
is_uppermost (const HeddleLayout *layout, const HeddleMember *member)
{
  const GArray *results = heddle_layout_node (layout, member->producer)->results;

  return results->len == 0 || heddle_strand (results, 0)->value == member->value;
}

/* The separator above an operation's uppermost result is the one above its first operand. */
static void
assign_chain (Separators *self, HeddleMember *member)
{
  const HeddleLayout *layout = self->painter->layout;

  if (member->start == HEDDLE_START_OPERATION
      && heddle_layout_node (layout, member->producer)->members->len > 0 && is_uppermost (layout, member))
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

/* Midway if it can be; under wires there is more room than over them, where their labels are. What is written along the top of a region
 * stays below it. */
static Gap
gap_between (
    const Separators *self, const HeddleMember *above, const HeddleMember *below, int t, double y1, double y2)
{
  const int first = heddle_layout_region_at (self->painter->layout, above, t);
  const int second = heddle_layout_region_at (self->painter->layout, below, t);
  const double middle = (y1 + y2) / 2., top = MIN (y1 + UNDER_WIRE, middle);

  if (first == second || second < 0)
    {
      const double wish = MAX (MIN (middle, y2 - OVER_WIRE), top);
      return (Gap){ top, MAX (y2 - OVER_WIRE, top), wish };
    }
  const double over = MIN (y1 + OVER_WIRE + (first >= 0 ? 12. : 0.), middle);
  return (Gap){ over, over, over };
}

static Gap
data_gap (const Separators *self, const HeddleMember *above, const HeddleMember *below, int t)
{
  const HeddleLayout *layout = self->painter->layout;
  const HeddleStrand *last = heddle_strand (above->strands, above->strands->len - 1);
  const double y = heddle_layout_line_y (self->painter->layout, last->line);
  Gap gap = gap_between (self, above, below, t, y,
      heddle_layout_line_y (self->painter->layout, heddle_strand (below->strands, 0)->line));

  if (above->from == t && heddle_layout_cast (layout, above) != HEDDLE_DTYPE_UNSET)
    gap.top = MIN (MAX (gap.top, y + UNDER_TYPE), gap.bottom);
  if (above->carded)
    gap.top = MIN (MAX (gap.top, y + OVER_WIRE), gap.bottom);
  return gap;
}

/* The height of the uppermost or the lowest wire where the operations of stage @t are: in the order in which they take it, if one does, and
 * among what they make of it. */
static double
edge_at (const Separators *self, const HeddleMember *member, int t, gboolean lowest)
{
  const guint i = lowest ? member->strands->len - 1 : 0;

  if (member->to != t || member->end != HEDDLE_END_OPERATION)
    return heddle_layout_line_y (self->painter->layout, heddle_strand (member->strands, i)->line);
  const HeddleFigureNode *node = heddle_layout_node (self->painter->layout, member->reader);
  double y = heddle_layout_line_y (self->painter->layout, heddle_member_entering (member, i)->target);
  for (guint j = 0; node->shape == HEDDLE_SHAPE_REINDEX && j < node->results->len; j++)
    {
      const double made
          = heddle_layout_line_y (self->painter->layout, heddle_strand (node->results, j)->line);
      y = lowest ? MAX (y, made) : MIN (y, made);
    }
  return y;
}

static Gap
entry_gap (const Separators *self, const HeddleMember *above, const HeddleMember *below, int t)
{
  return gap_between (self, above, below, t, edge_at (self, above, t, TRUE), edge_at (self, below, t, FALSE));
}

/* Returns whether what @node carries is said, at the foot of its region, above what lies below the gap. */
static gboolean
says_carried_above (const HeddleLayout *layout, const HeddleFigureNode *node, const Gap *gap)
{
  const HeddleShownRegion *region = heddle_layout_region (layout, node->region);

  return heddle_layout_carries (layout, node) && region != NULL
         && region->y2 - UNDER_CARRIED < gap->bottom + OVER_WIRE;
}

/* Past the boxes and titles of what is above and below, if they are in the way. Where there is no room to step past them and back, it goes
 * on behind them (@tight). Returns where it is past them. */
static double
add_detour (const Separators *self, GArray *chain, const HeddleFigureNode *above,
    const HeddleFigureNode *below, double from, Gap gap, gboolean tight)
{
  const HeddleLayout *layout = self->painter->layout;
  double x1 = G_MAXDOUBLE, x2 = from, top, bottom;
  Gap past = gap;

  if (above != NULL && heddle_figure_node_blocks (layout, above, &top, &bottom))
    {
      const gboolean carries = says_carried_above (layout, above, &gap);
      bottom += carries ? UNDER_CARRIED : 0.;
      past.top = MAX (gap.top,
          bottom + (tight && bottom + NEAR <= gap.bottom ? MIN (gap.bottom - bottom, AROUND) : AROUND));
      past.bottom = MAX (gap.bottom, past.top);
      x1 = above->x;
      x2 = MAX (x2, carries ? MAX (node_right (above), x1 + CARRIED_WIDTH) : node_right (above));
    }
  if (below != NULL && heddle_figure_node_blocks (layout, below, &top, &bottom))
    {
      past.bottom = MIN (past.bottom, top - AROUND);
      past.top = x1 == G_MAXDOUBLE ? MIN (past.top, past.bottom) : past.top;
      x1 = MIN (x1, below->x);
      x2 = MAX (x2, node_right (below));
    }
  if (x1 == G_MAXDOUBLE)
    return from;
  const gboolean hidden = tight && (past.top > gap.bottom || past.bottom < gap.top || past.top > past.bottom);
  add_piece (chain, from, x1 - 4., gap, HEDDLE_CROSSING, TRUE);
  if (hidden)
    add_hidden (chain, x1 - 4., x2 + 4.);
  else
    add_piece (chain, x1 - 4., x2 + 4., past, x1 - 4. - from >= LEAST_ROOM ? x1 - 4. - from : 0., FALSE);
  return x2 + 4.;
}

/* What goes on below another that ends before @x comes to @below: until the next column the separator lies above its box, or behind it. */
static void
pass_box (const Separators *self, GArray *chain, const HeddleFigureNode *below, double x)
{
  double top, bottom;

  if (chain->len == 0 || below == NULL
      || !heddle_figure_node_blocks (self->painter->layout, below, &top, &bottom))
    return;
  Gap *gap = &g_array_index (chain, Piece, chain->len - 1).gap;
  if (top - AROUND >= gap->top)
    gap->bottom = MIN (gap->bottom, top - AROUND);
  else
    add_hidden (chain, x, node_right (below) + 4.);
}

/* Returns whether @member has a name before its wires, between which separators begin. */
static gboolean
is_named (const Separators *self, const HeddleMember *member)
{
  g_autofree char *name = heddle_layout_value_label (self->painter->layout, member->value);

  return heddle_title_width (name, HEDDLE_FONT_MATH, 1.) > 0.;
}

static double
begin_x (
    const Separators *self, const HeddleMember *above, const HeddleMember *below, int t, gboolean goes_on)
{
  const HeddleColumn *column = heddle_layout_column (self->painter->layout, t);
  double x = column->x;

  for (int i = 0; i < 2; i++)
    {
      const HeddleMember *member = i == 0 ? above : below;
      if (i == 0 && member->carded && goes_on)
        continue; /* a separator that comes from before steps past the card */
      if (member->from == t && (member->start == HEDDLE_START_INPUT || member->start == HEDDLE_START_LOAD))
        x = MAX (x, heddle_paint_wire_start (self->painter, member) - (member->carded ? 0. : OVERHANG));
      if (member->from == t && member->start == HEDDLE_START_OPERATION
          && heddle_layout_node (self->painter->layout, member->producer)->members->len == 0)
        x = MAX (x, column->x + AFTER_SOURCE); /* or it would lengthen an arrow there */
    }
  return t > 0 ? x : is_named (self, above) || is_named (self, below) ? -OVERHANG : 0.;
}

static void
add_pair (Separators *self, const HeddleMember *above, const HeddleMember *below, int t)
{
  const HeddleLayout *layout = self->painter->layout;
  const HeddleColumn *column = heddle_layout_column (layout, t);
  const HeddleFigureNode *a = reader_at (self, above, t), *b = reader_at (self, below, t);
  const gboolean ends = (above->to == t && a == NULL) || (below->to == t && b == NULL);
  GArray *chain = self->chains->pdata[below->chain];
  const HeddleColumn *before = t > 0 ? heddle_layout_column (layout, t - 1) : column;
  const double begin = begin_x (self, above, below, t, chain->len > 0);
  double x = column->cross;

  if (ends)
    x = heddle_paint_wire_end (self->painter, above->to == t && a == NULL ? above : below);
  add_piece (
      chain, begin, x, data_gap (self, above, below, t), MAX (column->x - before->bends, LEAST_ROOM), FALSE);
  if (ends)
    {
      pass_box (self, chain, b, x);
      return;
    }
  const Gap entry = entry_gap (self, above, below, t);
  if (a != NULL && a == b)
    {
      add_piece (chain, x, a->x + (a->shape == HEDDLE_SHAPE_CUP ? a->inset + INTO_CUP : 0.), entry,
          HEDDLE_CROSSING, TRUE);
      return;
    }
  const gboolean tight = edge_at (self, below, t, FALSE) - edge_at (self, above, t, TRUE) < TIGHT;
  const double past = add_detour (self, chain, a, b, x, entry, tight);
  add_piece (chain, past, MAX (column->bends, past + 1.), entry, past > x ? 0. : HEDDLE_CROSSING, TRUE);
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

/* --- levels ----------------------------------------------------------------------------------------------- */

static Piece *
piece_at (const GArray *chain, guint i)
{
  return &g_array_index (chain, Piece, i);
}

/* From number @first on, as many pieces as have a height in common get one: that at which the longest of them would be, or near it. Returns
 * the first of the others. */
static guint
level_run (const GArray *chain, guint first)
{
  Gap common = piece_at (chain, first)->gap;
  double longest = 0.;
  guint last = first;

  if (piece_at (chain, first)->hidden)
    return first + 1;
  while (last < chain->len)
    {
      const Piece *piece = piece_at (chain, last);
      const double top = MAX (common.top, piece->gap.top), bottom = MIN (common.bottom, piece->gap.bottom);
      if (piece->hidden && last > first)
        {
          last++;
          continue;
        }
      if (top > bottom)
        break;
      common.top = top;
      common.bottom = bottom;
      if (piece->x2 - piece->x1 > longest)
        {
          longest = piece->x2 - piece->x1;
          common.wish = piece->gap.wish;
        }
      last++;
    }
  for (guint i = first; i < last; i++)
    piece_at (chain, i)->y = CLAMP (common.wish, common.top, common.bottom);
  return last;
}

/* As few steps as can be. Pieces of one level are one; what is less than a step is none. */
static void
level (GArray *chain)
{
  guint n = 0;

  for (guint i = 0; i < chain->len;)
    i = level_run (chain, i);
  for (guint i = 0; i < chain->len; i++)
    {
      Piece *last = n > 0 ? piece_at (chain, n - 1) : NULL;
      if (last != NULL && !last->hidden && !piece_at (chain, i)->hidden
          && fabs (last->y - piece_at (chain, i)->y) < LEAST_STEP)
        last->x2 = MAX (last->x2, piece_at (chain, i)->x2);
      else
        *piece_at (chain, n++) = *piece_at (chain, i);
    }
  g_array_set_size (chain, n);
}

/* --- painting --------------------------------------------------------------------------------------------- */

static HeddleItem *
begin_path (HeddlePainter *painter)
{
  const HeddleStroke stroke = { .color = painter->ink, .width = 2. };

  HeddleItem *item = heddle_paint_path (painter, HEDDLE_PART_SEPARATOR, NULL, &stroke, NULL);
  item->meaning = HEDDLE_MEANING_SEPARATOR;
  return item;
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
  heddle_item_set_dash (item, (const double[]){ DASH, (length - n * DASH) / (n - 1.) }, 2);
}

/* Paints one solid stroke with level feet: at 45 degrees where there is room. */
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
      if (piece->hidden)
        {
          x = next != NULL ? next->x1 : x;
          continue;
        }
      if (next == NULL)
        {
          const gboolean alone = i == 0, behind = i > 0 && g_array_index (pieces, Piece, i - 1).hidden;
          if (piece->x2 - begin >= (behind ? LEAST_REST : alone ? 2. * DASH + LEAST_GAP : 0.))
            paint_run (painter, begin, piece->x2, piece->y);
          continue;
        }
      const double dy = fabs (next->y - piece->y), step = next->room > 0. ? MIN (dy, next->room) : dy;
      if (dy > LARGEST_STEP || next->hidden)
        {
          paint_run (painter, begin, piece->x2, piece->y);
          x = next->x1;
          continue;
        }
      const double at = MAX (next->late ? next->x1 : next->x1 - step, begin + FOOT);
      paint_run (painter, begin, at - FOOT - 3., piece->y);
      paint_step (painter, at, at + step, piece->y, next->y);
      x = at + step + FOOT + 3.;
    }
}

/* Paints dashed lines between the members of a tuple: midway, around boxes, and no further than where two
 * arrays become one. */
void
heddle_paint_separators (HeddlePainter *self)
{
  if (!heddle_paint_tells_tuples (self))
    return;
  Separators separators = { self, g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref) };
  collect (&separators);
  for (guint i = 0; i < separators.chains->len; i++)
    {
      level (separators.chains->pdata[i]);
      paint_chain (self, separators.chains->pdata[i]);
    }
  g_ptr_array_unref (separators.chains);
}
