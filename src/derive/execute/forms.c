/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/execute/forms.h"
#include "derive/execute/point-private.h"
#include "derive/execute/point.h"
#include "derive/execute/private.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"

#include <math.h>

/* What HEDDLE_COMPUTE_SCAN and HEDDLE_COMPUTE_SELECT do at one point, as loop-program.h has it. */

/* The loops of the statement are the points, then the axis that the state moves along. */
void
heddle_point_scan (const HeddlePoint *point, const HeddleRange *ranges)
{
  const HeddleNode *node = point->node;
  HeddlePointKernel *kernel = point->kernel;
  HeddleMemory *out = &point->executor->memories[node->buffer];
  HeddleMemory *carried = node->second != HEDDLE_NO_BUFFER ? &point->executor->memories[node->second] : NULL;
  gint64 at = carried != NULL ? heddle_point_offset (point, node->second, NULL, 0) : 0;
  double state = carried != NULL ? carried->data[at] : 0.;
  gboolean outside = FALSE;

  do
    {
      double factor = kernel->extra != NULL ? heddle_point_run (point, kernel->extra, &outside) : 1.;

      state = factor * state + heddle_point_run (point, kernel->body, &outside);
      out->data[heddle_point_offset (point, node->buffer, NULL, 0)] = state;
    }
  while (heddle_point_advance (point, ranges, kernel->n_points, kernel->n_loops));
  if (carried != NULL)
    carried->data[at] = state;
}

/* Whether a value goes before one that is there already: of equal ones the first stays first, what is no number comes last. */
static gboolean
goes_before (double value, double other, double place_of_other)
{
  return place_of_other < 0. || value > other || (isnan (other) && !isnan (value));
}

static void
insert (const HeddlePoint *point, gint64 n, double value, double place)
{
  const HeddleNode *node = point->node;
  double *best = point->executor->memories[node->buffer].data;
  double *places = point->executor->memories[node->second].data;

  for (gint64 i = n; i-- > 0;)
    {
      gint64 at = heddle_point_offset (point, node->buffer, node->along, i);
      gint64 after = i + 1 < n ? heddle_point_offset (point, node->buffer, node->along, i + 1) : -1;

      if (!goes_before (value, best[at], places[at]))
        return;
      if (after >= 0)
        {
          best[after] = best[at];
          places[after] = places[at];
        }
      best[at] = value;
      places[at] = place;
    }
}

void
heddle_point_select (const HeddlePoint *point, const HeddleRange *ranges)
{
  const HeddleNode *node = point->node;
  HeddlePointKernel *kernel = point->kernel;
  gint64 n = node->along != NULL ? heddle_sizes_get (point->executor->sizes, node->along) : 1;
  gboolean outside = FALSE;

  do
    {
      double place = heddle_point_run (point, kernel->extra, &outside);

      if (place >= 0.)
        insert (point, n, heddle_point_run (point, kernel->body, &outside), place);
    }
  while (heddle_point_advance (point, ranges, kernel->n_points, kernel->n_loops));
}
