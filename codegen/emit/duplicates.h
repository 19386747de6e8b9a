/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"

G_BEGIN_DECLS

/* Sets @same of each: kernels that do the same on different arrays, whose texts differ in the names of axes and arrays alone. */
void heddle_kernel_texts_find_same (GPtrArray *texts);
/* The function that is started for it. */
const char *heddle_kernel_text_entry (const HeddleKernelText *self);

G_END_DECLS
