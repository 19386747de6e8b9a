/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/lowering.h"
#include "derive/program/loop-program.h"

/* The lowering of products and of reductions over columns. */

/* Makes the product of buffers @left and @right, in either order, an operation of the tensor core. Returns
 * FALSE, with the reason set, where its factors are no tiles of rows and of columns, or differ in type. */
gboolean heddle_tile_lower_contraction (
    HeddleTileLowering *self, const HeddleNode *node, guint left, guint right);

/* Makes a reduction over the columns of one tile an operation, with the columns behind the end of the axis set
 * to the monoid's unit or guarded. Returns FALSE, with the reason set, where it is none. */
gboolean heddle_tile_lower_reduction (HeddleTileLowering *self, const HeddleNode *node);
