/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "diagram/graph/diagram.h"
#include "files/optimise/optimise.h"

/* Returns the sums over the plan's kernels: their number, bytes, FLOP and expected seconds. */
HeddleOptimisedCost heddle_optimised_cost_of (const HeddlePlan *plan);
/* Returns the sums over the kernels that PyTorch would run, without those that only lay parameters out: weights are
 * laid out once, before anything runs. */
HeddleOptimisedCost heddle_optimised_baseline_cost (const HeddlePlan *plan);
/* Adds the cost of every piece, as often as it occurs, to the sums before and after. */
void heddle_optimised_add_cost (HeddleOptimised *self);
