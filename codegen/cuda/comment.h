/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"
#include "derive/program/loop-program.h"

/* Prints the comment above a statement: the equation that it computes, with the names of its buffers. */
void heddle_cuda_statement_comment (HeddleCudaKernel *self, const HeddleNode *node);
