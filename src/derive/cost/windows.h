/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/cost/windows-private.h"
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

/* The loop that goes along @axis: that of the stream where it is @streamed, else a group; -1: none. */
int heddle_cost_find_loop (const HeddleCost *self, const char *axis, gboolean streamed);
void heddle_windows_free (HeddleWindows *self);
/* products over the windows of a buffer */
/* NULL: it has none. */
HeddleWindows *heddle_windows_new (const HeddleCost *cost, const HeddleBuffer *buffer);
gint64 heddle_cost_length_of_loop (const HeddleCost *self, guint loop);
gboolean heddle_cost_moves_windows (const HeddleCost *self, guint loop);
/* Whether some array is read with a halo: then what is moved and held does not rise and fall with the tiles alone. */
gboolean heddle_cost_has_windows (const HeddleCost *self);
/* The elements of a buffer along its windows that the loops move, or along all of them (0), at the parts at hand. */
gint64 heddle_windows_elements_at (const HeddleWindows *self, const HeddleWindowPlace *place, guint64 loops);
/* Where @memos keep what is @wanted: of @loops at their sizes. NULL: nowhere. */
HeddleWindowMemo *heddle_window_memo_of (
    HeddleWindowMemo *memos, guint64 loops, const gint64 *tiles, gint64 chunk, HeddleWindowMemo *wanted);
gboolean heddle_window_memo_has (const HeddleWindowMemo *memo, const HeddleWindowMemo *wanted);
/* Over all parts of the loops that move them; and if each of those had one part. */
gint64 heddle_windows_moved (
    const HeddleCost *cost, const HeddleWindows *self, const gint64 *tiles, gint64 chunk);
/* At most at once; with rows that are all as far apart. */
gint64 heddle_windows_held (
    const HeddleCost *cost, const HeddleWindows *self, const gint64 *tiles, gint64 chunk);
gint64 heddle_windows_moved_once (const HeddleCost *cost, const HeddleWindows *self);
/* Of one of them alone, and of it with those that go by the same loops. @tiles NULL: if each loop had one part. */
gint64 heddle_window_moved (
    const HeddleCost *cost, const HeddleCostWindow *window, const gint64 *tiles, gint64 chunk);
gint64 heddle_window_held (
    const HeddleCost *cost, const HeddleCostWindow *window, const gint64 *tiles, gint64 chunk);
gint64 heddle_windows_moved_with (const HeddleCost *cost, const HeddleWindows *self,
    const HeddleCostWindow *window, const gint64 *tiles, gint64 chunk);

G_END_DECLS
