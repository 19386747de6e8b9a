/* SPDX-License-Identifier: MIT */
#include "derive/cost/hierarchy.h"

#include <math.h>

void
heddle_canonical_free (HeddleCanonical *self)
{
  if (self == NULL)
    return;
  g_free (self->reason);
  g_ptr_array_unref (self->terms);
  g_free (self);
}

double
heddle_canonical_transfers (const HeddleCanonical *self, double m, gboolean bytes, gboolean *clamped)
{
  double room = m - (bytes ? self->held_bytes : self->held), sum = 0.;
  double compulsory = bytes ? self->compulsory_bytes : self->compulsory;

  if (clamped != NULL)
    *clamped = m > (bytes ? self->most_bytes : self->most);
  if (self->reason != NULL)
    return NAN;
  for (guint i = 0; i < self->terms->len; i++)
    {
      const HeddleCanonicalTerm *term = g_ptr_array_index (self->terms, i);

      if (term->beta > 0. && room <= 0.)
        return NAN;
      sum += (bytes ? term->alpha_bytes : term->alpha) * (term->beta > 0. ? pow (room, -term->beta) : 1.);
    }
  return MAX (sum, compulsory);
}

/* Returns what all the children of a level hold together; 0 if it has none that are bounded. */
static double
capacity_of_children (const HeddleMachine *machine, int parent)
{
  const HeddleLevel *above = g_ptr_array_index (machine->levels, (guint) parent);
  double total = 0.;

  for (guint i = 0; i < machine->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (machine->levels, i);

      if (level->parent == parent)
        total += (double) level->capacity_bytes * level->count / above->count;
    }
  return total;
}

GArray *
heddle_canonical_hierarchy (const HeddleCanonical *self, const HeddleMachine *machine)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (HeddleHierarchyRow));
  gboolean bytes = !heddle_machine_is_abstract (machine);

  for (guint i = 0; i < machine->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (machine->levels, i);
      HeddleHierarchyRow row = { level->name, level->title, (double) level->capacity_bytes };
      double children = capacity_of_children (machine, (int) i);

      if (level->parent < 0 || level->capacity_bytes == 0)
        continue;
      row.bandwidth = ((HeddleLevel *) g_ptr_array_index (machine->levels, (guint) level->parent))->bandwidth;
      row.transfers = heddle_canonical_transfers (self, row.capacity, bytes, &row.clamped);
      row.kept_transfers = children > 0. ? heddle_canonical_transfers (self, children, bytes, NULL) : NAN;
      row.seconds = row.bandwidth > 0. && isfinite (row.transfers) ? row.transfers / row.bandwidth : 0.;
      g_array_append_val (rows, row);
    }
  return rows;
}
