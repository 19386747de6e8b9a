/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/lowering.h"
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"

/* A tile program is a loop program for the tensor core: a tile for each buffer, and operations before, in and
 * behind the loop of the stream. The caller owns it; it borrows the loop program. */

/* Frees @self with its tiles and operations; @self may be NULL. */
void heddle_tile_program_free (HeddleTileProgram *self);

/* Returns the tile of buffer number @i, owned by @self, to be changed while the program is made. */
HeddleTensorTile *heddle_tile_at (const HeddleTileProgram *self, guint i);

/* Returns the tile of buffer number @i, owned by @self. */
const HeddleTensorTile *heddle_tile_program_get (const HeddleTileProgram *self, guint i);
/* Returns the type that a product multiplies in, or that of the tile that is unpacked. */
HeddleDtype heddle_tile_factor_type (const HeddleTileProgram *self, const HeddleTileOp *op);
/* Returns the tile that really holds the elements. */
const HeddleTensorTile *heddle_tile_root (const HeddleTileProgram *self, const HeddleTensorTile *tile);

/* Returns the name of buffer number @i as the loop program has it, owned by that. */
const char *heddle_tile_name (const HeddleTileProgram *self, guint i);
/* Returns the distance of neighbouring columns that a warp has of a fragment along @axis. */
gint64 heddle_tile_columns (const HeddleTileProgram *self, const HeddleTensorTile *tile);
/* Returns the number of threads of a block. */
guint heddle_tile_threads (const HeddleTileProgram *self);
/* Sets the reason and returns %FALSE. */
gboolean heddle_tile_refuse (HeddleTileMaker *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Visits every statement of the program, in order, until @visit returns %FALSE. Returns whether it never
 * did. */
gboolean heddle_tile_walk (HeddleTileMaker *self, HeddleTileVisit visit, gpointer data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleTileProgram, heddle_tile_program_free)

/* Frees @self and the buffers and statements that are its own; @self may be NULL. */
void heddle_tile_pass_free (HeddleTilePass *self);

/* Returns the number of warps that multiply: those after them bring tiles. */
guint heddle_tile_consumers (const HeddleTileProgram *self);

/* Appends a new operation of @kind on tile @tile for the statement @node, which may be NULL, and gives it; the
 * list of the lowering owns it. */
HeddleTileOp *heddle_tile_add_op (
    HeddleTileLowering *self, HeddleTileOpKind kind, guint tile, const HeddleNode *node);

/* Returns the tile of source number @i of the statement, owned by the program. */
HeddleTensorTile *heddle_tile_source (const HeddleTileLowering *self, const HeddleNode *node, guint i);

/* Returns how much of its axis @k the buffer holds; 1 if it does not have the axis. */
gint64 heddle_tile_extent (const HeddleTileProgram *self, const HeddleBuffer *buffer, guint k);

/* Returns the buffer's axes that are longer than 1. Transfer container. */
GArray *heddle_tile_axes (const HeddleTileProgram *self, const HeddleBuffer *buffer);

/* Returns whether the statement sums a product of two arrays; @left and @right receive its sources in
 * order. */
gboolean heddle_tile_is_contraction (const HeddleNode *node, guint *left, guint *right);

/* Returns whether tiles and chunks of the contiguous axis begin at whole pieces of 16 bytes of shared memory.
 * A label that is larger than the axis gives tiles of all of it, of which there are several if the kernel is
 * called with more. */
gboolean heddle_tile_has_whole_pieces (
    const HeddleTileMaker *self, const HeddleTensorTile *tile, const char *axis);

/* Returns whether threads copy the array of tile @i to shared memory element by element, because of how its
 * axes lie and of the planned sizes. Boxes that windows are in have copies of their own. */
gboolean heddle_tile_by_elements (const HeddleTileProgram *self, guint i);

/* Returns whether rows of the array of tile @i, of elements of 16 bits, are no multiple of 16 bytes at the
 * planned sizes. */
gboolean heddle_tile_has_odd_rows (const HeddleTileProgram *self, guint i);

/* Returns whether the buffer holds a chunk of the axis that streams, even if it is one element long. */
gboolean heddle_tile_is_streamed (const HeddleBuffer *buffer);
