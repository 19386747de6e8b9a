/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Gives the seconds that one kernel takes by the model. */
double heddle_plan_seconds_of (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);

/* Gives the seconds that all kernels of @derivation take by the model, one after another; infinity where it is
 * NULL. */
double heddle_plan_seconds (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation);

/* Tells whether every kernel of @derivation that could use the tensor core has a tile program that does. */
gboolean heddle_plan_is_bound (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation);
/* Whether kernels work products out again, once for each tile of what those do not have: kernels of their own may then be faster. */
gboolean heddle_plan_repeats_products (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation);

/* Cuts the diagram into kernels that are faster by the model: begins with those of @cut, or of @schedule where
 * it is NULL, and lets them go together. The caller owns the derivation; NULL where none can be made. */
HeddleDerivation *heddle_plan_fuse (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSchedule *cut, const HeddlePlan *plan, GCancellable *cancellable);

G_END_DECLS
