/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/lowering.h"
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"

/* products of vectors */
/* Returns whether the buffer has one axis, which is none of the rows; if the block has one row of no axis,
 * whether it is that row. */
gboolean heddle_tile_is_vector (const HeddleTileProgram *self, const HeddleBuffer *buffer);
/* Returns whether only products of vectors make buffer @i. */
gboolean heddle_tile_is_column (HeddleTileMaker *self, const HeddleBuffer *buffer, guint i);
/* Returns how many times 16 columns a warp has of a HEDDLE_TILE_COLUMNS. */
guint heddle_tile_column_steps (const HeddleTileProgram *self, const HeddleTileOp *op);

/* Makes the product of buffers @left and @right, a vector and a streamed tile, an operation, or a member of one
 * with the same factors. Returns FALSE, with the reason set, where it is none of these. */
gboolean heddle_tile_lower_columns (
    HeddleTileLowering *self, const HeddleNode *node, guint left, guint right);

/* Returns the buffer of the vector that @member, a product among those of @op, multiplies. */
guint heddle_tile_vector_of (const HeddleTileOp *op, const HeddleNode *member);

/* Adds a HEDDLE_TILE_SPREAD behind the body if there are products of vectors in it. */
void heddle_tile_lower_spread (HeddleTileLowering *self);
/* Gives their results places in shared memory from @at on; returns where they end. */
gint64 heddle_tile_place_columns (HeddleTileProgram *self, gint64 at);
/* Returns the number of registers in which such products sum. */
guint heddle_tile_column_registers (HeddleTileMaker *self);
