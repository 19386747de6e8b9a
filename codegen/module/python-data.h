/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/module/module.h"
#include "diagram/base/dtype.h"

G_BEGIN_DECLS

/* @text as a word of Python in quotes. */
char *heddle_python_quote (const char *text);
/* A type as PyTorch calls it. */
const char *heddle_python_dtype (HeddleDtype dtype);
/* ("y", "k") */
char *heddle_python_names (const HeddleModule *names, const GArray *axes);
/* python-data.c: the kernels of one GPU as an entry of the module's table. Arrays that are read and given back, and sizes, have the names of
 * @first: the file has one interface. */
void heddle_python_print_gpu (
    HeddleModule *out, const HeddleModule *first, const HeddleModule *self, const HeddleGpuKernels *kernels);

G_END_DECLS
