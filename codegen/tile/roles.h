/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"

/* Finds by @rule the axes that are the rows of all tiles of the program. Returns FALSE, with the reason set,
 * where it has no product of two tiles or the rule does not hold. */
gboolean heddle_tile_find_rows (HeddleTileMaker *self, HeddleTileRowRule rule);
/* Returns whether the rows of an array in global memory are evenly spaced, as they are if their axes stand
 * side by side in the order of the program's rows, and all but the first are whole; else the maker
 * refuses. */
gboolean heddle_tile_check_spacing (HeddleTileMaker *self, const HeddleBuffer *buffer);
/* Returns whether the buffer has one element for each row; else sets the reason. */
gboolean heddle_tile_has_rows (HeddleTileMaker *self, const HeddleBuffer *buffer);

/* Makes a tile for each buffer, and decides whether it is in shared memory, in registers or stays in global
 * memory. Returns FALSE, with the reason set, at the first that this family cannot have. */
gboolean heddle_tile_place (HeddleTileMaker *self);
