/* SPDX-License-Identifier: MIT */
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/layout/regions.h"
#include "figure/layout/ribbons.h"
#include "figure/layout/columns.h"
#include "figure/paint/ends.h"
#include "figure/paint/wires.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"

#include <math.h>
#include <string.h>

#define STEEPNESS 0.4 /* of a bend's width: how far its control points are from its ends */
#define ROUND 0.5523 /* of a quarter of a circle's radius: the same for one */
#define MOST_KNOTS 12
#define MOVED_BEFORE 9. /* px before its place: where wires leave for a crossing that was moved */

/* A wire as the points between which it is straight, or bends with horizontal ends. */
typedef struct
{
  HeddlePoint points[MOST_KNOTS];
  double
      drops[MOST_KNOTS]; /* where it runs up or down on its way to that point, or 0: see layout/ribbons.h */
  guint n;
} Knots;

/* Adds a knot. Points never run back; one in the place of the last says nothing. */
static void
add_knot (Knots *self, double x, double y)
{
  g_assert (self->n < MOST_KNOTS);
  if (self->n > 0)
    {
      const HeddlePoint *last = &self->points[self->n - 1];
      x = MAX (x, last->x);
      if (x - last->x < 0.01 && fabs (y - last->y) < 0.01)
        return;
    }
  self->drops[self->n] = 0.;
  self->points[self->n++] = (HeddlePoint){ x, y };
}

/* --- where a wire goes ------------------------------------------------------------------------------- */

double
heddle_paint_wire_start (const HeddlePainter *self, const HeddleMember *member)
{
  const HeddleColumn *column = heddle_layout_column (self->layout, member->from);
  const double labels = column->after < G_MAXDOUBLE && !column->breaks ? column->after
                        : column->outer < G_MAXDOUBLE                  ? column->outer
                                                                       : column->labels;

  return labels - heddle_column_reach (column);
}

double
heddle_paint_wire_end (const HeddlePainter *self, const HeddleMember *member)
{
  const HeddleColumn *column = heddle_layout_column (self->layout, member->to);

  return (column->breaks ? column->turn : column->labels) + heddle_column_reach (column);
}

static void
begin_wire (const HeddlePainter *self, const HeddleMember *member, const HeddleStrand *strand, Knots *knots)
{
  const double source = heddle_layout_line_y (self->layout, strand->source),
               y = heddle_layout_line_y (self->layout, strand->line);

  switch (member->start)
    {
    case HEDDLE_START_INPUT:
    case HEDDLE_START_LOAD:
      add_knot (knots, heddle_paint_wire_start (self, member), y);
      return;
    case HEDDLE_START_COPY:
      add_knot (knots, member->bend_from, source);
      if (strand->drop > 0.)
        {
          add_knot (knots, strand->drop + HEDDLE_RIBBON_CORNER, y);
          knots->drops[knots->n - 1] = strand->drop;
        }
      add_knot (knots, member->bend_to, y);
      return;
    case HEDDLE_START_OPERATION:
      break;
    }
  const HeddleFigureNode *node = heddle_layout_node (self->layout, member->producer);
  add_knot (knots, strand->start.x, strand->start.y);
  if (strand->axis != NULL && fabs (strand->start.y - source) > 0.01)
    { /* back from where the node was moved to */
      add_knot (
          knots, MIN (MAX (member->bend_from, node->x + node->width), member->bend_to), strand->start.y);
      add_knot (knots, member->bend_to, y);
      return;
    }
  if (fabs (source - y) > 0.01)
    add_knot (knots, member->bend_from, source);
  if (strand->axis == NULL || fabs (source - y) > 0.01)
    add_knot (knots, member->bend_to, y);
}

static void
end_wire (const HeddlePainter *self, const HeddleMember *member, const HeddleStrand *strand, Knots *knots)
{
  const HeddleColumn *column = heddle_layout_column (self->layout, member->to);
  const double y = heddle_layout_line_y (self->layout, strand->line),
               target = heddle_layout_line_y (self->layout, strand->target);

  if (member->end != HEDDLE_END_OPERATION)
    {
      add_knot (knots, heddle_paint_wire_end (self, member), y);
      return;
    }
  const HeddleFigureNode *node = heddle_layout_node (self->layout, member->reader);
  const gboolean touched = target >= node->low && target <= node->high;
  const gboolean own = node->shape == HEDDLE_SHAPE_CROSS; /* the crossing is all that it is */
  const double dx = own ? node->dx : 0., dy = own && touched ? node->dy : 0.;
  if (fabs (dy) > 0.01) /* to where the crossing was moved, past the label */
    add_knot (knots, MAX (column->cross + MIN (dx, 0.) - MOVED_BEFORE, knots->points[knots->n - 1].x), y);
  if (fabs (target - y) > 0.01 || fabs (dy) > 0.01)
    {
      add_knot (knots, column->cross + dx + 2., y + dy);
      add_knot (knots, column->cross + dx + column->crossing - 2., target + dy);
    }
  if (touched && !own && fabs (node->dy) > 0.01)
    {
      add_knot (knots, MAX (column->labels + 6., knots->points[knots->n - 1].x), target);
      add_knot (knots, node->x, target + node->dy);
    }
  if (strand->join >= 0)
    add_knot (knots, node->x + node->lead, touched ? target + node->dy : target);
  add_knot (knots, strand->end.x, strand->end.y);
}

