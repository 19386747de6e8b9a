/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"

/* The cost of the second kernel of a split program (split-K), which merges the partial states. It depends on
 * how many parts the tiles make, so that costs are kept by that number. */

G_BEGIN_DECLS

/* Returns a store without any costs in it, which the cost of the first kernel owns; free it with
 * heddle_combine_free (). */
struct _HeddleCombine *heddle_combine_new (void);
/* Frees the store and the costs in it; NULL is allowed. */
void heddle_combine_free (struct _HeddleCombine *self);
/* Returns the cost of the kernel that merges the parts which @tiles make, owned by @self, and writes that
 * kernel's tiles to @own_tiles; its chunks are 1. NULL means that nothing is merged. */
const HeddleCost *heddle_cost_combine (
    const HeddleCost *self, const gint64 *tiles, gint64 own_tiles[HEDDLE_MAX_GROUPS]);

G_END_DECLS
