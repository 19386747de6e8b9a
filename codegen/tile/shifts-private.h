/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/tile/shifts.h"
#include "derive/index/window-sum.h"

/* This file holds what tiles know of operands that are read at shifted indices. */

/* Tells how one operand is read at shifted indices. */
typedef struct
{
  GArray *axes; /* of const char *: the array's own */
  GPtrArray *from; /* of HeddleExpr, one per axis; NULL: nothing is added */
  GPtrArray *sums; /* of HeddleWindowSum, likewise: the same at the planned sizes */
} HeddleTileOperandShift;

struct _HeddleTileShifts
{
  HeddleLoopProgram program;
  GPtrArray *nodes, *buffers; /* of those that are not the kernel's own */
  GHashTable *shifts; /* HeddleBuffer -> HeddleTileOperandShift */
};
