/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

void heddle_cuda_statement_comment (HeddleCudaKernel *self, const HeddleNode *node);

G_END_DECLS
