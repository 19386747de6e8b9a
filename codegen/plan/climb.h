/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"

/* Returns a derivation of the kernel alone with labels that were changed step by step as long as it takes less
 * time by the clock, as it would be emitted; the caller owns it. It never gets slower instructions. Returns NULL
 * if no step helps. */
HeddleDerivation *heddle_plan_climb (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleKernel *kernel, GCancellable *cancellable);
