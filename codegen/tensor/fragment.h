/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"
#include "codegen/tile/tile.h"

/* The functions below print the loading of factors into registers. */
/* Uses the section that holds a function for what is multiplied: "multiply f16". */
void heddle_tensor_use_typed (HeddleTensorKernel *self, const char *function);
/* Returns the name of the loop over a sum, which says how much of it a product takes: "k16". */
const char *heddle_tensor_depth_name (const HeddleTensorKernel *self);
/* Opens one loop over a sum, with steps of as much as a product takes. */
guint heddle_tensor_depth_loop (HeddleTensorKernel *self, const char *depth);

/* Prints how the result @tile of one product, in registers, becomes the left factor @to of another, without
 * shared memory. */
void heddle_tensor_recast_left (HeddleTensorKernel *self, guint tile, const char *to);
/* Prints the load of the left factor of such a step. */
void heddle_tensor_load_left (HeddleTensorKernel *self, guint tile);
/* Prints the load of a right factor of two products, from a column on, where the array has columns side by
 * side (@exchanged) or the sum. */
void heddle_tensor_load_columns (
    HeddleTensorKernel *self, guint tile, gboolean exchanged, const char *column);

/* Prints how the right factor of product @op gets from shared memory into the registers of one step. */
void heddle_tensor_load_right (HeddleTensorKernel *self, const HeddleTileOp *op);

/* Prints how the tile of @op, a factor in shared memory, gets into registers as single values, for operations
 * that read its elements. */
void heddle_tensor_unpack (HeddleTensorKernel *self, const HeddleTileOp *op);
