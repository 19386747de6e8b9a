/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Returns the building blocks that the kernels use, which together with the kernels are all that a compiler
 * for the GPU needs. */
char *heddle_module_prelude (GPtrArray *texts);
/* Returns all kernels as one text for a compiler, without a launcher: to be compiled as it is, or by
 * heddle_compile_device (). */
char *heddle_codegen_device (GPtrArray *texts);
