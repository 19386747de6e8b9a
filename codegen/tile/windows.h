/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"

/* The functions below bind products of windows, as convolutions have them. */
/* Finds the product of windows among the statements, if there is one, and what its sum goes over. */
gboolean heddle_tile_find_windows (HeddleTileMaker *self);
/* Places one of its factors. */
gboolean heddle_tile_place_window (HeddleTileMaker *self, HeddleTensorTile *tile, const HeddleBuffer *buffer);

/* Places the other factor in shared memory: one matrix for each point of the windows. Returns FALSE, with the
 * reason set, where it has more or fewer axes than a matrix, or does not fit. */
gboolean heddle_tile_place_matrices (
    HeddleTileMaker *self, HeddleTensorTile *tile, const HeddleBuffer *buffer);
