/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* A cut of a diagram into kernels, with all labels. */
typedef struct
{
  const HeddleSchedule *schedule; /* a region for each kernel: heddle_plan_applied () */
  const HeddleDerivation *derivation; /* of it */
} HeddlePlanCut;

/* Returns the schedule of @fused (a new one) in which each kernel that takes longer than the kernels of @parts
 * that do the same is replaced by those; NULL if there is none such. Values lie in memory as in @fused. */
HeddleSchedule *heddle_plan_part_kernels (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, const HeddlePlanCut *fused, const HeddlePlanCut *parts);
