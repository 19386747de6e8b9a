/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "figure/layout/blocks.h"
#include "figure/layout/casts.h"
#include "figure/layout/figure-node.h"
#include "figure/layout/graph.h"
#include "figure/layout/layout.h"
#include "figure/layout/regions.h"
#include "figure/layout/ribbons.h"
#include "figure/layout/overhang.h"
#include "figure/layout/rows.h"
#include "figure/layout/title-size.h"
#include "figure/layout/weave.h"
#include "figure/layout/box.h"
#include "figure/layout/lines.h"
#include "figure/layout/naming.h"
#include "figure/scene/scene.h"
#include "diagram/graph/operation.h"
#include "figure/layout/combine.h"
#include "figure/layout/cups.h"
#include "figure/layout/norms.h"
#include <math.h>

static GHashTable *
index_nudges (const HeddlePresentation *presentation)
{
  GHashTable *nudges = g_hash_table_new (NULL, NULL);

  for (guint i = 0; presentation != NULL && i < presentation->nudges->len; i++)
    {
      HeddleNudge *nudge = &g_array_index (presentation->nudges, HeddleNudge, i);
      g_hash_table_insert (nudges, (gpointer) nudge->object, nudge);
    }
  return nudges;
}

gboolean
heddle_layout_nudge (const HeddleLayout *self, const char *object, double *dx, double *dy)
{
  const HeddleNudge *nudge = object != NULL ? g_hash_table_lookup (self->nudges, object) : NULL;

  *dx = nudge != NULL ? nudge->dx : 0.;
  *dy = nudge != NULL ? nudge->dy : 0.;
  return nudge != NULL;
}

static void
assign_regions (HeddleLayout *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      HeddleFigureNode *node = heddle_layout_node (self, i);
      node->region = GPOINTER_TO_INT (g_hash_table_lookup (self->region_of, node->operation->id)) - 1;
      if (node->region < 0)
        continue;
      HeddleShownRegion *region = self->regions->pdata[node->region];
      region->first = MIN (region->first, node->stage);
      region->last = MAX (region->last, node->stage);
    }
}

static GHashTable *
index_outputs (const HeddleDiagram *diagram)
{
  GHashTable *ids = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (diagram);

  for (guint i = 0; i < outputs->len; i++)
    g_hash_table_add (ids, (gpointer) heddle_ids_index (outputs, i));
  return ids;
}

/* Nobody took their names away. */
static GHashTable *
find_named_inputs (const HeddleLayout *self)
{
  GHashTable *ids = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->diagram->values->len; i++)
    {
      const char *id = ((const HeddleValue *) self->diagram->values->pdata[i])->id;
      g_autofree char *label = heddle_layout_value_label (self, id);
      if (heddle_diagram_get_producer (self->diagram, id) == NULL && *label != '\0'
          && !g_str_equal (label, "{}"))
        g_hash_table_add (ids, (gpointer) id);
    }
  return ids;
}

static void layout_place_shapes (HeddleLayout *self);
static void layout_place_boxes (HeddleLayout *self);
static void layout_place_columns (HeddleLayout *self);

/* All places, for painting. */
HeddleLayout *
heddle_layout_new (const HeddleFigure *figure)
{
  HeddleLayout *self = g_new0 (HeddleLayout, 1);

  self->figure = figure;
  self->diagram = figure->diagram;
  self->nodes = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_figure_node_free);
  self->node_of = g_hash_table_new (NULL, NULL);
  self->outputs = index_outputs (figure->diagram);
  self->region_of = g_hash_table_new (NULL, NULL);
  self->inlined = g_hash_table_new (NULL, NULL);
  self->nudges = index_nudges (figure->presentation);
  self->lines = g_array_new (FALSE, FALSE, sizeof (HeddleLine));
  self->constraints = g_array_new (FALSE, FALSE, sizeof (HeddleConstraint));
  self->columns = g_array_new (FALSE, TRUE, sizeof (HeddleColumn));
  heddle_layout_find_regions (self);
  heddle_layout_make_nodes (self);
  self->named_inputs = find_named_inputs (self);
  heddle_layout_build_graph (self);
  assign_regions (self);
  self->blocks = heddle_layout_find_blocks (self);
  heddle_layout_weave (self);
  heddle_layout_choose_names (self);
  heddle_layout_solve_rows (self);
  layout_place_boxes (self);
  layout_place_columns (self);
  layout_place_shapes (self);
  heddle_layout_place_blocks (self, heddle_layout_wrap_width (self) > 0.);
  return self;
}

void
heddle_layout_free (HeddleLayout *self)
{
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->members);
  g_ptr_array_unref (self->live);
  g_ptr_array_unref (self->stages);
  g_ptr_array_unref (self->regions);
  g_ptr_array_unref (self->blocks);
  g_hash_table_unref (self->node_of);
  g_hash_table_unref (self->outputs);
  g_hash_table_unref (self->region_of);
  g_hash_table_unref (self->inlined);
  g_hash_table_unref (self->named_inputs);
  g_hash_table_unref (self->nudges);
  g_array_unref (self->lines);
  g_array_unref (self->constraints);
  g_array_unref (self->columns);
  g_free (self);
}

