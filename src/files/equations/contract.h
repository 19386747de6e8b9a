/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "files/equations/elaborate.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* Whether a sum is of a product, each index summed over held by two factors or more. */
gboolean heddle_eq_is_contraction (HeddleEqScope *scope, const HeddleEqNode *sum);
void heddle_eq_set_over (HeddleEqScope *scope, HeddleEqTree *tree, const HeddleEqNode *node);
/* The contraction in the place of its first factor, and what is multiplied or divided once, after it. */
HeddleExpr *heddle_eq_contraction_expr (HeddleEqMap *map, const HeddleEqNode *sum);

G_END_DECLS
