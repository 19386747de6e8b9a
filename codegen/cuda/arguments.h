/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "codegen/cuda/expr.h"
#include "codegen/cuda/kernel.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"

/* This file gives the sources of a statement as texts: each element that it reads at the current point, and
 * what must hold for the read to be inside its array. The caller owns the texts unless they are kept in the
 * kernel. */

/* Returns the statement that sets @place, an element of @dtype, to @value. Newly allocated. */
char *heddle_cuda_to_dtype (HeddleCudaKernel *self, HeddleDtype dtype, const char *place, const char *value);

/* Returns the context that expressions of the current statement are printed in; it borrows all from @self. */
HeddleCudaContext heddle_cuda_context (HeddleCudaKernel *self);

/* Appends to @inside what must hold for @text, which is @index, to be on the axis that is read along, as far
 * as that is not known. */
void heddle_cuda_guard_index (
    HeddleCudaKernel *self, const HeddleExpr *index, const char *axis, const char *text, GString *inside);

/* Puts the texts of the sources at the point into self->arguments, and what must hold to read them into
 * self->inside. */
void heddle_cuda_collect_arguments (HeddleCudaKernel *self, const HeddleNode *node);

/* Returns how much of an axis that is visited is current. */
HeddleExtent heddle_cuda_reduced_extent (HeddleCudaKernel *self, const char *axis);

/* Returns the element at @place, of @dtype, as a value of the type that the kernel computes in. Newly
 * allocated. */
char *heddle_cuda_from_dtype (HeddleCudaKernel *self, HeddleDtype dtype, const char *place);
