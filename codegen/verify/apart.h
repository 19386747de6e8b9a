/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "codegen/verify/verify.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"

/* Returns whether the plan is too large to be evaluated as a whole at the sizes. */
gboolean heddle_plan_is_large (const HeddlePlan *plan, const HeddleSizes *sizes);

/* Fills @self with a plan of @kernel alone. It borrows the kernel and all that is not made for it from @plan,
 * which must outlive it; heddle_plan_part_clear () frees the rest. */
void heddle_plan_part_init (HeddlePlanPart *self, const HeddlePlan *plan, HeddleKernel *kernel);

/* Frees what heddle_plan_part_init () made, but neither @self nor the kernel. */
void heddle_plan_part_clear (HeddlePlanPart *self);
/* Returns the index of the kernel whose text runs instead of @kernel's, which does the same on other arrays;
 * -1 if @kernel has a text of its own. */
int heddle_plan_find_duplicated (const HeddlePlan *plan, const HeddleKernel *kernel);
/* Interprets each kernel by itself, on random values instead of what the one before makes, at sizes that suit
 * it. */
GPtrArray *heddle_plan_verify_apart (
    const HeddlePlan *plan, guint64 seed, GCancellable *cancellable, GError **error);
/* Returns whether the kernel goes through an axis in steps of which there is one at most at @sizes, but several
 * at sizes that suit it alone. */
gboolean heddle_plan_is_cut_short (const HeddlePlan *plan, HeddleKernel *kernel, const HeddleSizes *sizes);
/* Interprets by itself each kernel that is cut short at @sizes, which suit all kernels together. */
GPtrArray *heddle_plan_verify_long (const HeddlePlan *plan, const HeddleSizes *sizes, guint64 seed,
    const HeddleKernel **failed, GCancellable *cancellable, GError **error);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddlePlanPart, heddle_plan_part_clear)
