/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/expr.h"
#include "codegen/cuda/kernel.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"

/* Prints a load, computation or save with the barrier and the empty line before it, and makes it the current
 * statement. */
void heddle_cuda_statement (HeddleCudaKernel *self, const HeddleNode *node);
