/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/bends.h"
#include "figure/layout/blocks.h"
#include "figure/layout/box.h"
#include "figure/layout/casts.h"
#include "figure/layout/columns.h"
#include "figure/layout/cups.h"
#include "figure/layout/graph.h"
#include "figure/layout/lines.h"
#include "figure/layout/naming.h"
#include "figure/layout/node-title.h"
#include "figure/layout/overhang.h"
#include "figure/layout/regions.h"

#include <math.h>

#define LABEL_HALF 19. /* px: least distance of a label's centre from an edge or from the end of a line */
#define NAMED_HALF 10. /* …and from a bend or a step of a separator */
#define BESIDE_LABEL 2.5 /* on both sides of a label … */
#define BESIDE_NONE                                                                                          \
  6.2 /* …and of the middle of a column that has none: boxes on its sides are no neighbours in print */
#define BESIDE_BARE 2. /* …where one of these has no ground */
#define LEAST_END 16. /* from the middle of names to where their wires begin or end, at least, and … */
#define END_ROOM 4. /* …from their widest */
#define LAST_JOIN 42. /* that wires take at most which join others */
#define BESIDE_FLOAT 4. /* from an elementwise function that reaches over names to what is beside them */
#define BESIDE_END_NAME 20. /* …and a name at the end of wires */
#define CAST_WIDTH 26. /* of the name of a type to which values are cast */
#define NAME_SIZE 24.
#define BEFORE_CROSSED 4. /* from the ground of a crossing to the operation */
#define UNDER_TAG 26. /* px under a wire on which a label stands: names of wires there are covered by it */
#define SLIM_EDGE 12. /* from labels to the edge of a region where they stand on one side of it */

typedef struct
{
  double label, all, name, end_name; /* widths */
  double tag, tag_within; /* …of labels at the edge of a region, and where a wire begins within it */
  double operations, bare; /* with what stands beside them, and without */
  double crossing;
  gboolean begins, ends;
  gboolean names_under_tags; /* which cover them if they stand one under the other */
} Needs;

static double
name_width (const HeddleLayout *self, const HeddleMember *member)
{
  g_autofree char *name = heddle_layout_value_label (self, member->value);

  return heddle_title_width (name, HEDDLE_FONT_MATH, NAME_SIZE) + (member->carded ? HEDDLE_SKIP_ROOM : 0.);
}

static void
widen (double *width, double least)
{
  *width = MAX (*width, least);
}

/* Wires that join over a long way take more room. */
static void
widen_join (const HeddleLayout *self, HeddleFigureNode *node)
{
  double largest = 0.;

  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        {
          const HeddleStrand *strand = heddle_strand (member->strands, j);
          if (strand->join >= 0)
            largest = MAX (largest, fabs (heddle_layout_line_y (self, strand->join)
                                          - heddle_layout_line_y (self, strand->target)));
        }
    }
  if (node->shape == HEDDLE_SHAPE_JOIN)
    node->width = MAX (node->width, node->lead + MIN (0.5 * largest, LAST_JOIN) + node->tail);
}

double
heddle_column_reach (const HeddleColumn *column)
{
  return MAX (LEAST_END, column->half + END_ROOM);
}

/* The columns at which the wires of a member are named: see naming.h. */
static void
need_member (const HeddleLayout *self, const HeddleMember *member, GHashTable *widths, Needs *needs)
{
  for (int t = member->from; t <= member->to; t += member->named_always ? 1 : HEDDLE_LABELS_REPEAT)
    widen (&needs[t].label, heddle_member_widest_name (self, member, t, FALSE, widths));
  widen (&needs[member->to].label, heddle_member_widest_name (self, member, member->to, FALSE, widths));
  if (heddle_layout_cast (self, member) != HEDDLE_DTYPE_UNSET)
    widen (&needs[member->from].label, CAST_WIDTH);
  if (!heddle_dtype_is_real (heddle_diagram_dtype (self->diagram, member->value, HEDDLE_DTYPE_F32)))
    widen (&needs[member->from].label, 2. * (HEDDLE_TYPE_AFTER - BESIDE_LABEL));
  widen (&needs[member->from].tag_within, heddle_layout_widest_tags_within (self, member));
}

