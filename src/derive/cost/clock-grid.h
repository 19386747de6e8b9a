/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/clock.h"
#include "derive/cost/cost.h"

/* The grid of a labelled kernel and the arrays that its blocks read and write, as the clock takes them. */

/* Sets the grid of @kernel to the groups of @cost at @tiles and @chunk: the last grouped axis runs fastest
 * and one along which blocks get longer slowest, but for two that blocks go through in sweeps
 * (derive/program/sweep.h) where the GPU's kernels do, @sweeps; what is beyond %HEDDLE_CLOCK_AXES axes counts
 * with the last of them. @axes becomes, for each grouped axis, its axis of the grid. */
void heddle_clock_set_grid (HeddleClockKernel *kernel, const HeddleCost *cost, const gint64 *tiles,
    gint64 chunk, gboolean sweeps, guint axes[HEDDLE_MAX_GROUPS]);
/* Returns the axes of the grid (bits) by which blocks take other tiles in the transfer @terms, where @axes is
 * as heddle_clock_set_grid () sets it. */
guint heddle_clock_grid_axes (
    const HeddleCost *cost, const HeddleTerms *terms, const guint axes[HEDDLE_MAX_GROUPS]);
/* Sets the arrays of @kernel, whose grid is set, to what @cost transfers at @tiles and @chunk; those that
 * blocks share alike are taken together. The bytes of an array over the whole grid are those of the value, or
 * what is moved of it where that is less. */
void heddle_clock_set_arrays (HeddleClockKernel *kernel, const HeddleCost *cost, const gint64 *tiles,
    gint64 chunk, const guint axes[HEDDLE_MAX_GROUPS]);
/* Returns the bytes of a transfer that cross if each is read once: those of the value, or what is moved of it
 * where that is less. */
double heddle_clock_bytes_once (
    const HeddleCost *cost, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk);
/* Returns the same of the transfer number @i without what loads before it have fetched: all loads of an array by the
 * same blocks in the same steps, as of the two numbers of a pair that a rotary embedding turns, fetch it once at most.
 * @axes: those of the grid that the groups are. */
double heddle_clock_bytes_apart (
    const HeddleCost *cost, guint i, const gint64 *tiles, gint64 chunk, const guint axes[HEDDLE_MAX_GROUPS]);
