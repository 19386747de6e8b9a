/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "codegen/plan-private.h"
#include "derive/kernel.h"

/* Which statements to fuse where nobody says it, and one kernel for all would have its products done without the tensor core. */

/* More kernels are left apart: each is tried with the one before it. */
#define MOST_KERNELS 24
/* How many times slower than the arithmetic units could be the general family is: it reads both factors from shared memory. */
#define GENERAL_LOSS 8.

static double
seconds_of_kernel (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  double seconds = heddle_plan_tile_seconds (plan, diagram, kernel);

  if (seconds == 0)
    seconds = MAX (kernel->expected_s, kernel->tensor_flops * GENERAL_LOSS / plan->machine->fp32_flops);
  return seconds + HEDDLE_KERNEL_START;
}

double
heddle_plan_seconds (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation)
{
  double seconds = 0;

  for (guint i = 0; derivation != NULL && i < derivation->kernels->len; i++)
    seconds += seconds_of_kernel (plan, diagram, g_ptr_array_index (derivation->kernels, i));
  return derivation != NULL ? seconds : INFINITY;
}

gboolean
heddle_plan_is_bound (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation)
{
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      if (kernel->tensor_flops > 0 && !heddle_plan_has_tiles (plan, diagram, kernel))
        return FALSE;
    }
  return TRUE;
}

/* A region for each group of statements, of which the one after @first has gone with it. */
static HeddleSchedule *
schedule_of (const HeddleDiagram *diagram, const HeddleSchedule *schedule, GPtrArray *groups, guint first)
{
  HeddleSchedule *made
      = schedule != NULL ? heddle_schedule_copy (schedule) : heddle_schedule_new (diagram->id);
  HeddleRegion *region = NULL;

  for (guint i = 0; i < groups->len; i++)
    {
      const GArray *operations = g_ptr_array_index (groups, i);

      if (i != first + 1)
        region = heddle_schedule_add_region (made);
      for (guint k = 0; k < operations->len; k++)
        heddle_ids_append (region->operations, heddle_ids_index (operations, k));
    }
  return made;
}

/* A group and the next as one kernel: taken where it is legal and faster. */
static gboolean
try_together (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    GPtrArray *groups, guint first, HeddleDerivation **best, GCancellable *cancellable)
{
  GArray *group = g_ptr_array_index (groups, first), *next = g_ptr_array_index (groups, first + 1);
  HeddleSchedule *tried = schedule_of (diagram, schedule, groups, first);
  HeddleDerivation *derivation = heddle_plan_derive (diagram, tried, plan, cancellable, NULL);

  heddle_schedule_free (tried);
  if (derivation == NULL
      || heddle_plan_seconds (plan, diagram, derivation) >= heddle_plan_seconds (plan, diagram, *best))
    {
      g_clear_pointer (&derivation, heddle_derivation_free);
      return FALSE;
    }
  heddle_derivation_free (*best);
  *best = derivation;
  g_array_append_vals (group, next->data, next->len);
  g_ptr_array_remove_index (groups, first + 1);
  return TRUE;
}

static GArray *
copy_of (const GArray *operations)
{
  GArray *copy = heddle_ids_new ();

  g_array_append_vals (copy, operations->data, operations->len);
  return copy;
}

/**
 * heddle_plan_fuse:
 * @schedule: (nullable): without regions
 *
 * Begins with a kernel for each statement, and lets each go with those before it where that is faster by the model.
 *
 * Returns: (transfer full) (nullable): the derivation; %NULL: statement by statement some kernel cannot be made
 */
HeddleDerivation *
heddle_plan_fuse (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddlePlan *plan,
    GCancellable *cancellable)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  HeddleSchedule *apart = heddle_schedule_fuse (diagram, schedule, "none", NULL);
  HeddleDerivation *best = heddle_plan_derive (diagram, apart, plan, cancellable, NULL);

  heddle_schedule_free (apart);
  if (best == NULL || best->kernels->len > MOST_KERNELS)
    return best;
  for (guint i = 0; i < best->kernels->len; i++)
    g_ptr_array_add (groups, copy_of (((HeddleKernel *) g_ptr_array_index (best->kernels, i))->operations));
  for (guint first = 0; first + 1 < groups->len && !g_cancellable_is_cancelled (cancellable);)
    if (!try_together (plan, diagram, schedule, groups, first, &best, cancellable))
      first++;
  return best;
}
