/* SPDX-License-Identifier: MIT */
#include "diagram/expression/evaluate.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/tidy.h"
#include "diagram/expression/tree.h"

#include <math.h>
#include "diagram/expression/private.h"

/* This file tidies expressions: the result has the same value, whatever the values that it reads are,
 * infinities and NaN among them. */

static gboolean
all_numbers (HeddleExpr **children, guint n)
{
  for (guint i = 0; i < n; i++)
    if (children[i]->kind != HEDDLE_EXPR_NUMBER)
      return FALSE;
  return n > 0;
}

/* Returns the bound below which the magnitude of a remainder stays: that of its divisor, which must not be
 * 0. */
static double
bound_of_modulo (const HeddleExpr *self, const double *bounds)
{
  return isfinite (bounds[0]) && heddle_expr_is_positive (self->children[1]) ? bounds[1] : INFINITY;
}

/* Returns a bound of the magnitude of an expression that reads no array. It is not finite if none is known,
 * or if the expression may be NaN. Axes have fewer than 2^63 places. */
static double
bound_of (const HeddleExpr *self)
{
  double bounds[3] = { 0. };

  for (guint i = 0; i < self->n_children; i++)
    bounds[i] = bound_of (self->children[i]);
  switch (self->kind)
    {
    case HEDDLE_EXPR_NUMBER:
      return fabs (self->number);
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
      return 0x1p63;
    case HEDDLE_EXPR_NEG:
    case HEDDLE_EXPR_ABS:
    case HEDDLE_EXPR_RELU:
      return bounds[0];
    case HEDDLE_EXPR_FLOOR:
    case HEDDLE_EXPR_CEIL:
      return bounds[0] + 1.;
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_SUB:
    case HEDDLE_EXPR_MIN:
    case HEDDLE_EXPR_MAX:
      return bounds[0] + bounds[1];
    case HEDDLE_EXPR_MUL:
      return bounds[0] * bounds[1];
    case HEDDLE_EXPR_MOD:
      return bound_of_modulo (self, bounds);
    case HEDDLE_EXPR_WHERE:
      return bounds[1] + bounds[2];
    default:
      return self->kind >= HEDDLE_EXPR_LT || self->kind == HEDDLE_EXPR_NOT ? 1. : INFINITY;
    }
}

/* Returns whether 0 times @self is 0. */
static gboolean
is_finite (const HeddleExpr *self, gboolean assume)
{
  return assume || isfinite (bound_of (self));
}

/* Returns whether 0 divided by @self is 0. */
static gboolean
is_divisor (const HeddleExpr *self, gboolean assume)
{
  return assume || (heddle_expr_is_positive (self) && isfinite (bound_of (self)));
}

/* Returns the child that a node of @kind is equal to; NULL if there is none. With @finite the values that are
 * read are assumed to be finite, and divisors not to be 0. */
static HeddleExpr *
choose_child (HeddleExprKind kind, HeddleExpr **c, gboolean finite)
{
  switch (kind)
    {
    case HEDDLE_EXPR_ADD:
      return heddle_expr_is_number (c[0], 0.) ? c[1] : heddle_expr_is_number (c[1], 0.) ? c[0] : NULL;
    case HEDDLE_EXPR_SUB:
      return heddle_expr_is_number (c[1], 0.) ? c[0] : NULL;
    case HEDDLE_EXPR_MUL:
      if (heddle_expr_is_number (c[1], 1.) || (heddle_expr_is_number (c[0], 0.) && is_finite (c[1], finite)))
        return c[0];
      return heddle_expr_is_number (c[0], 1.)
                     || (heddle_expr_is_number (c[1], 0.) && is_finite (c[0], finite))
                 ? c[1]
                 : NULL;
    case HEDDLE_EXPR_DIV:
      return heddle_expr_is_number (c[1], 1.)
                     || (heddle_expr_is_number (c[0], 0.) && is_divisor (c[1], finite))
                 ? c[0]
                 : NULL;
    case HEDDLE_EXPR_POW:
      return heddle_expr_is_number (c[1], 1.) ? c[0] : NULL;
    case HEDDLE_EXPR_WHERE:
      if (c[0]->kind == HEDDLE_EXPR_NUMBER)
        return c[c[0]->number != 0. ? 1 : 2];
      return heddle_expr_equal (c[1], c[2]) ? c[1] : NULL;
    default:
      return NULL;
    }
}

/* Returns a node of simplified children (stolen). */
static HeddleExpr *
tidy_node (HeddleExprKind kind, HeddleExpr **children, guint n, gboolean finite)
{
  HeddleExpr *chosen = choose_child (kind, children, finite);
  HeddleExpr *result = NULL;

  if (all_numbers (children, n))
    {
      double arguments[3] = { 0. };

      for (guint i = 0; i < n; i++)
        arguments[i] = children[i]->number;
      result = heddle_expr_number (heddle_expr_apply (kind, arguments));
    }
  else if (chosen != NULL)
    result = heddle_expr_ref (chosen);
  else if (kind == HEDDLE_EXPR_NEG && children[0]->kind == HEDDLE_EXPR_NEG)
    result = heddle_expr_ref (children[0]->children[0]);
  if (result == NULL)
    return heddle_expr_node (kind, children, n);

  for (guint i = 0; i < n; i++)
    heddle_expr_unref (children[i]);
  return result;
}

static HeddleExpr *
tidy (const HeddleExpr *self, gboolean finite)
{
  HeddleExpr *children[3] = { NULL };

  if (self->n_children == 0)
    return heddle_expr_ref ((HeddleExpr *) self);
  for (guint i = 0; i < self->n_children; i++)
    children[i] = tidy (self->children[i], finite);
  return tidy_node (self->kind, children, self->n_children, finite);
}

HeddleExpr *
heddle_expr_tidy (HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return tidy (self, FALSE);
}

static HeddleExpr *
nothing_read (const HeddleExpr *leaf, gpointer data)
{
  return leaf->kind == HEDDLE_EXPR_ARGUMENT && leaf->operand == GPOINTER_TO_UINT (data)
             ? heddle_expr_number (0.)
             : NULL;
}

gboolean
heddle_expr_vanishes_with (const HeddleExpr *self, guint operand)
{
  g_autoptr (HeddleExpr) raw
      = heddle_expr_substitute ((HeddleExpr *) self, nothing_read, GUINT_TO_POINTER (operand));
  g_autoptr (HeddleExpr) value = tidy (raw, TRUE);

  return value->kind == HEDDLE_EXPR_NUMBER && value->number == 0.;
}
