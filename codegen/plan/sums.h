/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Labels @region, which has no labels and is that of @kernel in @schedule, for sums over other axes than the
 * contiguous one: a few sectors of the columns, one of every other axis that is kept, a stream over the
 * places, and parts of these if there are few columns. Returns %FALSE if the kernel is not of that form, and
 * nothing was changed. */
gboolean heddle_plan_label_sums (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, HeddleRegion *region, const HeddleKernel *kernel);
