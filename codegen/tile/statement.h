/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/lowering.h"
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"

/* The lowering of the statements of a loop program, one after another, to operations on tiles. */

/* Lowers every statement to operations before, in and behind the loop. Returns FALSE, with the reason set, at
 * the first statement that this family has no operations for. */
gboolean heddle_tile_lower (HeddleTileMaker *self);
