/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* Appends the factors of a product of arguments, in order. Returns FALSE if it is no product. */
gboolean heddle_rewrite_list_factors (const HeddleExpr *body, const GArray *operands, GArray *factors);
/* Makes the product or contraction that the operation, a contraction or sum, alone reads part of it. FALSE
 * means that there is none. */
gboolean heddle_rewrite_merge_contraction (HeddleDiagram *diagram, const char *operation_id);
/* Takes the cheapest pair out of a contraction of three operands or more and contracts it first. FALSE
 * means that there are fewer, or that it may read outside an array. */
gboolean heddle_rewrite_split_contraction (HeddleDiagram *diagram, const char *operation_id);
/* Removes a Kronecker delta from the operands of a contraction by joining its two axes. FALSE means that
 * there is none that can go. */
gboolean heddle_rewrite_remove_unit (HeddleDiagram *diagram, const char *operation_id);
