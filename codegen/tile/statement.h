/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/lowering.h"
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"

/* The lowering of the statements of a loop program, one after another, to operations on tiles. */

G_BEGIN_DECLS

/* Appends a new operation of @kind on tile @tile for the statement @node, which may be NULL, and gives it; the
 * list of the lowering owns it. */
HeddleTileOp *heddle_tile_add_op (
    HeddleTileLowering *self, HeddleTileOpKind kind, guint tile, const HeddleNode *node);

/* Gives the tile of source number @i of the statement, owned by the program. */
HeddleTensorTile *heddle_tile_source (const HeddleTileLowering *self, const HeddleNode *node, guint i);
/* statements as operations */
gboolean heddle_tile_lower (HeddleTileMaker *self);

G_END_DECLS
