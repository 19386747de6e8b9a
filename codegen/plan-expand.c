/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "codegen/plan-private.h"
#include "diagram/rewrite.h"

/* A softmax that is kept, or a norm, needs all of a row at once. Written out as maps and reductions, each goes through the row in pieces. */

static gboolean
is_given (const HeddleSchedule *schedule, const char *operation)
{
  return schedule != NULL && heddle_schedule_region_of (schedule, operation) != NULL;
}

/* The operations of kernels that do not fit, but for those that a person put together. */
static GArray *
find_unfit (const HeddlePlan *plan, const HeddleSchedule *schedule, GCancellable *cancellable)
{
  GArray *operations = heddle_ids_new ();
  HeddleDerivation *derivation = heddle_plan_derive_apart (plan->diagram, schedule, plan, cancellable);

  for (guint i = 0; derivation != NULL && i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      for (guint k = 0; !kernel->fits && !heddle_plan_has_tiles (plan, plan->diagram, kernel)
                        && k < kernel->operations->len;
           k++)
        if (!is_given (schedule, heddle_ids_index (kernel->operations, k)))
          heddle_ids_append (operations, heddle_ids_index (kernel->operations, k));
    }
  g_clear_pointer (&derivation, heddle_derivation_free);
  return operations;
}

gboolean
heddle_plan_expand (HeddlePlan *plan, const HeddleSchedule *schedule, GCancellable *cancellable)
{
  g_autoptr (GArray) operations = find_unfit (plan, schedule, cancellable);
  gboolean changed = FALSE;

  /* of a kernel that is refused for what it reads outside there is no derivation */
  for (guint i = 0; i < operations->len; i++)
    changed |= heddle_diagram_expand_at (plan->diagram, heddle_ids_index (operations, i));
  return changed;
}
