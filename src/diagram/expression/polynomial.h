/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include <glib.h>

G_BEGIN_DECLS

/* A sum of monomials: a rational coefficient times powers of atoms (leaves and expressions that are not
 * polynomials), for heddle_expr_simplify(). Values do not change once made. Functions return NULL if the
 * result is too large to write out or is not finite. */
typedef struct _HeddlePolynomial HeddlePolynomial;

HeddlePolynomial *heddle_polynomial_new_number (double value); /* finite */
/* Returns a new polynomial that is @atom, an expression that is not looked into; it takes the reference. */
HeddlePolynomial *heddle_polynomial_new_atom (HeddleExpr *atom /* taken */);
/* Returns a copy, which the caller owns; atoms are shared. */
HeddlePolynomial *heddle_polynomial_copy (const HeddlePolynomial *self);
/* Frees the polynomial with its monomials. */
void heddle_polynomial_free (HeddlePolynomial *self);
/* Returns a + scale b. */
HeddlePolynomial *heddle_polynomial_add (const HeddlePolynomial *a, double scale, const HeddlePolynomial *b);
/* Returns the product, which the caller owns; NULL if it is too large to write out or not finite. */
HeddlePolynomial *heddle_polynomial_multiply (const HeddlePolynomial *a, const HeddlePolynomial *b);
/* Returns @self to the power of @exponent; NULL also if @exponent is not whole and @self may be negative or
 * has a coefficient, and for 0 to a negative power. */
HeddlePolynomial *heddle_polynomial_power (const HeddlePolynomial *self, double exponent);
/* Returns a polynomial of one monomial equal to @self: itself, or the sum as an atom. */
HeddlePolynomial *heddle_polynomial_as_monomial (const HeddlePolynomial *self);
gboolean heddle_polynomial_is_monomial (const HeddlePolynomial *self); /* 0 included */
/* Returns whether the polynomial is a number, which goes to @value. Where it is none, @value holds the
 * coefficient of its first monomial. */
gboolean heddle_polynomial_is_number (const HeddlePolynomial *self, double *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddlePolynomial, heddle_polynomial_free)

/* Returns the sum of the monomials as a new expression, terms with fewer roundings first; 0 if there is
 * none. */
HeddleExpr *heddle_polynomial_to_expr (const HeddlePolynomial *self);
/* Returns the polynomial as one quotient where terms have divisors, (n - o)/j: for whole numbers it is then
 * the quotient of two whole numbers, whose floor and ceil do not depend on how n/j and o/j are rounded. */
HeddleExpr *heddle_polynomial_to_quotient (const HeddlePolynomial *self);

/* Returns whether the expression is a whole number. Sizes and variables stand for whole numbers of at least
 * 1, indices for whole ones from 0. */
gboolean heddle_expr_is_whole (const HeddleExpr *self);
/* Returns whether @self is surely greater than 0; FALSE means that this is not known. */
gboolean heddle_expr_is_positive (const HeddleExpr *self);
/* Returns a canonical, readable equivalent over whole positive sizes: constants folded, sums of monomials in
 * a fixed order, ceil(…) and other non-polynomial parts kept as atoms: `2*q*d + 2*x*d*ceil(q/g_q)`. */
HeddleExpr *heddle_expr_simplify (HeddleExpr *self);

G_END_DECLS