/* Notes the room that names take where a region or a line begins or ends: all axes are named there. */
static void
need_all (const HeddleLayout *self, GHashTable *widths, Needs *needs)
{
  const gboolean wraps = heddle_layout_wrap_width (self) > 0.;

  for (int t = 0; t <= self->n_stages; t++)
    {
      const GPtrArray *live = self->live->pdata[t];
      for (guint i = 0; (wraps || needs[t].begins || needs[t].ends) && i < live->len; i++)
        widen (&needs[t].all, heddle_member_widest_name (self, live->pdata[i], t, TRUE, widths));
    }
}

static double
crossing_width (const HeddleLayout *self, const HeddleMember *member)
{
  const gboolean bare = member->reader >= 0 && heddle_layout_node (self, member->reader)->bare;

  return bare ? HEDDLE_CROSSING_BARE : HEDDLE_CROSSING;
}

/* Returns whether a name at column @t lies so near under @tagged, a wire on which a label stands, that this would cover it. */
static gboolean
is_name_under (const HeddleLayout *self, int t, double tagged)
{
  const GPtrArray *live = self->live->pdata[t];

  for (guint i = 0; i < live->len; i++)
    {
      const HeddleMember *member = live->pdata[i];
      for (guint j = 0; j < member->strands->len; j++)
        {
          const HeddleStrand *strand = heddle_strand (member->strands, j);
          const double under = heddle_layout_line_y (self, strand->line) - tagged;
          if (under > 0.5 && under < UNDER_TAG && strand->axis != NULL
              && heddle_member_names (member, strand, t)
              && (member->from < t || heddle_layout_tags_within (self, member, strand) == NULL))
            return TRUE;
        }
    }
  return FALSE;
}

static gboolean
has_names_under_tags (const HeddleLayout *self, const HeddleMember *member)
{
  for (guint i = 0; i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      if (heddle_layout_tags_within (self, member, strand) != NULL
          && is_name_under (self, member->from, heddle_layout_line_y (self, strand->line)))
        return TRUE;
    }
  return FALSE;
}

static Needs *
collect_needs (const HeddleLayout *self)
{
  Needs *needs = g_new0 (Needs, self->n_stages + 2);
  g_autoptr (GHashTable) widths = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  for (guint i = 0; i < self->members->len; i++)
    {
      const HeddleMember *member = heddle_layout_member (self, i);
      need_member (self, member, widths, needs);
      needs[member->from].names_under_tags |= has_names_under_tags (self, member);
      if (member->start == HEDDLE_START_INPUT || member->start == HEDDLE_START_LOAD)
        widen (&needs[member->from].name, name_width (self, member));
      if (member->end == HEDDLE_END_OUTPUT || member->end == HEDDLE_END_SAVE)
        widen (&needs[member->to].end_name, name_width (self, member));
      if (member->crosses)
        widen (&needs[member->to].crossing, crossing_width (self, member));
    }
  for (guint i = 0; i < self->nodes->len; i++)
    {
      HeddleFigureNode *node = heddle_layout_node (self, i);
      widen_join (self, node);
      heddle_figure_node_widen_cup (self, node);
      const double attached = node->attached_width > 0. ? node->attached_width + HEDDLE_ATTACHED_GAP : 0.;
      if (node->shape == HEDDLE_SHAPE_FLOAT)
        continue; /* it may need no column of its own */
      needs[node->stage].operations = MAX (needs[node->stage].operations, node->width + attached);
      needs[node->stage].bare = MAX (needs[node->stage].bare, node->width);
    }
  for (guint i = 0; i < self->regions->len; i++)
    {
      const HeddleShownRegion *region = heddle_layout_region (self, i);
      if (region == NULL || region->last < 0)
        continue;
      needs[region->first].begins = needs[region->last + 1].ends = TRUE;
      for (guint j = 0; j < region->labels->len; j++)
        widen (&needs[region->first].tag,
            heddle_layout_tags_width (self, region, ((HeddleLabel *) region->labels->pdata[j])->axis));
    }
  need_all (self, widths, needs);
  return needs;
}

