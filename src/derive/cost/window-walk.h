/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/cost/windows-private.h"
#include "derive/index/window.h"

G_BEGIN_DECLS

/* From the least to the largest index, as far as they would go. */
HeddleSpan heddle_window_hull_at (const HeddleCostWindow *self, const HeddleWindowPlace *place);
gint64 heddle_window_length_at (const HeddleCostWindow *self, const HeddleWindowPlace *place);
void heddle_window_group_add (HeddleWindowGroup *self, const HeddleWindows *windows, guint64 loops);
void heddle_window_walk_clear (HeddleWindowWalk *self);
/* FALSE: there are too many parts. */
gboolean heddle_window_walk_init (HeddleWindowWalk *self, const HeddleCost *cost,
    const HeddleWindowGroup *group, guint64 loops, const gint64 *tiles, gint64 chunk);
/* How many combinations of parts are like the one at hand. */
gint64 heddle_window_walk_count (const HeddleWindowWalk *self);
gboolean heddle_window_walk_next (HeddleWindowWalk *self);
/* To the middle of all loops: there parts are whole and windows are not cut, if anywhere. FALSE: they are. */
gboolean heddle_window_walk_to_middle (HeddleWindowWalk *self, const HeddleCost *cost,
    const HeddleWindowGroup *group, guint64 loops, const gint64 *tiles, gint64 chunk);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleWindowWalk, heddle_window_walk_clear)

G_END_DECLS