/* Returns whether a bend from @x1 to @x2 keeps clear of @node. */
static gboolean
bend_is_clear (
    const HeddleLayout *self, const HeddleFigureNode *node, double x1, double y1, double x2, double y2)
{
  const double right
      = node->x + node->width + (node->attached_width > 0. ? node->attached_width + HEDDLE_ATTACHED_GAP : 0.);
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
      if (x > node->x - 3. && x < right + 3. && y > top - 3. && y < bottom + 3.)
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
#define LAST_JOIN 42. /* …and wires that join others */
#define BEND_STEPS 8 /* places at which a bend may begin beside an operation */

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
is_joined (const HeddleLayout *self, const HeddleFigureNode *node, int line)
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

static gboolean
moves (const HeddleLayout *self, const HeddleStrand *strand)
{
  return fabs (heddle_layout_line_y (self, strand->line) - heddle_layout_line_y (self, strand->source)) > 0.5;
}

/* Where the wires of @member may bend at the earliest: beside the operation before, but not before the dots in which others join them. */
static double
earliest_bend (const HeddleLayout *self, const HeddleMember *member)
{
  const double beside = heddle_layout_column (self, MAX (member->from - 1, 0))->operations - 8.;

  if (member->start != HEDDLE_START_OPERATION)
    return beside;
  const HeddleFigureNode *node = heddle_layout_node (self, member->producer);
  for (guint i = 0; i < member->strands->len; i++)
    if (moves (self, heddle_strand (member->strands, i))
        && is_joined (self, node, heddle_strand (member->strands, i)->source))
      return MAX (beside, node->x + node->width);
  return beside;
}

/* The first place from @x1 to @x2 at which a bend of @length, or as long as it can be before @end, keeps clear of what it begins beside. */
static double
first_clear (
    const HeddleLayout *self, const HeddleMember *member, double x1, double x2, double length, double end)
{
  for (int i = 0; i < BEND_STEPS; i++)
    {
      const double x = x1 + (x2 - x1) * i / BEND_STEPS;
      if (member_bends_clear (self, member, x, MIN (x + length, end)))
        return x;
    }
  return x2;
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

#define LABEL_HALF 19. /* px: least distance of a label's centre from an edge or from the end of a line */
#define NAMED_HALF 13. /* …and from a bend or a step of a separator */
#define BESIDE_LABEL 4. /* on both sides of a label … */
#define BESIDE_NONE                                                                                          \
  6.2 /* …and of the middle of a column that has none: boxes on its sides are no neighbours in print */
#define CAST_WIDTH 26. /* of the name of a type to which values are cast */
#define NAME_SIZE 24.
#define BEFORE_CROSSED 4. /* from a crossing to the operation */
#define EDGE 34. /* from labels to the edge of a region */
#define SLIM_EDGE 12. /* …where they stand on one side of it */

typedef struct
{
  double label, all, name, end_name; /* widths */
  double tag, tag_within; /* …of labels at the edge of a region, and where a wire begins within it */
  double operations, bare; /* with what stands beside them, and without */
  double crossing;
  gboolean begins, ends;
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
    node->width = MAX (node->width, node->lead + MIN (0.6 * largest, LAST_JOIN) + node->tail);
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
  widen (&needs[member->from].tag_within, heddle_layout_widest_tags_within (self, member));
}

/* Where a region or a line begins or ends all axes are named. */
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

static Needs *
collect_needs (const HeddleLayout *self)
{
  Needs *needs = g_new0 (Needs, self->n_stages + 2);
  g_autoptr (GHashTable) widths = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  for (guint i = 0; i < self->members->len; i++)
    {
      const HeddleMember *member = heddle_layout_member (self, i);
      need_member (self, member, widths, needs);
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

/* Returns the room for bends after the operations of stage @t. */
static double
bends_width (HeddleLayout *self, int t, double operations)
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
      const double free = fresh ? 0. : end - first_clear (self, member, x, end, length, G_MAXDOUBLE);
      width = MAX (
          width, member->start == HEDDLE_START_COPY ? length + 14. : MAX (length - free, MIN (length, 24.)));
    }
  return width;
}

/* The half of what the names of axes take at a column. */
static double
names_half (const HeddleColumn *column, const Needs *needs, gboolean slim)
{
  if (column->breaks || ((needs->begins || needs->ends) && !slim))
    return column->wrapped;
  const double named = needs->label > 0. ? MAX (NAMED_HALF, needs->label / 2. + BESIDE_LABEL) : BESIDE_NONE;

  return slim && needs->ends ? named : MAX (named, needs->tag_within / 2.);
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
place_labels (const HeddleLayout *self, HeddleColumn *column, const Needs *needs, double x)
{
  const double names = MAX (needs->label, needs->all) / 2. + BESIDE_LABEL;
  column->wrapped = MAX (LABEL_HALF, MAX (names, needs->tag_within / 2.));
  const double half = column->half = names_half (column, needs, self->figure->slim);

  column->outer = column->after = column->load = column->save = G_MAXDOUBLE;
  if (self->figure->slim)
    return place_slim_labels (column, needs, x);
  if (needs->ends)
    {
      column->after = x + half;
      column->save = column->after + EDGE;
      x = column->save + EDGE - half;
    }
  if (column->breaks)
    x = place_break (column, needs, x);
  if (needs->begins)
    {
      column->outer = x + half;
      column->load = column->outer + MAX (EDGE, LABEL_HALF + needs->tag / 2.);
      x = column->load + MAX (EDGE, LABEL_HALF + needs->tag / 2.) - half;
    }
  column->labels = x + half;
  return column->labels + half;
}

static void
place_nodes (HeddleLayout *self, int t)
{
  const GPtrArray *nodes = self->stages->pdata[t];

  for (guint i = 0; i < nodes->len; i++)
    {
      HeddleFigureNode *node = nodes->pdata[i];
      node->x = heddle_layout_column (self, t)->operations + node->dx;
    }
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
      const gboolean over = node->attached_width <= 0. || heddle_layout_reaches_over (self, node);
      const double own = node->width + (over ? 0. : node->attached_width + HEDDLE_ATTACHED_GAP);
      const double moved = node->dx > 0. ? node->dx + own : 0.;
      width = MAX (width, MAX (moved, own > needs[t].bare ? needs[t].operations : 0.));
    }
  return width;
}

static void
place_columns (HeddleLayout *self, const Needs *needs)
{
  double x = 0.;

  for (int t = 0; t <= self->n_stages; t++)
    {
      HeddleColumn *column = heddle_layout_column (self, t);
      const double before_names = x;
      if (t > 0 && needs[t].name > 0. && !column->breaks)
        x += needs[t].name + HEDDLE_NAME_ROOM;
      column->x = t == 0 ? 0. : before_names;
      x = place_labels (self, column, &needs[t], t == 0 ? 5. : x);
      column->cross = x + (t == 0 ? 5. : 0.) + heddle_layout_room_before_blocks (self, t);
      column->crossing = needs[t].crossing;
      column->operations = column->cross + (column->crossing > 0. ? column->crossing + BEFORE_CROSSED : 0.);
      const gboolean named = needs[t].end_name > 0. && t < self->n_stages && !column->breaks;
      const double widest = MAX (operations_width (self, needs, t), named ? needs[t].end_name + 20. : 0.);
      column->bends = column->operations + widest + heddle_layout_room_after_blocks (self, t);
      place_nodes (self, t);
      x = column->bends + bends_width (self, t, widest);
    }
  self->right = heddle_layout_column (self, self->n_stages)->labels + 20.;
}

/* Places columns from left to right, from where the inputs' wires begin. A figure that is to be wrapped is
 * still one line here, with room for the wires to turn where its lines will end (paint/lines.c). */
static void
layout_place_columns (HeddleLayout *self)
{
  g_autofree Needs *needs = collect_needs (self);

  g_array_set_size (self->columns, self->n_stages + 1);
  place_columns (self, needs);
  if (heddle_layout_wrap_width (self) > 0. && heddle_layout_choose_breaks (self))
    place_columns (self, needs);
}

#define TITLE_REACH 40.

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

/* Returns the y of the title, over the uppermost result: above the dots, or after them and nearer. */
double
heddle_figure_node_title_y (const HeddleLayout *self, const HeddleFigureNode *node)
{
  double y = node->bottom;

  for (guint i = 0; i < node->results->len; i++)
    y = MIN (y, heddle_figure_node_shift (node, line_y (self, heddle_strand (node->results, i)->line)));
  return y - (node->tail > HEDDLE_JOIN_TAIL ? 6. : 12.);
}

/* Gives what of a node others must not touch: its box, or the title; FALSE means nothing but its wires. */
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

/* Gives each node the top and the bottom of its box, in px, from the heights of its wires and its nudge. */
static void
layout_place_boxes (HeddleLayout *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      HeddleFigureNode *node = heddle_layout_node (self, i);
      heddle_layout_nudge (self, node->operation->id, &node->dx, &node->dy);
      place_box (self, node);
    }
}

/* Sets where each wire begins, bends and ends, in px. Boxes and columns have their places. */
static void
layout_place_shapes (HeddleLayout *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      end_strands (self, heddle_layout_node (self, i));
      begin_results (self, heddle_layout_node (self, i));
    }
  for (guint i = 0; i < self->members->len; i++)
    {
      begin_strands (self, heddle_layout_member (self, i));
      member_place_bends (self, heddle_layout_member (self, i));
    }
}
