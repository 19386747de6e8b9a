/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"
#include "codegen/tile/tile.h"

/* Prints the registers for products of vectors. */
void heddle_tensor_print_column_registers (HeddleTensorKernel *self);

/* Prints one product of several vectors, the members of @op, with a tile in shared memory. */
void heddle_tensor_columns (HeddleTensorKernel *self, const HeddleTileOp *op);

/* Prints behind the stream how the sums of all products of vectors reach every thread, and the barrier after
 * it. */
void heddle_tensor_spread (HeddleTensorKernel *self);
