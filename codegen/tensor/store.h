/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"
#include "codegen/tile/tile.h"

G_BEGIN_DECLS

void heddle_tensor_store (HeddleTensorKernel *self, const HeddleTileOp *op);

G_END_DECLS
