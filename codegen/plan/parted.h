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

/* Returns the schedule of @cut (a new one) in which kernels that take longer than kernels of @other that do the
 * same are replaced by those; NULL if there are none such. Values lie in memory as in @cut. */
HeddleSchedule *heddle_plan_take_better (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, const HeddlePlanCut *cut, const HeddlePlanCut *other);
