/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/lowering.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"
#include "diagram/expression/expr.h"

/* Returns whether the tile has columns beyond the end of its axis. */
gboolean heddle_tile_is_ragged (const HeddleTileProgram *self, const HeddleTensorTile *tile);

/* Notes that the columns of the tile behind the end of its axis hold @pad. */
void heddle_tile_set_pad (HeddleTensorTile *tile, double pad);
/* Makes the columns behind the end of a fragment's axis hold @pad. */
gboolean heddle_tile_pad_with (HeddleTileLowering *self, HeddleTensorTile *tile, double pad);
/* Makes them hold the element of @row, a tile of rows. */
void heddle_tile_pad_with_row (HeddleTileLowering *self, HeddleTensorTile *tile, guint row);
/* Computes the value of @body beyond the end of @along. Returns %FALSE if it is not known. */
gboolean heddle_tile_pad_of_body (
    const HeddleTileLowering *self, const HeddleNode *node, HeddleExpr *body, const char *along, double *pad);
