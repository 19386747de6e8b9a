/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/dtype.h"

/* The products of the tensor core: a row for each type of factors; results are f32. Warps multiply 16 rows by
 * 8 columns at a time, and each row of a factor gives 32 bytes of the sum. */
typedef struct
{
  HeddleDtype dtype;
  const char *name; /* in the names of functions: "multiply_f16" */
  guint bytes; /* of an element in shared memory */
  guint depth; /* how many terms of a sum one product takes: mma.m16n8k16 has 16 */
  gboolean
      exchanges; /* matrices of it come out of shared memory with rows and columns exchanged (ldmatrix.trans) */
  gboolean
      groups; /* warpgroups multiply it too (wgmma): of 16 bits, whichever axis of a factor is contiguous */
  gboolean rounded; /* elements are wider in memory: each factor is rounded when it is read */
} HeddleMma;

/* Returns the row of a type; %NULL if the tensor core does not multiply it here. */
const HeddleMma *heddle_mma_get (HeddleDtype dtype);
/* Returns the types of all rows, or of those that warpgroups multiply, as "f16, bf16, tf32". */
char *heddle_mma_types (gboolean groups);
