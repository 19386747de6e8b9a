/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"
#include "codegen/tile/tile.h"

/* The printer of results, from registers to global memory. */

/* Prints how the tile of @op, in registers, gets into its array; rows and columns outside the array, or of
 * another pass, are left out. */
void heddle_tensor_store (HeddleTensorKernel *self, const HeddleTileOp *op);
