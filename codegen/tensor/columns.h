/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"
#include "codegen/tile/tile.h"

G_BEGIN_DECLS

/* products of vectors */
void heddle_tensor_print_column_registers (HeddleTensorKernel *self);
void heddle_tensor_columns (HeddleTensorKernel *self, const HeddleTileOp *op);
void heddle_tensor_spread (HeddleTensorKernel *self);

G_END_DECLS
