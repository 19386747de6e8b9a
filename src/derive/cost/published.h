/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/clock-form.h"
#include "derive/cost/clock.h"
#include "diagram/base/dtype.h"

/* Measurements that others have published, from the key files of data/measured (*.measured). A file has [Source] and one group for each series of points of
 * one kernel, in which some sizes vary:
 *
 *   [cuBLAS]
 *   GPU=h100-sxm            a machine of data/hardware
 *   Kind=product            what is computed (HeddlePublishedKind)
 *   Kernel=cuBLAS           whose kernel it is
 *   Form=wgmma-pair         of clock-form.c
 *   Type=bf16               of the operands; Output= of the results where it is another
 *   Tile=128;256;           where it is known; for attention queries;keys
 *   Threads= Cluster= Causal= Note=
 *   Sizes=heads=16;         sizes that do not vary
 *   Vary=m;n;k;
 *   At=4096,4096,4096;8192,8192,8192;
 *   Value=716;795;
 *   Unit=TFLOP/s            or GB/s, or s
 *   Timing=stream           or graph, or events: HeddleClockStart
 *   HeldOut=false;true;     points that nothing was fitted to
 *
 * A kernel that Heddle emitted itself (Kind=kernel) is given by its equations and labels instead: it is
 * derived with them, and priced as `heddle derive` prices it. It has no Form and, if nothing varies, neither
 * Vary nor At:
 *
 *   Equations=A : f32[a=2048, k=2048];B : f32[k, b=2048];C[a,b] = A[a,k] B[k,b];
 *   Labels=a:group@smem=128;b:group@smem=256;k:stream@smem=64;
 */
typedef enum
{
  HEDDLE_PUBLISHED_PRODUCT, /* m, n, k */
  HEDDLE_PUBLISHED_ATTENTION, /* batch, heads, queries, keys, head */
  HEDDLE_PUBLISHED_DECODE, /* batch, heads, kv_heads, queries, keys, head, value */
  HEDDLE_PUBLISHED_ROW_SOFTMAX, /* rows, columns */
  HEDDLE_PUBLISHED_RMSNORM, /* rows, columns */
  HEDDLE_PUBLISHED_LAYERNORM, /* rows, columns */
  HEDDLE_PUBLISHED_MAP, /* rows, columns: an operation of each element */
  HEDDLE_PUBLISHED_COPY, /* elements, threads of a block */
  HEDDLE_PUBLISHED_REDUCE, /* elements: read, summed */
  HEDDLE_PUBLISHED_REREAD, /* bytes of a data set that is read again and again */
  HEDDLE_PUBLISHED_KERNEL, /* of Heddle's own, by its equations and labels */
  HEDDLE_PUBLISHED_N_KINDS
} HeddlePublishedKind;

typedef enum
{
  HEDDLE_PUBLISHED_TFLOPS,
  HEDDLE_PUBLISHED_GBS,
  HEDDLE_PUBLISHED_SECONDS,
} HeddlePublishedUnit;

typedef struct
{
  const char *name; /* interned */
  double value;
} HeddlePublishedSize;

/* One point. */
typedef struct
{
  char *file, *series; /* where it stands */
  char *title, *address, *date; /* its source */
  char *gpu, *kernel;
  HeddlePublishedKind kind;
  const HeddleClockForm *form; /* NULL: it is derived */
  char *equations; /* lines, of a kernel that is derived, with its labels; else NULL */
  char **labels;
  HeddleDtype type, output;
  guint tile[2]; /* 0: not known */
  guint threads, cluster; /* 0: not known */
  gboolean causal;
  GArray *sizes; /* of HeddlePublishedSize */
  double value;
  HeddlePublishedUnit unit;
  HeddleClockStart start;
  gboolean held_out;
} HeddlePublished;

/* Returns a new array of HeddlePublished with every point of the data directory's files, which it owns. Each
 * file that is wrong adds a message, `file:line: [group] key`, to @problems, an array of char *. */
GPtrArray *heddle_published_load (GPtrArray *problems);
/* Returns a new array of HeddlePublished with the points of one file; %NULL with
 * %HEDDLE_DERIVE_ERROR_MACHINE where the file is wrong. */
GPtrArray *heddle_published_load_file (const char *path, GError **error);
/* Frees a point with its texts and sizes; NULL is allowed. */
void heddle_published_free (HeddlePublished *self);
/* Returns the size called @name, such as "queries"; @otherwise if the point does not give it. */
double heddle_published_size (const HeddlePublished *self, const char *name, double otherwise);
/* Returns how files call a kind, such as "product"; the text is static. */
const char *heddle_published_kind_name (HeddlePublishedKind kind);
/* Returns how files call a unit, such as "TFLOP/s"; the text is static. */
const char *heddle_published_unit_name (HeddlePublishedUnit unit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddlePublished, heddle_published_free)
