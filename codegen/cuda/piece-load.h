/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"
#include "derive/program/loop-program.h"

/* Returns whether the statement brings a factor of a register tile by pieces of 16 bytes. It does where rows
 * of the array are a multiple of that. */
gboolean heddle_cuda_loads_pieces (const HeddleCudaKernel *self, const HeddleNode *node);
/* Prints such a statement: by pieces, or element by element where rows are no multiple. @elements prints the
 * latter. */
void heddle_cuda_print_pieces (HeddleCudaKernel *self, const HeddleNode *node,
    void (*elements) (HeddleCudaKernel *self, const HeddleNode *node));
