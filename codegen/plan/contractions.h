/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/plan/plan.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/graph/diagram.h"
#include "diagram/document/schedule.h"

/* Chooses the sizes of the groups and steps of a kernel of the general family whose products are made of
 * register tiles, as far as @region (nullable) leaves them open. Returns whether the sizes in its program
 * changed. */
gboolean heddle_plan_size_contractions (
    const HeddlePlan *plan, const HeddleKernel *kernel, const HeddleRegion *region);
/* Labels @region, of @schedule, which has no labels, so that a product over windows is made of register tiles: only
 * along axes that are in tiles does a window begin before the array, and need ask for nothing. Returns FALSE, with
 * the region as it was, where the kernel has no such product or no tile is found. */
gboolean heddle_plan_label_register_tile (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, HeddleRegion *region, const HeddleKernel *kernel);
/* Returns what share of the rate of plain arithmetic the products of a kernel of the general family reach:
 * the multiplications among all instructions that its warps begin, and what they wait for where no other
 * block fills the wait. */
HeddleProductShares heddle_plan_contraction_shares (
    const HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleMachine *machine);