/* --- levels -------------------------------------------------------------------------------------------- */

/* A wire has the level of the region in which it was made up to that region's edge, then none, then that of the region which reads it. */
typedef struct
{
  double ends[3]; /* x where each stretch ends */
  HeddleStroke strokes[3];
} Stretches;

static void
override_level (const HeddlePainter *self, const char *value, const char *column, HeddleStroke *stroke)
{
  const HeddleSchedule *schedule = self->layout->figure->schedule;

  if (schedule == NULL || !(self->layout->figure->show & HEDDLE_SHOW_LABELS))
    return;
  for (guint i = 0; i < schedule->residency->len; i++)
    {
      const HeddleResidency *residency = schedule->residency->pdata[i];
      if (residency->value == value && residency->column == column)
        heddle_level_style (
            residency->level, self->theme, &stroke->color, &stroke->width, stroke->dash, &stroke->n_dashes);
    }
}

static void
find_stretches (const HeddlePainter *self, const HeddleMember *member, Stretches *stretches)
{
  const HeddleFigureNode *producer = member->producer >= 0 && member->start != HEDDLE_START_LOAD
                                         ? heddle_layout_node (self->layout, member->producer)
                                         : NULL;
  const HeddleFigureNode *reader
      = member->reader >= 0 ? heddle_layout_node (self->layout, member->reader) : NULL;
  const HeddleShownRegion *from
      = producer != NULL ? heddle_layout_region (self->layout, producer->region) : NULL;
  const HeddleShownRegion *to = reader != NULL ? heddle_layout_region (self->layout, reader->region) : NULL;

  stretches->strokes[0] = heddle_paint_stroke (self, producer != NULL ? producer->region : -1);
  stretches->strokes[1] = heddle_paint_plain (self);
  stretches->strokes[2] = heddle_paint_stroke (self, reader != NULL ? reader->region : -1);
  stretches->ends[0]
      = from != NULL ? heddle_layout_column (self->layout, from->last + 1)->save : -G_MAXDOUBLE;
  stretches->ends[1] = to != NULL ? heddle_layout_column (self->layout, to->first)->load : G_MAXDOUBLE;
  stretches->ends[2] = G_MAXDOUBLE;
  if (from != NULL && from == to)
    stretches->ends[0] = G_MAXDOUBLE;
  override_level (self, member->value, NULL, &stretches->strokes[0]);
  if (reader != NULL)
    override_level (self, member->value, reader->operation->id, &stretches->strokes[2]);
}

/* --- drawing --------------------------------------------------------------------------------------------- */

typedef struct
{
  HeddlePainter *painter;
  const HeddleMember *member;
  const HeddleStrand *strand;
  const Stretches *stretches;
  guint stretch;
  HeddleItem *item;
} Pen;

static void
pen_begin (Pen *self, double x, double y)
{
  self->item = heddle_paint_path (
      self->painter, HEDDLE_PART_WIRE, self->member->value, &self->stretches->strokes[self->stretch], NULL);
  self->item->axis = self->strand->axis;
  self->item->value = self->member->value;
  heddle_item_move_to (self->item, x, y);
}

/* Changes of level fall on straight pieces; where a bend lies in the way, they fall after it. */
static void
pen_line (Pen *self, const HeddlePoint *a, const HeddlePoint *b)
{
  double at = a->x;

  while (self->stretch < 2 && self->stretches->ends[self->stretch] < b->x)
    {
      const HeddleStroke *now = &self->stretches->strokes[self->stretch];
      const double x = MAX (self->stretches->ends[self->stretch], at);
      if (x > at)
        heddle_item_line_to (self->item, x, a->y);
      at = x;
      self->stretch++;
      if (memcmp (now, &self->stretches->strokes[self->stretch], sizeof *now) != 0)
        pen_begin (self, x, a->y);
    }
  heddle_item_line_to (self->item, b->x, b->y);
}

static void
pen_bend (Pen *self, const HeddlePoint *a, const HeddlePoint *b)
{
  const double reach = STEEPNESS * (b->x - a->x);

  heddle_item_curve_to (self->item, a->x + reach, a->y, b->x - reach, b->y, b->x, b->y);
}

