/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Returns the seconds of a region and labels it as heddle_plan_price_region () does, which is asked once for all
 * kernels that differ by names alone: what it finds is kept in the plan's search cache, as rewrites of a diagram,
 * and other layouts of one of its arrays, change few of its kernels.
 * @priced: (nullable): a set of GBytes to which the kernel's key is added, where it has one */
double heddle_plan_price_region_once (const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, const HeddlePlan *plan, GHashTable *priced, GCancellable *cancellable);
/* Returns @operations as one kernel with the labels that a plan gives it, whatever is around it; %NULL if it is
 * none. The caller owns it. */
HeddleDerivation *heddle_plan_derive_alone (const HeddleDiagram *diagram, const GArray *operations,
    const HeddlePlan *plan, GCancellable *cancellable);
