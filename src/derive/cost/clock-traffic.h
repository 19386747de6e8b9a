/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/clock.h"

G_BEGIN_DECLS

/* Share of the reads that a cache of @l2_bytes serves, of data that comes again after @distance bytes of others. Falls smoothly. */
double heddle_clock_hit_share (double distance, double l2_bytes);
/* How many blocks the grid has. */
guint64 heddle_clock_n_blocks (const HeddleClockKernel *kernel);
/* Bytes that cross DRAM, where @at_a_time blocks run at a time and a cache of @l2_bytes is between: what the blocks of a wave read together, less what the
 * cache still holds of it, and what is stored. */
double heddle_clock_dram_bytes (const HeddleClockKernel *kernel, double at_a_time, double l2_bytes);

G_END_DECLS
