/* SPDX-License-Identifier: MIT */
#include "diagram/graph/diagram.h"
#include "figure/layout/cups.h"
#include "figure/layout/graph.h"
#include "figure/layout/layout.h"

#include <stdlib.h>

/* px: one cup between members of a tuple is a semicircle; those around it are wider by steps, with straight sides. */
double
heddle_cup_radius (guint level)
{
  return HEDDLE_TUPLE_PITCH / 2. + 10. * MIN (level, 6);
}

static void
cup_free (gpointer data)
{
  HeddleCup *cup = data;

  g_array_unref (cup->strands);
  g_array_unref (cup->members);
  g_free (cup);
}

static HeddleCup *
cup_new (const char *axis)
{
  HeddleCup *cup = g_new0 (HeddleCup, 1);

  cup->axis = axis;
  cup->strands = g_array_new (FALSE, FALSE, sizeof (HeddleStrand *));
  cup->members = g_array_new (FALSE, FALSE, sizeof (HeddleMember *));
  return cup;
}

static int
by_span (gconstpointer a, gconstpointer b)
{
  const HeddleCup *first = *(HeddleCup *const *) a, *second = *(HeddleCup *const *) b;
  const double difference = (first->y2 - first->y1) - (second->y2 - second->y1);

  return difference < 0. ? -1 : difference > 0.;
}

/* The cups of a contraction, narrow ones first: the wires of each contracted axis. An axis of one operand only has a cup of one. */
GPtrArray *
heddle_figure_node_cups (const HeddleLayout *self, const HeddleFigureNode *node)
{
  GPtrArray *cups = g_ptr_array_new_with_free_func (cup_free);

  for (guint k = 0; k < node->operation->axes->len; k++)
    {
      HeddleCup *cup = cup_new (heddle_ids_index (node->operation->axes, k));
      for (guint i = 0; i < node->members->len; i++)
        {
          HeddleMember *member = heddle_figure_node_member (self, node, i);
          for (guint j = 0; j < member->strands->len; j++)
            {
              HeddleStrand *strand = heddle_member_entering (member, j);
              const double y = heddle_layout_line_y (self, strand->target);
              if (strand->axis != cup->axis)
                continue;
              cup->y1 = cup->strands->len == 0 ? y : MIN (cup->y1, y);
              cup->y2 = cup->strands->len == 0 ? y : MAX (cup->y2, y);
              g_array_append_val (cup->strands, strand);
              g_array_append_val (cup->members, member);
            }
        }
      if (cup->strands->len > 0)
        g_ptr_array_add (cups, cup);
      else
        cup_free (cup);
    }
  g_ptr_array_sort (cups, by_span);
  guint level = 0;
  for (guint i = 0; i < cups->len; i++)
    {
      HeddleCup *cup = cups->pdata[i];
      if (cup->strands->len > 1)
        {
          cup->radius = MIN (heddle_cup_radius (level), (cup->y2 - cup->y1) / 2.);
          level++;
        }
    }
  return cups;
}
