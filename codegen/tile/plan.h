/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"

G_BEGIN_DECLS

/* warps, the ring, shared memory */
gboolean heddle_tile_choose_warps (HeddleTileMaker *self, const HeddleTileOptions *options);
gboolean heddle_tile_plan_memory (HeddleTileMaker *self, const HeddleTileOptions *options);

G_END_DECLS
