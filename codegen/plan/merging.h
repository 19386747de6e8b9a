/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"

/* This file sizes the second kernel of a split axis, which merges what the groups of the first one left. As
 * it is derived it takes one part after another, and would wait for each. */

/* Returns how many parts a block of the kernel that merges those of @program is to have at a time: as many as
 * there are, or have room where a block of the first kernel has its own. @sizes: of @program itself. */
gint64 heddle_plan_parts_at_once (const HeddleLoopProgram *program, const HeddleSizes *sizes);
/* Makes all such kernels of the plan take so many parts at a time. */
void heddle_plan_widen_merging (HeddlePlan *plan);
