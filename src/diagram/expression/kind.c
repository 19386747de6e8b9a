/* SPDX-License-Identifier: MIT */
#include "diagram/expression/kind.h"

#define LEAF(KIND)                                                                                           \
  {                                                                                                          \
    HEDDLE_EXPR_##KIND, NULL, 0, FALSE, 10, FALSE                                                            \
  }
#define FUNCTION(KIND, name, arity)                                                                          \
  {                                                                                                          \
    HEDDLE_EXPR_##KIND, name, arity, TRUE, 10, FALSE                                                         \
  }
#define SPECIAL(KIND, name)                                                                                  \
  {                                                                                                          \
    HEDDLE_EXPR_##KIND, name, 1, TRUE, 10, TRUE                                                              \
  }
#define OPERATOR(KIND, name, arity, precedence)                                                              \
  {                                                                                                          \
    HEDDLE_EXPR_##KIND, name, arity, FALSE, precedence, FALSE                                                \
  }

/* The properties of all kinds, in the order of HeddleExprKind. */
static const HeddleExprKindInfo infos[HEDDLE_N_EXPR_KINDS] = {
  LEAF (NUMBER),
  LEAF (ARGUMENT),
  LEAF (SIZE),
  LEAF (INDEX),
  LEAF (VARIABLE),
  OPERATOR (NEG, "-", 1, 7),
  OPERATOR (NOT, "not", 1, 3),
  SPECIAL (EXP, "exp"),
  SPECIAL (LOG, "log"),
  SPECIAL (SQRT, "sqrt"),
  SPECIAL (RSQRT, "rsqrt"),
  SPECIAL (SIN, "sin"),
  SPECIAL (COS, "cos"),
  SPECIAL (TANH, "tanh"),
  SPECIAL (ERF, "erf"),
  SPECIAL (SIGMOID, "sigmoid"),
  FUNCTION (RELU, "relu", 1),
  SPECIAL (GELU, "gelu"),
  SPECIAL (SILU, "silu"),
  FUNCTION (ABS, "abs", 1),
  FUNCTION (FLOOR, "floor", 1),
  FUNCTION (CEIL, "ceil", 1),
  OPERATOR (ADD, "+", 2, 5),
  OPERATOR (SUB, "-", 2, 5),
  OPERATOR (MUL, "*", 2, 6),
  OPERATOR (DIV, "/", 2, 6),
  OPERATOR (POW, "^", 2, 8),
  FUNCTION (MOD, "mod", 2),
  FUNCTION (MIN, "min", 2),
  FUNCTION (MAX, "max", 2),
  OPERATOR (LT, "<", 2, 4),
  OPERATOR (LE, "<=", 2, 4),
  OPERATOR (GT, ">", 2, 4),
  OPERATOR (GE, ">=", 2, 4),
  OPERATOR (EQ, "==", 2, 4),
  OPERATOR (NE, "!=", 2, 4),
  OPERATOR (AND, "and", 2, 2),
  OPERATOR (OR, "or", 2, 1),
  FUNCTION (WHERE, "where", 3),
};

const HeddleExprKindInfo *
heddle_expr_kind_info (HeddleExprKind kind)
{
  g_return_val_if_fail (kind < HEDDLE_N_EXPR_KINDS, NULL);

  return &infos[kind];
}

gboolean
heddle_expr_kind_from_function (const char *name, guint arity, HeddleExprKind *kind)
{
  g_return_val_if_fail (name != NULL && kind != NULL, FALSE);

  for (guint i = 0; i < HEDDLE_N_EXPR_KINDS; i++)
    if (infos[i].is_function && infos[i].arity == arity && g_str_equal (infos[i].name, name))
      {
        *kind = i;
        return TRUE;
      }
  return FALSE;
}
