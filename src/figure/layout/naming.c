/* SPDX-License-Identifier: MIT */
#include "diagram/document/presentation.h"
#include "figure/layout/figure-spec.h"
#include "figure/layout/naming.h"

/* At which columns axes are named: where a wire begins, where it leaves, before an operation that acts along it, and again after a while. */

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

static const HeddleStrand *
find_result (const HeddleFigureNode *node, const char *value, const char *axis)
{
  for (guint i = 0; i < node->results->len; i++)
    {
      const HeddleStrand *result = heddle_strand (node->results, i);
      if (result->axis == axis && result->value == value)
        return result;
    }
  return NULL;
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
      const HeddleStrand *result = node != NULL ? find_result (node, member->value, strand->axis) : NULL;
      const gboolean passes = result != NULL && !result->fresh;
      strand->named = passes ? named_before (self, node, result) : NEVER;
      const gboolean floats = passes && node->shape == HEDDLE_SHAPE_FLOAT; /* nothing is in the way */
      strand->begins_named = member->from - strand->named >= in_sight;
      strand->ends_named = FALSE;
      strand->ends_named = member->end == HEDDLE_END_OPERATION && strand->core
                           && member->to - last_named (member, strand)
                                  >= (is_long (self) && passes && !floats ? 1 : in_sight);
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
