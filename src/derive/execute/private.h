/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/execute/execute.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "diagram/graph/diagram.h"

/* One buffer while it lives. */
typedef struct
{
  double *base,
      *data; /* the memory; the current copy in it. base is NULL if another buffer has taken the memory over */
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
  GHashTable **kept; /* per buffer: group number -> HeddleMemory, of other groups */
  guint64 group
      [HEDDLE_MAX_LEVELS]; /* per level: the number of the current group among those of one of the first level's */
  guint depth; /* the lowest level whose loops are around */
  GHashTable *ranges[HEDDLE_MAX_LEVELS]; /* per level: axis -> HeddleRange of the current tile or chunk */
  GHashTable *kernels; /* node -> HeddlePointKernel */
  guint statement; /* in the order of liveness */
  guint64 step; /* of the first level's stream */
} HeddleExecutor;

typedef struct _HeddlePointKernel HeddlePointKernel;
