/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "files/equations/elaborate.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* Tells whether a sum is of a product in which each index summed over is held by two factors or more. */
gboolean heddle_eq_is_contraction (HeddleEqScope *scope, const HeddleEqNode *sum);
/* Appends the ids of the axes that @node names as its core axes to those of @tree. */
void heddle_eq_set_over (HeddleEqScope *scope, HeddleEqTree *tree, const HeddleEqNode *node);
/* Returns the product with the contraction in the place of its first factor, and what is multiplied or divided once
 * after it. NULL means that an error was reported. */
HeddleExpr *heddle_eq_contraction_expr (HeddleEqMap *map, const HeddleEqNode *sum);

G_END_DECLS
