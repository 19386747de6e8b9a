/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/cost.h"
#include "derive/derivation/derive.h"
#include "derive/region/region.h"

G_BEGIN_DECLS

/* All that deriving one kernel needs. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSchedule *schedule; /* or NULL */
  const HeddleSizes *sizes;
  const HeddleDeriveOptions *options;
  HeddleDtype dtype; /* of values without their own */
  const char *level; /* the first level that takes labels */
  const char *lower[HEDDLE_MAX_LEVELS - 1]; /* those below it that do, outermost first */
  guint n_lower;
  gint64 capacity; /* of it: elements for the abstract machine, else bytes; 0: not bounded */
  gboolean abstract;
  GCancellable *cancellable;
  const HeddleStoring *storing; /* of the kernel at hand, where some work values out again; or NULL */
  HeddleRecall *recall; /* or NULL */
  guint64 most_work; /* of one search, in products; 0: as much as a person waits for */
} HeddleDeriveContext;

/* What passes between the end of one kernel and the beginning of the next on a stream, in seconds: 1 to 3 microseconds on GPUs from A100 to
 * B200. */
#define HEDDLE_KERNEL_START 2e-6

/* %HEDDLE_DERIVE_ERROR_MACHINE: no level takes labels. */
gboolean heddle_derive_context_init (HeddleDeriveContext *self, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable, GError **error);

/* Whether values can be placed where the schedule says. %HEDDLE_DERIVE_ERROR_LABEL: there is no such level or column, or what is kept there
 * does not fit. --- residency.c */
gboolean heddle_residency_check (const HeddleDeriveContext *self, GError **error);
/* Of what the program reads and writes, the bytes that are kept in a cache. */
gint64 heddle_residency_bytes (const HeddleDeriveContext *self, const HeddleLoopProgram *program);

HeddleKernel *heddle_kernel_new (const HeddleDeriveContext *context, const HeddleRegion *region,
    const GArray *operations, HeddleDerivation *totals, GError **error);
HeddleKernel *heddle_kernel_ref (HeddleKernel *self);
void heddle_kernel_unref (HeddleKernel *self);
/* Keeps labels and prices alone, of a kernel that nobody else has. */
void heddle_kernel_make_lean (HeddleKernel *self);
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
void heddle_kernel_set_time (HeddleKernel *self, const HeddleTime *time);
double heddle_time_ridge_tile (const HeddleDeriveContext *context, const HeddleCost *cost);

/* Completes @tiling (the labels given) with the best legal ones; see search.c. */
typedef struct
{
  guint64 candidates;
  gboolean exact;
  const char *unproved; /* why not, not translated; NULL: it is */
  char *binding, *runner_up; /* sentences: see HeddleKernel */
} HeddleSearchReport;

/* @divisors: of HeddleDivisor: tiles and chunks are multiples of them. Returns the plan that goes with @tiling. %NULL, with @tiling as it was:
 * cancelled; or %HEDDLE_DERIVE_ERROR_CAPACITY, says why no tiles were found: a look at the cost takes more than the work of a search, or none go with the
 * given labels and divisors. */
HeddleStreamPlan *heddle_search (const HeddleDeriveContext *context, const HeddleRegionTerm *region,
    HeddleTiling *tiling, const GPtrArray *divisors, HeddleSearchReport *report, GError **error);

G_END_DECLS
