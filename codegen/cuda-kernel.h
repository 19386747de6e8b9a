/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/names.h"

G_BEGIN_DECLS

/* The device part of a kernel of the general family, printed from a loop program. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes;
  HeddleDtype dtype; /* of values without their own */
  HeddleNames *names;
  char *entry;
  guint threads;
  gboolean wide; /* computes in double */
  GString *out;
  guint depth;
  GPtrArray *lines; /* per line printed: operation id or NULL */
  const char *operation; /* what the lines printed now belong to */
  GHashTable *sections; /* of the prelude that are used */
  const HeddleNode *node; /* the statement at hand */
  GPtrArray *arguments; /* texts of its sources */
  GHashTable *indices; /* axis id -> text of its global index at the point */
  GPtrArray *bands; /* of HeddleNode: around the statement at hand */
} HeddleCudaKernel;

/* Whether the axis' size is an argument of the kernel: it is grouped or streamed, and no buffer holds it whole. */
gboolean heddle_cuda_axis_at_run_time (const HeddleLoopProgram *program, const char *axis);
/* Whether the axis' size is a constant of the kernel: it is used, and not given at run time. */
gboolean heddle_cuda_axis_is_fixed (const HeddleLoopProgram *program, const char *axis);
/* The C type elements of a dtype are held in; %NULL: none in this family. */
const char *heddle_cuda_type (HeddleDtype dtype);
/* Prints constants and the __global__ function into self->out. */
gboolean heddle_cuda_kernel_print (HeddleCudaKernel *self, GError **error);
void heddle_cuda_line (HeddleCudaKernel *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* cuda-statement.c */
gboolean heddle_cuda_statement (HeddleCudaKernel *self, const HeddleNode *node, GError **error);
/* The axes that kernels of @program have sizes of at run time, in the diagram's order. */
GArray *heddle_cuda_run_time_axes (const HeddleDiagram *diagram, const HeddleLoopProgram *program);

G_END_DECLS
