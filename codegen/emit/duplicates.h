/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"

/* Sets @duplicate_of of each text in @texts: the first text that differs from it in the names of axes and
 * arrays alone, or NULL. A duplicate is compiled with that text and started with its own arrays. */
void heddle_kernel_texts_find_duplicates (GPtrArray *texts);
/* Returns the name of the function that is started for the text: its own, or that of the text it duplicates. */
const char *heddle_kernel_text_entry (const HeddleKernelText *self);
