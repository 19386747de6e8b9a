/* SPDX-License-Identifier: MIT */
#include "derive/derivation/derive.h"
#include "derive/machine/sustained.h"
#include "derive/suggest/codesign.h"

#include <math.h>

/* The relative distance at which the search for a crossing stops. */
#define TOLERANCE 1e-5

static const char *const names[] = {
  [HEDDLE_FIGURE_CAPACITY] = "smem-capacity",
  [HEDDLE_FIGURE_DRAM] = "dram-bandwidth",
  [HEDDLE_FIGURE_CACHE] = "l2-bandwidth",
  [HEDDLE_FIGURE_TENSOR] = "tensor-rate",
  [HEDDLE_FIGURE_SPECIAL] = "special-rate",
  [HEDDLE_FIGURE_FP32] = "fp32-rate",
};

const char *
heddle_machine_figure_name (HeddleMachineFigure figure)
{
  g_return_val_if_fail (figure < HEDDLE_N_FIGURES, NULL);

  return names[figure];
}

/* --- figures of a machine ------------------------------------------------------------------------- */

/* Returns whether level @i is the memory of the machine: the first one that takes labels. */
static gboolean
is_memory (const HeddleMachine *self, guint i)
{
  for (guint k = 0; k < i; k++)
    if (((const HeddleLevel *) g_ptr_array_index (self->levels, k))->labels)
      return FALSE;
  return ((const HeddleLevel *) g_ptr_array_index (self->levels, i))->labels;
}

static gboolean
has_figure (const HeddleMachine *self, guint i, HeddleMachineFigure figure)
{
  const HeddleLevel *level = g_ptr_array_index (self->levels, i);

  return (figure == HEDDLE_FIGURE_CAPACITY && is_memory (self, i)) || (figure == HEDDLE_FIGURE_DRAM && i == 0)
         || (figure == HEDDLE_FIGURE_CACHE && level->cache);
}

double
heddle_machine_get_figure (const HeddleMachine *self, HeddleMachineFigure figure, HeddleDtype dtype)
{
  g_return_val_if_fail (self != NULL && figure < HEDDLE_N_FIGURES && dtype < HEDDLE_N_DTYPES, 0.);

  if (figure == HEDDLE_FIGURE_TENSOR)
    return self->tensor_flops[dtype];
  if (figure == HEDDLE_FIGURE_SPECIAL)
    return self->special_per_clock * self->sms * self->clock;
  if (figure == HEDDLE_FIGURE_FP32)
    return self->fp32_flops;
  for (guint i = self->levels->len; i-- > 0;)
    {
      const HeddleLevel *level = g_ptr_array_index (self->levels, i);

      if (has_figure (self, i, figure))
        return figure == HEDDLE_FIGURE_CAPACITY ? (double) level->capacity_bytes : level->bandwidth;
    }
  return 0.;
}

static void
scale_level (HeddleLevel *level, HeddleMachineFigure figure, double factor)
{
  if (figure != HEDDLE_FIGURE_CAPACITY)
    {
      level->bandwidth *= factor;
      return;
    }
  level->total_bytes += llround (level->capacity_bytes * factor) - level->capacity_bytes;
  level->capacity_bytes = llround (level->capacity_bytes * factor);
}

void
heddle_machine_scale_figure (HeddleMachine *self, HeddleMachineFigure figure, double factor)
{
  g_return_if_fail (self != NULL && figure < HEDDLE_N_FIGURES && factor > 0.);

  for (guint i = 0; figure == HEDDLE_FIGURE_TENSOR && i < HEDDLE_N_DTYPES; i++)
    self->tensor_flops[i] *= factor;
  self->special_per_clock *= figure == HEDDLE_FIGURE_SPECIAL ? factor : 1.;
  self->fp32_flops *= figure == HEDDLE_FIGURE_FP32 ? factor : 1.;
  self->sustained[HEDDLE_SUSTAINED_DRAM].value *= figure == HEDDLE_FIGURE_DRAM ? factor : 1.;
  self->sustained[HEDDLE_SUSTAINED_L2].value *= figure == HEDDLE_FIGURE_CACHE ? factor : 1.;
  for (guint i = 0; i < self->levels->len; i++)
    if (has_figure (self, i, figure))
      scale_level (g_ptr_array_index (self->levels, i), figure, factor);
}

/* --- crossings --------------------------------------------------------------------------------------- */

const char *
heddle_derivation_bound (const HeddleDerivation *self)
{
  const HeddleKernel *longest = NULL;

  g_return_val_if_fail (self != NULL, "");

  for (guint i = 0; i < self->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (self->kernels, i);

      if (longest == NULL || kernel->expected_s > longest->expected_s)
        longest = kernel;
    }
  if (self->sharding != NULL && longest != NULL && self->sharding->seconds > longest->expected_s)
    return "links";
  return longest != NULL && longest->expected_s > 0. ? longest->bound : "";
}

typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSchedule *schedule;
  const HeddleSizes *sizes;
  const HeddleDeriveOptions *options;
  HeddleMachineFigure figure;
  const char *bound; /* of the machine as it is */
} Codesign;

/* Returns the bound with the figure scaled, and the time; NULL if it fails, or if nothing fits. */
static const char *
bound_at (const Codesign *self, double factor, double *seconds, GError **error)
{
  g_autoptr (HeddleMachine) machine = heddle_machine_copy (self->options->machine);
  g_autoptr (HeddleDerivation) derivation = NULL;
  HeddleDeriveOptions options = *self->options;

  heddle_machine_scale_figure (machine, self->figure, factor);
  options.machine = machine;
  options.search_cache = NULL;
  derivation = heddle_derive (self->diagram, self->schedule, self->sizes, &options, NULL, error);
  if (derivation == NULL || derivation->illegal)
    return NULL;
  for (guint i = 0; i < derivation->kernels->len; i++)
    if (!((HeddleKernel *) g_ptr_array_index (derivation->kernels, i))->fits)
      return NULL;
  *seconds = derivation->expected_s;
  return heddle_derivation_bound (derivation);
}

static gboolean
is_closed (const Codesign *self, double same, double other)
{
  double now = heddle_machine_get_figure (self->options->machine, self->figure, HEDDLE_DTYPE_UNSET);

  if (self->figure == HEDDLE_FIGURE_CAPACITY)
    return llabs (llround (same * now) - llround (other * now)) <= 1;
  return fabs (same / other - 1.) < TOLERANCE;
}

/* Narrows the interval between a factor at which the bound is the machine's own and one at which it is
 * another. */
static void
close_in (const Codesign *self, double same, double other, HeddleCrossing *crossing)
{
  while (!is_closed (self, same, other))
    {
      double middle = sqrt (same * other), seconds = 0.;
      const char *bound = bound_at (self, middle, &seconds, NULL);

      if (bound == NULL || g_str_equal (bound, self->bound))
        {
          same = middle;
          continue;
        }
      other = middle;
      crossing->bound = bound;
      crossing->expected_s = seconds;
    }
  crossing->factor = other;
}

/* Finds a crossing by doubling away from the machine's own figure (@step is 2 or 1/2). */
static gboolean
find_crossing (const Codesign *self, double step, double most, HeddleCrossing *crossing, GError **error)
{
  double same = 1.;

  for (double factor = step; factor <= most && factor >= 1. / most; factor *= step)
    {
      g_autoptr (GError) reason = NULL;
      double seconds = 0.;
      const char *bound = bound_at (self, factor, &seconds, &reason);

      if (reason != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&reason));
          return FALSE;
        }
      if (bound == NULL)
        return FALSE;
      if (!g_str_equal (bound, self->bound))
        {
          crossing->bound = bound;
          crossing->expected_s = seconds;
          close_in (self, same, factor, crossing);
          return TRUE;
        }
      same = factor;
    }
  return FALSE;
}

/* Compares two crossings: the smallest change comes first. */
static gint
compare_crossings (gconstpointer a, gconstpointer b)
{
  double x = fabs (log (((const HeddleCrossing *) a)->factor)),
         y = fabs (log (((const HeddleCrossing *) b)->factor));

  return (x > y) - (x < y);
}

GArray *
heddle_codesign_new (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, double most, GError **error)
{
  g_autoptr (GArray) crossings = g_array_new (FALSE, FALSE, sizeof (HeddleCrossing));
  Codesign self = { diagram, schedule, sizes, options };
  double seconds;

  self.bound = bound_at (&self, 1., &seconds, error);
  if (self.bound == NULL && error != NULL && *error != NULL)
    return NULL;
  for (guint i = 0; self.bound != NULL && self.bound[0] != '\0' && i < 2 * HEDDLE_N_FIGURES; i++)
    {
      HeddleCrossing crossing = { (HeddleMachineFigure) (i / 2) };
      GError *reason = NULL;

      self.figure = crossing.figure;
      crossing.now = heddle_machine_get_figure (options->machine, crossing.figure, options->dtype);
      if (crossing.now > 0. && find_crossing (&self, i % 2 == 0 ? 2. : .5, most, &crossing, &reason))
        {
          crossing.at = crossing.now * crossing.factor;
          if (crossing.figure == HEDDLE_FIGURE_CAPACITY)
            crossing.at = round (crossing.at);
          g_array_append_val (crossings, crossing);
        }
      if (reason == NULL)
        continue;
      g_propagate_error (error, reason);
      return NULL;
    }
  g_array_sort (crossings, compare_crossings);
  return g_steal_pointer (&crossings);
}
