/* SPDX-License-Identifier: MIT */
#include "diagram/expr-private.h"
#include "diagram/polynomial.h"

#include <math.h>

/* Products of sums are written out up to this many monomials, and about this many nodes in all; sums kept up to this many terms. */
#define MAX_PRODUCT_TERMS 256
#define MAX_PRODUCT_NODES 4096
#define MAX_SUM_TERMS 256
#define MAX_WRITTEN_POWER 8

/* The largest double below which every whole number is one. */
#define MAX_WHOLE 0x1p53

typedef struct
{
  HeddleExpr *atom;
  double exponent; /* not 0 */
} Factor;

typedef struct
{
  double numerator, denominator; /* the denominator is positive, and 1 unless both are whole */
  GArray *factors; /* of Factor, no atom twice, in order of appearance */
  guint hash; /* of the factors, whatever their order */
} Monomial;

struct _HeddlePolynomial
{
  GPtrArray
      *terms; /* of Monomial, in order of appearance, no two with the same factors; none with coefficient 0 */
};

/* --- monomials ----------------------------------------------------------------------- */

static void
factor_clear (gpointer data)
{
  heddle_expr_unref (((Factor *) data)->atom);
}

static Monomial *
monomial_new (double numerator, double denominator)
{
  Monomial *self = g_new0 (Monomial, 1);

  self->numerator = numerator;
  self->denominator = denominator;
  self->factors = g_array_new (FALSE, FALSE, sizeof (Factor));
  g_array_set_clear_func (self->factors, factor_clear);
  return self;
}

static void
monomial_free (Monomial *self)
{
  g_array_unref (self->factors);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Monomial, monomial_free)

static gboolean
is_whole_number (double value)
{
  return fabs (value) <= MAX_WHOLE && value == trunc (value);
}

/* Brings the coefficient to its lowest terms; a fraction that is not one of whole numbers becomes a number. */
static void
monomial_reduce (Monomial *self)
{
  double a = fabs (self->numerator), b = fabs (self->denominator);

  if (!is_whole_number (self->numerator) || !is_whole_number (self->denominator))
    {
      self->numerator /= self->denominator;
      self->denominator = 1.;
      return;
    }
  while (b > 0.)
    {
      double remainder = fmod (a, b);

      a = b;
      b = remainder;
    }
  a = copysign (a, self->denominator);
  self->numerator /= a;
  self->denominator /= a;
}

static const Factor *
monomial_find (const Monomial *self, const HeddleExpr *atom, guint *position)
{
  for (guint i = 0; i < self->factors->len; i++)
    {
      const Factor *factor = &g_array_index (self->factors, Factor, i);

      if (heddle_expr_equal (factor->atom, atom))
        {
          *position = i;
          return factor;
        }
    }
  return NULL;
}

static guint
factor_hash (const Factor *factor)
{
  return heddle_expr_hash (factor->atom) * 2654435761u + g_double_hash (&factor->exponent);
}

/* Multiplies by atom^exponent. */
static void
monomial_put (Monomial *self, HeddleExpr *atom, double exponent)
{
  guint position;
  const Factor *found = monomial_find (self, atom, &position);
  Factor factor = { atom, exponent };

  if (found == NULL)
    {
      heddle_expr_ref (atom);
      g_array_append_val (self->factors, factor);
    }
  else
    {
      self->hash -= factor_hash (found);
      factor.exponent += found->exponent;
      g_array_index (self->factors, Factor, position).exponent = factor.exponent;
      if (factor.exponent == 0.)
        {
          g_array_remove_index (self->factors, position);
          return;
        }
    }
  self->hash += factor_hash (&factor);
}

static gboolean
monomial_same_factors (const Monomial *a, const Monomial *b)
{
  if (a->hash != b->hash || a->factors->len != b->factors->len)
    return FALSE;
  for (guint i = 0; i < a->factors->len; i++)
    {
      const Factor *factor = &g_array_index (a->factors, Factor, i);
      guint position;
      const Factor *found = monomial_find (b, factor->atom, &position);

      if (found == NULL || found->exponent != factor->exponent)
        return FALSE;
    }
  return TRUE;
}

static Monomial *
monomial_multiply (const Monomial *a, const Monomial *b)
{
  Monomial *self = monomial_new (a->numerator * b->numerator, a->denominator * b->denominator);

  monomial_reduce (self);
  self->hash = a->hash;
  g_array_append_vals (self->factors, a->factors->data, a->factors->len);
  for (guint i = 0; i < a->factors->len; i++)
    heddle_expr_ref (g_array_index (a->factors, Factor, i).atom);
  for (guint i = 0; i < b->factors->len; i++)
    {
      const Factor *factor = &g_array_index (b->factors, Factor, i);

      monomial_put (self, factor->atom, factor->exponent);
    }
  return self;
}

static Monomial *
monomial_scale (const Monomial *self, double scale)
{
  g_autoptr (Monomial) factor = monomial_new (scale, 1.);

  return monomial_multiply (self, factor);
}

/* --- polynomials --------------------------------------------------------------------- */

