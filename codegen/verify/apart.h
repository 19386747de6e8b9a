/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "codegen/verify/verify.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Whether the plan is too large to be evaluated as a whole at the sizes. */
gboolean heddle_plan_is_large (const HeddlePlan *plan, const HeddleSizes *sizes);

/* Fills @self with a plan of @kernel alone. It borrows the kernel and all that is not made for it from @plan,
 * which must outlive it; heddle_plan_part_clear () frees the rest. */
void heddle_plan_part_init (HeddlePlanPart *self, const HeddlePlan *plan, HeddleKernel *kernel);

/* Frees what heddle_plan_part_init () made, but neither @self nor the kernel. */
void heddle_plan_part_clear (HeddlePlanPart *self);
/* Interprets each kernel on its own, on random values in place of what the one before makes, at sizes that suit it. */
GPtrArray *heddle_plan_verify_apart (
    const HeddlePlan *plan, guint64 seed, GCancellable *cancellable, GError **error);
/* The same at sizes that are quick, which go into @sizes; %NULL there: the whole is too large at any, and its kernels were interpreted each on
 * its own, on random values in place of what the one before makes, at sizes that are in their details. */
GPtrArray *heddle_plan_verify_small (const HeddlePlan *plan, HeddleVerifyOn on, guint64 seed,
    HeddleSizes **sizes, GCancellable *cancellable, GError **error);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddlePlanPart, heddle_plan_part_clear)

G_END_DECLS
