/* SPDX-License-Identifier: MIT */
#include "diagram/expression/polynomial-monomial.h"
#include "diagram/expression/polynomial-private.h"
#include "diagram/expression/polynomial.h"

#include <math.h>
#include "diagram/expression/private.h"
#include "diagram/expression/tree.h"
#include "diagram/expression/evaluate.h"

/* The limits of sums: products of sums are written out up to this many monomials and about this many nodes in
 * all; sums are kept up to this many terms. */
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

/* Adds a term, joining it with its like; takes @term. Returns FALSE if there are too many, or if a
 * coefficient is not finite. */
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

/* finite */
static HeddlePolynomial *
polynomial_new_number (double value)
{
  HeddlePolynomial *self = polynomial_new ();

  g_assert (isfinite (value));
  polynomial_put (self, heddle_monomial_new (value, 1.));
  return self;
}

/* Returns a new polynomial that is @atom, an expression that is not looked into; it takes the reference. */
static HeddlePolynomial *
polynomial_new_atom (HeddleExpr *atom)
{
  HeddlePolynomial *self = polynomial_new ();
  HeddleMonomial *term = heddle_monomial_new (1., 1.);

  heddle_monomial_put (term, atom, 1.);
  heddle_expr_unref (atom);
  g_ptr_array_add (self->terms, term);
  return self;
}

/* Returns a + scale b. */
static HeddlePolynomial *
polynomial_add (const HeddlePolynomial *a, double scale, const HeddlePolynomial *b)
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

/* Returns the product, which the caller owns; NULL if it is too large to write out or not finite. */
static HeddlePolynomial *
polynomial_multiply (const HeddlePolynomial *a, const HeddlePolynomial *b)
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

/* Raises one monomial to a power other than 0. */
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

static HeddlePolynomial *polynomial_as_monomial (const HeddlePolynomial *self);

/* Returns @self to the power of @exponent; NULL also if @exponent is not whole and @self may be negative or
 * has a coefficient, and for 0 to a negative power. */
static HeddlePolynomial *
polynomial_power (const HeddlePolynomial *self, double exponent)
{
  g_autoptr (HeddlePolynomial) power = NULL;

  if (exponent == 0.)
    return polynomial_new_number (1.);
  if (self->terms->len == 0)
    return exponent > 0. ? polynomial_new_number (0.) : NULL;
  if (self->terms->len == 1)
    return monomial_power (g_ptr_array_index (self->terms, 0), exponent);

  power = polynomial_new_number (1.);
  for (double i = 0.; power != NULL && i < exponent; i++)
    {
      HeddlePolynomial *next = NULL;

      if (heddle_is_whole_number (exponent) && exponent <= MAX_WRITTEN_POWER)
        next = polynomial_multiply (power, self);
      heddle_polynomial_free (power);
      power = next;
    }
  if (power == NULL || exponent < 0.)
    {
      g_autoptr (HeddlePolynomial) monomial = polynomial_as_monomial (self);

      return monomial_power (g_ptr_array_index (monomial->terms, 0), exponent);
    }
  return g_steal_pointer (&power);
}

/* Returns a copy, which the caller owns; atoms are shared. */
static HeddlePolynomial *
polynomial_copy (const HeddlePolynomial *self)
{
  HeddlePolynomial *copy = polynomial_new ();

  for (guint i = 0; i < self->terms->len; i++)
    g_ptr_array_add (copy->terms, heddle_monomial_scale (g_ptr_array_index (self->terms, i), 1.));
  return copy;
}

static HeddleExpr *polynomial_to_expr (const HeddlePolynomial *self);

/* Returns a polynomial of one monomial equal to @self: itself, or the sum as an atom. */
static HeddlePolynomial *
polynomial_as_monomial (const HeddlePolynomial *self)
{
  if (self->terms->len > 1)
    return polynomial_new_atom (polynomial_to_expr (self));
  return polynomial_copy (self);
}

/* Returns whether the polynomial is a number, which goes to @value. Where it is none, @value holds the
 * coefficient of its first monomial. */
static gboolean
polynomial_is_number (const HeddlePolynomial *self, double *value)
{
  const HeddleMonomial *term;

  *value = 0.;
  if (self->terms->len == 0)
    return TRUE;
  term = g_ptr_array_index (self->terms, 0);
  *value = term->numerator / term->denominator;
  return self->terms->len == 1 && term->factors->len == 0;
}

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

