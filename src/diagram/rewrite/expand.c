/* SPDX-License-Identifier: MIT */

/* This file expands a reduction or norm of several stages into the maps and plain reductions that its row in
 * the operation table describes. */

#include "diagram/analysis/sizes-keep.h"
#include "diagram/analysis/term.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tidy.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/rewrite/expand.h"
#include "diagram/rewrite/tools.h"

/* --- writing out --------------------------------------------------------------------- */

typedef struct
{
  HeddleDiagram *diagram;
  const char *operation; /* id: new ones go before it */
  const char *operand; /* value id: $0 */
  GHashTable *stages; /* name of a stage -> value id */
  GArray *operands; /* of the map being made */
} Expansion;

static HeddleExpr *
replace_leaf (const HeddleExpr *leaf, gpointer data)
{
  Expansion *self = data;

  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT)
    return heddle_rewrite_argument (self->operands, self->operand);
  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_VARIABLE)
    return heddle_rewrite_argument (
        self->operands, g_hash_table_lookup (self->stages, heddle_expr_get_symbol (leaf)));
  return NULL;
}

/* Returns the body over the existing values and leaves the operands that it reads in the list. */
static HeddleExpr *
bind_body (Expansion *self, HeddleExpr *body)
{
  g_autoptr (HeddleExpr) tidy = heddle_expr_tidy (body);

  g_array_set_size (self->operands, 0);
  return heddle_expr_substitute (tidy, replace_leaf, self);
}

static void
expand_stage (Expansion *self, const HeddleStage *stage, const GArray *axes, const GArray *core)
{
  g_autoptr (HeddleExpr) body = bind_body (self, stage->body);
  g_autoptr (GArray) rest = heddle_ids_new (), operands = heddle_ids_new ();
  const char *mapped = self->operand;

  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (core, heddle_ids_index (axes, i)))
      heddle_ids_append (rest, heddle_ids_index (axes, i));
  if (heddle_expr_get_kind (body) != HEDDLE_EXPR_ARGUMENT)
    {
      HeddleOperation *map
          = heddle_rewrite_add (self->diagram, self->operation, "map", self->operands, axes, NULL);

      map->body = g_steal_pointer (&body);
      mapped = map->result;
    }
  heddle_ids_append (operands, mapped);
  g_hash_table_insert (self->stages, (gpointer) stage->name,
      (gpointer) heddle_rewrite_add (
          self->diagram, self->operation, heddle_monoid_to_string (stage->monoid), operands, rest, core)
          ->result);
}

static void
expand (HeddleDiagram *diagram, const HeddleOperation *operation)
{
  g_autoptr (HeddleTerm) term = heddle_term_new (operation);
  g_autoptr (GHashTable) stages = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) operands = heddle_ids_new (), core = heddle_ids_copy (operation->axes);
  Expansion self = { diagram, operation->id, heddle_ids_index (operation->operands, 0), stages, operands };
  g_autoptr (GArray) axes = heddle_ids_copy (heddle_diagram_get_value (diagram, self.operand)->axes);

  for (guint i = 0; i < term->n_stages; i++)
    expand_stage (&self, &term->stages[i], axes, core);
  HeddleExpr *body = bind_body (&self, term->result);
  heddle_rewrite_become (diagram, self.operation, "map", operands, NULL, body, NULL);
}

static gboolean
expand_if (HeddleDiagram *diagram, const char *operation_id, gboolean wanted)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);

  if (!wanted || heddle_rewrite_may_read_outside (diagram, heddle_ids_index (operation->operands, 0)))
    return FALSE;
  expand (diagram, operation);
  return TRUE;
}

static gboolean
is_softmax (const HeddleOperationKind *kind)
{
  return g_str_equal (kind->id, "softmax") || g_str_equal (kind->id, "logsumexp");
}

static gboolean
is_norm (const HeddleOperationKind *kind)
{
  return kind->form == HEDDLE_FORM_NORMALISE && !is_softmax (kind);
}

gboolean
heddle_rewrite_expand_softmax (HeddleDiagram *diagram, const char *operation_id)
{
  return expand_if (
      diagram, operation_id, is_softmax (heddle_diagram_get_operation (diagram, operation_id)->kind));
}

gboolean
heddle_rewrite_expand_norm (HeddleDiagram *diagram, const char *operation_id)
{
  return expand_if (
      diagram, operation_id, is_norm (heddle_diagram_get_operation (diagram, operation_id)->kind));
}

gboolean
heddle_diagram_expand_at (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *operation;
  g_autoptr (HeddleDiagram) before = NULL;

  g_return_val_if_fail (diagram != NULL && operation_id != NULL, FALSE);

  operation = heddle_diagram_get_operation (diagram, operation_id);
  if (!is_softmax (operation->kind) && !is_norm (operation->kind))
    return FALSE;
  before = heddle_diagram_copy (diagram);
  expand (diagram, operation);
  heddle_sizes_keep (diagram, before);
  return TRUE;
}
