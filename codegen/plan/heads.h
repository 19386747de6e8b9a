/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Returns the seconds that a region without labels takes as one kernel, and labels axes of which blocks get
 * one, if that is faster. They are infinite if it cannot be a kernel. */
double heddle_plan_price_region (const HeddleDiagram *diagram, HeddleSchedule *schedule, HeddleRegion *region,
    const HeddlePlan *plan, GCancellable *cancellable);
