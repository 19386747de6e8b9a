/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/differentiate/private.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* --- small things */
/* Appends the factors of @body, a product of arguments that stand for @operands. Returns %FALSE if it is no
 * such product. */
gboolean heddle_reverse_factors (const HeddleExpr *body, const GArray *operands, GArray *factors);
/* Contributes one term of the cotangent of @id: @body over @wide, of @operands, summed over the axes that the
 * value has not. */
void heddle_reverse_contribute_body (
    HeddleReverse *self, const char *id, const GArray *wide, HeddleExpr *body, const GArray *operands);
/* --- the rules: each contributes to the operands of @operation, given its result's cotangent */
void heddle_reverse_map_rule (HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);
/* Contributes to each active operand the contraction of the cotangent with all other operands. An axis of
 * the operand that no other factor has was summed alone, and is broadcast. */
void heddle_reverse_contract_rule (
    HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);
