/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/lowering.h"
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

HeddleTileOp *heddle_tile_add_op (
    HeddleTileLowering *self, HeddleTileOpKind kind, guint tile, const HeddleNode *node);
HeddleTensorTile *heddle_tile_source (const HeddleTileLowering *self, const HeddleNode *node, guint i);
/* statements as operations */
gboolean heddle_tile_lower (HeddleTileMaker *self);

G_END_DECLS
