/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/cuda/kernel.h"
#include "codegen/tile/mma.h"
#include "codegen/tile/tile.h"

/* A kernel of the sm_80 family that is being printed, from a tile program. Each accumulator tile is 16 rows
 * and 8 columns: a lane holds elements e4 = 0 … 3, which are columns `column` and `column` + 1 of row `row`,
 * then of row `row` + 8. */
typedef struct
{
  HeddleCudaKernel cuda; /* lines, names, sections */
  const HeddleTileProgram *tiles;
  const HeddleMma *mma; /* the factors of the current operation */
  const char *half; /* which of the two rows the current point is in: text */
  const char *along; /* the axis of the current columns; NULL: the point is a row */
  const char *slot, *phase; /* of the ring, that the current operation reads: names of variables */
  gint64 alignment; /* of arrays that are copied by 16 bytes */
  const HeddleTileOp
      *meanwhile; /* what can be done while products of warpgroups are under way; NULL: nothing */
} HeddleTensorKernel;

/* Prints the __global__ function into self->cuda.out. */
gboolean heddle_tensor_kernel_print (HeddleTensorKernel *self, GError **error);

/* where things are */

#define HEDDLE_TENSOR_BY_ELEMENT "e4 / 2"
#define HEDDLE_TENSOR_BY_ROW "half"
