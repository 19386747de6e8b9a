/* SPDX-License-Identifier: MIT */
#include "figure/layout/blocks.h"
#include "figure/layout/box.h"
#include "figure/layout/figure-spec.h"
#include "figure/layout/lines.h"
#include "figure/scene/scene.h"
#include "figure/typeset/label.h"

/* Where a figure that is wider than it may be is wrapped: as few lines as can be, of much the same length, and rather where few wires pass. */

#define MARGIN 17. /* px from wires over the names at the sides to the paper's edge, but for the names */
#define TABLE_LEFT 128. /* what the H and M table takes at the sides */
#define TABLE_RIGHT 96.
#define WEIGHT_SLACK 0.2 /* of a line that is empty, in lines */
#define WEIGHT_WIRE 0.01 /* of a wire that passes a line's end */
#define WEIGHT_EXCESS 10. /* of a line twice as long as it may be */

typedef struct
{
  double cost; /* of the lines up to here */
  int from; /* the end of the line before, or 0 */
} Best;

double
heddle_layout_wrap_width (const HeddleLayout *self)
{
  const HeddleFigure *figure = self->figure;

  if (figure->wrap != 0.)
    return MAX (figure->wrap, 0.);
  return figure->presentation != NULL ? figure->presentation->wrap : 0.;
}

/* Returns the width of the name that begins, or ends, at column @t. */
static double
name_width (const HeddleLayout *self, int t, gboolean begin)
{
  const GPtrArray *live = self->live->pdata[t];
  double widest = 0.;

  for (guint i = 0; i < live->len; i++)
    {
      const HeddleMember *member = live->pdata[i];
      const gboolean begins = member->start == HEDDLE_START_INPUT || member->start == HEDDLE_START_LOAD;
      const gboolean ends = member->end == HEDDLE_END_OUTPUT || member->end == HEDDLE_END_SAVE;
      if (begin ? !begins || member->from != t : !ends || member->to != t)
        continue;
      g_autofree char *name = heddle_layout_value_label (self, member->value);
      const HeddleColor ink = { 0., 0., 0., 1. };
      widest = MAX (
          widest, heddle_math_layout (NULL, 0, NULL, name, HEDDLE_FONT_MATH, 24., ink, 0., 0., NULL, NULL)
                      + (member->carded ? HEDDLE_SKIP_ROOM : 0.));
    }
  return widest;
}

static guint
count_wires (const HeddleLayout *self, int t)
{
  const GPtrArray *live = self->live->pdata[t];
  guint n = 0;

  for (guint i = 0; i < live->len; i++)
    n += ((const HeddleMember *) live->pdata[i])->strands->len;
  return n;
}

/* Returns whether a wire lies so close to another at column @t that they cannot be named both, as where a
 * line ends they must. */
static gboolean
is_close (const HeddleLayout *self, int t)
{
  const GPtrArray *live = self->live->pdata[t];

  for (guint i = 0; i < live->len; i++)
    {
      const GArray *strands = ((const HeddleMember *) live->pdata[i])->strands;
      for (guint j = 0; j + 1 < strands->len; j++)
        if (heddle_layout_line_is_close (self, heddle_strand (strands, j)->line))
          return TRUE;
    }
  return FALSE;
}

/* Returns how much wider column @t is on each side of its labels once a line ends there. */
static double
half_to_come (const HeddleLayout *self, int t)
{
  const HeddleColumn *column = heddle_layout_column (self, t);

  return MAX (
      column->wrapped - (column->cross - heddle_layout_room_before_blocks (self, t) - column->labels), 0.);
}

/* The widths of the names at the ends of lines, by the column at which the line begins or ends. */
typedef struct
{
  double *heads, *tails;
} Names;

static void
names_init (Names *self, const HeddleLayout *layout)
{
  self->heads = g_new0 (double, layout->n_stages + 1);
  self->tails = g_new0 (double, layout->n_stages + 1);
  for (int t = 0; t <= layout->n_stages; t++)
    {
      self->heads[t] = name_width (layout, t, TRUE);
      self->tails[t] = name_width (layout, t, FALSE);
    }
}

