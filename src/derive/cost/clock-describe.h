/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/clock.h"
#include "derive/cost/published.h"
#include "derive/machine/machine.h"

G_BEGIN_DECLS

/* A published kernel as the clock takes it. */
typedef struct
{
  HeddleClockKernel kernel;
  double *steps; /* of the kernel, owned */
  double flop, bytes; /* by which its publication counts: TFLOP/s, GB/s */
  guint tile[2];
} HeddleClockDescription;

/* Describes the kernel that was measured at @point, from its tile, threads and cluster where they are told. Where no tile is told of a product, the library is
 * taken to have chosen the best of its tiles, by the clock; of attention, 128 queries and 128 keys (64 where a head is wider than 128). */
void heddle_clock_describe (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *description);
void heddle_clock_description_clear (HeddleClockDescription *self);
/* @seconds in the unit of the publication, and back (each is its own inverse but for the factor): TFLOP/s, GB/s or s. */
double heddle_clock_in_unit (
    const HeddlePublished *point, const HeddleClockDescription *description, double seconds);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleClockDescription, heddle_clock_description_clear)

gboolean heddle_clock_has_form (const HeddlePublished *point, const char *name);
/* Copies the steps of the blocks into the description. */
void heddle_clock_set_steps (HeddleClockDescription *self, const double *steps, gsize n);
/* An array of which a block takes @bytes; HeddleClockArray tells the others. */
void heddle_clock_add_array (HeddleClockKernel *kernel, double bytes, guint axes, gboolean stored);
/* How many tiles cover the size. */
guint64 heddle_clock_tiles (double size, double tile);
/* Registers of a thread where warpgroups share out those of an SM among themselves (setmaxnreg), in steps of 8. */
guint heddle_clock_shared_registers (guint threads);

G_END_DECLS
