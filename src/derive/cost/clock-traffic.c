/* SPDX-License-Identifier: MIT */
#include "derive/cost/clock-traffic.h"

#include <math.h>

/* The parameters of the hit rate. A cache that is filled again and again by data of its own size keeps little
 * of it, and one that is twice as large nearly all. Fitted to reads of data sets of 10 to 200 MiB on an A100,
 * an H100 and an H200 (te42kyfo/gpu-benches, gpu-l2-cache): half is served where the data are 0.87 of the
 * cache. */
#define HIT_HALF 0.87
#define HIT_SLOPE 8.

double
heddle_clock_hit_share (double distance, double l2_bytes)
{
  if (l2_bytes <= 0.)
    return 0.;
  return 1. / (1. + pow (distance / (HIT_HALF * l2_bytes), HIT_SLOPE));
}

guint64
heddle_clock_n_blocks (const HeddleClockKernel *kernel)
{
  guint64 n = 1;

  for (guint i = 0; i < kernel->n_axes; i++)
    n *= kernel->grid[i];
  return n;
}

/* Computes how many places @n consecutive blocks, in the order in which they begin, have on each axis. */
static void
extents_of (const HeddleClockKernel *kernel, double n, double *extents)
{
  gboolean grouped = kernel->group > 1 && kernel->group_axis < kernel->n_axes;
  double rest = n, inner = 1.;

  if (grouped)
    {
      inner = MIN (rest, (double) MIN (kernel->group, kernel->grid[kernel->group_axis]));
      rest /= inner;
    }
  for (guint i = 0; i < kernel->n_axes; i++)
    {
      double before = grouped && i == kernel->group_axis ? inner : 1.;

      extents[i] = before * CLAMP (rest, 1., (double) kernel->grid[i] / before);
      rest = MAX (1., rest / (extents[i] / before));
    }
}

/* Returns the bytes of an array that blocks with so many places on each axis read together. */
static double
bytes_of (const HeddleClockKernel *kernel, const HeddleClockArray *array, const double *extents)
{
  double bytes = array->bytes * MAX (1., array->sectors);

  for (guint i = 0; i < kernel->n_axes; i++)
    if ((array->axes & (1u << i)) != 0)
      bytes *= extents[i];
  return bytes;
}

/* Returns how often an array whose tiles go by @axes crosses DRAM in all waves, if nothing is kept from one
 * wave to the next. */
static double
passes_of (const HeddleClockKernel *kernel, guint axes, const double *extents, double waves)
{
  double parts = waves;

  for (guint i = 0; i < kernel->n_axes; i++)
    if ((axes & (1u << i)) != 0)
      parts *= extents[i] / (double) kernel->grid[i];
  return MAX (1., parts);
}

void
heddle_clock_waves_init (
    HeddleClockWaves *self, const HeddleClockKernel *kernel, double at_a_time, double l2_bytes)
{
  double blocks = (double) heddle_clock_n_blocks (kernel);

  if (kernel->apart)
    at_a_time = 1.;
  self->kernel = kernel;
  self->l2_bytes = l2_bytes;
  self->waves = MAX (1., blocks / at_a_time);
  self->fetched = 0.;
  extents_of (kernel, MIN (at_a_time, blocks), self->extents);
  for (guint i = 0; i < kernel->n_arrays; i++)
    self->fetched += bytes_of (kernel, &kernel->arrays[i], self->extents)
                     * (1. + (self->waves - 1.) / MAX (1., kernel->arrays[i].turns));
}

double
heddle_clock_waves_passes (const HeddleClockWaves *self, guint axes, double turns)
{
  double passes = passes_of (self->kernel, axes, self->extents, self->waves);

  return passes > 1. ? 1.
                           + (passes - 1.) / MAX (1., turns)
                                 * (1. - heddle_clock_hit_share (self->fetched / passes, self->l2_bytes))
                     : 1.;
}

double
heddle_clock_dram_bytes (const HeddleClockKernel *kernel, double at_a_time, double l2_bytes)
{
  gboolean cold = kernel->start == HEDDLE_CLOCK_ALONE || kernel->start == HEDDLE_CLOCK_COLD;
  double whole[HEDDLE_CLOCK_AXES], unique = 0., bytes = 0., first;
  HeddleClockWaves waves;

  heddle_clock_waves_init (&waves, kernel, at_a_time, l2_bytes);
  for (guint i = 0; i < kernel->n_axes; i++)
    whole[i] = (double) kernel->grid[i];
  for (guint i = 0; i < kernel->n_arrays; i++)
    unique += bytes_of (kernel, &kernel->arrays[i], whole);
  /* the content that another run of the same kernel left */
  first = cold ? 1. : 1. - heddle_clock_hit_share (unique, l2_bytes);
  for (guint i = 0; i < kernel->n_arrays; i++)
    {
      const HeddleClockArray *array = &kernel->arrays[i];
      double again = array->stored ? 0. : heddle_clock_waves_passes (&waves, array->axes, array->turns) - 1.;

      bytes += bytes_of (kernel, array, whole) * (first + again);
    }
  return bytes;
}
