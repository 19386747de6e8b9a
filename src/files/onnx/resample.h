/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/flow.h"
#include "files/onnx/importer.h"

/* The weights of the points that one point of a resized dimension is summed of. */
typedef struct _HeddleResamplingKernel HeddleResamplingKernel;

/* The way in which one dimension is resampled to another size. */
typedef struct
{
  const char
      *place; /* where a point of the result is in the input: over its index as $0, with the letters below */
  double a, b, c;
  const HeddleResamplingKernel
      *kernel; /* points near by are summed with its weights; NULL: the nearest point is taken */
  const char *rounding; /* which point is the nearest, over a place as $0 */
  double coefficient; /* of the cubic */
  double
      narrowing; /* how many times narrower the kernel is, at most 1: below it lets no detail through that the result cannot show */
  gboolean only_inside; /* points outside count for nothing, else as those at the border */
  gboolean crops; /* what comes from outside is `outside` */
  double outside;
} HeddleResampling;

/* Returns the kernel called "linear" or "cubic"; NULL if there is no such kernel. */
const HeddleResamplingKernel *heddle_kernel_find (const char *mode);
/* Returns the rule for the nearest point that ONNX calls so; NULL if there is none. */
const char *heddle_rounding_find (const char *mode);
/* Resamples dimension @dim of @flow to @size points. */
void heddle_import_resample (
    HeddleImport *self, HeddleFlow *flow, guint dim, gint64 size, const HeddleResampling *how);
