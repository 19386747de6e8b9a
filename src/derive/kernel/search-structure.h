/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/kernel/search-private.h"
#include "derive/program/loop-program-private.h"
#include "derive/stream/stream.h"

G_BEGIN_DECLS

gint64 heddle_search_divisor (const HeddleSearch *self, const char *axis);
/* Whether a label gives the axis' tile, and which. */
gboolean heddle_tiling_gives (const HeddleTiling *tiling, const char *axis, gint64 *size);
/* Every axis that may be grouped, in the order of the region's axes, tile 1 for now; that which streams where it is @split. */
GArray *heddle_search_groups_to_try (
    const HeddleSearch *self, const HeddleTiling *given, const char *stream, gboolean split);
HeddleCost *heddle_search_new_cost (
    const HeddleSearch *self, const HeddleStreamPlan *plan, const HeddleTiling *tiling);
void heddle_search_drop_cost (HeddleSearch *self);
/* The best tiles and chunk of @groups, which are put in the order of the search. */
void heddle_search_structure (
    HeddleSearch *self, const HeddleStreamPlan *plan, const HeddleTiling *given, GArray *groups);

G_END_DECLS
