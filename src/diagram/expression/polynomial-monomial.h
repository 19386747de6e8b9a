/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial-private.h"

/* Makes the coefficient @numerator / @denominator without factors; it is not reduced. The caller owns it. */
HeddleMonomial *heddle_monomial_new (double numerator, double denominator);
/* Frees the monomial and drops its atoms. */
void heddle_monomial_free (HeddleMonomial *self);
/* Returns whether @value is a whole number of magnitude 2^53 at most. */
gboolean heddle_is_whole_number (double value);
/* Brings the coefficient to its lowest terms; a fraction that is not one of whole numbers becomes a number. */
void heddle_monomial_reduce (HeddleMonomial *self);
/* Multiplies by atom^exponent. */
void heddle_monomial_put (HeddleMonomial *self, HeddleExpr *atom, double exponent);
/* Returns whether both have the same atoms with the same exponents, in whatever order; coefficients do not
 * count. */
gboolean heddle_monomial_same_factors (const HeddleMonomial *a, const HeddleMonomial *b);
/* Returns the product, reduced, which the caller owns. */
HeddleMonomial *heddle_monomial_multiply (const HeddleMonomial *a, const HeddleMonomial *b);
/* Returns @self times @scale, which the caller owns. */
HeddleMonomial *heddle_monomial_scale (const HeddleMonomial *self, double scale);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleMonomial, heddle_monomial_free)
