/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"
#include "codegen/tile/tile.h"

/* Prints the initial result of a product: the former one, rescaled row by row, or 0. */
void heddle_tensor_begin_result (HeddleTensorKernel *self, const HeddleTileOp *op);

/* Prints one product of two tiles on the tensor core, added to its result in registers: by warpgroups where the
 * program has them, else by warps. */
void heddle_tensor_contract (HeddleTensorKernel *self, const HeddleTileOp *op);

/* Declares the left factor of a product by warpgroups in registers, as products take it. */
void heddle_tensor_declare_left (HeddleTensorKernel *self, const HeddleTileOp *op);

/* Prints how the left factor gets there, all of it: it must not change while products are under way. */
void heddle_tensor_recast_all (HeddleTensorKernel *self, const HeddleTileOp *op);

/* Prints how the products of @op by warpgroups are begun, of a left factor that is in shared memory or was
 * recast. */
void heddle_tensor_begin_by_group (HeddleTensorKernel *self, const HeddleTileOp *op);

/* Prints the wait until all but the last @under_way groups of products are done, that of @op among those that
 * are. */
void heddle_tensor_wait_for_group (HeddleTensorKernel *self, const HeddleTileOp *op, guint under_way);

/* Prints, after the last step, the wait for the products that are under way. */
void heddle_tensor_finish_products (HeddleTensorKernel *self);