static void
names_clear (Names *self)
{
  g_free (self->heads);
  g_free (self->tails);
}

/* Returns the length from the labels of column @from, or the figure's beginning, to those of column @to, or
 * its end. */
static double
line_length (const HeddleLayout *self, int from, int to, const Names *names)
{
  const HeddleColumn *first = heddle_layout_column (self, from), *last = heddle_layout_column (self, to);
  const double begin = first->outer < G_MAXDOUBLE ? first->outer : first->labels;
  const double head = names->heads[from] > 0. ? names->heads[from] + HEDDLE_NAME_ROOM : 0.;
  const double x1 = from == 0 ? -names->heads[0] : begin - first->wrapped - HEDDLE_LINE_HEAD - head;
  const double saved = last->save + (self->figure->slim ? 0. : HEDDLE_EDGE);
  const double end = (last->save < G_MAXDOUBLE ? saved : last->labels) + last->wrapped + HEDDLE_LINE_TAIL;
  const double x2 = to == self->n_stages ? self->right + names->tails[to] : end + names->tails[to];

  return x2 - x1 + (from > 0 ? half_to_come (self, from) + first->over_right : 0.)
         + (to < self->n_stages ? half_to_come (self, to) + last->over_left : 0.);
}

/* Chooses the columns at which lines end, by the cheapest way to the last: each column looks back over one
 * line's length. */
gboolean
heddle_layout_choose_breaks (HeddleLayout *self)
{
  const double most = heddle_layout_wrap_width (self);
  const gboolean table = self->figure->show & HEDDLE_SHOW_COLUMNS && self->figure->derivation != NULL;
  g_autofree Best *best = g_new0 (Best, self->n_stages + 1);
  Names names;

  names_init (&names, self);
  names.heads[0] = MAX (names.heads[0] + MARGIN, table ? TABLE_LEFT : 0.);
  names.tails[self->n_stages] += MARGIN + (table ? TABLE_RIGHT : 0.);
  if (line_length (self, 0, self->n_stages, &names) <= most)
    {
      names_clear (&names);
      return FALSE;
    }
  names.heads[0] = MAX (names.heads[0], HEDDLE_LINE_HEAD + 2.); /* the other lines begin there */
  for (int t = 1; t <= self->n_stages; t++)
    {
      gboolean tried = FALSE;
      best[t].cost = G_MAXDOUBLE;
      for (int from = t - 1; from >= 0; from--)
        {
          if (is_close (self, from))
            continue;
          const double length = line_length (self, from, t, &names);
          const double slack = (most - length) / most;
          if (slack < 0. && tried)
            break;
          tried = TRUE;
          double cost = best[from].cost + 1.;
          if (slack < 0.)
            cost -= WEIGHT_EXCESS * slack;
          else if (t < self->n_stages)
            cost += WEIGHT_SLACK * slack * slack;
          if (cost < best[t].cost)
            best[t] = (Best){ cost, from };
        }
      if (t < self->n_stages)
        best[t].cost += WEIGHT_WIRE * MIN (count_wires (self, t), 20);
    }
  names_clear (&names);
  for (int t = best[self->n_stages].from; t > 0; t = best[t].from)
    heddle_layout_column (self, t)->breaks = TRUE;
  return best[self->n_stages].from > 0;
}

/* The longest piece of what reaches from @x1 to @x2 that lies in one line. */
void
heddle_layout_widest_in_line (const HeddleLayout *self, double *x1, double *x2)
{
  const double left = *x1, right = *x2;
  double begin = left;

  for (int t = 0; t <= self->n_stages; t++)
    {
      const HeddleColumn *column = heddle_layout_column (self, t);
      if (!column->breaks || column->wrap <= left || column->wrap >= right)
        continue;
      if (begin == left || column->wrap - begin > *x2 - *x1)
        {
          *x1 = begin;
          *x2 = column->wrap;
        }
      begin = column->wrap;
    }
  if (begin > left && right - begin > *x2 - *x1)
    {
      *x1 = begin;
      *x2 = right;
    }
}
