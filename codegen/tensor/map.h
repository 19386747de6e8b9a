/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"
#include "codegen/tile/tile.h"

/* The printers of operations that work on each element or row of tiles in registers. */

/* Prints an expression at each element of a tile; a choice by an index alone becomes a branch. */
void heddle_tensor_map (HeddleTensorKernel *self, const HeddleTileOp *op);

/* Prints exp of scaled elements less their row's maximum as one power of two with one multiply-add; a row of
 * -inf alone gives 0, not NaN. */
void heddle_tensor_exponential (HeddleTensorKernel *self, const HeddleTileOp *op);

/* Prints, for a tile that reaches beyond the end of its axis, how the columns behind the end get the pad of
 * @op. */
void heddle_tensor_mask (HeddleTensorKernel *self, const HeddleTileOp *op);

/* Prints the reduction of a tile's columns to one value for each row, inside its condition where it has one. */
void heddle_tensor_reduce (HeddleTensorKernel *self, const HeddleTileOp *op);
