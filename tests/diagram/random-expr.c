/* SPDX-License-Identifier: MIT */
#include "random-expr.h"

#include <math.h>
#include "diagram/expression/expr.h"
#include "diagram/expression/kind.h"

static const char *const names[] = { "a", "b", "c", "d" };

static const char *
random_name (GRand *random)
{
  return names[g_rand_int_range (random, 0, G_N_ELEMENTS (names))];
}

static HeddleExpr *
random_leaf (GRand *random)
{
  switch (g_rand_int_range (random, 0, 6))
    {
    case 0:
      return heddle_expr_number (g_rand_int_range (random, -9, 10));
    case 1:
      return heddle_expr_number (
          g_rand_double_range (random, -1., 1.) * exp2 (g_rand_int_range (random, -300, 300)));
    case 2:
      return heddle_expr_number (g_rand_boolean (random) ? INFINITY : -INFINITY);
    case 3:
      return heddle_expr_argument (g_rand_int_range (random, 0, 3));
    case 4:
      return heddle_expr_index (random_name (random));
    default:
      return heddle_expr_variable (random_name (random));
    }
}

static HeddleExpr *
random_node (GRand *random, HeddleExprKind kind, guint depth, HeddleExpr *(*child) (GRand *, guint))
{
  HeddleExpr *children[3];
  guint n = heddle_expr_kind_info (kind)->arity;

  for (guint i = 0; i < n; i++)
    children[i] = child (random, depth - 1);
  return heddle_expr_node (kind, children, n);
}

HeddleExpr *
random_expr (GRand *random, guint depth)
{
  if (depth == 0 || g_rand_int_range (random, 0, 8) == 0)
    return random_leaf (random);
  return random_node (
      random, g_rand_int_range (random, HEDDLE_EXPR_NEG, HEDDLE_N_EXPR_KINDS), depth, random_expr);
}

HeddleExpr *
random_cost (GRand *random, guint depth)
{
  static const HeddleExprKind kinds[] = { HEDDLE_EXPR_ADD, HEDDLE_EXPR_ADD, HEDDLE_EXPR_SUB, HEDDLE_EXPR_MUL,
    HEDDLE_EXPR_MUL, HEDDLE_EXPR_MUL, HEDDLE_EXPR_DIV, HEDDLE_EXPR_NEG, HEDDLE_EXPR_CEIL, HEDDLE_EXPR_FLOOR,
    HEDDLE_EXPR_MIN, HEDDLE_EXPR_MAX };

  if (depth == 0 || g_rand_int_range (random, 0, 8) == 0)
    return g_rand_int_range (random, 0, 4) == 0 ? heddle_expr_number (g_rand_int_range (random, 0, 5))
                                                : heddle_expr_variable (random_name (random));
  if (g_rand_int_range (random, 0, 12) == 0)
    return heddle_expr_binary (HEDDLE_EXPR_POW, random_cost (random, depth - 1),
        heddle_expr_number (g_rand_int_range (random, -2, 4)));
  return random_node (random, kinds[g_rand_int_range (random, 0, G_N_ELEMENTS (kinds))], depth, random_cost);
}
