/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

/* The loops that a guard may depend on: the stream and fewer groups than this. */
#define HEDDLE_MAX_GUARDED 4

/* A guard says whether a condition on indices may hold somewhere in a box of tiles and a chunk, by interval
 * arithmetic. It is an expression over SIZE, INDEX (the first index of the current tile or chunk) and
 * VARIABLE (the last one, see heddle_guard_last()). As an interval it is 0 to 0 where it is false for all
 * that its leaves may be. */

/* Returns a new guard for a condition on indices; NULL where nothing is known of the condition, which then
 * may always hold somewhere. */
HeddleExpr *heddle_guard_new (const HeddleExpr *condition);
/* Returns the axis (id) whose last index @leaf is; NULL where it is none. */
const char *heddle_guard_axis_of_last (const HeddleExpr *leaf);
/* Returns whether the guard depends on the first or the last index of @axis. */
gboolean heddle_guard_uses (const HeddleExpr *guard, const char *axis);
/* Returns whether more steps run for the last index of the grouped @axis than for its first, as with a causal
 * mask. Blocks that have the last tiles of such an axis take longest. It is asked where all sizes are
 * alike. */
gboolean heddle_guard_lengthens (const HeddleExpr *guard, const char *axis);
