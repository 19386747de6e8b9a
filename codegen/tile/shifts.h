/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"
#include "diagram/expression/expr.h"

/* Tiles of arrays that are read at shifted indices, as heads of queries, keys and values are that lie side by
 * side in one array: X[t, 64 h + k + 768]. Where a block has one index of h, what it reads along the array's
 * axis is k, from a place on that is the same for the block. */

/* Frees what is known of one operand, a HeddleTileOperandShift. */
void heddle_tile_shift_free (gpointer data);
/* Frees a node of those of HeddleTileShifts. */
void heddle_tile_shift_node_free (gpointer data);
/* Frees a buffer of those of HeddleTileShifts. */
void heddle_tile_shift_buffer_free (gpointer data);
/* Frees @self, which may be NULL. */
void heddle_tile_shifts_free (HeddleTileShifts *self);

/* Returns the array's own axis number @k, whose size its elements are spaced by, or one that has to be as long. */
const char *heddle_tile_array_axis (const HeddleTileProgram *self, const HeddleBuffer *buffer, guint k);
/* Returns where what a block reads begins along axis @k beyond the index of the tile's own axis there, over
 * indices of which a block has one; NULL where that is 0. Owned by @self. */
HeddleExpr *heddle_tile_shift (const HeddleTileProgram *self, const HeddleBuffer *buffer, guint k);
/* Returns whether shifts along the array's axis @k are multiples of @n elements. */
gboolean heddle_tile_shifts_by (const HeddleTileProgram *self, const HeddleBuffer *buffer, guint k, gint64 n);
