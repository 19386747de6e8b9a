/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/cuda/kernel.h"

G_BEGIN_DECLS

/* The .cu of all kernels of a diagram, with one launcher in C. */
typedef struct
{
  HeddleDiagram *diagram; /* with the partial states of its kernels; its own */
  const HeddleSizes *sizes;
  HeddleDtype dtype;
  GPtrArray *texts;
  HeddleNames *names;
  char *name; /* of the launcher */
  GArray *inputs; /* value ids the module reads */
  GArray *outputs; /* value ids it gives back */
  GArray *workspace; /* value ids that stay inside */
  GArray *axes; /* sizes given at run time */
  GPtrArray *views; /* of HeddleOperation: what is read where it lies in an input, or in one before it */
  GString *out;
} HeddleModule;

/* module-interface.c. Clearing leaves @out. */
void heddle_module_init (HeddleModule *self, const HeddleDiagram *diagram, GPtrArray *texts,
    const HeddleSizes *sizes, HeddleDtype dtype);
void heddle_module_clear (HeddleModule *self);
/* The program whose parts the axis numbers; NULL: it is an axis of the diagram. */
const HeddleLoopProgram *heddle_module_find_split (const HeddleModule *self, const char *axis);
/* As the first kernel has it: no tile is larger than the axis it was made for. */
gint64 heddle_module_split_tile (const HeddleModule *self, const HeddleLoopProgram *split);
/* What is read by the operation lies there in its operand. */
gint64 heddle_module_view_place (const HeddleOperation *view, guint i);
/* The elements of a value, and what an array has to be aligned to: what the kernel that wants most of it says, or its elements. */
HeddleDtype heddle_module_dtype (const HeddleModule *self, const char *value);
guint heddle_module_alignment (const HeddleModule *self, const char *value);
/* The building blocks that the kernels use, and with the kernels: all that a compiler for the GPU needs. */
char *heddle_module_prelude (GPtrArray *texts);
void heddle_module_line (HeddleModule *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* A size as the launcher knows it: an argument, or a number. */
char *heddle_module_size (const HeddleModule *self, const char *axis);
/* The diagram as text, in comments that begin with @mark. */
void heddle_module_print_equations (HeddleModule *self, const char *equations, const char *mark);
/* launcher.c: what the launcher and its company look like, and how to call it as a comment. */
char *heddle_module_prototype (const HeddleModule *self);
char *heddle_module_workspace_prototype (const HeddleModule *self);
/* The sides of a tensor map's box: "1, 128, 64". */
char *heddle_kernel_map_box (const HeddleKernelMap *map);
/* The blocks of a launch, in C. */
char *heddle_module_blocks (const HeddleModule *self, const HeddleKernelText *text);
/* f16[y, k=128] */
char *heddle_module_type_text (const HeddleModule *self, const char *value);
void heddle_module_print_usage (HeddleModule *self, const char *mark);
void heddle_module_print_launcher (HeddleModule *self);

G_END_DECLS
