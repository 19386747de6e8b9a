/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "figure/layout/box.h"
#include "figure/layout/source.h"
#include "figure/typeset/math-expr.h"

/* Something may begin out of nothing: an element is a constant, a pentagon that points left; the Kronecker
 * delta of two axes is the unit, a cup mirrored. */

#define ELEMENT_WIDTH 30.

static gboolean
is_number (const HeddleExpr *expr, double number)
{
  return heddle_expr_get_kind (expr) == HEDDLE_EXPR_NUMBER && heddle_expr_get_number (expr) == number;
}

/* Returns whether it is where (i == j, 1, 0) of the two axes of the result. */
static gboolean
is_unit (const HeddleExpr *body, const HeddleValue *result)
{
  const HeddleExpr *equal;

  if (heddle_expr_get_kind (body) != HEDDLE_EXPR_WHERE || result->axes->len != 2)
    return FALSE;
  equal = heddle_expr_get_child (body, 0);
  if (heddle_expr_get_kind (equal) != HEDDLE_EXPR_EQ || !is_number (heddle_expr_get_child (body, 1), 1.)
      || !is_number (heddle_expr_get_child (body, 2), 0.))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (heddle_expr_get_kind (heddle_expr_get_child (equal, i)) != HEDDLE_EXPR_INDEX
        || !heddle_ids_contain (result->axes, heddle_expr_get_symbol (heddle_expr_get_child (equal, i))))
      return FALSE;
  return heddle_expr_get_symbol (heddle_expr_get_child (equal, 0))
         != heddle_expr_get_symbol (heddle_expr_get_child (equal, 1));
}

static gboolean
is_constant (const HeddleExpr *body)
{
  return !heddle_expr_uses (body, HEDDLE_EXPR_INDEX, NULL);
}

gboolean
heddle_source_fits (const HeddleLayout *self, const HeddleOperation *operation)
{
  const HeddleValue *result = heddle_diagram_get_value (self->diagram, operation->result);

  return operation->operands->len == 0 && operation->body != NULL && result != NULL && result->axes->len > 0
         && (is_constant (operation->body) || is_unit (operation->body, result));
}

/* Returns the constant, newly allocated; NULL for the unit. */
char *
heddle_source_title (const HeddleLayout *self, const HeddleOperation *operation)
{
  return is_constant (operation->body) ? heddle_math_from_expr (operation->body, self->diagram) : NULL;
}

void
heddle_source_measure (HeddleFigureNode *node, double title_width)
{
  node->width
      = node->title != NULL ? MAX (ELEMENT_WIDTH, title_width + 22.) + 8. : 2. * HEDDLE_SOURCE_LARGEST_RADIUS;
  node->above = node->below = 14.;
}
