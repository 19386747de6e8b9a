/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/bends.h"
#include "figure/layout/blocks.h"
#include "figure/layout/box.h"
#include "figure/layout/columns.h"
#include "figure/layout/graph.h"
#include "figure/layout/layout.h"
#include "figure/layout/lines.h"
#include "figure/layout/regions.h"
#include "figure/layout/skips.h"
#include "figure/scene/scene.h"
#include "figure/typeset/label.h"

#include <math.h>

#define LABEL_HALF 19. /* px: least distance of a label's centre from an edge or from the end of a line */
#define NAMED_HALF 14. /* …and from a bend or a step of a separator */
#define BESIDE_LABEL 7. /* on both sides of a label, and of the middle of a column that has none */
#define CAST_WIDTH 26. /* of the name of a type to which values are cast */
#define LABEL_SIZE 16.
#define NAME_SIZE 24.
#define CROSSING 49.
#define FIRST_STEEP 32. /* px a bend takes at least … */
#define LAST_STEEP 84. /* … and at most; between these as much as it goes down */
#define EDGE 34. /* from labels to the edge of a region */
#define NAME_ROOM 22. /* beside the name of an array that begins on the way */

typedef struct
{
  double label, name, end_name, tag; /* widths */
  double operations;
  gboolean crosses, begins, ends;
} Needs;

static double
measure (const char *source, double size)
{
  const HeddleColor ink = { 0., 0., 0., 1. };

  return heddle_math_layout (NULL, 0, NULL, source, HEDDLE_FONT_MATH, size, ink, 0., 0., NULL, NULL);
}

static double
name_width (const HeddleLayout *self, const char *value)
{
  g_autofree char *name = heddle_layout_value_label (self, value);

  return measure (name, NAME_SIZE) + (heddle_layout_skips (self, value, -1) ? HEDDLE_SKIP_ROOM : 0.);
}

static void
widen (double *width, double least)
{
  *width = MAX (*width, least);
}

/* An axis is labelled at every column: @widths has those that were measured, by their ids. */
static double
axis_width (const HeddleLayout *self, const HeddleAxis *axis, GHashTable *widths)
{
  double *width = g_hash_table_lookup (widths, axis->id);

  if (width == NULL)
    {
      width = g_new (double, 1);
      *width = measure (heddle_layout_axis_label (self, axis), LABEL_SIZE);
      g_hash_table_insert (widths, (gpointer) axis->id, width);
    }
  return *width;
}

static void
need_labels (const HeddleLayout *self, const HeddleMember *member, gboolean only_core, GHashTable *widths,
    Needs *needs)
{
  for (guint i = 0; i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      const char *id = only_core && !strand->core ? NULL : strand->axis;
      const HeddleAxis *axis = id != NULL ? heddle_diagram_get_axis (self->diagram, id) : NULL;
      if (axis != NULL)
        needs->label = MAX (needs->label, axis_width (self, axis, widths));
    }
}

/* All of an axis stand side by side. */
static double
tags_width (const HeddleLayout *self, const HeddleShownRegion *region, const char *id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, id);
  double width = 0.;

  for (guint i = 0; axis != NULL && i < region->labels->len; i++)
    {
      const HeddleLabel *label = region->labels->pdata[i];
      if (label->axis != id || label->kind > HEDDLE_LABEL_STREAM)
        continue;
      g_autofree char *text = g_strdup_printf ("g_{%s} = %" G_GINT64_FORMAT, axis->name, label->size);
      width += measure (text, 14.8) + 24.;
    }
  return width;
}

static void
need_tags (const HeddleLayout *self, const HeddleShownRegion *region, Needs *needs)
{
  for (guint i = 0; i < region->labels->len; i++)
    {
      const HeddleLabel *label = region->labels->pdata[i];
      needs->tag = MAX (needs->tag, tags_width (self, region, label->axis));
    }
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
    node->width = MAX (node->width, MIN (0.7 * largest, LAST_STEEP) + node->tail);
}

/* The columns at which the wires of a member are named: see paint/labels.c. */
static void
need_member (const HeddleLayout *self, const HeddleMember *member, GHashTable *widths, Needs *needs)
{
  for (int t = member->from; t <= member->to; t += HEDDLE_LABELS_REPEAT)
    need_labels (self, member, FALSE, widths, &needs[t]);
  need_labels (self, member, member->end == HEDDLE_END_OPERATION, widths, &needs[member->to]);
  if (member->start == HEDDLE_START_OPERATION
      && heddle_diagram_get_value (self->diagram, member->value)->dtype != HEDDLE_DTYPE_UNSET)
    widen (&needs[member->from].label, CAST_WIDTH);
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
        widen (&needs[member->from].name, name_width (self, member->value));
      if (member->end == HEDDLE_END_OUTPUT || member->end == HEDDLE_END_SAVE)
        widen (&needs[member->to].end_name, name_width (self, member->value));
      needs[member->to].crosses |= member->crosses;
    }
  for (guint i = 0; i < self->nodes->len; i++)
    {
      HeddleFigureNode *node = heddle_layout_node (self, i);
      widen_join (self, node);
      const double attached = node->attached_width > 0. ? node->attached_width + HEDDLE_ATTACHED_GAP : 0.;
      needs[node->stage].operations = MAX (needs[node->stage].operations, node->width + attached);
    }
  for (guint i = 0; i < self->regions->len; i++)
    {
      const HeddleShownRegion *region = heddle_layout_region (self, i);
      if (region == NULL || region->last < 0)
        continue;
      needs[region->first].begins = needs[region->last + 1].ends = TRUE;
      need_tags (self, region, &needs[region->first]);
    }
  return needs;
}

