/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial.h"

G_BEGIN_DECLS

/* Returns the sum of the monomials as a new expression, terms with fewer roundings first; 0 if there is
 * none. */
HeddleExpr *heddle_polynomial_to_expr (const HeddlePolynomial *self);
/* The same as one quotient where terms have divisors, (n - o)/j: of whole numbers it is then the quotient of two whole numbers, whose floor
 * and ceil do not depend on how n/j and o/j are rounded. */
HeddleExpr *heddle_polynomial_to_quotient (const HeddlePolynomial *self);

G_END_DECLS
