/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial-monomial.h"
#include "diagram/expression/polynomial-private.h"
#include "diagram/expression/polynomial-write.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/simplify.h"

#include <math.h>
#include "diagram/expression/private.h"

/* Products of sums are written out up to this many monomials, and about this many nodes in all; sums kept up to this many terms. */
#define MAX_PRODUCT_TERMS 256
#define MAX_PRODUCT_NODES 4096
#define MAX_SUM_TERMS 256
#define MAX_WRITTEN_POWER 8

static HeddlePolynomial *
polynomial_new (void)
{
  HeddlePolynomial *self = g_new (HeddlePolynomial, 1);

  self->terms = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_monomial_free);
  return self;
}

void
heddle_polynomial_free (HeddlePolynomial *self)
{
  g_ptr_array_unref (self->terms);
  g_free (self);
}

/* Adds a term, joining it with its like. FALSE: too many, or no finite coefficient. Takes @term. */
static gboolean
polynomial_put (HeddlePolynomial *self, HeddleMonomial *term)
{
  for (guint i = 0; i < self->terms->len; i++)
    {
      HeddleMonomial *like = g_ptr_array_index (self->terms, i);

      if (!heddle_monomial_same_factors (like, term))
        continue;
      like->numerator = like->denominator == term->denominator
                            ? like->numerator + term->numerator
                            : like->numerator * term->denominator + term->numerator * like->denominator;
      if (like->denominator != term->denominator)
        like->denominator *= term->denominator;
      heddle_monomial_free (term);
      heddle_monomial_reduce (like);
      if (like->numerator == 0.)
        g_ptr_array_remove_index (self->terms, i);
      else
        return isfinite (like->numerator);
      return TRUE;
    }
  if (term->numerator == 0.)
    {
      heddle_monomial_free (term);
      return TRUE;
    }
  g_ptr_array_add (self->terms, term);
  return isfinite (term->numerator) && self->terms->len <= MAX_SUM_TERMS;
}

HeddlePolynomial *
heddle_polynomial_new_number (double value)
{
  HeddlePolynomial *self = polynomial_new ();

  g_assert (isfinite (value));
  polynomial_put (self, heddle_monomial_new (value, 1.));
  return self;
}

HeddlePolynomial *
heddle_polynomial_new_atom (HeddleExpr *atom)
{
  HeddlePolynomial *self = polynomial_new ();
  HeddleMonomial *term = heddle_monomial_new (1., 1.);

  heddle_monomial_put (term, atom, 1.);
  heddle_expr_unref (atom);
  g_ptr_array_add (self->terms, term);
  return self;
}

HeddlePolynomial *
heddle_polynomial_add (const HeddlePolynomial *a, double scale, const HeddlePolynomial *b)
{
  g_autoptr (HeddlePolynomial) self = polynomial_new ();

  for (guint i = 0; i < a->terms->len; i++)
    if (!polynomial_put (self, heddle_monomial_scale (g_ptr_array_index (a->terms, i), 1.)))
      return NULL;
  for (guint i = 0; i < b->terms->len; i++)
    if (!polynomial_put (self, heddle_monomial_scale (g_ptr_array_index (b->terms, i), scale)))
      return NULL;
  return g_steal_pointer (&self);
}

static guint64
count_nodes (const HeddlePolynomial *self)
{
  guint64 n = 0;

  for (guint i = 0; i < self->terms->len; i++)
    {
      const HeddleMonomial *term = g_ptr_array_index (self->terms, i);

      for (guint j = 0; j < term->factors->len; j++)
        n += g_array_index (term->factors, HeddleFactor, j).atom->n_nodes;
    }
  return n;
}

