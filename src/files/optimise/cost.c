/* SPDX-License-Identifier: MIT */
#include "codegen/plan/plan.h"
#include "derive/cost/level-cost.h"
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

HeddleOptimisedCost
heddle_optimised_cost_of (const HeddlePlan *plan)
{
  GPtrArray *kernels = plan->derivation->kernels;
  HeddleOptimisedCost cost = { 0 };

  cost.kernels = plan->texts != NULL ? plan->texts->len : kernels->len;
  cost.different = plan->texts != NULL ? count_different (plan->texts) : kernels->len;
  for (guint i = 0; i < kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (kernels, i);
      const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, 0);

      cost.transfer_bytes += (double) level->transfer_bytes;
      cost.dram_bytes += kernel->dram_bytes;
      cost.flops += kernel->flops;
      cost.expected_s += heddle_plan_kernel_seconds (plan, kernel);
    }
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