/* Returns the product of the expressions of an array, which it takes; there is one at least. */
static HeddleExpr *
multiply_all (GPtrArray *factors)
{
  HeddleExpr *product = g_ptr_array_index (factors, 0);

  for (guint i = 1; i < factors->len; i++)
    product = heddle_expr_binary (HEDDLE_EXPR_MUL, product, g_ptr_array_index (factors, i));
  return product;
}

/* Returns the absolute value of the monomial, or minus that: constants first, ceil and floor last; a minus
 * goes to the first factor. */
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

/* Returns the sum of the monomials as a new expression, terms with fewer roundings first; 0 if there is
 * none. */
static HeddleExpr *
polynomial_to_expr (const HeddlePolynomial *self)
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

/* Returns the least common multiple of two positive whole numbers. */
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

/* Makes @below a multiple of what divides @term. */
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

/* Returns the polynomial as one quotient where terms have divisors, (n - o)/j: for whole numbers it is then
 * the quotient of two whole numbers, whose floor and ceil do not depend on how n/j and o/j are rounded. */
static HeddleExpr *
polynomial_to_quotient (const HeddlePolynomial *self)
{
  g_autoptr (HeddleMonomial) below = heddle_monomial_new (1., 1.);
  g_autoptr (HeddlePolynomial) divisor = NULL;
  g_autoptr (HeddlePolynomial) above = NULL;

  for (guint i = 0; i < self->terms->len; i++)
    take_divisor (below, g_ptr_array_index (self->terms, i));
  if (self->terms->len < 2 || !heddle_is_whole_number (below->numerator)
      || (below->numerator == 1. && below->factors->len == 0))
    return polynomial_to_expr (self);
  divisor = polynomial_new_number (0.);
  g_ptr_array_add (divisor->terms, heddle_monomial_scale (below, 1.));
  above = polynomial_multiply (self, divisor);
  return above != NULL ? heddle_expr_binary (
             HEDDLE_EXPR_DIV, polynomial_to_expr (above), monomial_to_expr (below, FALSE))
                       : polynomial_to_expr (self);
}

#define MAX_ROUNDS 4

/* --- what is known without evaluating ------------------------------------------------- */

static gboolean
all_children (const HeddleExpr *self, guint from, gboolean (*holds) (const HeddleExpr *))
{
  for (guint i = from; i < self->n_children; i++)
    if (!holds (self->children[i]))
      return FALSE;
  return TRUE;
}

gboolean
heddle_expr_is_whole (const HeddleExpr *self)
{
  switch (self->kind)
    {
    case HEDDLE_EXPR_NUMBER:
      return self->number == trunc (self->number) && isfinite (self->number);
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
    case HEDDLE_EXPR_VARIABLE:
    case HEDDLE_EXPR_CEIL:
    case HEDDLE_EXPR_FLOOR:
      return TRUE;
    case HEDDLE_EXPR_NEG:
    case HEDDLE_EXPR_RELU:
    case HEDDLE_EXPR_ABS:
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_SUB:
    case HEDDLE_EXPR_MUL:
    case HEDDLE_EXPR_MOD:
    case HEDDLE_EXPR_MIN:
    case HEDDLE_EXPR_MAX:
      return all_children (self, 0, heddle_expr_is_whole);
    case HEDDLE_EXPR_POW:
      return all_children (self, 0, heddle_expr_is_whole)
             && (self->children[1]->kind == HEDDLE_EXPR_NUMBER ? self->children[1]->number >= 0.
                                                               : heddle_expr_is_positive (self->children[1]));
    case HEDDLE_EXPR_WHERE:
      return all_children (self, 1, heddle_expr_is_whole);
    default:
      return self->kind >= HEDDLE_EXPR_LT || self->kind == HEDDLE_EXPR_NOT; /* predicates are 0 or 1 */
    }
}

