/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/module/module.h"
#include "diagram/base/dtype.h"

/* Returns the name of a data type in PyTorch. */
const char *heddle_python_dtype (HeddleDtype dtype);
/* Returns the names of axes as ("y", "k"). */
char *heddle_python_names (const HeddleModule *names, const GArray *axes);
/* Prints the kernels of one GPU as an entry of the module's table. Sizes, and arrays that are read and given
 * back, have the names of @first: the file has one interface. */
void heddle_python_print_gpu (
    HeddleModule *out, const HeddleModule *first, const HeddleModule *self, const HeddleGpuKernels *kernels);
