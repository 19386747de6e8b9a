/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"

/* Adds to the roofs of a roofline a slope for each link that something is sent over, in bytes that cross the
 * memory of the derivation's point: at it, the time of the collectives is that of all. It is called as the link. */
void heddle_roofline_add_links (
    GPtrArray *roofs, const HeddleDerivation *derivation, const HeddleMachine *machine);

typedef struct
{
  char *name; /* "gmem", "l2", "smem": a slope; "tensor", "special", "fp32": a ceiling */
  gboolean ceiling;
  HeddleDtype dtype; /* of "tensor": the operands that it is of */
  double rate; /* bytes/s or FLOP/s */
} HeddleRoof;

typedef struct
{
  double intensity; /* FLOP per byte that crosses `memory` */
  double flops_per_s;
  const char *memory; /* the level whose roof it is under, interned: "gmem", "l2", "smem"; NULL: not known */
} HeddleRooflinePoint;

/* The times that the kernels of a derivation took on a GPU, all after one another. */
typedef struct
{
  char *diagram; /* its name */
  char *machine; /* the one that they were derived for: "h100-sxm" */
  char *gpu; /* the one that they ran on: "NVIDIA H100 80GB HBM3" */
  char *date; /* when, UTC: "2026-11-22T22:41:07Z" */
  char *path; /* of the file that tells of it, or NULL */
  HeddleDtype dtype;
  double flops, bytes; /* counted: of the work, and what crosses `memory` */
  const char *
      memory; /* the level that is busy longest, interned: "l2"; NULL: the bytes are those moved into the first labelled level */
  double median_s, least_s, most_s; /* of many launches */
} HeddleBenchResult;

/* Returns the bytes/s of a level that nothing exceeds, as far as is known: what others measured a cache to reach may
 * be more than the figure that the machine's file gives for it. 0: it is not known. */
double heddle_roofline_level_rate (const HeddleMachine *machine, const HeddleLevel *level);
/* Returns the roofs of the roofline model (Williams, Waterman & Patterson, 2009) for operands of @dtype, a
 * new array of HeddleRoof: slopes in bytes/s for each memory whose bandwidth is known, ceilings in FLOP/s
 * for each unit. Where @kernel multiplies operands of a type on which tensor cores are faster than on @dtype, their
 * ceiling is that of the former. A roof is the most that is known of a memory: its peak, or what it was measured to reach where
 * that is more. @kernel, which may be NULL, gives the ceiling of its special functions. What the machine
 * has not is left out. */
GPtrArray *heddle_roofline_roofs (
    const HeddleMachine *machine, HeddleDtype dtype, const HeddleKernel *kernel);
/* Returns the point of one kernel at its expected time. Its memory is the one that is busy longest with what the
 * kernel moves, so the point lies under that memory's roof. All is 0 where nothing is computed or moved, and on the
 * abstract machine, which has no times. */
HeddleRooflinePoint heddle_roofline_kernel_point (const HeddleKernel *kernel);
/* Returns the point of the whole derivation at its expected time: that of its kernels as one, with what all of them
 * move. */
HeddleRooflinePoint heddle_roofline_point (const HeddleDerivation *derivation);
/* Frees a measurement and all its texts; nothing happens with NULL. */
void heddle_bench_result_free (HeddleBenchResult *self);
/* Returns the point of the measurement: FLOP per byte as counted, under the roof of its memory, and FLOP/s at the
 * median time. */
HeddleRooflinePoint heddle_bench_result_point (const HeddleBenchResult *self);
/* Returns the day of the measurement, newly allocated: "2026-11-22". */
char *heddle_bench_result_day (const HeddleBenchResult *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleBenchResult, heddle_bench_result_free)