gboolean
heddle_expr_is_positive (const HeddleExpr *self)
{
  switch (self->kind)
    {
    case HEDDLE_EXPR_NUMBER:
      return self->number > 0.;
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_VARIABLE:
      return TRUE;
    case HEDDLE_EXPR_CEIL:
    case HEDDLE_EXPR_SQRT:
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_MUL:
    case HEDDLE_EXPR_DIV:
    case HEDDLE_EXPR_MIN:
      return all_children (self, 0, heddle_expr_is_positive);
    case HEDDLE_EXPR_MAX:
      return heddle_expr_is_positive (self->children[0]) || heddle_expr_is_positive (self->children[1]);
    case HEDDLE_EXPR_POW:
      return heddle_expr_is_positive (self->children[0]);
    case HEDDLE_EXPR_WHERE:
      return all_children (self, 1, heddle_expr_is_positive);
    default:
      return FALSE;
    }
}

/* Returns whether @self is known to be never less than @bound. */
static gboolean
is_at_least (const HeddleExpr *self, const HeddleExpr *bound)
{
  if (heddle_expr_is_number (bound, -INFINITY) || heddle_expr_is_number (self, INFINITY))
    return TRUE;
  return heddle_expr_is_number (bound, 1.) && heddle_expr_is_whole (self) && heddle_expr_is_positive (self);
}

/* --- rules --------------------------------------------------------------------------- */

static HeddlePolynomial *simplify (const HeddleExpr *self);

/* Returns the child that a function of the simplified @children is equal to; NULL if there is none. */
static HeddleExpr *
choose_child (HeddleExprKind kind, HeddleExpr **children)
{
  switch (kind)
    {
    case HEDDLE_EXPR_CEIL:
    case HEDDLE_EXPR_FLOOR:
      return heddle_expr_is_whole (children[0]) ? children[0] : NULL;
    case HEDDLE_EXPR_ABS:
    case HEDDLE_EXPR_RELU:
      return heddle_expr_is_positive (children[0]) ? children[0] : NULL;
    case HEDDLE_EXPR_MIN:
      if (is_at_least (children[0], children[1]))
        return children[1];
      return is_at_least (children[1], children[0]) ? children[0] : NULL;
    case HEDDLE_EXPR_MAX:
      if (is_at_least (children[0], children[1]))
        return children[0];
      return is_at_least (children[1], children[0]) ? children[1] : NULL;
    case HEDDLE_EXPR_WHERE:
      if (children[0]->kind == HEDDLE_EXPR_NUMBER)
        return children[children[0]->number != 0. ? 1 : 2];
      return heddle_expr_equal (children[1], children[2]) ? children[1] : NULL;
    default:
      return NULL;
    }
}

/* Returns min or max of two polynomials whose difference is a number; NULL if it is not. */
static HeddlePolynomial *
choose_extreme (HeddleExprKind kind, HeddlePolynomial **children)
{
  g_autoptr (HeddlePolynomial) difference = NULL;
  double value;

  if (kind != HEDDLE_EXPR_MIN && kind != HEDDLE_EXPR_MAX)
    return NULL;
  difference = polynomial_add (children[0], -1., children[1]);
  if (difference == NULL || !polynomial_is_number (difference, &value))
    return NULL;
  return polynomial_copy (children[(value < 0.) == (kind == HEDDLE_EXPR_MIN) ? 0 : 1]);
}

/* Computes @kind of polynomials that are all numbers. Returns FALSE if one is not, or if the value is not
 * finite. */
static gboolean
fold (HeddleExprKind kind, HeddlePolynomial **children, guint n, double *value)
{
  double arguments[3];

  for (guint i = 0; i < n; i++)
    if (!polynomial_is_number (children[i], &arguments[i]))
      return FALSE;
  *value = heddle_expr_apply (kind, arguments);
  return isfinite (*value);
}

/* Returns @kind of polynomials as one number, one of them, or an atom. */
static HeddlePolynomial *
simplify_opaque (HeddleExprKind kind, HeddlePolynomial **polynomials, guint n)
{
  HeddleExpr *children[3];
  HeddleExpr *chosen;
  double value;

  if (fold (kind, polynomials, n, &value))
    return polynomial_new_number (value);
  for (guint i = 0; i < n; i++)
    children[i] = kind == HEDDLE_EXPR_CEIL || kind == HEDDLE_EXPR_FLOOR
                      ? polynomial_to_quotient (polynomials[i])
                      : polynomial_to_expr (polynomials[i]);
  chosen = choose_child (kind, children);
  if (chosen == NULL)
    return polynomial_new_atom (heddle_expr_node (kind, children, n));

  for (guint i = 0; i < n; i++)
    if (children[i] == chosen)
      {
        for (guint j = 0; j < n; j++)
          heddle_expr_unref (children[j]);
        return polynomial_copy (polynomials[i]);
      }
  g_assert_not_reached ();
}

