/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/codegen.h"

G_BEGIN_DECLS

/* Whether the kernel has a tile program, and is then not bound to the shared memory of the general family. */
gboolean heddle_plan_has_tiles (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);
HeddleSchedule *heddle_plan_choose_tiles (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleDerivation *derivation);

G_END_DECLS
