/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/tile.h"
#include "diagram/base/dtype.h"

/* Returns sentences that say why the kernel is slower than it could be; %NULL if nothing is known of that.
 * Newly allocated. */
char *heddle_tensor_remarks (const HeddleTileProgram *tiles);
/* Returns whether a COLUMNS operation rounds its vectors: they are multiplied in the tile's type, which is
 * coarser. */
gboolean heddle_tensor_rounds_vectors (const HeddleTileProgram *tiles, const HeddleTileOp *op);
/* Returns the coarsest type that factors of products are rounded to, whether they are made in the kernel or
 * read from arrays of finer types; UNSET if none is. */
HeddleDtype heddle_tensor_rounds_to (const HeddleTileProgram *tiles);
