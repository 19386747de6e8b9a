/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/kernel/search-private.h"

/* The walk of a search through the tiles of one structure. Choices are visited in the order of their numbers,
 * and the current tiles are those of the search. */

/* Returns choice number @i, owned by the search. */
HeddleChoice *heddle_search_get_choice (const HeddleSearch *self, guint i);
/* Returns whether @a is better than @b by enough. A structure must be better than one tried before it, not
 * only as good. */
gboolean heddle_search_is_gain (const HeddleSearch *self, const HeddleScore *a, const HeddleScore *b);

/* Returns whether the current tiles fit the level. */
gboolean heddle_search_fits (const HeddleSearch *self);
/* Prices the current tiles, which fit, by time, and keeps them if they are better. */
void heddle_search_consider_time (HeddleSearch *self);
/* Returns about how many products one look at the cost takes. */
guint64 heddle_search_work_of_look (const HeddleSearch *self);
/* Notes that what is found is not proved best. @reason is static and not translated. */
void heddle_search_leave_unproved (HeddleSearch *self, const char *reason);
/* Returns whether the search may look on. FALSE means that it was cancelled or has done as much work as it
 * may. */
gboolean heddle_search_go_on (HeddleSearch *self);
/* Sets the tiles of all choices from number @from on to their least sizes. */
void heddle_search_set_least (HeddleSearch *self, guint from);
/* Returns a bound on H in elements: what the choices from number @from on could bring it down to. */
gint64 heddle_search_least_transfers (HeddleSearch *self, guint from);
/* Goes through all tiles of the choices from number @i on for the least transfers, and cuts off what its
 * bound says cannot be better. */
void heddle_search_exactly (HeddleSearch *self, guint i);
/* Enlarges the tiles of axes that every operand has, which only makes fewer groups. */
void heddle_search_enlarge_free (HeddleSearch *self);
/* Returns whether a group of the split axis would have a part of a chunk. */
gboolean heddle_search_is_ragged (const HeddleSearch *self, guint i);
/* Goes through all combinations of sizes of the choices from number @i on, for the least time, and leaves
 * out tiles that do not fit. */
void heddle_search_grid (HeddleSearch *self, guint i);

/* Returns what tiles and chunks of @axis are multiples of at the first level. */
gint64 heddle_search_divisor (const HeddleSearch *self, const char *axis);