static HeddlePolynomial *
multiply (const HeddlePolynomial *a, const HeddlePolynomial *b)
{
  HeddlePolynomial *product = polynomial_multiply (a, b);
  g_autoptr (HeddlePolynomial) left = NULL;
  g_autoptr (HeddlePolynomial) right = NULL;

  if (product != NULL)
    return product;
  left = polynomial_as_monomial (a);
  right = polynomial_as_monomial (b);
  return polynomial_multiply (left, right);
}

static gboolean
polynomial_equal (const HeddlePolynomial *a, const HeddlePolynomial *b)
{
  g_autoptr (HeddlePolynomial) difference = polynomial_add (a, -1., b);
  double value;

  return difference != NULL && polynomial_is_number (difference, &value) && value == 0.;
}

/* Returns the quotient of two polynomials; a divisor that is a sum is an atom. */
static HeddlePolynomial *
divide (const HeddlePolynomial *a, const HeddlePolynomial *b)
{
  g_autoptr (HeddlePolynomial) divisor = polynomial_as_monomial (b);
  g_autoptr (HeddlePolynomial) inverse = polynomial_power (divisor, -1.);

  if (inverse == NULL)
    return NULL;
  return polynomial_equal (a, b) ? polynomial_new_number (1.) : multiply (a, inverse);
}

/* Returns the polynomial that an arithmetic @kind of others makes; NULL if there is none. */
static HeddlePolynomial *
simplify_arithmetic (HeddleExprKind kind, HeddlePolynomial **children)
{
  g_autoptr (HeddlePolynomial) zero = NULL;
  double exponent;

  switch (kind)
    {
    case HEDDLE_EXPR_NEG:
      zero = polynomial_new_number (0.);
      return polynomial_add (zero, -1., children[0]);
    case HEDDLE_EXPR_ADD:
      return polynomial_add (children[0], 1., children[1]);
    case HEDDLE_EXPR_SUB:
      return polynomial_add (children[0], -1., children[1]);
    case HEDDLE_EXPR_MUL:
      return multiply (children[0], children[1]);
    case HEDDLE_EXPR_DIV:
      return divide (children[0], children[1]);
    case HEDDLE_EXPR_POW:
      if (polynomial_is_number (children[1], &exponent))
        return polynomial_power (children[0], exponent);
      return NULL;
    default:
      return NULL;
    }
}

static HeddlePolynomial *
simplify (const HeddleExpr *self)
{
  HeddlePolynomial *children[3] = { NULL };
  HeddlePolynomial *result;

  if (self->kind == HEDDLE_EXPR_NUMBER && isfinite (self->number))
    return polynomial_new_number (self->number);
  if (self->n_children == 0)
    return polynomial_new_atom (heddle_expr_ref ((HeddleExpr *) self));

  for (guint i = 0; i < self->n_children; i++)
    children[i] = simplify (self->children[i]);
  result = simplify_arithmetic (self->kind, children);
  if (result == NULL)
    result = choose_extreme (self->kind, children);
  if (result == NULL)
    result = simplify_opaque (self->kind, children, self->n_children);
  for (guint i = 0; i < self->n_children; i++)
    heddle_polynomial_free (children[i]);
  return result;
}

HeddleExpr *
heddle_expr_simplify (HeddleExpr *self)
{
  g_autoptr (HeddleExpr) result = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  /* A power of a quotient may turn a divisor into a factor, which the next round writes out. */
  result = heddle_expr_ref (self);
  for (guint i = 0; i < MAX_ROUNDS; i++)
    {
      g_autoptr (HeddlePolynomial) polynomial = simplify (result);
      HeddleExpr *next = polynomial_to_expr (polynomial);
      gboolean done = heddle_expr_equal (result, next);

      heddle_expr_unref (result);
      result = next;
      if (done)
        break;
    }
  return g_steal_pointer (&result);
}
