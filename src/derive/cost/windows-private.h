/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/cost.h"
#include "derive/index/window.h"

G_BEGIN_DECLS

/* --- cost-windows.c --- */
/* The loop that goes along @axis: that of the stream where it is @streamed, else a group; -1: none. */
int heddle_cost_find_loop (const HeddleCost *self, const char *axis, gboolean streamed);
gint64 heddle_cost_length_of_loop (const HeddleCost *self, guint loop);

/* Where @memos keep what is @wanted: of @loops at their sizes. NULL: nowhere. */
HeddleWindowMemo *heddle_window_memo_of (
    HeddleWindowMemo *memos, guint64 loops, const gint64 *tiles, gint64 chunk, HeddleWindowMemo *wanted);
gboolean heddle_window_memo_has (const HeddleWindowMemo *memo, const HeddleWindowMemo *wanted);

/* --- cost-window-walk.c: through all parts of some loops --- */

/* The part of a loop that is at hand, and how many there are that are like it. */
typedef struct
{
  gint64 from, to, count;
} HeddleWindowPlacePart;

typedef struct
{
  const HeddleCost *cost;
  HeddleWindowPlacePart at[HEDDLE_STREAM_LOOP + 1];
} HeddleWindowPlace;

/* Windows that are looked at together. */
typedef struct
{
  const HeddleWindow *windows[2 * HEDDLE_MAX_GROUPS];
  guint n;
} HeddleWindowGroup;

typedef struct
{
  HeddleWindowPlace place;
  guint loops[HEDDLE_STREAM_LOOP + 1], n;
  GArray *parts[HEDDLE_STREAM_LOOP + 1];
  guint at[HEDDLE_STREAM_LOOP + 1];
} HeddleWindowWalk;

/* The elements of a buffer along its windows that the loops move, or along all of them (0), at the parts at hand. --- cost-windows.c */
gint64 heddle_windows_elements_at (const HeddleWindows *self, const HeddleWindowPlace *place, guint64 loops);
gint64 heddle_window_length_at (const HeddleWindow *self, const HeddleWindowPlace *place);
void heddle_window_group_add (HeddleWindowGroup *self, const HeddleWindows *windows, guint64 loops);
/* From the least to the largest index, as far as they would go. */
HeddleSpan heddle_window_hull_at (const HeddleWindow *self, const HeddleWindowPlace *place);
/* FALSE: there are too many parts. */
gboolean heddle_window_walk_init (HeddleWindowWalk *self, const HeddleCost *cost,
    const HeddleWindowGroup *group, guint64 loops, const gint64 *tiles, gint64 chunk);
/* To the middle of all loops: there parts are whole and windows are not cut, if anywhere. FALSE: they are. */
gboolean heddle_window_walk_to_middle (HeddleWindowWalk *self, const HeddleCost *cost,
    const HeddleWindowGroup *group, guint64 loops, const gint64 *tiles, gint64 chunk);
gboolean heddle_window_walk_next (HeddleWindowWalk *self);
void heddle_window_walk_clear (HeddleWindowWalk *self);
/* How many combinations of parts are like the one at hand. */
gint64 heddle_window_walk_count (const HeddleWindowWalk *self);

/* --- cost-window-parts.c: the tiles of one loop --- */

HeddleWindowPlacePart heddle_window_part_of (const HeddleCost *cost, guint loop, gint64 size, gint64 number);
/* Where a cost keeps them. */
GHashTable *heddle_window_parts_table_new (void);
/* The tiles of @size of a loop (of HeddleWindowPlacePart), those that are alike once; %NULL: there are too many. */
GArray *heddle_window_parts_of (
    const HeddleWindowGroup *group, const HeddleCost *cost, guint loop, gint64 size);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleWindowWalk, heddle_window_walk_clear)

G_END_DECLS
