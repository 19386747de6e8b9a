/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/tile.h"
#include "diagram/base/dtype.h"

G_BEGIN_DECLS

/* Why it is slower than it could be, as sentences; %NULL: nothing is known of that. Newly allocated. */
char *heddle_tensor_remarks (const HeddleTileProgram *tiles);
/* Of COLUMNS: whether the tile's type is coarser than that of the vectors, which are multiplied in it. */
gboolean heddle_tensor_rounds_vectors (const HeddleTileProgram *tiles, const HeddleTileOp *op);
/* The coarsest type that factors of products are rounded to, be they made in the kernel or read from arrays of finer types; UNSET: none is. */
HeddleDtype heddle_tensor_rounds_to (const HeddleTileProgram *tiles);

G_END_DECLS
