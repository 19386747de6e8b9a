/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* Solves "@self is @value" for the index of an axis in which @self is linear with a whole coefficient.
 * Returns what that index is, and where the division has no remainder (NULL: everywhere). Both are
 * optional. */
gboolean heddle_expr_solve (const HeddleExpr *self, const char *axis_id, const HeddleExpr *value,
    HeddleExpr **solution, HeddleExpr **condition);

G_END_DECLS
