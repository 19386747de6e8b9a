/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"

/* Returns a sentence that says why two consecutive kernels are not one. */
char *heddle_plan_explain_apart (
    const HeddlePlan *plan, const HeddleKernel *one, const HeddleKernel *two, GCancellable *cancellable);
