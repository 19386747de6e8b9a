/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Sizes at which the plan's very kernels are quick to check: a whole tile or chunk and a ragged one of each axis that is an argument. */
HeddleSizes *heddle_plan_small_sizes (const HeddlePlan *plan);
/* Likewise of loop programs alone, which can run at any; where a kernel has none, @sizes. */
HeddleSizes *heddle_derivation_small_sizes (
    const HeddleDiagram *diagram, HeddleDerivation *derivation, HeddleSizes *sizes);
/* The sizes that rows of arrays go along made multiples of 8, which aligns rows of two bytes an element; %NULL: they are, or
 * cannot be. */
HeddleSizes *heddle_plan_aligned_sizes (const HeddlePlan *plan, const HeddleSizes *sizes);

G_END_DECLS
