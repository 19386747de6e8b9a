/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/names.h"
#include "codegen/cuda/kernel.h"
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

const char *heddle_cuda_window_name (
    HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i, HeddleAxisName part);
/* Where the windows of a buffer that is loaded begin, and how long they are. */
void heddle_cuda_print_windows (HeddleCudaKernel *self, const HeddleBuffer *buffer);
void heddle_cuda_print_window_constants (HeddleCudaKernel *self, const HeddleCudaText *body);

G_END_DECLS
