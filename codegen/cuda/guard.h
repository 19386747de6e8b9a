/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"
#include "derive/program/loop-program.h"
#include "diagram/expression/expr.h"

/* Returns the condition under which any point of a tile and a chunk may satisfy the guard. Newly
 * allocated. */
char *heddle_cuda_guard_text (HeddleCudaKernel *self, const HeddleExpr *guard);
/* Goes on to the next step of a stream where the guard does not hold. */
void heddle_cuda_guard (HeddleCudaKernel *self, const HeddleNode *band);
