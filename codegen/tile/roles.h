/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

/* How much of its axis @k the buffer holds; 1: the axis is not there. */
gint64 heddle_tile_extent (const HeddleTileProgram *self, const HeddleBuffer *buffer, guint k);
/* The buffer's axes that are longer than 1. Transfer container. */
GArray *heddle_tile_axes (const HeddleTileProgram *self, const HeddleBuffer *buffer);
/* Whether the statement is a product of two arrays summed; @left, @right: its sources in order. */
gboolean heddle_tile_is_contraction (const HeddleNode *node, guint *left, guint *right);

/* Finds by @rule the axes that are the rows of all tiles of the program. Returns FALSE, with the reason set,
 * where it has no product of two tiles or the rule does not hold. */
gboolean heddle_tile_find_rows (HeddleTileMaker *self, HeddleTileRowRule rule);
/* Whether the buffer has one element for each row; else the reason is set. */
gboolean heddle_tile_has_rows (HeddleTileMaker *self, const HeddleBuffer *buffer);
/* Whether tiles and chunks of the contiguous axis begin at whole pieces of 16 bytes of shared memory. A label that is larger than the axis gives
 * tiles of all of it, of which there are several where the kernel is called with more. */
gboolean heddle_tile_has_whole_pieces (
    const HeddleTileMaker *self, const HeddleTensorTile *tile, const char *axis);
/* what are rows, what lives where */
/* Whether the buffer holds a chunk of the axis that streams, be it one element long. */
gboolean heddle_tile_is_streamed (const HeddleBuffer *buffer);

/* Makes a tile for each buffer, and decides whether it is in shared memory, in registers or stays in global
 * memory. Returns FALSE, with the reason set, at the first that this family cannot have. */
gboolean heddle_tile_place (HeddleTileMaker *self);

G_END_DECLS
