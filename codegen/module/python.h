/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/module/module.h"

G_BEGIN_DECLS

/* python-data.c: the kernels of one GPU as an entry of the module's table. Arrays that are read and given back, and sizes, have the names of
 * @first: the file has one interface. */
void heddle_python_print_gpu (
    HeddleModule *out, const HeddleModule *first, const HeddleModule *self, const HeddleGpuKernels *kernels);
/* ("y", "k") */
char *heddle_python_names (const HeddleModule *names, const GArray *axes);
/* python-size.c: the size of an axis as it follows from those of @known axes, in a dictionary `sizes`; %NULL: it does not. */
char *heddle_python_size (const HeddleModule *module, const char *axis, const GArray *known);
/* A type as PyTorch calls it. */
const char *heddle_python_dtype (HeddleDtype dtype);
/* @text as a word of Python in quotes. */
char *heddle_python_quote (const char *text);

G_END_DECLS
