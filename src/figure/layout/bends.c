/* SPDX-License-Identifier: MIT */
#include "diagram/graph/diagram.h"
#include "figure/layout/bends.h"
#include "figure/layout/layout.h"
#include "figure/layout/shapes.h"

#include <math.h>

/* Whether a bend from @x1 to @x2 keeps clear of @node. */
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

/* Whether all bends of a member keep clear of the boxes and titles of the stage before it. */
gboolean
heddle_member_bends_clear (const HeddleLayout *self, const HeddleMember *member, double x1, double x2)
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

static gboolean
is_copied (const HeddleLayout *self, const HeddleMember *member)
{
  return heddle_diagram_count_readers (self->diagram, member->value)
             + g_hash_table_contains (self->outputs, member->value)
         > 1;
}

/* Where the wires of a member change their height. */
void
heddle_member_place_bends (HeddleLayout *self, HeddleMember *member)
{
  const HeddleColumn *before = heddle_layout_column (self, MAX (member->from - 1, 0));
  double largest = 0.;
  gboolean fresh = FALSE;

  member->bend_to = heddle_layout_column (self, member->from)->x;
  member->bend_from = before->bends + (member->start == HEDDLE_START_COPY ? 6. : 0.);
  for (guint i = 0; i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      const double dy
          = fabs (heddle_layout_line_y (self, strand->line) - heddle_layout_line_y (self, strand->source));
      largest = MAX (largest, dy);
      fresh |= strand->fresh && dy > 0.5;
    }
  if (member->start != HEDDLE_START_OPERATION || is_copied (self, member))
    return;
  const double wish = member->bend_to - CLAMP (largest, 32., 84.),
               early = MAX (wish, before->operations - 8.);
  if (fresh || wish >= member->bend_from)
    member->bend_from = MAX (wish, member->bend_from);
  else if (heddle_member_bends_clear (self, member, early, member->bend_to))
    member->bend_from = early;
}
