/* SPDX-License-Identifier: MIT */
#include "codegen/plan/plan.h"
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "files/optimise/cost.h"

/* This file collects what is reported before and after. */

static guint
count_different (GPtrArray *texts)
{
  guint n = 0;

  for (guint i = 0; i < texts->len; i++)
    n += ((const HeddleKernelText *) g_ptr_array_index (texts, i))->duplicate_of == NULL;
  return n;
}

static void
add_kernel (HeddleOptimisedCost *self, const HeddlePlan *plan, const HeddleKernel *kernel)
{
  const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, 0);

  self->transfer_bytes += (double) level->transfer_bytes;
  self->dram_bytes += kernel->dram_bytes;
  self->flops += kernel->flops;
  self->expected_s += heddle_plan_kernel_seconds (plan, kernel);
}

HeddleOptimisedCost
heddle_optimised_cost_of (const HeddlePlan *plan)
{
  GPtrArray *kernels = plan->derivation->kernels;
  HeddleOptimisedCost cost = { 0 };

  cost.kernels = plan->texts != NULL ? plan->texts->len : kernels->len;
  cost.different = plan->texts != NULL ? count_different (plan->texts) : kernels->len;
  for (guint i = 0; i < kernels->len; i++)
    add_kernel (&cost, plan, g_ptr_array_index (kernels, i));
  return cost;
}

/* Returns whether a kernel was inserted to copy a parameter into another order. */
static gboolean
lays_parameter_out (const HeddlePlan *plan, const HeddleKernel *kernel)
{
  const HeddleDiagram *diagram = heddle_derivation_diagram (plan->derivation, plan->diagram);
  const HeddleOperation *copy
      = heddle_derivation_is_inserted (plan->derivation, kernel)
            ? heddle_diagram_get_operation (diagram, heddle_ids_index (kernel->operations, 0))
            : NULL;

  return copy != NULL
         && heddle_diagram_get_value (diagram, heddle_ids_index (copy->operands, 0))->role
                == HEDDLE_ROLE_PARAMETER;
}

HeddleOptimisedCost
heddle_optimised_baseline_cost (const HeddlePlan *plan)
{
  GPtrArray *kernels = plan->derivation->kernels;
  HeddleOptimisedCost cost = { 0 };

  for (guint i = 0; i < kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (kernels, i);

      if (lays_parameter_out (plan, kernel))
        continue;
      add_kernel (&cost, plan, kernel);
      cost.kernels++;
    }
  cost.different = cost.kernels;
  return cost;
}

static void
add (HeddleOptimisedCost *self, const HeddleOptimisedCost *more, guint times)
{
  self->kernels += more->kernels * times;
  self->different += more->different;
  self->transfer_bytes += more->transfer_bytes * times;
  self->dram_bytes += more->dram_bytes * times;
  self->flops += more->flops * times;
  self->expected_s += more->expected_s * times;
}

void
heddle_optimised_add_cost (HeddleOptimised *self)
{
  for (guint i = 0; i < self->pieces->len; i++)
    {
      const HeddleOptimisedPiece *piece = g_ptr_array_index (self->pieces, i);
      HeddleOptimisedCost before = heddle_optimised_cost_of (piece->apart);

      add (&self->before, &before, piece->times);
    }
  /* Not the sum of the pieces: a layer that stands by itself knows less of what it reads than in its place. */
  self->after = heddle_optimised_cost_of (self->plan);
}
