/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* What the lowering to tiles knows of expressions. New references. */

/* @body as a positive factor of sizes and numbers times a rest; %NULL: it has none. */
HeddleExpr *heddle_tile_split_factor (const HeddleExpr *body, HeddleExpr **factor);
/* The one argument of an expression that has one, once; %NULL: none or several. */
const HeddleExpr *heddle_tile_only_argument (const HeddleExpr *expr);
/* Whether it is the number 0. */
gboolean heddle_expr_is_zero (const HeddleExpr *expr);
/* The same with 0 for what is subtracted from itself. */
HeddleExpr *heddle_tile_cancel (const HeddleExpr *expr);
/* where ($a == -inf, 0, exp ($a - $r)). */
gboolean heddle_tile_is_shifted_exponential (const HeddleExpr *body, guint *a, guint *r);
/* Divisions by what @same_for_row says is the same along a row, as products with its reciprocal. */
HeddleExpr *heddle_tile_by_reciprocals (
    const HeddleExpr *body, gboolean (*same_for_row) (const HeddleExpr *expr, gpointer data), gpointer data);

G_END_DECLS