/* Draws two turns, and up or down between them. */
static void
pen_drop (Pen *self, const HeddlePoint *a, const HeddlePoint *b, double x)
{
  const double radius = MIN (HEDDLE_RIBBON_CORNER, fabs (b->y - a->y) / 2.), reach = ROUND * radius;
  const double side = b->y > a->y ? 1. : -1.;

  if (a->x < x - radius)
    heddle_item_line_to (self->item, x - radius, a->y);
  heddle_item_curve_to (
      self->item, x - radius + reach, a->y, x, a->y + side * (radius - reach), x, a->y + side * radius);
  heddle_item_line_to (self->item, x, b->y - side * radius);
  heddle_item_curve_to (
      self->item, x, b->y - side * (radius - reach), x + radius - reach, b->y, x + radius, b->y);
  if (b->x > x + radius)
    heddle_item_line_to (self->item, b->x, b->y);
}

/* Spreads one of the lines of a bundle: it is beside the other where it bends as where it is level. */
static void
spread_knots (Knots *knots, double off)
{
  for (guint i = 0; i < knots->n; i++)
    {
      HeddlePoint *point = &knots->points[i];
      const double before = i > 0 ? point->y + off - knots->points[i - 1].y : 0.; /* already moved */
      const double after = i + 1 < knots->n ? knots->points[i + 1].y - point->y : 0.;
      const double slope = fabs (before) > 0.01 ? before : after;
      point->y += off;
      if (knots->drops[i] > 0.)
        knots->drops[i] -= slope > 0. ? off : -off;
      if (fabs (slope) > 0.01 && i > 0 && i + 1 < knots->n)
        point->x -= slope > 0. ? off : -off;
    }
}

static void
paint_knots (HeddlePainter *self, const HeddleMember *member, const HeddleStrand *strand,
    const Stretches *stretches, const Knots *knots)
{
  Pen pen = { self, member, strand, stretches, 0, NULL };

  while (pen.stretch < 2 && stretches->ends[pen.stretch] <= knots->points[0].x)
    pen.stretch++;
  pen_begin (&pen, knots->points[0].x, knots->points[0].y);
  for (guint i = 1; i < knots->n; i++)
    {
      const HeddlePoint *a = &knots->points[i - 1], *b = &knots->points[i];
      if (fabs (a->y - b->y) < 0.01)
        pen_line (&pen, a, b);
      else if (knots->drops[i] > 0.)
        pen_drop (&pen, a, b, knots->drops[i]);
      else
        pen_bend (&pen, a, b);
    }
}

/* An axis with a fill of its own lies on a band of it. */
static void
paint_glow (HeddlePainter *self, const HeddleMember *member, const HeddleStrand *strand, const Knots *knots)
{
  HeddleStroke wide;

  if (!heddle_paint_glow (self, strand->axis, &wide))
    return;
  const Stretches all = { { G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE }, { wide, wide, wide } };
  const guint from = heddle_scene_get_n_items (self->scene);
  paint_knots (self, member, strand, &all, knots);
  for (guint i = from; i < heddle_scene_get_n_items (self->scene);
       i++) /* or it would cover the end of the wire before */
    ((HeddleItem *) heddle_scene_get_item (self->scene, i))->round_caps = FALSE;
}

static void
paint_lines (HeddlePainter *self, const HeddleMember *member, const HeddleStrand *strand,
    const Stretches *stretches, const Knots *knots)
{
  const double spread = heddle_paint_spread (self, strand->axis);
  const guint from = heddle_scene_get_n_items (self->scene);

  paint_glow (self, member, strand, knots);
  for (int side = spread > 0. ? -1 : 0; side <= (spread > 0. ? 1 : 0); side += 2)
    {
      Knots line = *knots;
      spread_knots (&line, side * spread);
      paint_knots (self, member, strand, stretches, &line);
    }
  heddle_paint_mean (self, from,
      strand->axis == NULL ? HEDDLE_MEANING_SCALAR
      : spread > 0.        ? HEDDLE_MEANING_BUNDLE
                           : HEDDLE_MEANING_AXIS);
}

/* An arrow ends in its operation, unless it goes on as the result. */
static gboolean
arrow_ends (const HeddlePainter *self, const HeddleMember *member, const HeddleStrand *strand)
{
  if (strand->axis != NULL || member->end != HEDDLE_END_OPERATION || strand->join >= 0)
    return FALSE;
  const GArray *results = heddle_layout_node (self->layout, member->reader)->results;
  for (guint i = 0; i < results->len; i++)
    if (!heddle_strand (results, i)->fresh && heddle_strand (results, i)->line == strand->target)
      return FALSE;
  return TRUE;
}

