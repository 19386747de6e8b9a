/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* Returns the same expression without zeros, ones and choices that are decided; for expressions of values,
 * which are kept as they are written. */
HeddleExpr *heddle_expr_tidy (HeddleExpr *self);
/* Returns whether the expression is known to be 0 wherever argument @operand is 0 and the others are
 * finite. */
gboolean heddle_expr_vanishes_with (const HeddleExpr *self, guint operand);

G_END_DECLS
