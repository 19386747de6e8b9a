/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"

G_BEGIN_DECLS

struct _HeddleCombine *heddle_combine_new (void);
void heddle_combine_free (struct _HeddleCombine *self);
/* Of the second kernel of a split program, for the number of parts that @tiles makes, and its @own_tiles; NULL: there is none. Its chunks are 1. */
const HeddleCost *heddle_cost_combine (
    const HeddleCost *self, const gint64 *tiles, gint64 own_tiles[HEDDLE_MAX_GROUPS]);

G_END_DECLS
