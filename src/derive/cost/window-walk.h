/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/cost/windows-private.h"
#include "derive/index/window.h"

/* A walk through all combinations of parts of the loops that move some windows. Begin it with
 * heddle_window_walk_init (), and clear it at the end. */

G_BEGIN_DECLS

/* Returns the indices that a window reaches at the parts at hand, from the least to the largest, not cut at
 * the ends of the array. */
HeddleSpan heddle_window_hull_at (const HeddleCostWindow *self, const HeddleWindowPlace *place);
/* Returns how many indices of its axis the window has at the parts at hand, cut at the ends of the array. */
gint64 heddle_window_length_at (const HeddleCostWindow *self, const HeddleWindowPlace *place);
/* Adds to @self those of @windows that some of @loops (bits) move, as far as the group has room. The windows
 * stay owned by @windows. */
void heddle_window_group_add (HeddleWindowGroup *self, const HeddleWindows *windows, guint64 loops);
/* Gives back the parts that the walk holds; the walk itself is the caller's. */
void heddle_window_walk_clear (HeddleWindowWalk *self);
/* Puts the walk at the first combination of parts of @loops (bits). FALSE means that the loops have too many
 * parts to go through. */
gboolean heddle_window_walk_init (HeddleWindowWalk *self, const HeddleCost *cost,
    const HeddleWindowGroup *group, guint64 loops, const gint64 *tiles, gint64 chunk);
/* Returns how many combinations of parts are like the one at hand. */
gint64 heddle_window_walk_count (const HeddleWindowWalk *self);
/* Goes on to the next combination of parts. FALSE means that all were gone through, and the walk is at the
 * first one again. */
gboolean heddle_window_walk_next (HeddleWindowWalk *self);
/* Puts the walk at the middle of all loops, where parts are whole and windows are not cut if there is such a
 * place. FALSE means that a part is ragged there, or that a window is cut or is no sum. */
gboolean heddle_window_walk_to_middle (HeddleWindowWalk *self, const HeddleCost *cost,
    const HeddleWindowGroup *group, guint64 loops, const gint64 *tiles, gint64 chunk);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleWindowWalk, heddle_window_walk_clear)

G_END_DECLS
