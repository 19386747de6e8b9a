/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/clock.h"
#include "derive/cost/published.h"
#include "derive/machine/machine.h"
#include <glib.h>

/* Turns a published measurement into a kernel as the clock takes it: from the sizes, the tile, the threads
 * and the form that its publication gives, it computes the work of a step, the grid and the arrays. */

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
