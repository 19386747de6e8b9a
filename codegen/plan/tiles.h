/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/tile/tile.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/program/loop-program.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Returns a sentence that says why the tensor core does not run the kernel as it is labelled; %NULL if it
 * does, or if the general family is asked for. */
char *heddle_plan_find_fault (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);
/* Returns whether the kernel has a tile program; it is then not bound to the shared memory of the general
 * family. */
gboolean heddle_plan_has_tiles (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);
/* Returns the shares of the units' rates without what threads of plain loops take beside them. */
HeddleProductShares heddle_plan_unit_shares (const HeddleDiagram *diagram, const HeddleLoopProgram *program,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options);
/* Returns which of both the prices of a plan go by. */
HeddleProductSharesFunc heddle_plan_shares_of (const HeddlePlan *plan);
/* Returns the shares of a kernel of @program in the family that is chosen if none is asked for, as a
 * HeddleProductSharesFunc. */
HeddleProductShares heddle_plan_product_shares (const HeddleDiagram *diagram,
    const HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleDeriveOptions *options);
/* Returns whether a kernel of @derivation multiplies, by warpgroups, a factor that threads make in each
 * step. */
gboolean heddle_plan_changes_factors (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation);
/* Returns the tile program itself, which the caller owns; it borrows the kernel's loop program. Returns %NULL
 * if there is none. */
HeddleTileProgram *heddle_plan_make_tiles (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);
/* Returns the seconds that the tile program takes by the model; 0 if there is none. */
double heddle_plan_tile_seconds (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);

/* Returns a copy of @schedule with the lengths of tiles that are fastest by the model for the kernels of
 * @derivation; the caller owns it. It is NULL if nothing could be chosen, and the schedule then stays as it
 * is. */
HeddleSchedule *heddle_plan_choose_tiles (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleDerivation *derivation);
