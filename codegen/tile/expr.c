/* SPDX-License-Identifier: MIT */
#include "codegen/tile/expr.h"
#include "diagram/expression/tree.h"

#include <math.h>

static const HeddleExpr *
child (const HeddleExpr *expr, guint i)
{
  return heddle_expr_get_child (expr, i);
}

gboolean
heddle_expr_is_zero (const HeddleExpr *expr)
{
  return heddle_expr_is_number (expr, 0);
}

/* Returns whether the expression is positive and finite whatever the sizes are. */
static gboolean
is_positive (const HeddleExpr *expr)
{
  switch (heddle_expr_get_kind (expr))
    {
    case HEDDLE_EXPR_NUMBER:
      return heddle_expr_get_number (expr) > 0 && isfinite (heddle_expr_get_number (expr));
    case HEDDLE_EXPR_SIZE:
      return TRUE;
    case HEDDLE_EXPR_SQRT:
    case HEDDLE_EXPR_RSQRT:
      return is_positive (child (expr, 0));
    case HEDDLE_EXPR_POW:
      return is_positive (child (expr, 0)) && heddle_expr_get_kind (child (expr, 1)) == HEDDLE_EXPR_NUMBER;
    case HEDDLE_EXPR_MUL:
    case HEDDLE_EXPR_DIV:
      return is_positive (child (expr, 0)) && is_positive (child (expr, 1));
    default:
      return FALSE;
    }
}

static HeddleExpr *
ref (const HeddleExpr *expr)
{
  return heddle_expr_ref ((HeddleExpr *) expr);
}

/* Splits a choice: where (p, f * e, inf) is f * where (p, e, inf), whichever sign infinity has. */
static HeddleExpr *
split_choice (const HeddleExpr *body, HeddleExpr **factor)
{
  const HeddleExpr *other = child (body, 2);
  HeddleExpr *rest;

  if (heddle_expr_get_kind (other) != HEDDLE_EXPR_NUMBER || !isinf (heddle_expr_get_number (other)))
    return NULL;
  rest = heddle_tile_split_factor (child (body, 1), factor);
  return rest != NULL ? heddle_expr_where (ref (child (body, 0)), rest, ref (other)) : NULL;
}

HeddleExpr *
heddle_tile_split_factor (const HeddleExpr *body, HeddleExpr **factor)
{
  HeddleExprKind kind = heddle_expr_get_kind (body);

  if (kind == HEDDLE_EXPR_WHERE)
    return split_choice (body, factor);
  if (kind == HEDDLE_EXPR_DIV && is_positive (child (body, 1)))
    {
      *factor = heddle_expr_binary (HEDDLE_EXPR_DIV, heddle_expr_number (1), ref (child (body, 1)));
      return ref (child (body, 0));
    }
  for (guint i = 0; kind == HEDDLE_EXPR_MUL && i < 2; i++)
    if (is_positive (child (body, i)))
      {
        *factor = ref (child (body, i));
        return ref (child (body, 1 - i));
      }
  return NULL;
}

static gboolean
note_argument (const HeddleExpr *node, gpointer data)
{
  gconstpointer *found = data;

  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_ARGUMENT)
    {
      found[1] = found[0];
      found[0] = node;
    }
  return TRUE;
}

const HeddleExpr *
heddle_tile_only_argument (const HeddleExpr *expr)
{
  gconstpointer found[2] = { NULL, NULL };

  heddle_expr_walk (expr, note_argument, found);
  return found[1] == NULL ? found[0] : NULL;
}

gboolean
heddle_tile_is_shifted_exponential (const HeddleExpr *body, guint *a, guint *r)
{
  const HeddleExpr *condition, *difference;

  if (heddle_expr_get_kind (body) != HEDDLE_EXPR_WHERE || !heddle_expr_is_number (child (body, 1), 0)
      || heddle_expr_get_kind (child (body, 2)) != HEDDLE_EXPR_EXP)
    return FALSE;
  condition = child (body, 0);
  difference = child (child (body, 2), 0);
  if (heddle_expr_get_kind (condition) != HEDDLE_EXPR_EQ
      || !heddle_expr_is_number (child (condition, 1), -INFINITY)
      || heddle_expr_get_kind (difference) != HEDDLE_EXPR_SUB
      || heddle_expr_get_kind (child (difference, 0)) != HEDDLE_EXPR_ARGUMENT
      || heddle_expr_get_kind (child (difference, 1)) != HEDDLE_EXPR_ARGUMENT
      || !heddle_expr_equal (child (condition, 0), child (difference, 0)))
    return FALSE;
  *a = heddle_expr_get_operand (child (difference, 0));
  *r = heddle_expr_get_operand (child (difference, 1));
  return TRUE;
}

HeddleExpr *
heddle_tile_cancel (const HeddleExpr *expr)
{
  guint n = heddle_expr_get_n_children (expr);
  HeddleExpr *children[3];

  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_SUB && heddle_expr_equal (child (expr, 0), child (expr, 1)))
    return heddle_expr_number (0);
  if (n == 0)
    return ref (expr);
  for (guint i = 0; i < n; i++)
    children[i] = heddle_tile_cancel (child (expr, i));
  return heddle_expr_node (heddle_expr_get_kind (expr), children, n);
}

HeddleExpr *
heddle_tile_by_reciprocals (
    const HeddleExpr *body, gboolean (*same_for_row) (const HeddleExpr *expr, gpointer data), gpointer data)
{
  guint n = heddle_expr_get_n_children (body);
  HeddleExpr *children[3];

  if (n == 0)
    return ref (body);
  for (guint i = 0; i < n; i++)
    children[i] = heddle_tile_by_reciprocals (child (body, i), same_for_row, data);
  if (heddle_expr_get_kind (body) == HEDDLE_EXPR_DIV && same_for_row (children[1], data)
      && !same_for_row (children[0], data))
    return heddle_expr_binary (HEDDLE_EXPR_MUL, children[0],
        heddle_expr_binary (HEDDLE_EXPR_DIV, heddle_expr_number (1), children[1]));
  return heddle_expr_node (heddle_expr_get_kind (body), children, n);
}
