/* SPDX-License-Identifier: MIT */
#include "derive/cost/steps.h"
#include "derive/index/interval.h"
#include "derive/index/saturate.h"
#include "derive/program/guard.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"

#include <math.h>
#include <string.h>

/* This file counts the steps of a guarded stream that run. Tiles and chunks of the guard's axes make a
 * lattice of boxes. It is halved until the guard is the same all over a part of it, so that the count is
 * exact and takes about as many looks as the edge of the mask is long. */

/* The greatest number of parts that are counted; beyond it the cost is G_MAXINT64, "too large to tell". */
#define MAX_PARTS (1 << 22)

typedef struct
{
  gint64 from, to; /* numbers of tiles */
} Range;

typedef struct
{
  const HeddleCost *cost;
  HeddleCostSteps *steps;
  gint64 n[HEDDLE_MAX_GUARDED], size[HEDDLE_MAX_GUARDED]; /* of each guarded loop */
  Range part[HEDDLE_MAX_GUARDED];
  guint looks;
} Count;

static int
find_loop (const HeddleCost *cost, const char *axis)
{
  for (guint i = 0; i < cost->n_guarded; i++)
    if (cost->guarded_axes[i] == axis)
      return (int) i;
  return -1;
}

static HeddleInterval
leaf_interval (const HeddleExpr *leaf, gpointer data)
{
  const Count *count = data;
  const char *of_last = heddle_guard_axis_of_last (leaf);
  const char *axis = of_last != NULL ? of_last : heddle_expr_get_symbol (leaf);
  double n = (double) heddle_sizes_get (count->cost->sizes, axis);
  int i = find_loop (count->cost, axis);
  const Range *range = i >= 0 ? &count->part[i] : NULL;

  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_SIZE)
    return (HeddleInterval){ n, n };
  if (range == NULL)
    return of_last != NULL ? (HeddleInterval){ n - 1., n - 1. } : (HeddleInterval){ 0., 0. };
  if (of_last == NULL)
    return (HeddleInterval){ (double) range->from * (double) count->size[i],
      (double) (range->to - 1) * (double) count->size[i] };
  return (HeddleInterval){ fmin ((double) (range->from + 1) * (double) count->size[i], n) - 1.,
    fmin ((double) range->to * (double) count->size[i], n) - 1. };
}

/* Returns how many indices the tiles from @from to before @to have. */
static gint64
length_of (const Count *count, guint i)
{
  gint64 end = heddle_saturating_multiply (count->part[i].to, count->size[i]);

  return MIN (end, count->n[i]) - count->part[i].from * count->size[i];
}

static void
add_part (Count *count)
{
  HeddleCostSteps *steps = count->steps;
  guint n = count->cost->n_guarded;

  for (guint mask = 0; mask < 1u << n; mask++)
    {
      gint64 product = 1;

      for (guint i = 0; i < n; i++)
        product = heddle_saturating_multiply (
            product, (mask >> i & 1) != 0 ? length_of (count, i) : count->part[i].to - count->part[i].from);
      steps->sums[mask] = heddle_saturating_add (steps->sums[mask], product);
    }
  for (guint shape = 0; shape < 1u << n; shape++)
    {
      gboolean found = TRUE;

      for (guint i = 0; i < n; i++)
        {
          gint64 last = count->n[i] / count->size[i];
          gboolean ragged = count->part[i].to > last, full = count->part[i].from < last;

          found = found && ((shape >> i & 1) != 0 ? ragged : full);
        }
      steps->shapes |= found ? G_GUINT64_CONSTANT (1) << shape : 0;
    }
}

static guint
widest (const Count *count)
{
  guint best = 0;

  for (guint i = 1; i < count->cost->n_guarded; i++)
    if (count->part[i].to - count->part[i].from > count->part[best].to - count->part[best].from)
      best = i;
  return best;
}

static void
count_part (Count *count)
{
  HeddleInterval guard = heddle_interval_of (count->cost->guard, leaf_interval, count);
  guint i = widest (count);
  Range whole = count->part[i];
  gint64 middle = whole.from + (whole.to - whole.from) / 2;

  if (guard.to == 0. || ++count->looks > MAX_PARTS)
    return;
  if (guard.from == 1. || whole.to - whole.from == 1)
    {
      add_part (count);
      return;
    }
  count->part[i] = (Range){ whole.from, middle };
  count_part (count);
  count->part[i] = (Range){ middle, whole.to };
  count_part (count);
  count->part[i] = whole;
}

const HeddleCostSteps *
heddle_cost_steps (const HeddleCost *self, const gint64 *tiles, gint64 chunk)
{
  HeddleCostSteps *steps = self->steps;
  Count count = { self, steps };
  gboolean same = steps->counted;

  for (guint i = 0; i < self->n_guarded; i++)
    {
      int group = self->guarded_groups[i];

      count.n[i] = group >= 0 ? self->n[group] : self->n_stream;
      count.size[i] = MIN (group >= 0 ? tiles[group] : chunk, count.n[i]);
      count.part[i] = (Range){ 0, count.n[i] / count.size[i] + (count.n[i] % count.size[i] != 0) };
      same = same && steps->size[i] == count.size[i];
    }
  if (same)
    return steps;
  *steps = (HeddleCostSteps){ .counted = TRUE };
  memcpy (steps->size, count.size, sizeof count.size);
  count_part (&count);
  for (guint mask = 0; count.looks > MAX_PARTS && mask < 1u << self->n_guarded; mask++)
    steps->sums[mask] = G_MAXINT64;
  return steps;
}