static double
bend_length (double dy)
{
  return dy < 0.5 ? 0. : CLAMP (dy, FIRST_STEEP, LAST_STEEP);
}

/* How far apart a member's wires come and go on. */
static double
largest_step (const HeddleLayout *self, const HeddleMember *member, gboolean *fresh)
{
  double largest = 0.;

  *fresh = member->start == HEDDLE_START_COPY;
  for (guint i = 0; i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      const double dy
          = fabs (heddle_layout_line_y (self, strand->line) - heddle_layout_line_y (self, strand->source));
      *fresh |= dy > 0.5 && strand->fresh;
      if (strand->axis == NULL && member->start == HEDDLE_START_OPERATION)
        largest = MAX (largest, 30.);
      largest = MAX (largest, dy);
    }
  return largest;
}

/* The room for bends after the operations of stage @t. */
static double
bends_width (const HeddleLayout *self, int t, double operations)
{
  const GPtrArray *live = t < self->n_stages ? self->live->pdata[t + 1] : NULL;
  double width = 0.;

  for (guint i = 0; live != NULL && i < live->len; i++)
    {
      const HeddleMember *member = live->pdata[i];
      gboolean fresh;
      if (member->from != t + 1)
        continue;
      const double length = bend_length (largest_step (self, member, &fresh));
      const double x = heddle_layout_column (self, t)->operations - 8.;
      const double free = !fresh && heddle_member_bends_clear (self, member, x, x + length) ? operations : 0.;
      width = MAX (
          width, member->start == HEDDLE_START_COPY ? length + 14. : MAX (length - free, MIN (length, 24.)));
    }
  return width;
}

static double
place_labels (HeddleColumn *column, const Needs *needs, double x)
{
  const double least = needs->begins || needs->ends || column->breaks ? LABEL_HALF
                       : needs->label > 0.                            ? NAMED_HALF
                                                                      : 0.;
  const double half = MAX (least, needs->label / 2. + BESIDE_LABEL);

  column->outer = column->after = column->load = column->save = G_MAXDOUBLE;
  if (needs->ends)
    {
      column->after = x + half;
      column->save = column->after + EDGE;
      x = column->save + EDGE - half;
    }
  if (column->breaks)
    {
      column->turn = x + half;
      column->wrap = column->turn + half + HEDDLE_LINE_TAIL + needs->end_name;
      x = column->wrap + HEDDLE_LINE_HEAD + (needs->name > 0. ? needs->name + NAME_ROOM : 0.);
    }
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

static void
place_columns (HeddleLayout *self, const Needs *needs)
{
  double x = 0.;

  for (int t = 0; t <= self->n_stages; t++)
    {
      HeddleColumn *column = heddle_layout_column (self, t);
      const double before_names = x;
      if (t > 0 && needs[t].name > 0. && !column->breaks)
        x += needs[t].name + NAME_ROOM;
      column->x = t == 0 ? 0. : before_names;
      x = place_labels (column, &needs[t], t == 0 ? 5. : x);
      column->cross = x + (t == 0 ? 5. : 0.) + heddle_layout_room_before_blocks (self, t);
      column->operations = column->cross + (needs[t].crosses ? CROSSING : 0.);
      const gboolean named = needs[t].end_name > 0. && t < self->n_stages && !column->breaks;
      const double widest = MAX (needs[t].operations, named ? needs[t].end_name + 20. : 0.);
      column->bends = column->operations + widest + heddle_layout_room_after_blocks (self, t);
      place_nodes (self, t);
      x = column->bends + bends_width (self, t, widest);
    }
  self->right = heddle_layout_column (self, self->n_stages)->labels + 20.;
}

/* From left to right; the origin is where the inputs' wires begin. A figure that is to be wrapped is still one line here, with room for the
 * wires to turn where its lines will end: see paint/lines.c. */
void
heddle_layout_place_columns (HeddleLayout *self)
{
  g_autofree Needs *needs = collect_needs (self);

  g_array_set_size (self->columns, self->n_stages + 1);
  place_columns (self, needs);
  if (heddle_layout_wrap_width (self) > 0. && heddle_layout_choose_breaks (self))
    place_columns (self, needs);
}
