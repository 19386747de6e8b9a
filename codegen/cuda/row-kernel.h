/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"
#include "codegen/cuda/rows.h"

/* Prints the __global__ function of a kernel of the form @rows into self->out: rows in registers, one pass
 * over memory. Returns %FALSE with %HEDDLE_CODEGEN_ERROR if an array has a type that kernels do not hold. */
gboolean heddle_row_kernel_print (HeddleCudaKernel *self, const HeddleRows *rows, GError **error);
