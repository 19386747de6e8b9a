/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "diagram/analysis/sign.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

/* This file finds the values that are never negative, so that a root or a logarithm of one is a number. It is
 * known from how they are made. */

static gboolean expr_has_no_sign (
    const HeddleDiagram *diagram, const HeddleOperation *operation, const HeddleExpr *expr);

static gboolean
child_has_no_sign (
    const HeddleDiagram *diagram, const HeddleOperation *operation, const HeddleExpr *expr, guint i)
{
  return expr_has_no_sign (diagram, operation, heddle_expr_get_child (expr, i));
}

static gboolean
has_even_exponent (const HeddleExpr *expr)
{
  const HeddleExpr *exponent = heddle_expr_get_child (expr, 1);

  return heddle_expr_get_kind (exponent) == HEDDLE_EXPR_NUMBER
         && heddle_expr_get_number (exponent) / 2 == (int) (heddle_expr_get_number (exponent) / 2);
}

static gboolean
expr_has_no_sign (const HeddleDiagram *diagram, const HeddleOperation *operation, const HeddleExpr *expr)
{
  switch (heddle_expr_get_kind (expr))
    {
    case HEDDLE_EXPR_NUMBER:
      return heddle_expr_get_number (expr) >= 0;
    case HEDDLE_EXPR_ARGUMENT:
      return heddle_diagram_has_no_sign (
          diagram, heddle_ids_index (operation->operands, heddle_expr_get_operand (expr)));
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
    case HEDDLE_EXPR_EXP:
    case HEDDLE_EXPR_SQRT:
    case HEDDLE_EXPR_RSQRT:
    case HEDDLE_EXPR_SIGMOID:
    case HEDDLE_EXPR_RELU:
    case HEDDLE_EXPR_ABS:
      return TRUE;
    case HEDDLE_EXPR_MUL:
      return heddle_expr_equal (heddle_expr_get_child (expr, 0), heddle_expr_get_child (expr, 1))
             || (child_has_no_sign (diagram, operation, expr, 0)
                 && child_has_no_sign (diagram, operation, expr, 1));
    case HEDDLE_EXPR_POW:
      return has_even_exponent (expr) || child_has_no_sign (diagram, operation, expr, 0);
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_DIV:
      return child_has_no_sign (diagram, operation, expr, 0)
             && child_has_no_sign (diagram, operation, expr, 1);
    default:
      return FALSE;
    }
}

/* Returns whether the operation is a sum, a mean or a maximum of its first operand. */
static gboolean
reduces (const HeddleOperation *operation)
{
  const HeddleStageRow *stage = operation->kind->stages;

  return operation->kind->form == HEDDLE_FORM_REDUCE && stage[0].name != NULL && stage[1].name == NULL
         && (stage[0].monoid == HEDDLE_MONOID_SUM || stage[0].monoid == HEDDLE_MONOID_MAX)
         && g_str_equal (stage[0].body, "$0");
}

/* Returns whether the operation is a product of values that are never negative, or a sum of squares. */
static gboolean
multiplies (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  if (operation->operands->len == 2
      && g_str_equal (heddle_ids_index (operation->operands, 0), heddle_ids_index (operation->operands, 1)))
    return TRUE;
  for (guint i = 0; i < operation->operands->len; i++)
    if (!heddle_diagram_has_no_sign (diagram, heddle_ids_index (operation->operands, i)))
      return FALSE;
  return TRUE;
}

gboolean
heddle_diagram_has_no_sign (const HeddleDiagram *diagram, const char *value)
{
  const HeddleOperation *operation = heddle_diagram_get_producer (diagram, value);

  if (operation == NULL)
    return FALSE;
  if (operation->kind->form == HEDDLE_FORM_MAP)
    return operation->body != NULL && expr_has_no_sign (diagram, operation, operation->body);
  if (operation->kind->form == HEDDLE_FORM_CONTRACT)
    return multiplies (diagram, operation);
  return (reduces (operation) || operation->kind->form == HEDDLE_FORM_REINDEX)
         && heddle_diagram_has_no_sign (diagram, heddle_ids_index (operation->operands, 0));
}

/* --- what has to have none ------------------------------------------------------------------------- */

typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleOperation *operation;
  const char *value;
  gboolean found;
} Search;

/* Returns whether the operand of a root, of a logarithm or of a power that is not whole is made of the value,
 * and could be negative. */
static gboolean
visit (const HeddleExpr *node, gpointer data)
{
  Search *self = data;
  HeddleExprKind kind = heddle_expr_get_kind (node);
  gboolean rooted = kind == HEDDLE_EXPR_SQRT || kind == HEDDLE_EXPR_RSQRT || kind == HEDDLE_EXPR_LOG;

  if (kind == HEDDLE_EXPR_POW)
    {
      const HeddleExpr *exponent = heddle_expr_get_child (node, 1);

      rooted = heddle_expr_get_kind (exponent) != HEDDLE_EXPR_NUMBER
               || heddle_expr_get_number (exponent) != floor (heddle_expr_get_number (exponent));
    }
  if (!rooted || child_has_no_sign (self->diagram, self->operation, node, 0))
    return TRUE;
  for (guint i = 0; i < self->operation->operands->len; i++)
    if (heddle_ids_index (self->operation->operands, i) == self->value)
      self->found |= heddle_expr_uses_argument (heddle_expr_get_child (node, 0), i);
  return !self->found;
}

gboolean
heddle_diagram_needs_no_sign (const HeddleDiagram *diagram, const char *value)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value);

  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);
      Search search = { diagram, reader, value, FALSE };

      if (reader->kind == NULL)
        continue;
      if (reader->kind->form == HEDDLE_FORM_MAP && reader->body != NULL)
        heddle_expr_walk (reader->body, visit, &search);
      else if (reader->kind->form == HEDDLE_FORM_REINDEX && heddle_ids_index (reader->operands, 0) == value)
        search.found = heddle_diagram_needs_no_sign (diagram, reader->result);
      if (search.found)
        return TRUE;
    }
  return FALSE;
}
