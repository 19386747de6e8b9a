/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/optimise/optimise.h"

G_BEGIN_DECLS

/* "12.3 MB". Newly allocated. */
char *heddle_optimised_quantity (double value, const char *unit);
/* What the kernels of one of its pieces took the place of. Transfer container, of HeddleOptimiseFinding. */
GPtrArray *heddle_optimised_find (const HeddleOptimised *self, const HeddleOptimisedPiece *piece);

G_END_DECLS
