/* SPDX-License-Identifier: MIT */
#include "diagram/graph/result-type.h"

#include <math.h>

#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/graph/operation-table.h"

/* The sets of numbers that an expression may give, each contained in the next. */
typedef enum
{
  TRUTH, /* 0 and 1 */
  WHOLE, /* whole numbers */
  REAL,
} Numbers;

/* The numbers that the leaves of a row's expressions stand for. */
typedef struct
{
  Numbers operands;
  const HeddleOperationKind *kind;
  Numbers stages[HEDDLE_MAX_STAGES];
} Leaves;

static Numbers numbers_of (const Leaves *self, const HeddleExpr *expr);

static Numbers
numbers_of_number (double number)
{
  if (!isfinite (number) || number != trunc (number))
    return REAL;
  return number == 0. || number == 1. ? TRUTH : WHOLE;
}

/* Returns the numbers that a variable may be: a stage has those that it reduces to; n and place count; an
 * option is any number. */
static Numbers
numbers_of_variable (const Leaves *self, const char *name)
{
  for (guint i = 0; i < HEDDLE_MAX_STAGES && self->kind->stages[i].name != NULL; i++)
    if (g_str_equal (self->kind->stages[i].name, name))
      return self->stages[i];
  return g_str_equal (name, "n") || g_str_equal (name, "place") ? WHOLE : REAL;
}

/* Returns the union of the numbers that the children from @first on may be. */
static Numbers
numbers_of_children (const Leaves *self, const HeddleExpr *expr, guint first)
{
  Numbers numbers = TRUTH;

  for (guint i = first; i < heddle_expr_get_n_children (expr); i++)
    numbers = MAX (numbers, numbers_of (self, heddle_expr_get_child (expr, i)));
  return numbers;
}

/* Returns the numbers that a power may be: it is whole where the base is and the exponent is a whole number
 * that is not negative. */
static Numbers
numbers_of_power (const Leaves *self, const HeddleExpr *expr)
{
  const HeddleExpr *exponent = heddle_expr_get_child (expr, 1);

  if (heddle_expr_get_kind (exponent) != HEDDLE_EXPR_NUMBER || heddle_expr_get_number (exponent) < 0
      || numbers_of_number (heddle_expr_get_number (exponent)) == REAL)
    return REAL;
  return numbers_of (self, heddle_expr_get_child (expr, 0));
}

static Numbers
numbers_of (const Leaves *self, const HeddleExpr *expr)
{
  switch (heddle_expr_get_kind (expr))
    {
    case HEDDLE_EXPR_NUMBER:
      return numbers_of_number (heddle_expr_get_number (expr));
    case HEDDLE_EXPR_ARGUMENT:
      return self->operands;
    case HEDDLE_EXPR_VARIABLE:
      return numbers_of_variable (self, heddle_expr_get_symbol (expr));
    case HEDDLE_EXPR_LT ... HEDDLE_EXPR_OR:
    case HEDDLE_EXPR_NOT:
      return TRUTH;
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
    case HEDDLE_EXPR_FLOOR:
    case HEDDLE_EXPR_CEIL:
      return WHOLE;
    case HEDDLE_EXPR_NEG:
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_SUB:
    case HEDDLE_EXPR_MOD: /* it has the sign of the divisor */
      return MAX (WHOLE, numbers_of_children (self, expr, 0));
    case HEDDLE_EXPR_RELU:
    case HEDDLE_EXPR_ABS:
    case HEDDLE_EXPR_MUL:
    case HEDDLE_EXPR_MIN:
    case HEDDLE_EXPR_MAX:
      return numbers_of_children (self, expr, 0);
    case HEDDLE_EXPR_WHERE:
      return numbers_of_children (self, expr, 1);
    case HEDDLE_EXPR_POW:
      return numbers_of_power (self, expr);
    default:
      return REAL;
    }
}

static Numbers
numbers_of_text (const Leaves *self, const char *text)
{
  g_autoptr (HeddleExpr) expr = heddle_expr_literal (text);

  return numbers_of (self, expr);
}

/* Returns the numbers that a row's stages, and then its result, may be. */
static Numbers
numbers_of_row (Leaves *self)
{
  for (guint i = 0; i < HEDDLE_MAX_STAGES && self->kind->stages[i].name != NULL; i++)
    {
      self->stages[i] = numbers_of_text (self, self->kind->stages[i].body);
      if (self->kind->stages[i].monoid == HEDDLE_MONOID_SUM)
        self->stages[i] = MAX (self->stages[i], WHOLE);
    }
  return self->kind->result != NULL ? numbers_of_text (self, self->kind->result) : WHOLE;
}

static Numbers
numbers_of_result (Leaves *self, const HeddleOperation *operation)
{
  switch (self->kind->form)
    {
    case HEDDLE_FORM_MAP:
      return operation->body != NULL ? numbers_of (self, operation->body) : REAL;
    case HEDDLE_FORM_SCAN:
      return MAX (WHOLE, MAX (numbers_of_text (self, self->kind->scan.factor),
                             numbers_of_text (self, self->kind->scan.term)));
    default:
      return numbers_of_row (self);
    }
}

HeddleDtype
heddle_operation_dtype_of_integers (const HeddleOperation *operation, HeddleDtype widest)
{
  Leaves leaves = { widest == HEDDLE_DTYPE_BOOL ? TRUTH : WHOLE, operation->kind, { 0 } };
  Numbers numbers;

  g_return_val_if_fail (operation->kind != NULL && !heddle_dtype_is_real (widest), HEDDLE_DTYPE_UNSET);

  numbers = numbers_of_result (&leaves, operation);
  if (numbers == REAL)
    return HEDDLE_DTYPE_UNSET;
  return numbers > leaves.operands ? HEDDLE_DTYPE_I64 : widest;
}
