/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/lowering.h"
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

gboolean heddle_tile_lower_contraction (
    HeddleTileLowering *self, const HeddleNode *node, guint left, guint right);
gboolean heddle_tile_lower_reduction (HeddleTileLowering *self, const HeddleNode *node);

G_END_DECLS
