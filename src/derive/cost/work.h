/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/cost/private.h"
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* Adds the operations of a body at one point. What is the same at every point, comparisons and choices cost nothing. */
void heddle_expr_count_operations (const HeddleExpr *expr, double *special, double *plain);
void heddle_cost_collect_work (HeddleCost *self, const HeddleCostPlace *statement);

G_END_DECLS
