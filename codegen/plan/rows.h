/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Gives the tiles of @kernel the sizes that rows in registers need, if it is a kernel of that form and
 * @region (nullable) leaves them open: long parts of rows, and no more rows than make a few thousand
 * elements. The bands of its program are changed. Returns %FALSE if nothing was changed. */
gboolean heddle_plan_size_rows (
    const HeddlePlan *plan, const HeddleKernel *kernel, const HeddleRegion *region);
/* Labels @region, which has no labels and is that of @kernel in @schedule, if rows read other elements than
 * their own, at indices or in windows: whole rows, or long parts of them, some of the innermost axis of rows
 * and one of each other. Returns %FALSE if the kernel is not of that form, and nothing was changed. */
gboolean heddle_plan_label_rows (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, HeddleRegion *region, const HeddleKernel *kernel);
/* Labels a region in which an input lies along another axis than the result's last one: tiles of both axes,
 * and one of each other. Returns %FALSE if the kernel is not of that form, or has too few columns for it, and
 * nothing was changed. */
gboolean heddle_plan_label_across (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, HeddleRegion *region, const HeddleKernel *kernel);
/* Halves the rows of a block of @region, that of @kernel in @schedule, as long as that is faster by the clock:
 * fewer rows a block are more blocks, which fill the waves of a GPU better. The region has all labels; @shares
 * are those of heddle_plan_shares_of (). */
void heddle_plan_take_fewer_rows (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, HeddleRegion *region, const HeddleKernel *kernel,
    HeddleProductSharesFunc shares);