/* Returns whether no operation of stage @t has a ground. */
static gboolean
is_bare_stage (const HeddleLayout *self, int t)
{
  const GPtrArray *nodes = t >= 0 && t < self->n_stages ? self->stages->pdata[t] : NULL;

  for (guint i = 0; nodes != NULL && i < nodes->len; i++)
    if (!((const HeddleFigureNode *) nodes->pdata[i])->bare)
      return FALSE;
  return nodes != NULL && nodes->len > 0;
}

/* Returns whether the labels of a column have a place of their own, before its names. */
static gboolean
tags_stand_before (const HeddleColumn *column, const Needs *needs)
{
  return needs->names_under_tags && !needs->begins && !needs->ends && !column->breaks;
}

/* Returns where names begin after the labels that have a place of their own from @x on. */
static double
place_tags (HeddleColumn *column, const Needs *needs, double x)
{
  column->tags = G_MAXDOUBLE;
  if (!tags_stand_before (column, needs))
    return x;
  column->tags = x + needs->tag_within / 2.;
  return x + needs->tag_within;
}

/* Returns the half of what the names of axes take at column @t. */
static double
names_half (const HeddleLayout *self, int t, const Needs *needs)
{
  const HeddleColumn *column = heddle_layout_column (self, t);
  const gboolean slim = self->figure->slim;

  if (column->breaks || ((needs->begins || needs->ends) && !slim))
    return column->wrapped;
  const double unnamed = is_bare_stage (self, t - 1) || is_bare_stage (self, t) ? BESIDE_BARE : BESIDE_NONE;
  const double named = needs->label > 0. ? MAX (NAMED_HALF, needs->label / 2. + BESIDE_LABEL) : unnamed;

  return tags_stand_before (column, needs) || (slim && needs->ends) ? named
                                                                    : MAX (named, needs->tag_within / 2.);
}

/* Returns where the next line begins. */
static double
place_break (HeddleColumn *column, const Needs *needs, double x)
{
  column->turn = x + column->half;
  column->wrap = column->turn + column->half + HEDDLE_LINE_TAIL + needs->end_name;
  return column->wrap + HEDDLE_LINE_HEAD + (needs->name > 0. ? needs->name + HEDDLE_NAME_ROOM : 0.);
}

/* Places labels with names on the outer side of a region's edge alone. */
static double
place_slim_labels (HeddleColumn *column, const Needs *needs, double x)
{
  if (needs->ends)
    {
      column->after = needs->tag_within > 0. ? x + needs->tag_within / 2. : G_MAXDOUBLE;
      column->save = x + needs->tag_within + SLIM_EDGE;
      x = column->save + BESIDE_LABEL;
    }
  if (column->breaks)
    x = place_break (column, needs, x);
  column->labels = x + column->half;
  x = column->labels + column->half;
  if (needs->begins)
    {
      column->load = x + MAX (SLIM_EDGE, needs->tag / 2.);
      x = column->load + MAX (SLIM_EDGE, needs->tag / 2.);
    }
  return x;
}

