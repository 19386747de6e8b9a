/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Cuts the diagram into kernels that are faster by the model: begins with those of @cut, or of @schedule where
 * it is NULL, and lets them go together. The caller owns the derivation; NULL where none can be made. */
HeddleDerivation *heddle_plan_fuse (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSchedule *cut, const HeddlePlan *plan, GCancellable *cancellable);

/* Returns a derivation with a kernel for each region of @schedule, whose labels are those that a plan would
 * choose for it; NULL with @error where no kernel can be made of one. The caller owns it. */
HeddleDerivation *heddle_plan_derive_regions (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddlePlan *plan, GCancellable *cancellable, GError **error);
