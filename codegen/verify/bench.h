/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"

/* Times of kernels on the GPU of this machine. The caller owns a bench. */

/* Frees @self and its timings; @self may be NULL. */
void heddle_bench_free (HeddleBench *self);
/* Times every kernel of the plan @launches times, by events of the GPU, at the plan's own sizes, on normal
 * values and indices inside their arrays; three launches before are not counted. Fails with
 * %HEDDLE_CODEGEN_ERROR_MISSING without a compiler, a driver or a GPU, and with
 * %HEDDLE_CODEGEN_ERROR_UNSUPPORTED if the kernels are for another one. */
HeddleBench *heddle_plan_bench (
    const HeddlePlan *plan, guint launches, GCancellable *cancellable, GError **error);
/* Times the kernels as heddle_plan_bench () does, but with all launches on the same arrays: what fits in the
 * L2 is read there. */
HeddleBench *heddle_plan_bench_in_place (
    const HeddlePlan *plan, guint launches, GCancellable *cancellable, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleBench, heddle_bench_free)
