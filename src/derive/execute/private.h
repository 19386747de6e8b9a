/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/cost.h"

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
  GHashTable **kept; /* per buffer: number of a group -> HeddleMemory, of groups that are not at hand */
  guint64 group
      [HEDDLE_MAX_LEVELS]; /* per level: the number of the group at hand among those of one of the first level's */
  guint depth; /* the lowest level whose loops are around */
  GHashTable *ranges[HEDDLE_MAX_LEVELS]; /* per level: axis -> HeddleRange of the tile or chunk at hand */
  GHashTable *kernels; /* node -> HeddlePointKernel */
  guint statement; /* in the order of liveness */
  guint64 step; /* of the first level's stream */
} HeddleExecutor;

typedef struct _HeddlePointKernel HeddlePointKernel;

void heddle_memory_clear (HeddleMemory *self);
/* The indices of @axis that a buffer of extent @extent, of the level with number @depth, holds now. */
HeddleRange heddle_executor_range (
    const HeddleExecutor *self, const char *axis, HeddleExtent extent, guint depth);
gboolean heddle_executor_allocate (HeddleExecutor *self, guint buffer, GError **error);
void heddle_executor_transfer (HeddleExecutor *self, const HeddleNode *node);
void heddle_executor_count_held (HeddleExecutor *self, guint depth);
void heddle_executor_init_groups (HeddleExecutor *self);
/* Takes up the memories of group @number of @count of a level, and puts them by again; @before: the groups that were at hand. */
void heddle_executor_enter_group (HeddleExecutor *self, guint depth, guint64 number, guint64 count);
void heddle_executor_leave_group (HeddleExecutor *self, guint depth, const guint64 *before);
/* The memory of a buffer that is not needed any more. */
void heddle_executor_drop (HeddleExecutor *self, guint buffer);
/* Whether the step of a band at hand runs. --- execute-guard.c */
gboolean heddle_executor_is_needed (HeddleExecutor *self, const HeddleNode *band);
/* Of a LOAD at indices: from @array; else NULL. */
void heddle_executor_compute (HeddleExecutor *self, const HeddleNode *node, const HeddleArray *array);
void heddle_point_kernel_free (HeddlePointKernel *self);

G_END_DECLS
