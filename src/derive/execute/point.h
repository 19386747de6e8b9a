/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/execute/point-private.h"
#include "derive/execute/private.h"
#include "derive/program/loop-program.h"
#include "diagram/base/array.h"

G_BEGIN_DECLS

void heddle_point_kernel_free (HeddlePointKernel *self);
/* Where in @buffer's memory the element at the point is, along @along at @place (@along NULL: at its own index). */
gint64 heddle_point_offset (const HeddlePoint *point, guint buffer, const char *along, gint64 place);
double heddle_point_run (const HeddlePoint *point, HeddleFormula *formula, gboolean *outside);
/* Moves loops @first to the last on by one; %FALSE: they are through and back at their beginnings. */
gboolean heddle_point_advance (const HeddlePoint *point, const HeddleRange *ranges, guint first, guint end);
HeddlePointKernel *heddle_executor_get_kernel (HeddleExecutor *self, const HeddleNode *node);
/* Of a LOAD at indices: from @array; else NULL. */
void heddle_executor_compute (HeddleExecutor *self, const HeddleNode *node, const HeddleArray *array);

G_END_DECLS
