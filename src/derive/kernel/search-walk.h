/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/kernel/search-private.h"

G_BEGIN_DECLS

HeddleChoice *heddle_search_get_choice (const HeddleSearch *self, guint i);
/* A structure must be better than one tried before it, not only as good. */
gboolean heddle_search_is_gain (const HeddleSearch *self, const HeddleScore *a, const HeddleScore *b);
/* through the tiles of one structure */
gboolean heddle_search_fits (const HeddleSearch *self);
/* Looks at the tiles at hand, which fit. */
void heddle_search_consider_time (HeddleSearch *self);
/* About how many products one look at the cost takes. */
guint64 heddle_search_work_of_look (const HeddleSearch *self);
/* What is found is not proved best. @reason: not translated. */
void heddle_search_leave_unproved (HeddleSearch *self, const char *reason);
/* FALSE: enough. */
gboolean heddle_search_go_on (HeddleSearch *self);
void heddle_search_set_least (HeddleSearch *self, guint from);
/* The H that the choices from @from on could come down to. */
gint64 heddle_search_least_transfers (HeddleSearch *self, guint from);
/* From choice @i on: the least transfers, exactly; the least time, over all of a coarse grid. */
void heddle_search_exactly (HeddleSearch *self, guint i);
/* Axes that every operand has: their tiles only make fewer groups. */
void heddle_search_enlarge_free (HeddleSearch *self);
/* Whether a group of the split axis would have a part of a chunk. */
gboolean heddle_search_is_ragged (const HeddleSearch *self, guint i);
void heddle_search_grid (HeddleSearch *self, guint i);

G_END_DECLS
