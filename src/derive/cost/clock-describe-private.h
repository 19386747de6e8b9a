/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/clock-describe.h"

G_BEGIN_DECLS

/* An instruction mma.sync.m16n8k16 does so many operations, by the 32 threads of a warp. */
#define HEDDLE_MMA_FLOPS 4096.
#define HEDDLE_MMA_THREADS 32.

/* A product, of the tile that is told or of the best that there is. */
void heddle_clock_describe_product (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self);
/* Rows, copies and reductions: what DRAM or L2 bounds. */
void heddle_clock_describe_memory (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self);

/* Copies the steps of the blocks into the description. */
void heddle_clock_set_steps (HeddleClockDescription *self, const double *steps, gsize n);
/* An array of which a block takes @bytes; HeddleClockArray tells the others. */
void heddle_clock_add_array (HeddleClockKernel *kernel, double bytes, guint axes, gboolean stored);
/* How many tiles cover the size. */
guint64 heddle_clock_tiles (double size, double tile);
/* Registers of a thread where warpgroups share out those of an SM among themselves (setmaxnreg), in steps of 8. */
guint heddle_clock_shared_registers (guint threads);
gboolean heddle_clock_has_form (const HeddlePublished *point, const char *name);

G_END_DECLS
