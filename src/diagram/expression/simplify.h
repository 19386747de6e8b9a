/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* Sizes and variables stand for whole numbers of at least 1, indices for whole ones from 0. */
gboolean heddle_expr_is_whole (const HeddleExpr *self);
/* Returns whether @self is surely greater than 0; FALSE means that this is not known. */
gboolean heddle_expr_is_positive (const HeddleExpr *self);
/* A canonical, readable equivalent over whole positive sizes: constants folded, sums of monomials in a fixed order,
 * ceil(…) and other non-polynomial parts kept as atoms: `2*q*d + 2*x*d*ceil(q/g_q)`. */
HeddleExpr *heddle_expr_simplify (HeddleExpr *self);

G_END_DECLS
