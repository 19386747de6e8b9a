/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost.h"
#include "derive/derive.h"

G_BEGIN_DECLS

/* All that deriving one kernel needs. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSchedule *schedule; /* or NULL */
  const HeddleSizes *sizes;
  const HeddleDeriveOptions *options;
  HeddleDtype dtype; /* of values without their own */
  const char *level; /* the level that takes labels */
  gint64 capacity; /* of it: elements for the abstract machine, else bytes; 0: not bounded */
  gboolean abstract;
  GCancellable *cancellable;
  guint64 most_work; /* of one search, in products; 0: as much as a person waits for */
} HeddleDeriveContext;

/* What passes between the end of one kernel and the beginning of the next on a stream, in seconds: 1 to 3 microseconds on GPUs from A100 to
 * B200. */
#define HEDDLE_KERNEL_START 2e-6

/* %HEDDLE_DERIVE_ERROR_MACHINE: no level takes labels. */
gboolean heddle_derive_context_init (HeddleDeriveContext *self, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable, GError **error);

HeddleKernel *heddle_kernel_new (const HeddleDeriveContext *context, const HeddleRegion *region,
    const GArray *operations, HeddleDerivation *totals, GError **error);
void heddle_kernel_free (HeddleKernel *self);
char *heddle_kernel_name (const HeddleDiagram *diagram, const GArray *operations);

/* Whether the operations are of one statement. */
gboolean heddle_kernel_is_statement (const HeddleDiagram *diagram, const GArray *operations);
/* Whether what the program holds fits in the level. */
gboolean heddle_kernel_fits (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk);

/* Predicted time; kernels.md section 3. */
typedef struct
{
  double flops, special_ops, tensor_flops, fp32_ops, joules;
  double tensor_s, special_s, fp32_s, dram_s, l2_s, smem_s;
  double waves;
  double overlapped_s, serial_s, expected_s;
  const char *bound;
} HeddleTime;

HeddleTime heddle_time_new (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk);
/* Of work that keeps the whole machine busy, and @moved bytes that cross each memory once. */
HeddleTime heddle_time_of_work (const HeddleDeriveContext *context, const double work[HEDDLE_N_WORKS],
    const double contracted[HEDDLE_N_DTYPES], double moved);
void heddle_kernel_set_time (HeddleKernel *self, const HeddleTime *time);
double heddle_time_ridge_tile (const HeddleDeriveContext *context, const HeddleCost *cost);

/* Completes @tiling (the labels given) with the best legal ones; see search.c. */
typedef struct
{
  guint64 candidates;
  gboolean exact;
  char *binding, *runner_up; /* sentences: see HeddleKernel */
} HeddleSearchReport;

/* @divisors: axis id -> gint64 *: tiles and chunks are multiples of it. Returns the plan that goes with @tiling; NULL: cancelled. */
HeddleStreamPlan *heddle_search (const HeddleDeriveContext *context, const HeddleRegionTerm *region,
    HeddleTiling *tiling, GHashTable *divisors, HeddleSearchReport *report, GError **error);

G_END_DECLS
