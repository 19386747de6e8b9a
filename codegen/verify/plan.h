/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "diagram/graph/diagram.h"

/* Verifies a plan at other sizes of the axes that its kernels take as arguments. */
GPtrArray *heddle_plan_verify (const HeddlePlan *plan, const HeddleSizes *sizes, HeddleVerifyOn on,
    guint64 seed, GCancellable *cancellable, GError **error);
/* Verifies a plan at sizes that are quick, which @sizes receives. If it receives %NULL, the whole is too
 * large at any size: its kernels were interpreted each by itself, on random values instead of what the one
 * before makes, at sizes that their details say. */
GPtrArray *heddle_plan_verify_small (
    const HeddlePlan *plan, HeddleVerifyOn on, guint64 seed, HeddleSizes **sizes, GError **error);
/* Returns the line about these very kernels if they were verified on the CPU since the program began, for
 * whatever purpose; %NULL if they were not, or it is forgotten. */
char *heddle_plan_recall_line (const HeddlePlan *plan);
/* Verifies a plan at such sizes by the best way this machine has, and says so in one line for a kernel's
 * head comment, newly allocated: "verified on the CPU …" or "NOT VERIFIED: reason". Returns NULL with
 * HEDDLE_CODEGEN_ERROR_VERIFY for a kernel that is wrong, or with G_IO_ERROR_CANCELLED. */
char *heddle_plan_verify_line (
    const HeddlePlan *plan, guint64 seed, GCancellable *cancellable, GError **error);
/* Returns the first kernel of a plan that does not compile, or is wrong as heddle_plan_verify_line () finds,
 * with @why; %NULL, with @why unset, where no single kernel is to blame, or there is no compiler. */
const HeddleKernel *heddle_plan_find_bad (
    const HeddlePlan *plan, guint64 seed, GCancellable *cancellable, GError **why);
