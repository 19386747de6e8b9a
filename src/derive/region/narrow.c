/* SPDX-License-Identifier: MIT */
#include "derive/region/narrow.h"

/* This file finds, for each operation, the last cut before it that costs the least with all cuts before that: the
 * shortest path from the first operation to the end. */

/* Returns from where the last part of the operations before @end goes, given @least of all ends before it. */
static guint
find_last_cut (const double *losses, const double *least, guint end)
{
  guint best = end > HEDDLE_MOST_OPERATIONS ? end - HEDDLE_MOST_OPERATIONS : 0;

  for (guint i = best; i < end; i++)
    if (i > 0 && least[i] + losses[i] < least[best] + (best > 0 ? losses[best] : 0.))
      best = i;
  return best;
}

GArray *
heddle_narrow_cuts (const double *losses, guint n)
{
  g_autofree double *least = g_new0 (double, n + 1); /* of all cuts before each end */
  g_autofree guint *from = g_new0 (guint, n + 1);
  GArray *ends = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint end = 1; end <= n; end++)
    {
      from[end] = find_last_cut (losses, least, end);
      least[end] = from[end] > 0 ? least[from[end]] + losses[from[end]] : 0.;
    }
  for (guint end = n; end > 0; end = from[end])
    g_array_prepend_val (ends, end);
  return ends;
}
