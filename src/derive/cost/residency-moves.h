/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/context.h"
#include "derive/program/loop-program.h"

/* What crosses the links between global memory and the levels above it, where the schedule places values
 * there. */

G_BEGIN_DECLS

/* Returns a new array of HeddleMove: the whole values that cross links above global memory before and after
 * @program runs. */
GArray *heddle_residency_moves (const HeddleDeriveContext *self, const HeddleLoopProgram *program);
/* Returns the bytes of a whole value (id) as it is stored. */
gint64 heddle_residency_value_bytes (const HeddleDeriveContext *self, const char *value);
/* Returns a new array of HeddleLevelCost, which it owns, with one for each level above global memory that
 * moves of @program go to or come from. */
GPtrArray *heddle_residency_levels (const HeddleDeriveContext *self, const HeddleLoopProgram *program);

G_END_DECLS
