/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/clock.h"
#include "derive/cost/published.h"
#include "derive/machine/machine.h"
#include <glib.h>

/* Turns a published measurement into a kernel as the clock takes it: from the sizes, the tile, the threads
 * and the form that its publication gives, it computes the work of a step, the grid and the arrays. */

G_BEGIN_DECLS

/* A published kernel as the clock takes it. */
typedef struct
{
  HeddleClockKernel kernel;
  double *steps; /* of the kernel, owned */
  double flop, bytes; /* by which its publication counts: TFLOP/s, GB/s */
  guint tile[2];
} HeddleClockDescription;

/* Describes the kernel that was measured at @point, from its tile, threads and cluster where they are given.
 * Where no tile of a product is given, the library is taken to have chosen the best of its tiles, by the
 * clock; of attention, 128 queries and 128 keys (64 where a head is wider than 128). */
void heddle_clock_describe (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *description);
/* Frees the steps that the description owns; the description itself is the caller's. */
void heddle_clock_description_clear (HeddleClockDescription *self);
/* Converts between seconds and the unit of the publication at @point: from seconds to TFLOP/s or GB/s, by
 * the operations or bytes in @description, and by the same division back; seconds stay seconds. */
double heddle_clock_in_unit (
    const HeddlePublished *point, const HeddleClockDescription *description, double seconds);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleClockDescription, heddle_clock_description_clear)

/* Returns whether the kernel measured at @point has the form called @name, such as "fa3-pingpong". */
gboolean heddle_clock_has_form (const HeddlePublished *point, const char *name);
/* Copies the steps of the blocks into the description. */
void heddle_clock_set_steps (HeddleClockDescription *self, const double *steps, gsize n);
/* Adds an array to @kernel, of which one block reads (or writes, where @stored) @bytes. Bit i of @axes says
 * that blocks at different places along grid axis i take different tiles of it; further members of
 * HeddleClockArray are left 0. */
void heddle_clock_add_array (HeddleClockKernel *kernel, double bytes, guint axes, gboolean stored);
/* Returns how many tiles of @tile elements cover an axis of @size elements, the last one perhaps ragged. */
guint64 heddle_clock_tiles (double size, double tile);
/* Returns how many registers a thread may have, at most 255, where the warpgroups of a block of @threads
 * divide those of an SM among themselves (setmaxnreg), in steps of 8. */
guint heddle_clock_shared_registers (guint threads);

/* Describes a kernel that DRAM or L2 bounds: maps, copies, reductions and kernels that go through rows. It
 * fills @self, whose steps the caller frees with heddle_clock_description_clear (). */
void heddle_clock_describe_memory (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self);

/* Describes a matrix product with the tile that @point gives; if it gives none, with the tile that the clock
 * finds fastest on @machine. It fills @self, whose steps the caller frees with heddle_clock_description_clear
 * (). */
void heddle_clock_describe_product (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self);

G_END_DECLS
