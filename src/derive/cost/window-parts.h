/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/cost/windows-private.h"

G_BEGIN_DECLS

HeddleWindowPlacePart heddle_window_part_of (const HeddleCost *cost, guint loop, gint64 size, gint64 number);
/* Where a cost keeps them. */
GHashTable *heddle_window_parts_table_new (void);
/* The tiles of @size of a loop (of HeddleWindowPlacePart), those that are alike once; %NULL: there are too many. */
GArray *heddle_window_parts_of (
    const HeddleWindowGroup *group, const HeddleCost *cost, guint loop, gint64 size);

G_END_DECLS
