/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The building blocks that the kernels use, and with the kernels: all that a compiler for the GPU needs. */
char *heddle_module_prelude (GPtrArray *texts);
/* All kernels as one text for a compiler, without a launcher: to be compiled as it is, or by heddle_compile_device (). */
char *heddle_codegen_device (GPtrArray *texts);

G_END_DECLS
