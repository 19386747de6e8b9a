/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/execute/point-private.h"
#include "derive/execute/private.h"
#include "derive/program/loop-program.h"
#include "diagram/base/array.h"
#include "derive/index/extent.h"

/* This file computes the points of one statement: its expressions are compiled once, and then run at each
 * point that the current loops hold. */

/* Frees the compiled expressions of a statement. */
void heddle_point_kernel_free (HeddlePointKernel *self);
/* Runs a COMPUTE at all its points, or a LOAD at indices, which reads from @array; @array is NULL for a
 * COMPUTE. */
void heddle_executor_compute (HeddleExecutor *self, const HeddleNode *node, const HeddleArray *array);

/* The two forms of a COMPUTE that go through points in order. Both leave their results in the memory of the
 * statement's buffers. */

/* The memories of a run: each buffer is allocated when it is born, at the shape of its tile, and poisoned
 * with NaN, so that a read of what was never written shows. */

/* Frees the memory of a buffer and leaves it as not alive. */
void heddle_memory_clear (HeddleMemory *self);
/* Returns the indices of @axis that a buffer of extent @extent holds now, at the level with number @depth. */
HeddleRange heddle_executor_range (
    const HeddleExecutor *self, const char *axis, HeddleExtent extent, guint depth);
/* Gives a buffer its memory at the current parts: new memory filled with NaN, or that of the buffer whose
 * place it takes. Returns %FALSE with %HEDDLE_DERIVE_ERROR_CAPACITY if there is none. */
gboolean heddle_executor_allocate (HeddleExecutor *self, guint buffer, GError **error);
/* Takes up the memories that group @number of @count of the level @depth has kept. Every call is paired with
 * heddle_executor_leave_group (). */
void heddle_executor_enter_group (HeddleExecutor *self, guint depth, guint64 number, guint64 count);
/* Stores the memories of the current group and restores those of the groups @before. */
void heddle_executor_leave_group (HeddleExecutor *self, guint depth, const guint64 *before);
/* Frees the memory of a buffer that is not needed any more. */
void heddle_executor_drop (HeddleExecutor *self, guint buffer);
/* Makes the empty tables in which memories of groups that are not the current ones are kept, one for each
 * buffer; the executor owns them. */
void heddle_executor_init_groups (HeddleExecutor *self);
/* Counts what one group of each level down to number @depth holds now, in elements, into the peaks of those
 * levels, in both conventions. */
void heddle_executor_count_held (HeddleExecutor *self, guint depth);
/* Runs a LOAD or a SAVE: copies between a buffer and the global value or the buffer above, and adds the
 * elements to the transfers of its level. */
void heddle_executor_transfer (HeddleExecutor *self, const HeddleNode *node);
