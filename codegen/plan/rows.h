/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"

G_BEGIN_DECLS

/* Gives the tiles of @kernel the sizes that rows in registers want, where it is a kernel of that form and @region
 * (nullable) leaves them open: long parts of rows, and no more rows than make a few thousand elements. The bands of its
 * program are changed. %FALSE: nothing was. */
gboolean heddle_plan_size_rows (
    const HeddlePlan *plan, const HeddleKernel *kernel, const HeddleRegion *region);

G_END_DECLS
