/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/differentiate/transpose-private.h"
#include "diagram/expression/expr.h"

/* Returns whether one of the arrays of numbers has the axis. */
gboolean heddle_transpose_is_number_axis (const HeddleTranspose *self, const char *axis);
/* Adds the conditions that the solutions are inside the cotangent. */
void heddle_transpose_add_bounds (HeddleTranspose *self);
/* Returns the conjunction of all conditions; NULL if there is none. */
HeddleExpr *heddle_transpose_all_conditions (const HeddleTranspose *self);
/* Makes an equation of each index that is not plain, solves those that can be, and makes conditions of the
 * others. */
void heddle_transpose_solve (HeddleTranspose *self);
