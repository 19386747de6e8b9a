/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"

/* in which type factors are held in shared memory */
/* Sets the type of a tile of shared memory, and why it is wider than the array; refuses what the tensor core
 * does not multiply. */
gboolean heddle_tile_hold (HeddleTileMaker *self, HeddleTensorTile *tile);
