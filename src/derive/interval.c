/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/interval.h"

#include <math.h>

const HeddleInterval heddle_interval_all = { -INFINITY, INFINITY };

static HeddleInterval
truth (gboolean may_be_false, gboolean may_be_true)
{
  return (HeddleInterval){ may_be_false ? 0. : 1., may_be_true ? 1. : 0. };
}

static HeddleInterval
multiply (HeddleInterval a, HeddleInterval b)
{
  double p = a.from * b.from, q = a.from * b.to, r = a.to * b.from, s = a.to * b.to;

  if (isnan (p) || isnan (q) || isnan (r) || isnan (s))
    return heddle_interval_all;
  return (HeddleInterval){ fmin (fmin (p, q), fmin (r, s)), fmax (fmax (p, q), fmax (r, s)) };
}

/* By one positive number: all that indices are divided by. */
static HeddleInterval
divide (HeddleInterval a, HeddleInterval b)
{
  return b.from == b.to && b.from > 0. ? (HeddleInterval){ a.from / b.from, a.to / b.from }
                                       : heddle_interval_all;
}

static HeddleInterval
remainder_of (HeddleInterval a, HeddleInterval b)
{
  double n = b.from;

  if (b.from != b.to || !(n > 0.))
    return heddle_interval_all;
  if (floor (a.from / n) == floor (a.to / n))
    return (HeddleInterval){ a.from - n * floor (a.from / n), a.to - n * floor (a.to / n) };
  return (HeddleInterval){ 0., n - 1. };
}

HeddleInterval
heddle_interval_of (const HeddleExpr *expr, HeddleIntervalLeaf leaf, gpointer data)
{
  guint n = heddle_expr_get_n_children (expr);
  HeddleInterval a = heddle_interval_all, b = heddle_interval_all;

  if (n > 0)
    a = heddle_interval_of (heddle_expr_get_child (expr, 0), leaf, data);
  if (n > 1)
    b = heddle_interval_of (heddle_expr_get_child (expr, 1), leaf, data);
  switch (heddle_expr_get_kind (expr))
    {
    case HEDDLE_EXPR_NUMBER:
      return (HeddleInterval){ heddle_expr_get_number (expr), heddle_expr_get_number (expr) };
    case HEDDLE_EXPR_NEG:
      return (HeddleInterval){ -a.to, -a.from };
    case HEDDLE_EXPR_ADD:
      return (HeddleInterval){ a.from + b.from, a.to + b.to };
    case HEDDLE_EXPR_SUB:
      return (HeddleInterval){ a.from - b.to, a.to - b.from };
    case HEDDLE_EXPR_MUL:
      return multiply (a, b);
    case HEDDLE_EXPR_DIV:
      return divide (a, b);
    case HEDDLE_EXPR_FLOOR:
      return (HeddleInterval){ floor (a.from), floor (a.to) };
    case HEDDLE_EXPR_CEIL:
      return (HeddleInterval){ ceil (a.from), ceil (a.to) };
    case HEDDLE_EXPR_MOD:
      return remainder_of (a, b);
    case HEDDLE_EXPR_MIN:
      return (HeddleInterval){ fmin (a.from, b.from), fmin (a.to, b.to) };
    case HEDDLE_EXPR_MAX:
      return (HeddleInterval){ fmax (a.from, b.from), fmax (a.to, b.to) };
    case HEDDLE_EXPR_LT:
      return truth (a.to >= b.from, a.from < b.to);
    case HEDDLE_EXPR_LE:
      return truth (a.to > b.from, a.from <= b.to);
    case HEDDLE_EXPR_NOT:
      return (HeddleInterval){ 1. - a.to, 1. - a.from };
    case HEDDLE_EXPR_AND:
      return (HeddleInterval){ fmin (a.from, b.from), fmin (a.to, b.to) };
    case HEDDLE_EXPR_OR:
      return (HeddleInterval){ fmax (a.from, b.from), fmax (a.to, b.to) };
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
    case HEDDLE_EXPR_VARIABLE:
    case HEDDLE_EXPR_ARGUMENT:
      return leaf (expr, data);
    default:
      return heddle_interval_all;
    }
}
