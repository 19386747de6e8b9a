/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Labels a region without labels whose kernel is a product with matrices that rows choose. Returns %FALSE if
 * it is no such product for the tensor core. */
gboolean heddle_plan_label_choices (const HeddlePlan *plan, const HeddleDiagram *diagram,
    HeddleSchedule *schedule, HeddleRegion *region, const HeddleKernel *kernel, GCancellable *cancellable);
