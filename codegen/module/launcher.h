/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/module/module.h"

G_BEGIN_DECLS

/* launcher.c: what the launcher and its company look like, and how to call it as a comment. */
char *heddle_module_prototype (const HeddleModule *self);
char *heddle_module_workspace_prototype (const HeddleModule *self);
/* f16[y, k=128] */
char *heddle_module_type_text (const HeddleModule *self, const char *value);
void heddle_module_print_usage (HeddleModule *self, const char *mark);
/* The sides of a tensor map's box: "1, 128, 64". */
char *heddle_kernel_map_box (const HeddleKernelMap *map);
/* The blocks of a launch, in C. */
char *heddle_module_blocks (const HeddleModule *self, const HeddleKernelText *text);
void heddle_module_print_launcher (HeddleModule *self);

G_END_DECLS
