/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/cost/private.h"
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* Adds the operations of a body at one point to @special (exponentials and the like) and @plain. What is the
 * same at every point, comparisons and choices cost nothing. */
void heddle_expr_count_operations (const HeddleExpr *expr, double *special, double *plain);
/* Adds to the works of @self the operations of a COMPUTE statement on each unit, as products over loops.
 * Contractions run on the tensor cores, by the widest type that they read. */
void heddle_cost_collect_work (HeddleCost *self, const HeddleCostPlace *statement);

G_END_DECLS
