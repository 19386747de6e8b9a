/* SPDX-License-Identifier: MIT */
#include "figure/layout/rows.h"

#include <math.h>

#define FIRST_ROW 0.

/* Constraints by the line above, or by the line below: compressed rows. */
typedef struct
{
  guint *begin; /* n_lines + 1 */
  guint *edges; /* numbers of constraints */
} Adjacency;

static void
adjacency_init (Adjacency *self, const HeddleLayout *layout, gboolean by_above)
{
  const guint n = layout->lines->len;

  self->begin = g_new0 (guint, n + 2);
  self->edges = g_new (guint, layout->constraints->len + 1);
  for (guint i = 0; i < layout->constraints->len; i++)
    {
      const HeddleConstraint *constraint = &g_array_index (layout->constraints, HeddleConstraint, i);
      self->begin[(by_above ? constraint->above : constraint->below) + 2]++;
    }
  for (guint i = 2; i < n + 2; i++)
    self->begin[i] += self->begin[i - 1];
  for (guint i = 0; i < layout->constraints->len; i++)
    {
      const HeddleConstraint *constraint = &g_array_index (layout->constraints, HeddleConstraint, i);
      self->edges[self->begin[(by_above ? constraint->above : constraint->below) + 1]++] = i;
    }
}

static void
adjacency_clear (Adjacency *self)
{
  g_free (self->begin);
  g_free (self->edges);
}

/* Lines so that each comes after those above it. Lines that hang in a circle, of which a legal diagram has none, come last. */
static GArray *
sort_lines (const HeddleLayout *self, const Adjacency *below)
{
  const guint n = self->lines->len;
  GArray *order = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  g_autofree guint *waiting = g_new0 (guint, n + 1);
  g_autofree gboolean *placed = g_new0 (gboolean, n + 1);

  for (guint i = 0; i < self->constraints->len; i++)
    waiting[g_array_index (self->constraints, HeddleConstraint, i).below]++;
  for (guint i = 0; i < n; i++)
    if (waiting[i] == 0)
      g_array_append_val (order, i);
  for (guint i = 0; i < order->len; i++)
    {
      const guint line = heddle_guint (order, i);
      placed[line] = TRUE;
      for (guint j = below->begin[line]; j < below->begin[line + 1]; j++)
        {
          const guint next = g_array_index (self->constraints, HeddleConstraint, below->edges[j]).below;
          if (--waiting[next] == 0)
            g_array_append_val (order, next);
        }
    }
  for (guint i = 0; i < n; i++)
    if (!placed[i])
      g_array_append_val (order, i);
  return order;
}

static void
pack_to_top (HeddleLayout *self, const GArray *order, const Adjacency *below)
{
  for (guint i = 0; i < self->lines->len; i++)
    heddle_layout_line_y (self, i) = FIRST_ROW;
  for (guint i = 0; i < order->len; i++)
    {
      const guint line = heddle_guint (order, i);
      for (guint j = below->begin[line]; j < below->begin[line + 1]; j++)
        {
          const HeddleConstraint *constraint
              = &g_array_index (self->constraints, HeddleConstraint, below->edges[j]);
          double *y = &heddle_layout_line_y (self, constraint->below);
          *y = MAX (*y, heddle_layout_line_y (self, line) + constraint->gap);
        }
    }
}

static double
lowest_place (const HeddleLayout *self, guint line, const Adjacency *below)
{
  double y = G_MAXDOUBLE;

  for (guint j = below->begin[line]; j < below->begin[line + 1]; j++)
    {
      const HeddleConstraint *constraint
          = &g_array_index (self->constraints, HeddleConstraint, below->edges[j]);
      y = MIN (y, heddle_layout_line_y (self, constraint->below) - constraint->gap);
    }
  return y;
}

/* Lines that would rather be beside another go down to it as far as those below leave room. */
static void
settle (HeddleLayout *self, const GArray *order, const Adjacency *below)
{
  for (guint i = order->len; i-- > 0;)
    {
      const guint line = heddle_guint (order, i);
      const HeddleLine *at = &g_array_index (self->lines, HeddleLine, line);
      if (at->prefer < 0)
        continue;
      const int other = at->or_between >= 0 ? at->or_between : at->prefer;
      const double wish
          = (heddle_layout_line_y (self, at->prefer) + heddle_layout_line_y (self, other)) / 2. + at->offset;
      const double y = MIN (wish, lowest_place (self, line, below));
      if (y > at->y)
        heddle_layout_line_y (self, line) = y;
    }
}

/* Every line as high as the constraints let it be (the longest path to it), which keeps each wire straight from end to end; then the
 * few that follow others go down to them. Linear in lines and constraints. */
void
heddle_layout_solve_rows (HeddleLayout *self)
{
  Adjacency below;

  adjacency_init (&below, self, TRUE);
  g_autoptr (GArray) order = sort_lines (self, &below);
  pack_to_top (self, order, &below);
  settle (self, order, &below);
  settle (self, order, &below);
  adjacency_clear (&below);
}
