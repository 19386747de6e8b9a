/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

/* Prints the comment above a statement: the equation that it computes, with the names of its buffers. */
void heddle_cuda_statement_comment (HeddleCudaKernel *self, const HeddleNode *node);

G_END_DECLS
