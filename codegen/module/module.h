/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/names.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"
#include "codegen/base/codegen.h"
#include <glib.h>

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

/* Appends one formatted line to the text of the module. */
void heddle_module_line (HeddleModule *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Prints the diagram as text, in comments that begin with @mark. */
void heddle_module_print_equations (HeddleModule *self, const char *equations, const char *mark);

/* Returns the one .cu (and, if asked for, its .h) of several kernels: what it is and how to call it, the
 * building blocks, the kernels with their derivations, then one launcher with a C interface named after the
 * diagram. Values that one kernel makes and another reads live in a workspace that the caller gives.
 * @equations is the diagram as text for the head comment, or NULL. Newly allocated; NULL without kernels.
 * */
char *heddle_codegen_module (const HeddleDiagram *diagram, GPtrArray *texts, const HeddleSizes *sizes,
    HeddleDtype dtype, const char *equations, char **header, GError **error);

/* Returns the type of a value as f16[y, k=128]. */
char *heddle_module_type_text (const HeddleModule *self, const char *value);

/* Returns the sides of a tensor map's box: "1, 128, 64". */
char *heddle_kernel_map_box (const HeddleKernelMap *map);
/* Returns the blocks of a launch, in C. */
char *heddle_module_blocks (const HeddleModule *self, const HeddleKernelText *text);

/* Prints the launcher and the functions beside it in C, behind the kernels: checks of its arguments, then the
 * launches in order. A run-time compiler skips it. */
void heddle_module_print_launcher (HeddleModule *self);
