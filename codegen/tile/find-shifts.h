/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/tile/private.h"

/* Lets tiles of operands that are read so have the axes that move in the places of the array's own. Returns
 * FALSE where no operand is. */
gboolean heddle_tile_find_shifts (HeddleTileMaker *self);
