/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/lowering.h"
#include "derive/program/loop-program.h"

/* The lowering of statements that compute each element by an expression. */

/* Makes a map an operation: an exponential of its own where it is one, and with a factor left to what reads it
 * where that is possible. Returns FALSE, with the reason set, where this family cannot do it. */
gboolean heddle_tile_lower_map (HeddleTileLowering *self, const HeddleNode *node);