static HeddlePolynomial *
polynomial_new (void)
{
  HeddlePolynomial *self = g_new (HeddlePolynomial, 1);

  self->terms = g_ptr_array_new_with_free_func ((GDestroyNotify) monomial_free);
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
polynomial_put (HeddlePolynomial *self, Monomial *term)
{
  for (guint i = 0; i < self->terms->len; i++)
    {
      Monomial *like = g_ptr_array_index (self->terms, i);

      if (!monomial_same_factors (like, term))
        continue;
      like->numerator = like->denominator == term->denominator
                            ? like->numerator + term->numerator
                            : like->numerator * term->denominator + term->numerator * like->denominator;
      if (like->denominator != term->denominator)
        like->denominator *= term->denominator;
      monomial_free (term);
      monomial_reduce (like);
      if (like->numerator == 0.)
        g_ptr_array_remove_index (self->terms, i);
      else
        return isfinite (like->numerator);
      return TRUE;
    }
  if (term->numerator == 0.)
    {
      monomial_free (term);
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
  polynomial_put (self, monomial_new (value, 1.));
  return self;
}

HeddlePolynomial *
heddle_polynomial_new_atom (HeddleExpr *atom)
{
  HeddlePolynomial *self = polynomial_new ();
  Monomial *term = monomial_new (1., 1.);

  monomial_put (term, atom, 1.);
  heddle_expr_unref (atom);
  g_ptr_array_add (self->terms, term);
  return self;
}

HeddlePolynomial *
heddle_polynomial_add (const HeddlePolynomial *a, double scale, const HeddlePolynomial *b)
{
  g_autoptr (HeddlePolynomial) self = polynomial_new ();

  for (guint i = 0; i < a->terms->len; i++)
    if (!polynomial_put (self, monomial_scale (g_ptr_array_index (a->terms, i), 1.)))
      return NULL;
  for (guint i = 0; i < b->terms->len; i++)
    if (!polynomial_put (self, monomial_scale (g_ptr_array_index (b->terms, i), scale)))
      return NULL;
  return g_steal_pointer (&self);
}

static guint64
count_nodes (const HeddlePolynomial *self)
{
  guint64 n = 0;

  for (guint i = 0; i < self->terms->len; i++)
    {
      const Monomial *term = g_ptr_array_index (self->terms, i);

      for (guint j = 0; j < term->factors->len; j++)
        n += g_array_index (term->factors, Factor, j).atom->n_nodes;
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
      if (!polynomial_put (
              self, monomial_multiply (g_ptr_array_index (a->terms, i), g_ptr_array_index (b->terms, j))))
        return NULL;
  return g_steal_pointer (&self);
}

/* One monomial to a power other than 0. */
static HeddlePolynomial *
monomial_power (const Monomial *term, double exponent)
{
  g_autoptr (HeddlePolynomial) self = NULL;
  double a = pow (term->numerator, fabs (exponent)), b = pow (term->denominator, fabs (exponent));
  Monomial *power;

  if (!is_whole_number (exponent) && (term->numerator != 1. || term->denominator != 1.))
    return NULL;
  if (!isfinite (a) || !isfinite (b) || a == 0.)
    return NULL;
  self = polynomial_new ();
  power = exponent > 0. ? monomial_new (a, b) : monomial_new (b, a);
  g_ptr_array_add (self->terms, power);
  monomial_reduce (power);
  for (guint i = 0; i < term->factors->len; i++)
    {
      const Factor *factor = &g_array_index (term->factors, Factor, i);

      /* (x^2)^0.5 is |x|: the exponents multiply only where x is positive, or the outer one is whole. */
      if (!is_whole_number (exponent) && !heddle_expr_is_positive (factor->atom))
        return NULL;
      monomial_put (power, factor->atom, factor->exponent * exponent);
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

      if (is_whole_number (exponent) && exponent <= MAX_WRITTEN_POWER)
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
    g_ptr_array_add (copy->terms, monomial_scale (g_ptr_array_index (self->terms, i), 1.));
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
  const Monomial *term;

  *value = 0.;
  if (self->terms->len == 0)
    return TRUE;
  term = g_ptr_array_index (self->terms, 0);
  *value = term->numerator / term->denominator;
  return self->terms->len == 1 && term->factors->len == 0;
}

/* --- back to expressions ------------------------------------------------------------- */

static gboolean
is_rounding (const HeddleExpr *atom)
{
  return atom->kind == HEDDLE_EXPR_CEIL || atom->kind == HEDDLE_EXPR_FLOOR;
}

/* Appends to @above the factors of the numerator, to @below those of the denominator. */
static void
monomial_write_factors (const Monomial *self, gboolean rounding, GPtrArray *above, GPtrArray *below)
{
  for (guint i = 0; i < self->factors->len; i++)
    {
      const Factor *factor = &g_array_index (self->factors, Factor, i);
      gboolean divides = factor->exponent < 0. && is_whole_number (factor->exponent);
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
monomial_to_expr (const Monomial *self, gboolean negate)
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
count_roundings (const Monomial *self)
{
  guint n = 0;

  for (guint i = 0; i < self->factors->len; i++)
    n += is_rounding (g_array_index (self->factors, Factor, i).atom);
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
        const Monomial *term = g_ptr_array_index (self->terms, i);
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
