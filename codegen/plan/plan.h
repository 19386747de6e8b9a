/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* A plan is a diagram with its kernels, their texts and the machine they are for. The caller owns a plan, and
 * the plan all that is in it. */

/* Frees @self and all that it owns; @self may be NULL. */
void heddle_plan_free (HeddlePlan *self);
/* Makes a plan as heddle_plan_new () does for a given machine, which need not be in a file. */
HeddlePlan *heddle_plan_new_on (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleMachine *machine, HeddleDtype dtype, HeddleFamily family, GHashTable *sizes,
    GCancellable *cancellable, GError **error);
/* Makes a plan. If @schedule is NULL or without regions, everything is one kernel where that is legal and
 * fits, else each statement is one. Labels not given are suggested. @gpu NULL means the schedule's, else
 * "h100-sxm"; @dtype UNSET means the schedule's, else f16. @sizes holds overrides by axis name, or is NULL.
 * Fails with the errors of the derivation, with the reason and remedy of a refused label
 * (%HEDDLE_DERIVE_ERROR_ILLEGAL). */
HeddlePlan *heddle_plan_new (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *gpu,
    HeddleDtype dtype, HeddleFamily family, GHashTable *sizes, GCancellable *cancellable, GError **error);
/* Makes a plan without a schedule that searches longer for what to fuse: among all ways to cut the diagram.
 * @search_cache (nullable) holds what is known from plans for the same machine, and receives what is
 * found. */
HeddlePlan *heddle_plan_new_thorough (const HeddleDiagram *diagram, const char *gpu, HeddleDtype dtype,
    HeddleFamily family, HeddleSearchCache *search_cache, GCancellable *cancellable, GError **error);
/* Makes a plan of a complete schedule, such as heddle_plan_get_schedule () returns: nothing is searched. */
HeddlePlan *heddle_plan_new_given (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const char *gpu, HeddleDtype dtype, HeddleFamily family, GHashTable *sizes, GCancellable *cancellable,
    GError **error);
/* Makes a plan with a kernel for each named value, to compare with: it has no texts, and some kernels may not
 * fit. With @schedule it has a kernel for each of its regions, as somebody else would write it: what threads of
 * ours would take beyond moving and computing is not counted. */
HeddlePlan *heddle_plan_new_apart (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const char *gpu, HeddleDtype dtype, HeddleFamily family, HeddleSearchCache *search_cache,
    GCancellable *cancellable, GError **error);
/* Makes a plan for the machine, type and search cache of @options and the sizes @sizes, to be priced: it has
 * no texts, and copies an array into another order once for all kernels that read it. It is made as what is
 * exported or, if @thorough, by a search of all ways to cut the diagram. */
HeddlePlan *heddle_plan_new_priced (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, gboolean thorough, GCancellable *cancellable, GError **error);
/* Returns the seconds that one of its kernels takes by the model, with the gap before the next one starts;
 * plans are compared by them. */
double heddle_plan_kernel_seconds (const HeddlePlan *self, const HeddleKernel *kernel);

/* Returns a new schedule that says all that the plan chose: machine, type, and the operations and labels of
 * every kernel. The caller owns it. */
HeddleSchedule *heddle_plan_get_schedule (const HeddlePlan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddlePlan, heddle_plan_free)
