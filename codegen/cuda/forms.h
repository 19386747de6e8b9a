/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"
#include "derive/program/loop-program.h"

/* Prints a SCAN or a SELECT. */
void heddle_cuda_print_form (HeddleCudaKernel *self, const HeddleNode *node);
/* Prints a LOAD at indices. */
void heddle_cuda_print_gather (HeddleCudaKernel *self, const HeddleNode *node);
/* Returns the place in the value's array of the element that @node, a LOAD at indices, reads at the point;
 * appends to @inside what must hold for it to be there. The texts of its sources are those collected before.
 * Newly allocated. */
char *heddle_cuda_gathered_offset (HeddleCudaKernel *self, const HeddleNode *node, GString *inside);
