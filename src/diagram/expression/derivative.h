/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

/* Returns the derivative of @self, a function of `ARGUMENT` leaves, by argument @operand times @cotangent,
 * by the chain rule from the outside in, as a new reference; 0 where @self does not depend on it.
 * Predicates, `floor` and `ceil` are flat. A choice (`where`, `min`, `max`, `relu`, `abs`) passes the
 * cotangent to what it chose. */
HeddleExpr *heddle_expr_pull_back (const HeddleExpr *self, guint operand, HeddleExpr *cotangent);
