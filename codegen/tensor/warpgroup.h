/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"
#include "codegen/tile/tile.h"

G_BEGIN_DECLS

/* the same by warpgroups */
void heddle_tensor_contract_by_group (HeddleTensorKernel *self, const HeddleTileOp *op);
/* Behind the last step: waits for the products that are under way. */
void heddle_tensor_finish_products (HeddleTensorKernel *self);

G_END_DECLS
