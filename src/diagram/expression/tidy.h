/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

/* Returns the same expression, but for the sign of a zero, without zeros, ones, choices that are decided
 * and functions of numbers. Unlike heddle_expr_simplify () it is for expressions of values, which may be
 * anything, and keeps how they are written. What is read from an array may be infinite or NaN: 0 times it
 * stays, and 0 times an index goes. */
HeddleExpr *heddle_expr_tidy (HeddleExpr *self);
/* Returns whether the expression is known to be 0 wherever argument @operand is 0 and the others are finite
 * and do not divide by 0, as far as tidying shows. */
gboolean heddle_expr_vanishes_with (const HeddleExpr *self, guint operand);
