/* SPDX-License-Identifier: MIT */
#include "figure/layout/cups.h"
#include "figure/layout/graph.h"

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

static gboolean
is_far (const HeddleCup *cup)
{
  return cup->strands->len > 1 && cup->y2 - cup->y1 > 2. * HEDDLE_CUP_WIDEST;
}

/* Returns the farthest of those in whose middle the wires of number @i meet: one that lies around it, or it
 * itself. */
static guint
outermost_of (const GPtrArray *cups, guint i)
{
  const HeddleCup *cup = cups->pdata[i];

  for (guint j = cups->len; j-- > i + 1;)
    {
      const HeddleCup *outer = cups->pdata[j];
      if (is_far (outer) && outer->y1 <= cup->y1 && outer->y2 >= cup->y2)
        return j;
    }
  return i;
}

/* Semicircles. What would be too large comes nearer first, past the others: those that lie in one another about one middle. */
static void
set_bows (GPtrArray *cups)
{
  double lead = 0.;
  guint level = 0;

  for (guint i = 0; i < cups->len; i++)
    {
      HeddleCup *cup = cups->pdata[i];
      const HeddleCup *about = is_far (cup) ? cups->pdata[outermost_of (cups, i)] : cup;
      const double half = (cup->y2 - cup->y1) / 2.;
      cup->middle = (about->y1 + about->y2) / 2.;
      cup->radius = is_far (cup) ? heddle_cup_radius (level++) : half;
      cup->lead = is_far (cup) ? lead : 0.;
      cup->length = is_far (cup) ? HEDDLE_CUP_WIDEST - heddle_cup_radius (0) : 0.;
      lead = is_far (cup) ? lead : MAX (lead, cup->radius);
    }
}

/* Returns the cups of a contraction, narrow ones first: the wires of each contracted axis. An axis of one
 * operand only has a cup of one. */
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
  set_bows (cups);
  return cups;
}

double
heddle_cup_y (const HeddleCup *cup, double y)
{
  const double half = (cup->y2 - cup->y1) / 2.;

  return half > 0. ? cup->middle + (y - cup->y1 - half) * cup->radius / half : y;
}

static double
reach_of (const HeddleLayout *self, const HeddleFigureNode *node)
{
  g_autoptr (GPtrArray) cups = heddle_figure_node_cups (self, node);
  double widest = heddle_cup_radius (0);

  for (guint i = 0; i < cups->len; i++)
    {
      const HeddleCup *cup = cups->pdata[i];
      widest = MAX (widest, cup->lead + cup->length + cup->radius);
    }
  return widest;
}

void
heddle_figure_node_widen_cup (const HeddleLayout *self, HeddleFigureNode *node)
{
  if (node->shape != HEDDLE_SHAPE_CUP || !node->cups)
    return;
  const double reach = reach_of (self, node);
  node->width += reach - node->reach;
  node->reach = reach;
}