static double
place_labels (const HeddleLayout *self, int t, const Needs *needs, double x)
{
  HeddleColumn *column = heddle_layout_column (self, t);
  const double names = MAX (needs->label, needs->all) / 2. + BESIDE_LABEL;
  column->wrapped = MAX (LABEL_HALF, MAX (names, needs->tag_within / 2.));
  const double half = column->half = names_half (self, t, needs);

  column->outer = column->after = column->load = column->save = G_MAXDOUBLE;
  x = place_tags (column, needs, x);
  if (self->figure->slim)
    return place_slim_labels (column, needs, x);
  if (needs->ends)
    {
      column->after = x + half;
      column->save = column->after + HEDDLE_EDGE;
      x = column->save + HEDDLE_EDGE - half;
    }
  if (column->breaks)
    x = place_break (column, needs, x);
  if (needs->begins)
    {
      column->outer = x + half;
      column->load = column->outer + MAX (HEDDLE_EDGE, LABEL_HALF + needs->tag / 2.);
      x = column->load + MAX (HEDDLE_EDGE, LABEL_HALF + needs->tag / 2.) - half;
    }
  column->labels = x + half;
  return column->labels + half;
}

typedef struct
{
  double left, right; /* px */
} Sides;

/* Returns the room over the names of column @t for @node, which floats. */
static double
room_over_names (const HeddleLayout *self, const Needs *needs, const HeddleFigureNode *node, int t)
{
  if (needs[t].begins || needs[t].ends || needs[t].tag_within > 0. || needs[t].name > 0.
      || needs[t].end_name > 0. || !heddle_layout_floats_over_names (self, node, t))
    return 0.;
  return 2. * names_half (self, t, &needs[t]) - BESIDE_FLOAT;
}

/* Returns how far an operation reaches over what is beside its column: an elementwise function that stands over its wire
 * reaches over names in other rows, and over wires that come up to its own. */
static Sides
sides_of (const HeddleLayout *self, const Needs *needs, const HeddleFigureNode *node)
{
  const int t = node->stage;
  Sides sides = { 0., 0. };

  if (node->shape != HEDDLE_SHAPE_FLOAT || node->dx != 0.)
    return sides;
  if (needs[t].crossing <= 0. && heddle_layout_room_before_blocks (self, t) <= 0.)
    sides.left = room_over_names (self, needs, node, t);
  if (heddle_layout_room_after_blocks (self, t) <= 0.)
    sides.right = room_over_names (self, needs, node, t + 1);
  if (sides.right > 0. && needs[t + 1].crossing <= 0. && heddle_layout_room_before_blocks (self, t + 1) <= 0.)
    sides.right += heddle_layout_floats_over_join (self, node);
  return sides;
}

/* Places the operations of stage @t, which have @width px. */
static void
place_nodes (HeddleLayout *self, const Needs *needs, int t, double width)
{
  const GPtrArray *nodes = self->stages->pdata[t];

  for (guint i = 0; i < nodes->len; i++)
    {
      HeddleFigureNode *node = nodes->pdata[i];
      const Sides sides = sides_of (self, needs, node);
      const double spare = sides.left + width + sides.right - node->width;
      node->x = heddle_layout_column (self, t)->operations + node->dx;
      if (sides.left + sides.right <= 0.)
        continue;
      node->x += spare / 2. - sides.left;
      widen (&heddle_layout_column (self, t)->over_right, sides.left);
      widen (&heddle_layout_column (self, t + 1)->over_left, sides.right);
    }
}

/* Returns what the operations of stage @t take at least. */
static double
least_width (const HeddleLayout *self, int t)
{
  const GPtrArray *nodes = self->stages->pdata[t];
  double width = 0.;

  for (guint i = 0; i < nodes->len; i++)
    width = MAX (width, ((const HeddleFigureNode *) nodes->pdata[i])->width);
  return width;
}

/* Returns what the name at the end of @member takes beside the operations of stage @t: nothing where it finds room over
 * the columns that follow. */
static double
end_name_width (const HeddleLayout *self, const Needs *needs, const HeddleMember *member, int t)
{
  const double width = name_width (self, member) + BESIDE_END_NAME;
  double room = least_width (self, t);

  for (int next = t + 1; room < width && heddle_layout_name_reaches_over (self, member, next); next++)
    room += 2. * names_half (self, next, &needs[next]) + least_width (self, next);
  return room < width ? width : 0.;
}

