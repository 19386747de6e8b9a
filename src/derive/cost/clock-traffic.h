/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/clock.h"

/* Returns the share, from 0 to 1, of reads that a cache of @l2_bytes serves, of data that is read again
 * after @distance bytes of other data. It falls smoothly as @distance grows. */
double heddle_clock_hit_share (double distance, double l2_bytes);
/* Returns how many blocks the grid has, the product of its axes. */
guint64 heddle_clock_n_blocks (const HeddleClockKernel *kernel);
/* A wave: what the blocks that run at a time read together. */
typedef struct
{
  const HeddleClockKernel *kernel; /* not owned */
  double extents[HEDDLE_CLOCK_AXES]; /* places on each axis of the grid that the blocks of a wave have */
  double waves; /* at least 1 */
  double fetched; /* bytes that all waves read, each for itself */
  double l2_bytes;
} HeddleClockWaves;

/* Computes the waves of @kernel, of which @at_a_time blocks run at a time below a cache of @l2_bytes. @kernel
 * has to outlive @self. */
void heddle_clock_waves_init (
    HeddleClockWaves *self, const HeddleClockKernel *kernel, double at_a_time, double l2_bytes);
/* Returns how often DRAM is read for each byte of an array of which blocks take tiles by the grid axes
 * @axes (bits): at least 1, and at most once a wave, less what the cache still holds. Of an array that waves
 * read in @turns, each wave reads one part and a border between two. */
double heddle_clock_waves_passes (const HeddleClockWaves *self, guint axes, double turns);
/* Returns the bytes that cross DRAM where @at_a_time blocks run at a time below a cache of @l2_bytes: what
 * the blocks of a wave read together, less what the cache still holds of it, and what is stored. */
double heddle_clock_dram_bytes (const HeddleClockKernel *kernel, double at_a_time, double l2_bytes);
