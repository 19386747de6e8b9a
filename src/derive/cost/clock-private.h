/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/clock.h"

G_BEGIN_DECLS

/* How many blocks the grid has. */
guint64 heddle_clock_n_blocks (const HeddleClockKernel *kernel);
/* Bytes that cross DRAM, where @at_a_time blocks run at a time and a cache of @l2_bytes is between: what the blocks of a wave read together, less what the
 * cache still holds of it, and what is stored. */
double heddle_clock_dram_bytes (const HeddleClockKernel *kernel, double at_a_time, double l2_bytes);
/* Share of the reads that a cache of @l2_bytes serves, of data that comes again after @distance bytes of others. Falls smoothly. */
double heddle_clock_hit_share (double distance, double l2_bytes);
/* Seconds until the last of @sms processors is done, where block i takes @steps[i mod n] * @step + @overhead. */
double heddle_clock_makespan (
    const HeddleClockKernel *kernel, guint processors, double step, double overhead);
/* Steps of all blocks together. */
double heddle_clock_all_steps (const HeddleClockKernel *kernel);

G_END_DECLS
