/* SPDX-License-Identifier: MIT */
#include "derive/cost/clock-schedule.h"
#include "derive/cost/clock-traffic.h"

#include <math.h>

/* The number of blocks beyond which the order in which they begin no longer matters. */
#define MAX_SIMULATED (1u << 16)

double
heddle_clock_all_steps (const HeddleClockKernel *kernel)
{
  double blocks = (double) heddle_clock_n_blocks (kernel), sum = 0.;

  for (gsize i = 0; i < kernel->n_steps; i++)
    sum += kernel->steps[i];
  return sum / (double) kernel->n_steps * blocks;
}

/* Moves the top of a heap down to its place. The processor that is free first is at the top. */
static void
sift_down (double *heap, guint n)
{
  guint at = 0;

  for (guint child = 1; child < n; child = 2 * at + 1)
    {
      double value;

      if (child + 1 < n && heap[child + 1] < heap[child])
        child++;
      if (heap[at] <= heap[child])
        return;
      value = heap[at];
      heap[at] = heap[child];
      heap[child] = value;
      at = child;
    }
}

static double
simulate (const HeddleClockKernel *kernel, guint processors, double step, double overhead)
{
  guint64 blocks = heddle_clock_n_blocks (kernel);
  g_autofree double *busy = g_new0 (double, processors);
  double last = 0.;

  for (guint64 i = 0; i < blocks; i++)
    {
      guint at = kernel->fixed_order ? (guint) (i % processors) : 0;

      busy[at] += kernel->steps[i % kernel->n_steps] * step + overhead;
      last = MAX (last, busy[at]);
      if (!kernel->fixed_order)
        sift_down (busy, processors);
    }
  return last;
}

double
heddle_clock_makespan (const HeddleClockKernel *kernel, guint processors, double step, double overhead)
{
  double blocks = (double) heddle_clock_n_blocks (kernel), longest = 0.;

  if (kernel->n_steps == 1)
    return ceil (blocks / processors) * (kernel->steps[0] * step + overhead);
  if (blocks <= MAX_SIMULATED)
    return simulate (kernel, processors, step, overhead);
  for (gsize i = 0; i < kernel->n_steps; i++)
    longest = MAX (longest, kernel->steps[i]);
  return (heddle_clock_all_steps (kernel) * step + blocks * overhead) / processors
         + (longest * step + overhead) / 2.;
}
