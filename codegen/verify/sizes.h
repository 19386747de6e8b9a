/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"

/* Returns sizes at which the plan's very kernels are quick to check: axes whose sizes are arguments of the
 * kernels get one whole part and a ragged one, less where that is much work; axes that are constants in the
 * kernels keep their sizes. Where smaller sizes would not suit its kernels, they are those of the plan. The
 * caller owns them. */
HeddleSizes *heddle_plan_small_sizes (const HeddlePlan *plan);
/* Returns such sizes for loop programs alone, which can run at any; @sizes if a kernel has none. */
HeddleSizes *heddle_derivation_small_sizes (
    const HeddleDiagram *diagram, HeddleDerivation *derivation, HeddleSizes *sizes);
/* Returns the sizes in which the lengths of arrays' rows are multiples of 8, which aligns rows of two bytes
 * an element; %NULL if they are already, or cannot be. */
HeddleSizes *heddle_plan_aligned_sizes (const HeddlePlan *plan, const HeddleSizes *sizes);
