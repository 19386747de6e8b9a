/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

/* A SCAN or a SELECT. */
void heddle_cuda_print_form (HeddleCudaKernel *self, const HeddleNode *node);
/* A LOAD at indices. */
void heddle_cuda_print_gather (HeddleCudaKernel *self, const HeddleNode *node);

G_END_DECLS
