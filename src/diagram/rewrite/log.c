/* SPDX-License-Identifier: MIT */

/* The logarithm of a softmax is the difference of its operand and that operand's log-sum-exp: no exponential
 * of each is needed, and none that underflows. */

#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"
#include "diagram/rewrite/log.h"
#include "diagram/rewrite/tools.h"

typedef struct
{
  const HeddleDiagram *diagram;
  const GArray *from; /* what arguments stand for */
  GArray *operands; /* what they will stand for */
  const char *gone; /* the softmax whose logarithms go */
  const char *of, *total; /* the operand of the softmax, and its log-sum-exp */
} Logs;

/* Returns the softmax whose logarithm the function takes; NULL if there is none. */
static const HeddleOperation *
find_softmax (const HeddleDiagram *diagram, const HeddleExpr *body, const GArray *operands)
{
  const HeddleOperation *found = NULL;

  if (heddle_expr_get_kind (body) == HEDDLE_EXPR_LOG
      && heddle_expr_get_kind (heddle_expr_get_child (body, 0)) == HEDDLE_EXPR_ARGUMENT)
    {
      guint operand = heddle_expr_get_operand (heddle_expr_get_child (body, 0));

      found = heddle_diagram_get_producer (diagram, heddle_ids_index (operands, operand));
      if (found != NULL && g_str_equal (found->kind->id, "softmax")
          && !heddle_rewrite_may_read_outside (diagram, found->result)
          && heddle_diagram_get_value (diagram, found->result)->dtype == HEDDLE_DTYPE_UNSET)
        return found;
    }
  found = NULL;
  for (guint i = 0; found == NULL && i < heddle_expr_get_n_children (body); i++)
    found = find_softmax (diagram, heddle_expr_get_child (body, i), operands);
  return found;
}

static gboolean
is_logarithm (const Logs *self, const HeddleExpr *expr)
{
  const HeddleExpr *child
      = heddle_expr_get_kind (expr) == HEDDLE_EXPR_LOG ? heddle_expr_get_child (expr, 0) : NULL;

  return child != NULL && heddle_expr_get_kind (child) == HEDDLE_EXPR_ARGUMENT
         && heddle_ids_index (self->from, heddle_expr_get_operand (child)) == self->gone;
}

static HeddleExpr *
rebuild (Logs *self, HeddleExpr *expr)
{
  HeddleExpr *children[3] = { NULL };
  guint n = heddle_expr_get_n_children (expr);

  if (is_logarithm (self, expr))
    return heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_rewrite_argument (self->operands, self->of),
        heddle_rewrite_argument (self->operands, self->total));
  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_ARGUMENT)
    return heddle_rewrite_argument (
        self->operands, heddle_ids_index (self->from, heddle_expr_get_operand (expr)));
  if (n == 0)
    return heddle_expr_ref (expr);
  for (guint i = 0; i < n; i++)
    children[i] = rebuild (self, heddle_expr_get_child (expr, i));
  return heddle_expr_node (heddle_expr_get_kind (expr), children, n);
}

/* Adds the log-sum-exp of the softmax's operand before the operation and returns it. */
static const char *
add_total (HeddleDiagram *diagram, const char *operation_id, const HeddleOperation *softmax)
{
  const GArray *axes = heddle_rewrite_axes_of (diagram, heddle_ids_index (softmax->operands, 0));
  g_autoptr (GArray) rest = heddle_ids_new (), operands = heddle_ids_copy (softmax->operands),
                     core = heddle_ids_copy (softmax->axes);

  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (core, heddle_ids_index (axes, i)))
      heddle_ids_append (rest, heddle_ids_index (axes, i));
  return heddle_rewrite_add (diagram, operation_id, "logsumexp", operands, rest, core)->result;
}

gboolean
heddle_rewrite_log_softmax (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *map = heddle_diagram_get_operation (diagram, operation_id), *softmax = NULL;
  g_autoptr (GArray) operands = heddle_ids_new (), from = NULL;
  Logs self = { diagram, NULL, operands, NULL, NULL, NULL };

  if (map->kind->form == HEDDLE_FORM_MAP)
    softmax = find_softmax (diagram, map->body, map->operands);
  if (softmax == NULL)
    return FALSE;
  self.from = from = heddle_ids_copy (map->operands);
  self.gone = softmax->result;
  self.of = heddle_ids_index (softmax->operands, 0);
  self.total = add_total (diagram, operation_id, softmax);
  map = heddle_diagram_get_operation (diagram, operation_id);
  heddle_rewrite_become (diagram, operation_id, "map", operands, NULL, rebuild (&self, map->body), NULL);
  heddle_rewrite_drop (diagram, self.gone);
  return TRUE;
}
