/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/index-range.h"

#include <math.h>

typedef struct
{
  double least, most;
} Interval;

static const Interval anything = { -INFINITY, INFINITY };

static Interval
multiply (Interval a, Interval b)
{
  const double corners[] = { a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most };
  Interval result = { INFINITY, -INFINITY };

  for (guint i = 0; i < G_N_ELEMENTS (corners); i++)
    {
      if (isnan (corners[i]))
        return anything;
      result.least = MIN (result.least, corners[i]);
      result.most = MAX (result.most, corners[i]);
    }
  return result;
}

/* All values of an index over whole axes; anything where that is not seen. */
static Interval
range_of (const HeddleExpr *index, const HeddleSizes *sizes)
{
  HeddleExprKind kind = heddle_expr_get_kind (index);
  guint n = heddle_expr_get_n_children (index);
  Interval a = n > 0 ? range_of (heddle_expr_get_child (index, 0), sizes) : anything;
  Interval b = n > 1 ? range_of (heddle_expr_get_child (index, 1), sizes) : anything;
  double size;

  switch (kind)
    {
    case HEDDLE_EXPR_NUMBER:
      return (Interval){ heddle_expr_get_number (index), heddle_expr_get_number (index) };
    case HEDDLE_EXPR_SIZE:
      size = (double) heddle_sizes_get (sizes, heddle_expr_get_symbol (index));
      return (Interval){ size, size };
    case HEDDLE_EXPR_INDEX:
      return (Interval){ 0., (double) heddle_sizes_get (sizes, heddle_expr_get_symbol (index)) - 1. };
    case HEDDLE_EXPR_NEG:
      return (Interval){ -a.most, -a.least };
    case HEDDLE_EXPR_ADD:
      return (Interval){ a.least + b.least, a.most + b.most };
    case HEDDLE_EXPR_SUB:
      return (Interval){ a.least - b.most, a.most - b.least };
    case HEDDLE_EXPR_MUL:
      return multiply (a, b);
    case HEDDLE_EXPR_FLOOR:
      return (Interval){ floor (a.least), floor (a.most) };
    case HEDDLE_EXPR_DIV:
      return b.least == b.most && b.least > 0. ? (Interval){ a.least / b.least, a.most / b.least } : anything;
    case HEDDLE_EXPR_MOD:
      return b.least == b.most && b.least > 0. ? (Interval){ 0., b.least - 1. } : anything;
    default:
      return anything;
    }
}

gboolean
heddle_index_may_leave (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleOperation *operation, guint i)
{
  const HeddleValue *operand = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
  Interval range = range_of (g_ptr_array_index (operation->indices, i), sizes);
  double n = (double) heddle_sizes_get (sizes, heddle_ids_index (operand->axes, i));

  return !(range.least >= 0. && range.most <= n - 1.);
}
