/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost.h"

G_BEGIN_DECLS

/* One buffer while it lives. */
typedef struct
{
  double *base,
      *data; /* the memory; the copy at hand in it. base NULL: another buffer has taken the memory over */
  gint64 *shape, *origin; /* NULL: not alive; origin: the global index of the first element */
  gint64 n;
} HeddleMemory;

typedef struct
{
  gint64 from, to;
} HeddleRange;

typedef struct
{
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes;
  GHashTable *arrays;
  HeddleCounts *counts;
  GCancellable *cancellable;
  HeddleLiveness *liveness;
  HeddleMemory *memories; /* one per buffer */
  int *inherited; /* per buffer: the one whose memory it takes over; -1 */
  GHashTable *ranges; /* axis -> HeddleRange of the tile or chunk at hand */
  GHashTable *kernels; /* node -> HeddlePointKernel */
  guint statement; /* in the order of liveness */
  guint depth; /* streams around */
  guint64 step;
} HeddleExecutor;

typedef struct _HeddlePointKernel HeddlePointKernel;

void heddle_memory_clear (HeddleMemory *self);
HeddleRange heddle_executor_range (const HeddleExecutor *self, const char *axis, HeddleExtent extent);
/* Whether the step of a band at hand runs. --- execute-guard.c */
gboolean heddle_executor_is_needed (HeddleExecutor *self, const HeddleNode *band);
/* Of a LOAD at indices: from @array; else NULL. */
void heddle_executor_compute (HeddleExecutor *self, const HeddleNode *node, const HeddleArray *array);
void heddle_point_kernel_free (HeddlePointKernel *self);

G_END_DECLS
