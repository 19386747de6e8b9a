/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/cuda-kernel.h"

G_BEGIN_DECLS

/* The .cu of all kernels of a diagram, with one launcher in C. */
typedef struct
{
  const HeddleDiagram *diagram; /* with the partial states of its kernels */
  const HeddleSizes *sizes;
  HeddleDtype dtype;
  GPtrArray *texts;
  HeddleNames *names;
  char *name; /* of the launcher */
  GArray *inputs; /* value ids the module reads */
  GArray *outputs; /* value ids it gives back */
  GArray *workspace; /* value ids that stay inside */
  GArray *axes; /* sizes given at run time */
  GString *out;
} HeddleModule;

void heddle_module_line (HeddleModule *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* A size as the launcher knows it: an argument, or a number. */
char *heddle_module_size (const HeddleModule *self, const char *axis);
/* launcher.c: what the launcher and its company look like, and how to call it as a comment. */
char *heddle_module_prototype (const HeddleModule *self);
char *heddle_module_workspace_prototype (const HeddleModule *self);
void heddle_module_print_usage (HeddleModule *self, const char *mark);
void heddle_module_print_launcher (HeddleModule *self);

G_END_DECLS
