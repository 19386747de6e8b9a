/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"

/* Returns the condition, as text, that the current row belongs to the pass. */
char *heddle_tensor_chosen (HeddleTensorKernel *self);
/* Opens the passes, one for each matrix that rows choose. */
void heddle_tensor_open_choices (HeddleTensorKernel *self);

/* Prints the end of the loop of passes that heddle_tensor_open_choices () opened, with a barrier: the next pass
 * fills the slots again. */
void heddle_tensor_close_choices (HeddleTensorKernel *self);
