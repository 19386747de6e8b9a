/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/tile.h"

G_BEGIN_DECLS

/* A tile of more rows than a box may have comes in parts, one below the other. */
guint heddle_tile_parts (const HeddleTensorTile *tile);
/* Of the copy hardware (bulk.c): how much of axis @k of a tile's array one copy brings, and how many such panels of columns, how many
 * bytes make up a tile. */
gint64 heddle_tile_box (const HeddleTileProgram *self, const HeddleTensorTile *tile, guint k);

/* Gives how many panels of columns, each as wide as one copy brings, make up a tile. */
guint heddle_tile_panels (const HeddleTensorTile *tile);

/* Gives how many bytes the copies that bring one tile move together, those outside the array included. */
gint64 heddle_tile_bulk_bytes (const HeddleTileProgram *self, const HeddleTensorTile *tile);
/* The tiles of a point; -1: of none, which are brought once. */
gboolean heddle_tile_is_at (const HeddleTileProgram *self, guint tile, int point);
/* Bytes of the barriers that slots are handed over by. */
gint64 heddle_tile_barrier_bytes (const HeddleTileProgram *self);
/* whether the copy hardware can bring all tiles; else why not, as a sentence */
char *heddle_tile_bulk_fault (const HeddleTileProgram *self);

G_END_DECLS
