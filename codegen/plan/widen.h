/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"

/* Makes the tiles of a kernel of the general family larger, in its program. Returns %FALSE if they stay. */
gboolean heddle_plan_widen (const HeddlePlan *plan, const HeddleKernel *kernel, const HeddleRegion *region);
