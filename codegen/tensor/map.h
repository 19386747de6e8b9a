/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"
#include "codegen/tile/tile.h"

G_BEGIN_DECLS

void heddle_tensor_map (HeddleTensorKernel *self, const HeddleTileOp *op);
void heddle_tensor_exponential (HeddleTensorKernel *self, const HeddleTileOp *op);
void heddle_tensor_mask (HeddleTensorKernel *self, const HeddleTileOp *op);
void heddle_tensor_reduce (HeddleTensorKernel *self, const HeddleTileOp *op);

G_END_DECLS
