/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/cost/windows-private.h"

/* The tiles of a loop that moves windows. Tiles that see the same windows are counted and not gone through
 * one by one. */

G_BEGIN_DECLS

/* Returns part number @number of a loop that is cut into tiles of @size: its first index and the one after
 * its last, cut at the end of the axis. */
HeddleWindowPlacePart heddle_window_part_of (const HeddleCost *cost, guint loop, gint64 size, gint64 number);
/* Returns a new table in which a cost keeps the tiles of its loops as far as they were asked for. */
GHashTable *heddle_window_parts_table_new (void);
/* Returns a new array of HeddleWindowPlacePart with the tiles of @size of a loop, those that are alike once
 * with their number; %NULL where there are too many. */
GArray *heddle_window_parts_of (
    const HeddleWindowGroup *group, const HeddleCost *cost, guint loop, gint64 size);

G_END_DECLS