/* Returns the room for the names of what ends beside the operations of stage @t. */
static double
end_names_width (const HeddleLayout *self, const Needs *needs, int t)
{
  const GPtrArray *live = self->live->pdata[t];
  double width = 0.;

  if (needs[t].end_name <= 0. || t >= self->n_stages || heddle_layout_column (self, t)->breaks)
    return 0.;
  for (guint i = 0; i < live->len; i++)
    {
      const HeddleMember *member = live->pdata[i];
      if (member->to == t && (member->end == HEDDLE_END_OUTPUT || member->end == HEDDLE_END_SAVE))
        width = MAX (width, end_name_width (self, needs, member, t));
    }
  return width;
}

/* Returns the room for the operations of stage @t. A scale that may reach over what follows takes none; for
 * what was moved it gives way. */
static double
operations_width (const HeddleLayout *self, const Needs *needs, int t)
{
  const GPtrArray *nodes = self->stages->pdata[t];
  double width = needs[t].bare;

  for (guint i = 0; i < nodes->len; i++)
    {
      const HeddleFigureNode *node = nodes->pdata[i];
      const Sides sides = sides_of (self, needs, node);
      const gboolean over = node->attached_width <= 0. || heddle_layout_reaches_over (self, node);
      if (sides.left + sides.right > 0.)
        {
          width = MAX (width, node->width - sides.left - sides.right);
          continue;
        }
      const double own = node->width + (over ? 0. : node->attached_width + HEDDLE_ATTACHED_GAP);
      const double moved = node->dx > 0. ? node->dx + own : 0.;
      width = MAX (width, MAX (moved, own > needs[t].bare ? MAX (own, needs[t].operations) : 0.));
    }
  return width;
}

static void
place_columns (HeddleLayout *self, const Needs *needs)
{
  double x = 0.;

  for (int t = 0; t <= self->n_stages; t++)
    heddle_layout_column (self, t)->over_left = heddle_layout_column (self, t)->over_right = 0.;
  for (int t = 0; t <= self->n_stages; t++)
    {
      HeddleColumn *column = heddle_layout_column (self, t);
      const double before_names = x;
      if (t > 0 && needs[t].name > 0. && !column->breaks)
        x += needs[t].name + HEDDLE_NAME_ROOM;
      column->x = t == 0 ? 0. : before_names;
      x = place_labels (self, t, &needs[t], t == 0 ? 5. : x);
      column->cross = x + (t == 0 ? 5. : 0.) + heddle_layout_room_before_blocks (self, t);
      column->crossing = needs[t].crossing;
      column->operations = column->cross + column->crossing
                           + (column->crossing > HEDDLE_CROSSING_BARE ? BEFORE_CROSSED : 0.);
      const double widest = MAX (operations_width (self, needs, t), end_names_width (self, needs, t));
      column->bends = column->operations + widest + heddle_layout_room_after_blocks (self, t);
      place_nodes (self, needs, t, widest);
      x = column->bends + heddle_layout_bends_width (self, t, widest);
    }
  const HeddleColumn *last = heddle_layout_column (self, self->n_stages);
  self->right = last->labels + heddle_column_reach (last);
}

/* Places columns from left to right, from where the inputs' wires begin. A figure that is to be wrapped is
 * still one line here, with room for the wires to turn where its lines will end (paint/lines.c). */
void
heddle_layout_place_columns (HeddleLayout *self)
{
  g_autofree Needs *needs = collect_needs (self);

  g_array_set_size (self->columns, self->n_stages + 1);
  place_columns (self, needs);
  if (heddle_layout_wrap_width (self) > 0. && heddle_layout_choose_breaks (self))
    place_columns (self, needs);
}