static void
paint_end (
    HeddlePainter *self, const HeddleMember *member, const HeddleStrand *strand, const Stretches *stretches)
{
  const double x = heddle_paint_wire_end (self, member),
               y = heddle_layout_line_y (self->layout, strand->line);
  const guint from = heddle_scene_get_n_items (self->scene);

  if (member->end == HEDDLE_END_DROP)
    heddle_paint_dot (self, HEDDLE_PART_WIRE, member->value, &stretches->strokes[1], x, y);
  else if (arrow_ends (self, member, strand))
    heddle_paint_arrow_head (
        self, HEDDLE_PART_WIRE, member->value, &stretches->strokes[2], strand->end.x, strand->end.y);
  else if (strand->axis == NULL && member->end != HEDDLE_END_OPERATION)
    heddle_paint_arrow_head (self, HEDDLE_PART_WIRE, member->value, &stretches->strokes[1], x, y);
  heddle_paint_mean (
      self, from, member->end == HEDDLE_END_DROP ? HEDDLE_MEANING_UNREAD : HEDDLE_MEANING_SCALAR);
  if (member->end == HEDDLE_END_OUTPUT && self->layout->figure->continues)
    heddle_paint_going_on (self, member->value, strand->axis, &stretches->strokes[1], x, y);
  if (member->start == HEDDLE_START_INPUT && self->layout->figure->resumes)
    heddle_paint_coming_in (
        self, member->value, strand->axis, &stretches->strokes[1], heddle_paint_wire_start (self, member), y);
  heddle_paint_mean (self, from, HEDDLE_MEANING_AXIS);
  if (member->start == HEDDLE_START_COPY)
    heddle_paint_dot (self, HEDDLE_PART_WIRE, member->value, &stretches->strokes[0], member->bend_from,
        heddle_layout_line_y (self->layout, strand->source));
  heddle_paint_mean (self, from, HEDDLE_MEANING_COPY);
  heddle_paint_mark (self, from, strand->axis, member->value);
}

/* --- what is no real number ------------------------------------------------------------------------- */

#define BOLD 2. /* px of the lowest wire */

/* The name of the set that the values are of; NULL: real numbers. */
static const char *
set_of (const HeddlePainter *self, const HeddleMember *member)
{
  const HeddleDtype dtype = heddle_diagram_dtype (self->layout->diagram, member->value, HEDDLE_DTYPE_F32);

  if (heddle_dtype_is_real (dtype))
    return NULL;
  return dtype == HEDDLE_DTYPE_BOOL ? "\\mathbf{B}" : "\\mathbf{Z}";
}

static void
embolden (Stretches *stretches)
{
  for (gsize i = 0; i < G_N_ELEMENTS (stretches->strokes); i++)
    stretches->strokes[i].width = MAX (stretches->strokes[i].width, BOLD);
}

static void
paint_set (HeddlePainter *self, const HeddleMember *member, const HeddleStrand *strand,
    const Stretches *stretches, const char *set)
{
  const double x = heddle_layout_column (self->layout, member->from)->labels + HEDDLE_TYPE_AFTER;
  const double y = heddle_layout_line_y (self->layout, strand->line);
  const guint from = heddle_scene_get_n_items (self->scene);

  heddle_paint_arrow_head (self, HEDDLE_PART_WIRE, member->value, &stretches->strokes[1], x, y);
  if (member->start == HEDDLE_START_INPUT) /* said once */
    heddle_paint_label (
        self, HEDDLE_PART_WIRE, member->value, set, HEDDLE_FONT_MATH, 12., NULL, x - 4., y + 13., 0.5);
  heddle_paint_mean (self, from, HEDDLE_MEANING_WHOLE);
}

void
heddle_paint_wires (HeddlePainter *self)
{
  for (guint i = 0; i < self->layout->members->len; i++)
    {
      const HeddleMember *member = heddle_layout_member (self->layout, i);
      Stretches stretches = { 0 };
      const char *set = set_of (self, member);
      find_stretches (self, member, &stretches);
      for (guint j = 0; j < member->strands->len; j++)
        {
          const HeddleStrand *strand = heddle_strand (member->strands, j);
          const gboolean typed = set != NULL && j + 1 == member->strands->len;
          if (strand->axis == NULL && !heddle_paint_tells_tuples (self))
            continue;
          Knots knots = { .n = 0 };
          if (typed)
            embolden (&stretches);
          begin_wire (self, member, strand, &knots);
          end_wire (self, member, strand, &knots);
          paint_lines (self, member, strand, &stretches, &knots);
          paint_end (self, member, strand, &stretches);
          if (typed && strand->axis != NULL)
            paint_set (self, member, strand, &stretches, set);
        }
    }
}
