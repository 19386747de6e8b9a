/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/kernel/search-private.h"
#include "derive/program/loop-program-private.h"
#include "derive/stream/stream.h"

/* The search within one structure, which is a choice of the axis that streams and of whether its groups are
 * merged. */

/* Returns whether a label gives the tile of @axis, and sets @size to it. */
gboolean heddle_tiling_gives (const HeddleTiling *tiling, const char *axis, gint64 *size);
/* Returns a new array of HeddleTile with every axis that may be grouped, in the order of the region's axes,
 * with a tile of 1 for now; the streamed axis is among them where it is @split. */
GArray *heddle_search_groups_to_try (
    const HeddleSearch *self, const HeddleTiling *given, const char *stream, gboolean split);
/* Builds a loop program for @tiling and returns its cost, newly allocated, limited for a search;
 * heddle_search_drop_cost () frees both. */
HeddleCost *heddle_search_new_cost (
    const HeddleSearch *self, const HeddleStreamPlan *plan, const HeddleTiling *tiling);
/* Frees the cost of the current structure with its loop program; does nothing if there is none. */
void heddle_search_drop_cost (HeddleSearch *self);
/* Looks for the best tiles and chunk of @groups, and puts them in the order of the search. Where they beat
 * the best so far they become it. */
void heddle_search_structure (
    HeddleSearch *self, const HeddleStreamPlan *plan, const HeddleTiling *given, GArray *groups);
