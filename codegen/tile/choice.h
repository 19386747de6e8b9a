/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"

/* Products in which each row chooses its matrix by an index, as in a mixture of experts: the kernel makes one
 * pass for each matrix. */

/* Replaces the kernel's program by that of a pass, if there are such matrices. */
gboolean heddle_tile_find_choices (HeddleTileMaker *self);
/* Refuses places that passes cannot do with, and decides whether rows are dealt out to blocks sorted by what
 * they choose. */
gboolean heddle_tile_check_choices (HeddleTileMaker *self);
/* Returns the bytes of what rows that are dealt out choose and of their places, with the tables of their indices along
 * the first @n axes behind them. */
gint64 heddle_tile_dealt_bytes (const HeddleTileProgram *self, guint n);
/* Returns the end of shared memory of which the first @bytes hold tiles, with the tables of rows that are dealt
 * out behind them: for each row 8 bytes for what it chooses, for its place, and for each axis that it is dealt along. The
 * counters by which rows are sorted lie where the tiles lie later. Sets @self->tables. */
gint64 heddle_tile_place_tables (HeddleTileProgram *self, gint64 bytes);
/* Returns the number of all rows that are dealt out; 0 where none are. */
double heddle_tile_dealt_rows (const HeddleTileProgram *self);
/* Returns how many passes a block, or a part of it, makes on average for so many of its rows, each of which
 * chooses any matrix with the same probability; 1 where they choose none. */
double heddle_tile_passes (const HeddleTileProgram *self, gint64 rows);
