/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/module/module.h"

G_BEGIN_DECLS

/* Gives the declaration of the launcher in C without its return type; newly allocated, perhaps of several
 * lines. */
char *heddle_module_prototype (const HeddleModule *self);

/* Gives the declaration of the function that tells the bytes of workspace, without its return type; newly
 * allocated. */
char *heddle_module_workspace_prototype (const HeddleModule *self);
/* f16[y, k=128] */
char *heddle_module_type_text (const HeddleModule *self, const char *value);

/* Prints how the launcher is called, what its arrays are and what it returns, in comment lines that begin with
 * @mark. */
void heddle_module_print_usage (HeddleModule *self, const char *mark);
/* The sides of a tensor map's box: "1, 128, 64". */
char *heddle_kernel_map_box (const HeddleKernelMap *map);
/* The blocks of a launch, in C. */
char *heddle_module_blocks (const HeddleModule *self, const HeddleKernelText *text);

/* Prints the launcher and the functions beside it in C, behind the kernels: checks of its arguments, then the
 * launches in order. A run-time compiler skips it. */
void heddle_module_print_launcher (HeddleModule *self);

G_END_DECLS
