/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include <glib.h>

/* A sum of monomials: a rational coefficient times powers of atoms (leaves and expressions that are not
 * polynomials), for heddle_expr_simplify(). Values do not change once made. Functions return NULL if the
 * result is too large to write out or is not finite. */
typedef struct _HeddlePolynomial HeddlePolynomial;

/* Frees the polynomial with its monomials. */
void heddle_polynomial_free (HeddlePolynomial *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddlePolynomial, heddle_polynomial_free)

/* Returns whether the expression is a whole number. Sizes and variables stand for whole numbers of at least
 * 1, indices for whole ones from 0. */
gboolean heddle_expr_is_whole (const HeddleExpr *self);
/* Returns whether @self is surely greater than 0; FALSE means that this is not known. */
gboolean heddle_expr_is_positive (const HeddleExpr *self);
/* Returns a canonical, readable equivalent of an expression over sizes, indices and variables, which stand
 * for whole numbers (sizes and variables of at least 1): constants folded, fractions of whole numbers kept,
 * like terms joined; a sum of monomials in order of first appearance (those with fewer ceil and floor
 * first), each with its number first, its factors in order of first appearance and ceil and floor last:
 * `2*q*d + 2*x*d*ceil(q/g_q)`. Other functions stay, with their insides simplified; what ceil and floor are
 * of is one quotient, so that they are exact of whole numbers. Polynomials are equal iff their difference
 * simplifies to 0. Products of sums that would be too long are not written out. */
HeddleExpr *heddle_expr_simplify (HeddleExpr *self);
