/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"
#include "derive/program/loop-program.h"

/* Prints a contraction whose result threads have in registers, of a statement that has a register tile: what
 * it adds to registers that live through a loop, else the whole statement. */
void heddle_cuda_print_product (HeddleCudaKernel *self, const HeddleNode *node);
/* Returns whether a statement sets registers to 0 that live through a loop. */
gboolean heddle_cuda_begins_product (const HeddleCudaKernel *self, const HeddleNode *node);
/* Prints it. */
void heddle_cuda_print_product_begin (HeddleCudaKernel *self, const HeddleNode *node);
/* Prints, behind the loop @stream, the writing of registers to shared memory that statements read afterwards. */
void heddle_cuda_print_product_end (HeddleCudaKernel *self, const HeddleNode *stream);
/* Returns whether a statement saves what registers alone hold. */
gboolean heddle_cuda_saves_product (const HeddleCudaKernel *self, const HeddleNode *node);
/* Prints it. */
void heddle_cuda_print_product_save (HeddleCudaKernel *self, const HeddleNode *node);
