/* SPDX-License-Identifier: MIT */
#include "diagram/expression/polynomial.h"
#include "diagram/expression/solve.h"
#include "diagram/expression/tree.h"

#include <math.h>

typedef struct
{
  const char *axis;
  double number;
} Point;

static HeddleExpr *
replace_index (const HeddleExpr *leaf, gpointer data)
{
  const Point *point = data;

  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (leaf) == point->axis
             ? heddle_expr_number (point->number)
             : NULL;
}

static HeddleExpr *
at (const HeddleExpr *self, const char *axis_id, double number)
{
  Point point = { axis_id, number };

  return heddle_expr_substitute ((HeddleExpr *) self, replace_index, &point);
}

static HeddleExpr *
simplified_difference (HeddleExpr *a, HeddleExpr *b)
{
  g_autoptr (HeddleExpr) difference
      = heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_ref (a), heddle_expr_ref (b));

  return heddle_expr_simplify (difference);
}

static gboolean
is_number (const HeddleExpr *expr, double *number)
{
  if (heddle_expr_get_kind (expr) != HEDDLE_EXPR_NUMBER)
    return FALSE;
  *number = heddle_expr_get_number (expr);
  return TRUE;
}

/* Finds the slope of self = rest + slope * index. Returns FALSE if it has another form, or not in whole
 * numbers. */
static gboolean
find_slope (const HeddleExpr *self, const char *axis_id, HeddleExpr *rest, double *slope)
{
  g_autoptr (HeddleExpr) one = at (self, axis_id, 1.);
  g_autoptr (HeddleExpr) step = simplified_difference (one, rest);
  g_autoptr (HeddleExpr) line = NULL;
  g_autoptr (HeddleExpr) curve = NULL;
  double zero;

  if (!is_number (step, slope) || *slope == 0. || *slope != trunc (*slope) || !heddle_expr_is_whole (rest))
    return FALSE;
  line = heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_expr_ref (rest),
      heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_number (*slope), heddle_expr_index (axis_id)));
  curve = simplified_difference ((HeddleExpr *) self, line);
  return is_number (curve, &zero) && zero == 0.;
}

gboolean
heddle_expr_solve (const HeddleExpr *self, const char *axis_id, const HeddleExpr *value,
    HeddleExpr **solution, HeddleExpr **condition)
{
  g_autoptr (HeddleExpr) rest = NULL;
  g_autoptr (HeddleExpr) distance = NULL;
  HeddleExpr *step;
  double slope;

  g_return_val_if_fail (self != NULL && axis_id != NULL && value != NULL, FALSE);

  rest = at (self, axis_id, 0.);
  if (heddle_expr_uses (self, HEDDLE_EXPR_ARGUMENT, NULL) || !find_slope (self, axis_id, rest, &slope))
    return FALSE;
  distance = slope > 0. ? simplified_difference ((HeddleExpr *) value, rest)
                        : simplified_difference (rest, (HeddleExpr *) value);
  slope = fabs (slope);
  if (condition != NULL)
    {
      step = heddle_expr_binary (HEDDLE_EXPR_MOD, heddle_expr_ref (distance), heddle_expr_number (slope));
      *condition = slope != 1. ? heddle_expr_binary (HEDDLE_EXPR_EQ, step, heddle_expr_number (0.)) : NULL;
      if (slope == 1.)
        heddle_expr_unref (step);
    }
  if (solution != NULL)
    {
      step = heddle_expr_binary (HEDDLE_EXPR_DIV, heddle_expr_ref (distance), heddle_expr_number (slope));
      *solution = slope != 1. ? heddle_expr_unary (HEDDLE_EXPR_FLOOR, step) : heddle_expr_ref (distance);
      if (slope == 1.)
        heddle_expr_unref (step);
    }
  return TRUE;
}
