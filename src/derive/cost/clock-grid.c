/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/clock-grid.h"
#include "derive/cost/clock.h"
#include "derive/cost/cost.h"
#include "derive/program/guard.h"

static guint64
parts_of (const HeddleCost *cost, const gint64 *tiles, guint i)
{
  return (guint64) (cost->n[i] / tiles[i] + (cost->n[i] % tiles[i] != 0));
}

/* Whether blocks get longer along group @i: these are the slowest axes of the grid, so that the longest blocks start first. */
static gboolean
lengthens (const HeddleCost *cost, guint i)
{
  for (guint k = 0; cost->guard != NULL && k < cost->n_guarded; k++)
    if (cost->guarded_groups[k] == (int) i)
      return heddle_guard_lengthens (cost->guard, cost->guarded_axes[k]);
  return FALSE;
}

static void
add_axis (HeddleClockKernel *kernel, const HeddleCost *cost, const gint64 *tiles, guint i,
    guint axes[HEDDLE_MAX_GROUPS])
{
  guint64 parts = parts_of (cost, tiles, i);
  gboolean more = kernel->n_axes < HEDDLE_CLOCK_AXES && (parts > 1 || kernel->n_axes == 0);

  if (more)
    kernel->grid[kernel->n_axes++] = parts;
  else
    kernel->grid[kernel->n_axes - 1] *= parts;
  axes[i] = parts > 1 ? kernel->n_axes - 1 : HEDDLE_CLOCK_AXES;
}

void
heddle_clock_set_grid (
    HeddleClockKernel *kernel, const HeddleCost *cost, const gint64 *tiles, guint axes[HEDDLE_MAX_GROUPS])
{
  kernel->n_axes = 0;
  for (guint slow = 0; slow < 2; slow++)
    for (guint i = cost->n_groups; i-- > 0;)
      if (lengthens (cost, i) == (slow != 0))
        add_axis (kernel, cost, tiles, i, axes);
  if (kernel->n_axes == 0)
    kernel->grid[kernel->n_axes++] = 1;
}

guint
heddle_clock_grid_axes (const HeddleCost *cost, const HeddleTerms *terms, const guint axes[HEDDLE_MAX_GROUPS])
{
  guint bits = 0;

  for (guint i = 0; i < cost->n_groups; i++)
    if ((terms->groups >> i & 1) == 0 && axes[i] < HEDDLE_CLOCK_AXES)
      bits |= 1u << axes[i];
  return bits;
}

double
heddle_clock_bytes_once (const HeddleCost *cost, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk)
{
  double once = (double) heddle_cost_transferred_once (cost, terms) * terms->bytes;
  double all = (double) heddle_cost_transferred (cost, terms, tiles, chunk) * terms->bytes;

  return MIN (once, all);
}

static HeddleClockArray *
array_of (HeddleClockKernel *kernel, guint axes, gboolean stored)
{
  HeddleClockArray *array = NULL;

  for (guint i = 0; i < kernel->n_arrays; i++)
    if (kernel->arrays[i].axes == axes && kernel->arrays[i].stored == stored)
      return &kernel->arrays[i];
  g_assert (kernel->n_arrays < HEDDLE_CLOCK_ARRAYS);
  array = &kernel->arrays[kernel->n_arrays++];
  *array = (HeddleClockArray){ .axes = axes, .stored = stored };
  return array;
}

void
heddle_clock_set_arrays (HeddleClockKernel *kernel, const HeddleCost *cost, const gint64 *tiles, gint64 chunk,
    const guint axes[HEDDLE_MAX_GROUPS])
{
  kernel->n_arrays = 0;
  for (guint i = 0; i < cost->transfers->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (cost->transfers, HeddleTerms, i);
      guint bits = heddle_clock_grid_axes (cost, terms, axes);
      HeddleClockArray *array = array_of (kernel, bits, terms->saved);
      double bytes = heddle_clock_bytes_once (cost, terms, tiles, chunk);

      for (guint k = 0; k < kernel->n_axes; k++)
        if ((bits & (1u << k)) != 0)
          bytes /= (double) kernel->grid[k];
      array->bytes += bytes;
    }
}
