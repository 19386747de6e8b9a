/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/clock.h"

/* This file simulates how the blocks of a grid follow one another on the SMs: with uneven work, or a number
 * of blocks that the SMs do not divide, some SMs are done before others. */

/* Returns how many steps all blocks of the grid take together. */
double heddle_clock_all_steps (const HeddleClockKernel *kernel);
/* Returns the seconds until the last of @processors places is done, where block i takes kernel->steps[i mod
 * n_steps] times @step seconds and @overhead seconds besides. Grids of uneven work with too many blocks to
 * go through are estimated. */
double heddle_clock_makespan (
    const HeddleClockKernel *kernel, guint processors, double step, double overhead);
