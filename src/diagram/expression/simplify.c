/* SPDX-License-Identifier: MIT */
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial-write.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/simplify.h"
#include "diagram/expression/tree.h"

#include <math.h>
#include "diagram/expression/private.h"

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

static gboolean
is_number (const HeddleExpr *self, double value)
{
  return self->kind == HEDDLE_EXPR_NUMBER && self->number == value;
}

/* Whether @self is never less than @bound, as far as is seen. */
static gboolean
is_at_least (const HeddleExpr *self, const HeddleExpr *bound)
{
  if (is_number (bound, -INFINITY) || is_number (self, INFINITY))
    return TRUE;
  return is_number (bound, 1.) && heddle_expr_is_whole (self) && heddle_expr_is_positive (self);
}

/* --- rules --------------------------------------------------------------------------- */

static HeddlePolynomial *simplify (const HeddleExpr *self);

/* The child that a function of the simplified @children is equal to; NULL: none. */
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

/* min and max of two polynomials whose difference is a number; NULL: it is not. */
static HeddlePolynomial *
choose_extreme (HeddleExprKind kind, HeddlePolynomial **children)
{
  g_autoptr (HeddlePolynomial) difference = NULL;
  double value;

  if (kind != HEDDLE_EXPR_MIN && kind != HEDDLE_EXPR_MAX)
    return NULL;
  difference = heddle_polynomial_add (children[0], -1., children[1]);
  if (difference == NULL || !heddle_polynomial_is_number (difference, &value))
    return NULL;
  return heddle_polynomial_copy (children[(value < 0.) == (kind == HEDDLE_EXPR_MIN) ? 0 : 1]);
}

/* The value of @kind of polynomials that are all numbers, if it is finite. */
static gboolean
fold (HeddleExprKind kind, HeddlePolynomial **children, guint n, double *value)
{
  double arguments[3];

  for (guint i = 0; i < n; i++)
    if (!heddle_polynomial_is_number (children[i], &arguments[i]))
      return FALSE;
  *value = heddle_expr_apply (kind, arguments);
  return isfinite (*value);
}

/* @kind of polynomials as one number, one of them, or an atom. */
static HeddlePolynomial *
simplify_opaque (HeddleExprKind kind, HeddlePolynomial **polynomials, guint n)
{
  HeddleExpr *children[3];
  HeddleExpr *chosen;
  double value;

  if (fold (kind, polynomials, n, &value))
    return heddle_polynomial_new_number (value);
  for (guint i = 0; i < n; i++)
    children[i] = kind == HEDDLE_EXPR_CEIL || kind == HEDDLE_EXPR_FLOOR
                      ? heddle_polynomial_to_quotient (polynomials[i])
                      : heddle_polynomial_to_expr (polynomials[i]);
  chosen = choose_child (kind, children);
  if (chosen == NULL)
    return heddle_polynomial_new_atom (heddle_expr_node (kind, children, n));

  for (guint i = 0; i < n; i++)
    if (children[i] == chosen)
      {
        for (guint j = 0; j < n; j++)
          heddle_expr_unref (children[j]);
        return heddle_polynomial_copy (polynomials[i]);
      }
  g_assert_not_reached ();
}

static HeddlePolynomial *
multiply (const HeddlePolynomial *a, const HeddlePolynomial *b)
{
  HeddlePolynomial *product = heddle_polynomial_multiply (a, b);
  g_autoptr (HeddlePolynomial) left = NULL;
  g_autoptr (HeddlePolynomial) right = NULL;

  if (product != NULL)
    return product;
  left = heddle_polynomial_as_monomial (a);
  right = heddle_polynomial_as_monomial (b);
  return heddle_polynomial_multiply (left, right);
}

static gboolean
polynomial_equal (const HeddlePolynomial *a, const HeddlePolynomial *b)
{
  g_autoptr (HeddlePolynomial) difference = heddle_polynomial_add (a, -1., b);
  double value;

  return difference != NULL && heddle_polynomial_is_number (difference, &value) && value == 0.;
}

/* A divisor that is a sum is an atom. */
static HeddlePolynomial *
divide (const HeddlePolynomial *a, const HeddlePolynomial *b)
{
  g_autoptr (HeddlePolynomial) divisor = heddle_polynomial_as_monomial (b);
  g_autoptr (HeddlePolynomial) inverse = heddle_polynomial_power (divisor, -1.);

  if (inverse == NULL)
    return NULL;
  return polynomial_equal (a, b) ? heddle_polynomial_new_number (1.) : multiply (a, inverse);
}

/* The polynomial that an arithmetic @kind of others makes; NULL: none. */
static HeddlePolynomial *
simplify_arithmetic (HeddleExprKind kind, HeddlePolynomial **children)
{
  g_autoptr (HeddlePolynomial) zero = NULL;
  double exponent;

  switch (kind)
    {
    case HEDDLE_EXPR_NEG:
      zero = heddle_polynomial_new_number (0.);
      return heddle_polynomial_add (zero, -1., children[0]);
    case HEDDLE_EXPR_ADD:
      return heddle_polynomial_add (children[0], 1., children[1]);
    case HEDDLE_EXPR_SUB:
      return heddle_polynomial_add (children[0], -1., children[1]);
    case HEDDLE_EXPR_MUL:
      return multiply (children[0], children[1]);
    case HEDDLE_EXPR_DIV:
      return divide (children[0], children[1]);
    case HEDDLE_EXPR_POW:
      if (heddle_polynomial_is_number (children[1], &exponent))
        return heddle_polynomial_power (children[0], exponent);
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
    return heddle_polynomial_new_number (self->number);
  if (self->n_children == 0)
    return heddle_polynomial_new_atom (heddle_expr_ref ((HeddleExpr *) self));

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

/**
 * heddle_expr_simplify:
 * @self: an expression over sizes, indices and variables; sizes and variables stand for whole numbers of at least 1
 *
 * A readable equivalent: a sum of monomials in order of first appearance (those with fewer ceil and floor first), each with its number
 * first, its factors in order of first appearance and ceil and floor last; constants folded, fractions of whole numbers kept,
 * like terms joined. Other functions are kept as they are, with their insides simplified; what floor and ceil are of is one quotient, so that
 * they are exact of whole numbers. Polynomials are equal iff their
 * difference simplifies to 0. Products of sums that would be too long are not written out.
 *
 * Returns: (transfer full): the expression
 */
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
      HeddleExpr *next = heddle_polynomial_to_expr (polynomial);
      gboolean done = heddle_expr_equal (result, next);

      heddle_expr_unref (result);
      result = next;
      if (done)
        break;
    }
  return g_steal_pointer (&result);
}
