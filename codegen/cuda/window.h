/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/names.h"
#include "codegen/cuda/kernel.h"
#include "derive/program/loop-program.h"

/* Windows are the part of an axis that a tile reads at shifted places, as in a convolution: where they begin,
 * and how long they are. */

/* Prints where the windows of a buffer that is loaded begin, and how long they are. */
void heddle_cuda_print_windows (HeddleCudaKernel *self, const HeddleBuffer *buffer);

/* Prints the most indices that each window can hold, as a constant, where @body uses it. */
void heddle_cuda_print_window_constants (HeddleCudaKernel *self, const HeddleCudaText *body);
