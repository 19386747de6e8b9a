/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial-monomial.h"
#include "diagram/expression/polynomial-private.h"
#include "diagram/expression/polynomial-write.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/tree.h"

#include <math.h>
#include "diagram/expression/private.h"

/* Polynomials back to expressions. */

static gboolean
is_rounding (const HeddleExpr *atom)
{
  return atom->kind == HEDDLE_EXPR_CEIL || atom->kind == HEDDLE_EXPR_FLOOR;
}

/* Appends to @above the factors of the numerator, to @below those of the denominator. */
static void
monomial_write_factors (const HeddleMonomial *self, gboolean rounding, GPtrArray *above, GPtrArray *below)
{
  for (guint i = 0; i < self->factors->len; i++)
    {
      const HeddleFactor *factor = &g_array_index (self->factors, HeddleFactor, i);
      gboolean divides = factor->exponent < 0. && heddle_is_whole_number (factor->exponent);
      double exponent = divides ? -factor->exponent : factor->exponent;
      HeddleExpr *power;

      if (is_rounding (factor->atom) != rounding)
        continue;
      power = heddle_expr_ref (factor->atom);
      if (exponent != 1.)
        power = heddle_expr_binary (HEDDLE_EXPR_POW, power, heddle_expr_number (exponent));
      g_ptr_array_add (divides ? below : above, power);
    }
}

/* The product of the expressions of an array, which it takes; there is one at least. */
static HeddleExpr *
multiply_all (GPtrArray *factors)
{
  HeddleExpr *product = g_ptr_array_index (factors, 0);

  for (guint i = 1; i < factors->len; i++)
    product = heddle_expr_binary (HEDDLE_EXPR_MUL, product, g_ptr_array_index (factors, i));
  return product;
}

/* The absolute value of the monomial, or minus that: constants first, ceil and floor last; a minus goes to the first factor. */
static HeddleExpr *
monomial_to_expr (const HeddleMonomial *self, gboolean negate)
{
  g_autoptr (GPtrArray) above = g_ptr_array_new ();
  g_autoptr (GPtrArray) below = g_ptr_array_new ();
  double number = fabs (self->numerator);

  if (self->denominator != 1.)
    g_ptr_array_add (below, heddle_expr_number (self->denominator));
  monomial_write_factors (self, FALSE, above, below);
  monomial_write_factors (self, TRUE, above, below);
  if (number != 1. || above->len == 0)
    g_ptr_array_insert (above, 0, heddle_expr_number (number));
  if (negate)
    above->pdata[0] = heddle_expr_unary (HEDDLE_EXPR_NEG, above->pdata[0]);

  if (below->len == 0)
    return multiply_all (above);
  return heddle_expr_binary (HEDDLE_EXPR_DIV, multiply_all (above), multiply_all (below));
}

static guint
count_roundings (const HeddleMonomial *self)
{
  guint n = 0;

  for (guint i = 0; i < self->factors->len; i++)
    n += is_rounding (g_array_index (self->factors, HeddleFactor, i).atom);
  return n;
}

HeddleExpr *
heddle_polynomial_to_expr (const HeddlePolynomial *self)
{
  HeddleExpr *sum = NULL;
  guint written = 0;

  /* Terms with fewer roundings first, else in order of appearance. */
  for (guint roundings = 0; written < self->terms->len; roundings++)
    for (guint i = 0; i < self->terms->len; i++)
      {
        const HeddleMonomial *term = g_ptr_array_index (self->terms, i);
        gboolean negative = term->numerator < 0.;

        if (count_roundings (term) != roundings)
          continue;
        written++;
        if (sum == NULL)
          sum = monomial_to_expr (term, negative);
        else
          sum = heddle_expr_binary (
              negative ? HEDDLE_EXPR_SUB : HEDDLE_EXPR_ADD, sum, monomial_to_expr (term, FALSE));
      }
  return sum != NULL ? sum : heddle_expr_number (0.);
}

/* --- one quotient -------------------------------------------------------------------------------------- */

/* Least common multiple of two positive whole numbers. */
static double
common_multiple (double a, double b)
{
  double x = a, y = b;

  while (y > 0.)
    {
      double remainder = fmod (x, y);

      x = y;
      y = remainder;
    }
  return a / x * b;
}

/* Has @below be a multiple of what divides @term. */
static void
take_divisor (HeddleMonomial *below, const HeddleMonomial *term)
{
  below->numerator = common_multiple (below->numerator, term->denominator);
  for (guint i = 0; i < term->factors->len; i++)
    {
      const HeddleFactor *factor = &g_array_index (term->factors, HeddleFactor, i);
      double exponent = heddle_is_whole_number (factor->exponent) ? -factor->exponent : 0.;

      for (guint k = 0; k < below->factors->len; k++)
        if (heddle_expr_equal (g_array_index (below->factors, HeddleFactor, k).atom, factor->atom))
          exponent -= g_array_index (below->factors, HeddleFactor, k).exponent;
      if (exponent > 0.)
        heddle_monomial_put (below, factor->atom, exponent);
    }
}

HeddleExpr *
heddle_polynomial_to_quotient (const HeddlePolynomial *self)
{
  g_autoptr (HeddleMonomial) below = heddle_monomial_new (1., 1.);
  g_autoptr (HeddlePolynomial) divisor = NULL;
  g_autoptr (HeddlePolynomial) above = NULL;

  for (guint i = 0; i < self->terms->len; i++)
    take_divisor (below, g_ptr_array_index (self->terms, i));
  if (self->terms->len < 2 || !heddle_is_whole_number (below->numerator)
      || (below->numerator == 1. && below->factors->len == 0))
    return heddle_polynomial_to_expr (self);
  divisor = heddle_polynomial_new_number (0.);
  g_ptr_array_add (divisor->terms, heddle_monomial_scale (below, 1.));
  above = heddle_polynomial_multiply (self, divisor);
  return above != NULL ? heddle_expr_binary (
             HEDDLE_EXPR_DIV, heddle_polynomial_to_expr (above), monomial_to_expr (below, FALSE))
                       : heddle_polynomial_to_expr (self);
}
