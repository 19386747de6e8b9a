/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "codegen/base/codegen.h"
#include "codegen/plan/cut.h"
#include "codegen/plan/plan.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/layout.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Returns whether the diagram has the same operation as the plan. */
static gboolean
has_operation (const HeddleDiagram *diagram, const HeddleDiagram *planned, const char *id)
{
  const HeddleOperation *own = heddle_diagram_get_operation (diagram, id);
  const HeddleOperation *other = heddle_diagram_get_operation (planned, id);

  return own != NULL && other != NULL && own->kind == other->kind && own->result == other->result
         && own->operands->len == other->operands->len
         && memcmp (own->operands->data, other->operands->data, own->operands->len * sizeof (char *)) == 0;
}

HeddleSchedule *
heddle_plan_cut (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable)
{
  g_autoptr (HeddlePlan) plan = heddle_plan_new_priced (diagram, sizes, options, cancellable, NULL);
  HeddleSchedule *schedule;

  for (guint i = 0; plan != NULL && i < plan->derivation->kernels->len; i++)
    {
      const GArray *operations
          = ((const HeddleKernel *) g_ptr_array_index (plan->derivation->kernels, i))->operations;

      for (guint k = 0; k < operations->len; k++)
        if (!has_operation (diagram, plan->diagram, heddle_ids_index (operations, k)))
          return NULL;
    }
  if (plan == NULL)
    return NULL;
  schedule = heddle_plan_get_schedule (plan);
  heddle_schedule_take_layouts (schedule, diagram, plan->diagram);
  return schedule;
}
