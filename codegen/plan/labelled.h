/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/plan/plan.h"
#include "derive/derivation/derive.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Returns a new derivation of the region with the labels that @schedule gives it, without a search and
 * whatever the result; NULL if none can be made. */
HeddleDerivation *heddle_plan_derive_region (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleRegion *region, GCancellable *cancellable);
/* Returns the same, but NULL where it is not one kernel that has a
 * program, fits and is not refused. */
HeddleDerivation *heddle_plan_derive_labelled (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleRegion *region);
