/* SPDX-License-Identifier: MIT */
#include "figure/layout/ribbons.h"

#include <math.h>

#define WIRE_PITCH 3. /* px between the wires of a ribbon */
#define FIRST 6. /* px before the first dots */
#define BETWEEN 6. /* from a ribbon to the dots of the next */
#define CLEAR 8. /* up and down, from one ribbon to another that runs at the same place */
#define LAST 2.

/* More ribbons are taken to be in each other's way, each right of all before it, without comparing any two. */
#define MOST_COMPARED 2000

typedef struct
{
  HeddleMember *member;
  gboolean down;
  double top, bottom; /* between which it runs */
  double aim; /* the end at which it is read */
  double x, width;
} Ribbon;

/* Makes a ribbon; FALSE means that some wires go up and others down, or they change places, or the way is
 * too short for two turns. */
static gboolean
ribbon_init (Ribbon *self, const HeddleLayout *layout, HeddleMember *member)
{
  const guint n = member->strands->len;
  double source = -G_MAXDOUBLE, line = -G_MAXDOUBLE;

  for (guint i = 0; i < n; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      const double from = heddle_layout_line_y (layout, strand->source),
                   to = heddle_layout_line_y (layout, strand->line);
      if (fabs (to - from) < 2. * HEDDLE_RIBBON_CORNER || from <= source || to <= line
          || (i > 0 && (to > from) != self->down))
        return FALSE;
      self->down = to > from;
      self->top = i == 0 ? MIN (from, to) : self->top;
      self->bottom = MAX (from, to);
      source = from;
      line = to;
    }
  self->member = member;
  self->aim = self->down ? self->bottom : self->top;
  self->width = HEDDLE_RIBBON_CORNER + WIRE_PITCH * (n - 1);
  return TRUE;
}

/* Of those that go one way the one that goes furthest leaves first: the others end within it. */
static int
by_reach (gconstpointer a, gconstpointer b, gpointer downs_first)
{
  const Ribbon *first = a, *second = b;

  if (first->down != second->down)
    return first->down == GPOINTER_TO_INT (downs_first) ? -1 : 1;
  const double difference = first->down ? second->aim - first->aim : first->aim - second->aim;
  return difference < 0. ? -1 : difference > 0.;
}

/* Crossings of ribbons where the wires of one, on their way to the right, meet another that goes the other way. */
static guint
count_crossings (const GArray *ribbons)
{
  guint n = 0;

  for (guint i = 0; ribbons->len <= MOST_COMPARED && i < ribbons->len; i++)
    for (guint j = i + 1; j < ribbons->len; j++)
      {
        const Ribbon *left = &g_array_index (ribbons, Ribbon, i),
                     *right = &g_array_index (ribbons, Ribbon, j);
        n += left->down != right->down && left->aim > right->top && left->aim < right->bottom;
      }
  return n;
}

/* Returns how far left a ribbon can leave: right of those before it that run at the same height. */
static double
leave_at (const GArray *ribbons, guint i)
{
  const Ribbon *ribbon = &g_array_index (ribbons, Ribbon, i);
  double x = FIRST;

  for (guint j = ribbons->len > MOST_COMPARED ? MAX (i, 1) - 1 : 0; j < i; j++)
    {
      const Ribbon *other = &g_array_index (ribbons, Ribbon, j);

      if (ribbons->len > MOST_COMPARED
          || (ribbon->top < other->bottom + CLEAR && other->top < ribbon->bottom + CLEAR))
        x = MAX (x, other->x + other->width + BETWEEN);
    }
  return x;
}

static double
place (GArray *ribbons)
{
  double right = 0.;

  for (guint i = 0; i < ribbons->len; i++)
    {
      Ribbon *ribbon = &g_array_index (ribbons, Ribbon, i);
      ribbon->x = leave_at (ribbons, i);
      right = MAX (right, ribbon->x + ribbon->width + HEDDLE_RIBBON_CORNER + LAST);
    }
  return right;
}

/* The wire that goes furthest is on the left, and the dots stand below one another. */
static void
set_drops (const Ribbon *ribbon)
{
  const GArray *strands = ribbon->member->strands;

  ribbon->member->leave = ribbon->x;
  for (guint i = 0; i < strands->len; i++)
    heddle_strand (strands, i)->drop
        = ribbon->x + HEDDLE_RIBBON_CORNER + WIRE_PITCH * (ribbon->down ? strands->len - 1 - i : i);
}

double
heddle_layout_place_ribbons (HeddleLayout *self, int t)
{
  const GPtrArray *live = t < self->n_stages ? self->live->pdata[t + 1] : NULL;
  g_autoptr (GArray) ribbons = g_array_new (FALSE, FALSE, sizeof (Ribbon));

  for (guint i = 0; live != NULL && i < live->len; i++)
    {
      HeddleMember *member = live->pdata[i];
      Ribbon ribbon = { 0 };
      if (member->from != t + 1 || member->start != HEDDLE_START_COPY)
        continue;
      member->leave = FIRST;
      for (guint j = 0; j < member->strands->len; j++)
        heddle_strand (member->strands, j)->drop = 0.;
      if (ribbon_init (&ribbon, self, member))
        g_array_append_val (ribbons, ribbon);
    }
  g_array_sort_with_data (ribbons, by_reach, GINT_TO_POINTER (FALSE));
  const guint ups_first = count_crossings (ribbons);
  g_array_sort_with_data (ribbons, by_reach, GINT_TO_POINTER (TRUE));
  if (count_crossings (ribbons) > ups_first)
    g_array_sort_with_data (ribbons, by_reach, GINT_TO_POINTER (FALSE));
  const double width = place (ribbons);
  for (guint i = 0; i < ribbons->len; i++)
    set_drops (&g_array_index (ribbons, Ribbon, i));
  return width;
}
