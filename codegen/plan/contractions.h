/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/plan/plan.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"

G_BEGIN_DECLS

/* Sizes the groups and steps of a kernel of the general family whose products are made of register tiles, where @region (nullable) leaves
 * them open. Returns whether the sizes in its program changed. */
gboolean heddle_plan_size_contractions (
    const HeddlePlan *plan, const HeddleKernel *kernel, const HeddleRegion *region);

G_END_DECLS
