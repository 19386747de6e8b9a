/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/execute/private.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

void heddle_memory_clear (HeddleMemory *self);
/* The indices of @axis that a buffer of extent @extent, of the level with number @depth, holds now. */
HeddleRange heddle_executor_range (
    const HeddleExecutor *self, const char *axis, HeddleExtent extent, guint depth);
gboolean heddle_executor_allocate (HeddleExecutor *self, guint buffer, GError **error);
/* Takes up the memories of group @number of @count of a level, and puts them by again; @before: the groups that were at hand. */
void heddle_executor_enter_group (HeddleExecutor *self, guint depth, guint64 number, guint64 count);
void heddle_executor_leave_group (HeddleExecutor *self, guint depth, const guint64 *before);
/* The memory of a buffer that is not needed any more. */
void heddle_executor_drop (HeddleExecutor *self, guint buffer);
void heddle_executor_init_groups (HeddleExecutor *self);
void heddle_executor_count_held (HeddleExecutor *self, guint depth);
void heddle_executor_transfer (HeddleExecutor *self, const HeddleNode *node);

G_END_DECLS
