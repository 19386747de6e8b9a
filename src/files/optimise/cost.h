/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "diagram/graph/diagram.h"
#include "files/optimise/optimise.h"

G_BEGIN_DECLS

double heddle_optimised_dram_bytes (const HeddleMachine *machine, const HeddleKernel *kernel);
HeddleOptimisedCost heddle_optimised_cost_of (const HeddleMachine *machine, const HeddlePlan *plan);
void heddle_optimised_add_cost (HeddleOptimised *self);
/* "S P O": the values that a kernel makes for others. Newly allocated. */
char *heddle_optimised_kernel_title (const HeddleDiagram *diagram, const HeddleKernel *kernel);

G_END_DECLS
