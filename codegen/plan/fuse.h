/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* plan-fuse.c: how long the kernels take by the model; whether all products of a derivation run on the tensor core. */
double heddle_plan_seconds_of (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);
double heddle_plan_seconds (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation);
gboolean heddle_plan_is_bound (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation);
/* Whether kernels work products out again, once for each tile of what those do not have: kernels of their own may then be faster. */
gboolean heddle_plan_repeats_products (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation);
HeddleDerivation *heddle_plan_fuse (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSchedule *cut, const HeddlePlan *plan, GCancellable *cancellable);

G_END_DECLS
