/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

/* This file has what the lowering to tiles knows of expressions. Functions return new references. */

/* Splits @body into a positive factor of sizes and numbers, and a rest, which it returns; %NULL if it has no
 * such factor. */
HeddleExpr *heddle_tile_split_factor (const HeddleExpr *body, HeddleExpr **factor);
/* Returns the one argument of an expression that has one, once; %NULL if there is none or several. */
const HeddleExpr *heddle_tile_only_argument (const HeddleExpr *expr);
/* Returns whether the expression is the number 0. */
gboolean heddle_expr_is_zero (const HeddleExpr *expr);
/* Returns the same expression with 0 for what is subtracted from itself. */
HeddleExpr *heddle_tile_cancel (const HeddleExpr *expr);
/* Returns whether the expression is where ($a == -inf, 0, exp ($a - $r)), and finds both arguments. */
gboolean heddle_tile_is_shifted_exponential (const HeddleExpr *body, guint *a, guint *r);
/* Returns divisions by what @same_for_row says is the same along a row as products with its reciprocal. */
HeddleExpr *heddle_tile_by_reciprocals (
    const HeddleExpr *body, gboolean (*same_for_row) (const HeddleExpr *expr, gpointer data), gpointer data);
