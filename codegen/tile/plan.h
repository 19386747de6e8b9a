/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"

/* Chooses how the rows are divided among warps. Returns FALSE, with the reason set, if they cannot be. */
gboolean heddle_tile_choose_warps (HeddleTileMaker *self, const HeddleTileOptions *options);

/* Chooses how many slots the ring has and places the tiles in shared memory, as many as fit. Returns FALSE,
 * with the reason set, where not even the fewest do. */
gboolean heddle_tile_plan_memory (HeddleTileMaker *self, const HeddleTileOptions *options);