HeddlePolynomial *
heddle_polynomial_multiply (const HeddlePolynomial *a, const HeddlePolynomial *b)
{
  g_autoptr (HeddlePolynomial) self = polynomial_new ();
  guint64 n_terms = (guint64) a->terms->len * b->terms->len;

  if (n_terms > MAX_PRODUCT_TERMS
      || (n_terms > 1
          && count_nodes (a) * b->terms->len + count_nodes (b) * a->terms->len > MAX_PRODUCT_NODES))
    return NULL;
  for (guint i = 0; i < a->terms->len; i++)
    for (guint j = 0; j < b->terms->len; j++)
      if (!polynomial_put (self,
              heddle_monomial_multiply (g_ptr_array_index (a->terms, i), g_ptr_array_index (b->terms, j))))
        return NULL;
  return g_steal_pointer (&self);
}

/* One monomial to a power other than 0. */
static HeddlePolynomial *
monomial_power (const HeddleMonomial *term, double exponent)
{
  g_autoptr (HeddlePolynomial) self = NULL;
  double a = pow (term->numerator, fabs (exponent)), b = pow (term->denominator, fabs (exponent));
  HeddleMonomial *power;

  if (!heddle_is_whole_number (exponent) && (term->numerator != 1. || term->denominator != 1.))
    return NULL;
  if (!isfinite (a) || !isfinite (b) || a == 0.)
    return NULL;
  self = polynomial_new ();
  power = exponent > 0. ? heddle_monomial_new (a, b) : heddle_monomial_new (b, a);
  g_ptr_array_add (self->terms, power);
  heddle_monomial_reduce (power);
  for (guint i = 0; i < term->factors->len; i++)
    {
      const HeddleFactor *factor = &g_array_index (term->factors, HeddleFactor, i);

      /* (x^2)^0.5 is |x|: the exponents multiply only where x is positive, or the outer one is whole. */
      if (!heddle_is_whole_number (exponent) && !heddle_expr_is_positive (factor->atom))
        return NULL;
      heddle_monomial_put (power, factor->atom, factor->exponent * exponent);
    }
  return isfinite (power->numerator) ? g_steal_pointer (&self) : NULL;
}

HeddlePolynomial *
heddle_polynomial_power (const HeddlePolynomial *self, double exponent)
{
  g_autoptr (HeddlePolynomial) power = NULL;

  if (exponent == 0.)
    return heddle_polynomial_new_number (1.);
  if (self->terms->len == 0)
    return exponent > 0. ? heddle_polynomial_new_number (0.) : NULL;
  if (self->terms->len == 1)
    return monomial_power (g_ptr_array_index (self->terms, 0), exponent);

  power = heddle_polynomial_new_number (1.);
  for (double i = 0.; power != NULL && i < exponent; i++)
    {
      HeddlePolynomial *next = NULL;

      if (heddle_is_whole_number (exponent) && exponent <= MAX_WRITTEN_POWER)
        next = heddle_polynomial_multiply (power, self);
      heddle_polynomial_free (power);
      power = next;
    }
  if (power == NULL || exponent < 0.)
    {
      g_autoptr (HeddlePolynomial) monomial = heddle_polynomial_as_monomial (self);

      return monomial_power (g_ptr_array_index (monomial->terms, 0), exponent);
    }
  return g_steal_pointer (&power);
}

gboolean
heddle_polynomial_is_monomial (const HeddlePolynomial *self)
{
  return self->terms->len <= 1;
}

HeddlePolynomial *
heddle_polynomial_copy (const HeddlePolynomial *self)
{
  HeddlePolynomial *copy = polynomial_new ();

  for (guint i = 0; i < self->terms->len; i++)
    g_ptr_array_add (copy->terms, heddle_monomial_scale (g_ptr_array_index (self->terms, i), 1.));
  return copy;
}

HeddlePolynomial *
heddle_polynomial_as_monomial (const HeddlePolynomial *self)
{
  if (self->terms->len > 1)
    return heddle_polynomial_new_atom (heddle_polynomial_to_expr (self));
  return heddle_polynomial_copy (self);
}

gboolean
heddle_polynomial_is_number (const HeddlePolynomial *self, double *value)
{
  const HeddleMonomial *term;

  *value = 0.;
  if (self->terms->len == 0)
    return TRUE;
  term = g_ptr_array_index (self->terms, 0);
  *value = term->numerator / term->denominator;
  return self->terms->len == 1 && term->factors->len == 0;
}
