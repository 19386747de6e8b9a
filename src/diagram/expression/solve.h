/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

/* Solves "@self is @value" for the index of an axis in which @self is linear with a whole coefficient: `2*y
 * + w - 1 = x` for y gives `floor((x - w + 1)/2)` where `mod(x - w + 1, 2) == 0`. Gives what that index is,
 * which may be outside its axis, and where the division has no remainder (NULL: everywhere); both are
 * optional and new references. Returns whether it is such an equation. */
gboolean heddle_expr_solve (const HeddleExpr *self, const char *axis_id, const HeddleExpr *value,
    HeddleExpr **solution, HeddleExpr **condition);
