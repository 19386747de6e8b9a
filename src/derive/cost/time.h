/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/context.h"
#include "derive/cost/cost.h"
#include "derive/cost/time-part.h"
#include "diagram/base/dtype.h"

/* The predicted time of a kernel, in seconds, with its parts: the time of each unit by itself at its peak,
 * `overlapped_s`, the longest of them, `serial_s`, their sum, and `expected_s`, the time that kernels are
 * ranked by. `bound` names the unit that takes longest; it is static. */
typedef struct
{
  double flops, special_ops, tensor_flops, fp32_ops, joules;
  HeddleDtype tensor_dtype; /* the fastest of the operands that tensor cores multiply */
  double tensor_peak; /* their FLOP/s on it by the vendor's figure; 0: they have nothing to do */
  double tensor_s, special_s, fp32_s, dram_s, l2_s, smem_s;
  double dram_bytes, l2_bytes, smem_bytes; /* that cross each of these memories */
  gboolean
      plain; /* plain arithmetic does the products: `tensor_s` is what tensor cores would take, and is no part of the others */
  double copies_s; /* in which threads copy tiles element by element, with all SMs busy */
  double
      threads_s; /* in which threads of plain loops work out indices and wait for what they read, with all SMs busy */
  double dealing_s; /* in which blocks sort rows by the matrix that these choose, with all SMs busy */
  double above_s, above_bytes; /* over all levels above global memory */
  double waves;
  double share; /* of their peak clock at which the SMs run, for the power that tensor cores draw */
  double overlapped_s, serial_s, expected_s;
  double parts[HEDDLE_TIME_N_PARTS]; /* s; their sum, in their order, is `expected_s` */
  const char *bound;
} HeddleTime;

/* Returns the time of the kernel at these tiles and this chunk on the context's machine, with all its parts. */
HeddleTime heddle_time_new (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk);
/* Returns the `expected_s` of heddle_time_new (), in seconds, without the parts that it does not need. */
double heddle_time_expected (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk);
/* Returns a time, with its parts, that no tiles up to @tiles beat which make at most @most_groups groups. It
 * holds because the time of every unit falls as any tile grows, and no more groups run at a time than there
 * are. */
HeddleTime heddle_time_bound (const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles,
    gint64 chunk, gint64 most_groups);
/* Returns the time of work that keeps the whole machine busy while @moved bytes cross each memory once. */
HeddleTime heddle_time_of_work (const HeddleDeriveContext *context, const double work[HEDDLE_N_WORKS],
    const double contracted[HEDDLE_N_DTYPES], double moved);
/* Returns the tile, of all grouped axes alike, at which the tensor cores take as long as DRAM does for what
 * the groups read again with no cache between: traffic is the sum of |X| n / g over inputs that a grouped
 * axis repeats. 0 means that there is none, or that windows go with the tiles. */
double heddle_time_ridge_tile (const HeddleDeriveContext *context, const HeddleCost *cost);
