/* SPDX-License-Identifier: MIT */
#include "codegen/plan/labelled.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"

HeddleDerivation *
heddle_plan_derive_region (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleRegion *region, GCancellable *cancellable)
{
  const HeddleDeriveOptions options = { .machine = plan->machine,
    .dtype = plan->dtype,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .plain = TRUE,
    .region = region->id };

  return heddle_derive (diagram, schedule, plan->sizes, &options, cancellable, NULL);
}

HeddleDerivation *
heddle_plan_derive_labelled (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleRegion *region)
{
  g_autoptr (HeddleDerivation) derivation = heddle_plan_derive_region (plan, diagram, schedule, region, NULL);
  const HeddleKernel *kernel = derivation != NULL && derivation->kernels->len == 1
                                   ? g_ptr_array_index (derivation->kernels, 0)
                                   : NULL;

  if (kernel == NULL || kernel->program == NULL || !kernel->fits || kernel->refusals->len > 0)
    return NULL;
  return g_steal_pointer (&derivation);
}
