/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/context.h"
#include "derive/cost/cost.h"
#include "diagram/base/dtype.h"

G_BEGIN_DECLS

/* Predicted time; kernels.md section 3. */
typedef struct
{
  double flops, special_ops, tensor_flops, fp32_ops, joules;
  double tensor_s, special_s, fp32_s, dram_s, l2_s, smem_s;
  double above_s, above_bytes; /* over all levels above global memory */
  double waves;
  double overlapped_s, serial_s, expected_s;
  const char *bound;
} HeddleTime;

HeddleTime heddle_time_new (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk);
/* Its expected time alone. */
double heddle_time_expected (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk);
/* A time that no tiles as large as @tiles or smaller beat that make at most @most_groups groups: every unit's time falls with every tile, and
 * there are no more groups at a time than there are. */
double heddle_time_bound (const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles,
    gint64 chunk, gint64 most_groups);
/* Of work that keeps the whole machine busy, and @moved bytes that cross each memory once. */
HeddleTime heddle_time_of_work (const HeddleDeriveContext *context, const double work[HEDDLE_N_WORKS],
    const double contracted[HEDDLE_N_DTYPES], double moved);
double heddle_time_ridge_tile (const HeddleDeriveContext *context, const HeddleCost *cost);

G_END_DECLS
