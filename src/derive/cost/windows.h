/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/cost/windows-private.h"
#include "derive/program/loop-program.h"
#include "derive/index/window.h"

/* This file computes windows in a cost: how many elements are moved and held of arrays that are read at
 * indices of their own, such as the halo of a convolution. Results are products over the windows of one
 * buffer and saturate at G_MAXINT64. */

/* Returns the number of the loop that goes along @axis: that of the stream where @streamed is set, else a
 * group; -1 where there is none. */
int heddle_cost_find_loop (const HeddleCost *self, const char *axis, gboolean streamed);
/* Frees the windows of a buffer with all that is remembered of them; NULL is allowed. */
void heddle_windows_free (HeddleWindows *self);

/* Returns the windows of @buffer, newly allocated; NULL where it has none. They refer to the expressions of
 * @buffer, which has to outlive them. */
HeddleWindows *heddle_windows_new (const HeddleCost *cost, const HeddleBuffer *buffer);
/* Returns how many indices the axis of a loop has, by the loop's number; %HEDDLE_STREAM_LOOP is the stream. */
gint64 heddle_cost_length_of_loop (const HeddleCost *self, guint loop);
/* Returns whether a window of some buffer moves with the loop. */
gboolean heddle_cost_moves_windows (const HeddleCost *self, guint loop);
/* Returns whether some array is read with a halo. What is moved and held then need not rise and fall with
 * the tiles alone. */
gboolean heddle_cost_has_windows (const HeddleCost *self);
/* Returns how many elements a buffer has at the current parts, along the windows that @loops (bits) move, or
 * along all of them where @loops is 0. */
gint64 heddle_windows_elements_at (const HeddleWindows *self, const HeddleWindowPlace *place, guint64 loops);
/* Fills @wanted with @loops and their sizes, and returns the place among @memos where results for those are
 * kept; NULL where none are, as without @memos or without loops. */
HeddleWindowMemo *heddle_window_memo_of (
    HeddleWindowMemo *memos, guint64 loops, const gint64 *tiles, gint64 chunk, HeddleWindowMemo *wanted);
/* Returns whether @memo, which may be NULL, holds the results for the loops and sizes of @wanted. */
gboolean heddle_window_memo_has (const HeddleWindowMemo *memo, const HeddleWindowMemo *wanted);
/* Returns how many elements the windows have in all, summed over all parts of the loops that move them. */
gint64 heddle_windows_moved (
    const HeddleCost *cost, const HeddleWindows *self, const gint64 *tiles, gint64 chunk);
/* Returns how many elements the windows have at most at once, with rows that are all as far apart. */
gint64 heddle_windows_held (
    const HeddleCost *cost, const HeddleWindows *self, const gint64 *tiles, gint64 chunk);
/* Returns how many elements the windows would have if each loop that moves them had one part. */
gint64 heddle_windows_moved_once (const HeddleCost *cost, const HeddleWindows *self);
/* Returns how many indices one window has, summed over all parts of its loops; with @tiles NULL, if each
 * loop had one part. */
gint64 heddle_window_moved (
    const HeddleCost *cost, const HeddleCostWindow *window, const gint64 *tiles, gint64 chunk);
/* Returns how many indices one window has at most at once. */
gint64 heddle_window_held (
    const HeddleCost *cost, const HeddleCostWindow *window, const gint64 *tiles, gint64 chunk);
/* Returns how many elements @window has together with the windows of its buffer that go by the same loops,
 * summed over all parts of those; with @tiles NULL, if each loop had one part. */
gint64 heddle_windows_moved_with (const HeddleCost *cost, const HeddleWindows *self,
    const HeddleCostWindow *window, const gint64 *tiles, gint64 chunk);

/* This part describes the tiles of a loop that moves windows. Tiles that see the same windows are counted and
 * not visited one by one. */

/* Returns a new table in which a cost keeps the tiles of its loops as far as they were asked for. */
GHashTable *heddle_window_parts_table_new (void);

/* A walk through all combinations of parts of the loops that move some windows. Begin it with
 * heddle_window_walk_init (), and clear it at the end. */

/* Adds to @self those of @windows that some of @loops (bits) move, as far as the group has room. The windows
 * stay owned by @windows. */
void heddle_window_group_add (HeddleWindowGroup *self, const HeddleWindows *windows, guint64 loops);
/* Frees the parts that the walk holds; the walk itself is the caller's. */
void heddle_window_walk_clear (HeddleWindowWalk *self);
/* Puts the walk at the first combination of parts of @loops (bits). FALSE means that the loops have too many
 * parts to go through. */
gboolean heddle_window_walk_init (HeddleWindowWalk *self, const HeddleCost *cost,
    const HeddleWindowGroup *group, guint64 loops, const gint64 *tiles, gint64 chunk);
/* Goes on to the next combination of parts. Returns FALSE if all were visited, and the walk is at the first
 * one again. */
gboolean heddle_window_walk_next (HeddleWindowWalk *self);
/* Puts the walk at the middle of all loops, where parts are whole and windows are not cut if there is such a
 * place. FALSE means that a part is ragged there, or that a window is cut or is no sum. */
gboolean heddle_window_walk_to_middle (HeddleWindowWalk *self, const HeddleCost *cost,
    const HeddleWindowGroup *group, guint64 loops, const gint64 *tiles, gint64 chunk);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleWindowWalk, heddle_window_walk_clear)
