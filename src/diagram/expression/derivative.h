/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* Returns the derivative of @self by argument @operand times @cotangent, by the chain rule, as a new
 * reference; 0 where @self does not depend on it. A choice passes the cotangent to what it chose. */
HeddleExpr *heddle_expr_pull_back (const HeddleExpr *self, guint operand, HeddleExpr *cotangent);

G_END_DECLS
