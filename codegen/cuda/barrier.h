/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"
#include "derive/program/loop-program.h"

/* Makes the empty list of accesses to shared memory that a kernel keeps between two barriers; the caller owns
 * it. */
GArray *heddle_cuda_accesses_new (void);

/* Prints a __syncthreads () if shared memory was used since the last one, and empties the list of accesses. */
void heddle_cuda_barrier (HeddleCudaKernel *self);
/* Prints a barrier where @node needs one after what came before. */
void heddle_cuda_barrier_before (HeddleCudaKernel *self, const HeddleNode *node);
