/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/tile.h"

/* Returns the number of parts, one below the other, in which a tile comes that has more rows than a box may
 * have. */
guint heddle_tile_parts (const HeddleTensorTile *tile);
/* Returns how much of axis @k of a tile's array one copy by the copy hardware (bulk.c) brings. */
gint64 heddle_tile_box (const HeddleTileProgram *self, const HeddleTensorTile *tile, guint k);

/* Returns how many panels of columns, each as wide as one copy brings, make up a tile. */
guint heddle_tile_panels (const HeddleTensorTile *tile);

/* Returns how many bytes the copies that bring one tile move together, those outside the array included. */
gint64 heddle_tile_bulk_bytes (const HeddleTileProgram *self, const HeddleTensorTile *tile);
/* Returns whether the tile belongs to the point; -1 stands for those that are brought once. */
gboolean heddle_tile_is_at (const HeddleTileProgram *self, guint tile, int point);
/* Returns the bytes of the barriers by which slots are handed over. */
gint64 heddle_tile_barrier_bytes (const HeddleTileProgram *self);
/* Returns NULL if the copy hardware can bring all tiles; else a sentence that says why not. */
char *heddle_tile_bulk_fault (const HeddleTileProgram *self);
