/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/report/roofline.h"

/* A kernel time is what one kernel takes of the time, or the same one of several layers. */
typedef struct
{
  char *title; /* as the kernel is called, or the first of them */
  guint n; /* of how many layers it is; 1: it stands alone */
  double seconds, share; /* of all n, expected, and of all kernels: 0 to 1 */
  const char *bound; /* static */
  HeddleRooflinePoint point; /* zeros: nothing is computed */
  GArray *operations; /* of const char *: ids of the diagram without calls, as many of each of the n */
} HeddleKernelTime;

/* Kernel times are the kernels that take longest, and what all take; they outlive the derivation. */
typedef struct
{
  GPtrArray *longest; /* of HeddleKernelTime, those first that take longest, of all their layers */
  guint n; /* kernels with a time */
  double seconds; /* of all of them */
} HeddleKernelTimes;

/* Returns the times of the kernels of @derivation (nullable), in any thread; there are none where the machine has no times. The caller
 * owns the result. */
HeddleKernelTimes *heddle_kernel_times_new (const HeddleDerivation *derivation);
/* Frees the times and all in them; nothing happens with NULL. */
void heddle_kernel_times_free (HeddleKernelTimes *self);
/* Returns a copy, owned by the caller; NULL of NULL. */
HeddleKernelTimes *heddle_kernel_times_copy (const HeddleKernelTimes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleKernelTimes, heddle_kernel_times_free)

/* Selects what stands on the canvas for the operations of a kernel. */
void heddle_editor_select_kernel (HeddleEditor *self, const HeddleKernelTime *kernel);

/* Has the canvas show as warmth what takes time; NULL: it shows none. "warmth-changed" tells of it. */
void heddle_editor_set_warmth (HeddleEditor *self, const HeddleKernelTimes *times);
/* Returns how warm an operation on the canvas is: 1 is the warmest, 0 is nothing. */
double heddle_editor_get_warmth (HeddleEditor *self, const char *operation);
/* Returns whether the canvas shows warmth. */
gboolean heddle_editor_is_warm (HeddleEditor *self);
