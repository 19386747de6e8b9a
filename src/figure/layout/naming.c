/* SPDX-License-Identifier: MIT */
#include "diagram/document/presentation.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/box.h"
#include "figure/layout/figure-spec.h"
#include "figure/layout/lookup.h"
#include "figure/layout/naming.h"
#include "figure/layout/node-title.h"
#include "figure/scene/scene.h"

/* At which columns axes are named: where a wire begins, where it leaves, before an operation that acts along it, and again after a while. */

#define LABEL_SIZE 16. /* px */
#define IN_SIGHT 2 /* columns: until then a wire that goes straight on from a name is not named again */
#define IN_SIGHT_SHORT 4 /* …and in a diagram that is not long */
#define NEVER (-2 * HEDDLE_LABELS_REPEAT)
#define LONG_AGO (NEVER - 1)

static gboolean
is_long (const HeddleLayout *self)
{
  return self->n_stages > HEDDLE_MANY_COLUMNS;
}

/* The last column at which the wire is named as it is read, or was before it came to @member. */
static int
last_named (const HeddleMember *member, const HeddleStrand *strand)
{
  const int repeats = (member->to - member->from) / HEDDLE_LABELS_REPEAT;

  if (strand->ends_named)
    return member->to;
  if (repeats > 0)
    return member->from + repeats * HEDDLE_LABELS_REPEAT;
  return strand->begins_named ? member->from : strand->named;
}

/* The column at which the wire that goes straight through @node was named last. In a long diagram one that has gone through another is named
 * again: there the choice hangs on the two operations before, and an edit changes it near by only. */
static int
named_before (const HeddleLayout *self, const HeddleFigureNode *node, const HeddleStrand *result)
{
  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_layout_member (self, heddle_guint (node->members, i));
      for (guint j = 0; j < member->strands->len; j++)
        {
          const HeddleStrand *strand = heddle_strand (member->strands, j);
          if (strand->axis == result->axis && strand->target == result->line)
            return strand->named == NEVER || !is_long (self) ? last_named (member, strand) : LONG_AGO;
        }
    }
  return NEVER;
}

/* Returns whether the wire lies close under the one above it, or comes to do so where its reader begins
 * that one: it is named before. */
static gboolean
is_under_close (const HeddleLayout *self, const GArray *strands, guint i)
{
  return i > 0 && heddle_layout_line_is_close (self, heddle_strand (strands, i - 1)->line);
}

static gboolean
comes_under_close (const HeddleLayout *self, const HeddleMember *member, const HeddleStrand *strand)
{
  const HeddleFigureNode *reader
      = member->end == HEDDLE_END_OPERATION ? heddle_layout_node (self, member->reader) : NULL;

  for (guint i = 0; reader != NULL && reader->shape == HEDDLE_SHAPE_REINDEX && i < reader->results->len; i++)
    if (heddle_strand (reader->results, i)->line == strand->target)
      return is_under_close (self, reader->results, i);
  return FALSE;
}

/* Returns whether the reader is a window behind which the wire has the same name again. */
static gboolean
is_named_behind (const HeddleLayout *self, const HeddleMember *member, const HeddleStrand *strand)
{
  const HeddleFigureNode *reader
      = member->end == HEDDLE_END_OPERATION ? heddle_layout_node (self, member->reader) : NULL;

  return reader != NULL && reader->shape == HEDDLE_SHAPE_REINDEX
         && heddle_layout_look (self, reader->operation) == HEDDLE_LOOK_WINDOW
         && heddle_figure_node_find_result (reader, reader->result, strand->axis) != NULL;
}

static void
choose (const HeddleLayout *self, HeddleMember *member)
{
  const HeddleFigureNode *node
      = member->start == HEDDLE_START_OPERATION ? heddle_layout_node (self, member->producer) : NULL;
  const int in_sight = is_long (self) ? IN_SIGHT : IN_SIGHT_SHORT;
  const HeddlePresentation *presentation = self->figure->presentation;

  member->named_always = presentation != NULL && presentation->bands == HEDDLE_BANDS_SHADED;

  for (guint i = 0; i < member->strands->len; i++)
    {
      HeddleStrand *strand = heddle_strand (member->strands, i);
      const HeddleStrand *result
          = node != NULL ? heddle_figure_node_find_result (node, member->value, strand->axis) : NULL;
      const gboolean passes = result != NULL && !result->fresh;
      strand->named = passes ? named_before (self, node, result) : NEVER;
      const gboolean floats = passes && node->shape == HEDDLE_SHAPE_FLOAT; /* nothing is in the way */
      const gboolean behind = is_named_behind (self, member, strand);
      strand->begins_named
          = member->from - strand->named >= in_sight && !(passes && behind && member->from == member->to);
      strand->ends_named = FALSE;
      const gboolean acts = (strand->core && !behind) || comes_under_close (self, member, strand);
      strand->ends_named = member->end == HEDDLE_END_OPERATION && acts
                           && member->to - last_named (member, strand)
                                  >= (is_long (self) && passes && !floats ? 1 : in_sight);
      if (is_under_close (self, member->strands, i))
        strand->begins_named = strand->ends_named = FALSE;
    }
}

void
heddle_layout_choose_names (HeddleLayout *self)
{
  for (int t = 0; t <= self->n_stages; t++)
    {
      const GPtrArray *live = self->live->pdata[t];
      for (guint i = 0; i < live->len; i++)
        if (((const HeddleMember *) live->pdata[i])->from == t)
          choose (self, live->pdata[i]);
    }
}

gboolean
heddle_member_names (const HeddleMember *member, const HeddleStrand *strand, int t)
{
  if (member->named_always || (t == member->to && (member->end == HEDDLE_END_OUTPUT || strand->ends_named)))
    return TRUE;
  return t == member->from ? strand->begins_named : (t - member->from) % HEDDLE_LABELS_REPEAT == 0;
}

/* An axis is labelled at every column: @widths has those that were measured, by their ids. */
static double
axis_width (const HeddleLayout *self, const HeddleAxis *axis, GHashTable *widths)
{
  double *width = g_hash_table_lookup (widths, axis->id);

  if (width == NULL)
    {
      width = g_new (double, 1);
      *width = heddle_title_width (heddle_layout_axis_label (self, axis), HEDDLE_FONT_MATH, LABEL_SIZE);
      g_hash_table_insert (widths, (gpointer) axis->id, width);
    }
  return *width;
}

double
heddle_member_widest_name (
    const HeddleLayout *self, const HeddleMember *member, int t, gboolean all, GHashTable *widths)
{
  double widest = 0.;

  for (guint i = 0; i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      const HeddleAxis *axis = strand->axis != NULL && (all || heddle_member_names (member, strand, t))
                                   ? heddle_diagram_get_axis (self->diagram, strand->axis)
                                   : NULL;
      if (axis != NULL)
        widest = MAX (widest, axis_width (self, axis, widths));
    }
  return widest;
}
