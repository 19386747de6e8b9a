/* SPDX-License-Identifier: MIT */

/* A reduction or norm of several stages as the maps and plain reductions that its row in the operation table says it is, and back. */

#include "config.h"

#include "diagram/rewrite-private.h"
#include "diagram/term.h"

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
as_argument (Expansion *self, const char *value_id)
{
  int i = heddle_ids_find (self->operands, value_id);

  if (i < 0)
    {
      i = (int) self->operands->len;
      heddle_ids_append (self->operands, value_id);
    }
  return heddle_expr_argument ((guint) i);
}

static HeddleExpr *
replace_leaf (const HeddleExpr *leaf, gpointer data)
{
  Expansion *self = data;

  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT)
    return as_argument (self, self->operand);
  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_VARIABLE)
    return as_argument (self, g_hash_table_lookup (self->stages, heddle_expr_get_symbol (leaf)));
  return NULL;
}

/* The body over the values at hand; the operands it reads are left in the list. */
static HeddleExpr *
bind_body (Expansion *self, HeddleExpr *body)
{
  g_array_set_size (self->operands, 0);
  return heddle_expr_substitute (body, replace_leaf, self);
}

static const char *
add_operation (Expansion *self, const char *kind, const GArray *operands, const GArray *axes,
    const GArray *core, HeddleExpr *body)
{
  const HeddleValue *value = heddle_diagram_add_value (
      self->diagram, NULL, NULL, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, axes);
  HeddleOperation *operation
      = heddle_diagram_add_operation (self->diagram, NULL, heddle_operation_kind (kind), operands, value->id,
          core, heddle_diagram_index_of_operation (self->diagram, self->operation));

  operation->body = body;
  return value->id;
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
    mapped = add_operation (self, "map", self->operands, axes, NULL, g_steal_pointer (&body));
  heddle_ids_append (operands, mapped);
  g_hash_table_insert (self->stages, (gpointer) stage->name,
      (gpointer) add_operation (self, heddle_monoid_to_string (stage->monoid), operands, rest, core, NULL));
}

static gboolean
has_affine_index (const HeddleOperation *operation)
{
  for (guint i = 0; operation->indices != NULL && i < operation->indices->len; i++)
    if (heddle_expr_get_kind (operation->indices->pdata[i]) != HEDDLE_EXPR_INDEX)
      return TRUE;
  return FALSE;
}

/* Reads outside an array are left out of a reduction, and not of a map: what depends on one is left as it is. */
static gboolean
may_read_outside (const HeddleDiagram *diagram, const char *value_id)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) waiting = heddle_ids_new ();

  heddle_ids_append (waiting, value_id);
  for (guint i = 0; i < waiting->len; i++)
    {
      const HeddleOperation *operation = heddle_diagram_get_producer (diagram, heddle_ids_index (waiting, i));

      if (operation == NULL || !g_hash_table_add (seen, (gpointer) operation->id))
        continue;
      if (has_affine_index (operation))
        return TRUE;
      g_array_append_vals (waiting, operation->operands->data, operation->operands->len);
    }
  return FALSE;
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
  HeddleOperation *map = heddle_diagram_edit_operation (diagram, self.operation);
  map->kind = heddle_operation_kind ("map");
  map->body = body;
  g_array_set_size (map->axes, 0);
  g_array_set_size (map->operands, 0);
  for (guint i = 0; i < operands->len; i++)
    heddle_ids_append (map->operands, heddle_ids_index (operands, i));
}

static gboolean
expand_if (HeddleDiagram *diagram, const char *operation_id, gboolean wanted)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);

  if (!wanted || may_read_outside (diagram, heddle_ids_index (operation->operands, 0)))
    return FALSE;
  expand (diagram, operation);
  return TRUE;
}

gboolean
heddle_rewrite_expand_softmax (HeddleDiagram *diagram, const char *operation_id)
{
  const char *kind = heddle_diagram_get_operation (diagram, operation_id)->kind->id;

  return expand_if (diagram, operation_id, g_str_equal (kind, "softmax") || g_str_equal (kind, "logsumexp"));
}

gboolean
heddle_rewrite_expand_norm (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperationKind *kind = heddle_diagram_get_operation (diagram, operation_id)->kind;

  return expand_if (
      diagram, operation_id, kind->form == HEDDLE_FORM_NORMALISE && !g_str_equal (kind->id, "softmax"));
}

/* --- and back ------------------------------------------------------------------------ */

typedef struct
{
  const HeddleDiagram *diagram;
  const char *operand; /* what $0 stands for, once known */
  GHashTable *stages; /* name -> value id */
  GArray *core; /* once known */
  GPtrArray *passing; /* value ids that go, the last made first */
} Match;

/* The same value wherever the name occurs. */
static gboolean
bind (Match *self, const HeddleExpr *leaf, const char *value_id)
{
  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT)
    {
      self->operand = self->operand != NULL ? self->operand : value_id;
      return self->operand == value_id;
    }
  const char *name = heddle_expr_get_symbol (leaf);
  if (!g_hash_table_contains (self->stages, name))
    g_hash_table_insert (self->stages, (gpointer) name, (gpointer) value_id);
  return g_hash_table_lookup (self->stages, name) == value_id;
}

static gboolean
match_expr (Match *self, const HeddleExpr *pattern, const HeddleExpr *expr, const GArray *operands)
{
  const HeddleExprKind kind = heddle_expr_get_kind (pattern);

  if (kind == HEDDLE_EXPR_ARGUMENT || kind == HEDDLE_EXPR_VARIABLE)
    return heddle_expr_get_kind (expr) == HEDDLE_EXPR_ARGUMENT
           && bind (self, pattern, heddle_ids_index (operands, heddle_expr_get_operand (expr)));
  if (heddle_expr_get_kind (expr) != kind || heddle_expr_get_n_children (pattern) == 0)
    return heddle_expr_equal (pattern, expr);
  for (guint i = 0; i < heddle_expr_get_n_children (pattern); i++)
    if (!match_expr (self, heddle_expr_get_child (pattern, i), heddle_expr_get_child (expr, i), operands))
      return FALSE;
  return TRUE;
}

/* What a stage reduces: the operand itself, or a map of it. */
static gboolean
match_body (Match *self, const HeddleStage *stage, const char *value_id)
{
  const HeddleOperation *map = heddle_diagram_get_producer (self->diagram, value_id);

  if (heddle_expr_get_kind (stage->body) == HEDDLE_EXPR_ARGUMENT)
    return value_id == self->operand;
  g_ptr_array_add (self->passing, (gpointer) value_id);
  return map != NULL && map->kind->form == HEDDLE_FORM_MAP
         && heddle_rewrite_is_passing (self->diagram, value_id)
         && match_expr (self, stage->body, map->body, map->operands);
}

static gboolean
match_stage (Match *self, const HeddleStage *stage)
{
  const char *value_id = g_hash_table_lookup (self->stages, stage->name);
  const HeddleOperation *reduction
      = value_id != NULL ? heddle_diagram_get_producer (self->diagram, value_id) : NULL;

  if (reduction == NULL || reduction->kind != heddle_operation_kind (heddle_monoid_to_string (stage->monoid))
      || !heddle_rewrite_is_passing (self->diagram, value_id))
    return FALSE;
  self->core = self->core != NULL ? self->core : reduction->axes;
  g_ptr_array_add (self->passing, (gpointer) value_id);
  return heddle_ids_equal (self->core, reduction->axes)
         && match_body (self, stage, heddle_ids_index (reduction->operands, 0));
}

static gboolean
match_term (Match *self, const HeddleTerm *term, const HeddleOperation *map)
{
  if (!match_expr (self, term->result, map->body, map->operands))
    return FALSE;
  for (guint i = term->n_stages; i-- > 0;)
    if (!match_stage (self, &term->stages[i]))
      return FALSE;
  return heddle_ids_equal (heddle_diagram_get_value (self->diagram, self->operand)->axes,
      heddle_diagram_get_value (self->diagram, map->result)->axes);
}

static void
collapse (
    HeddleDiagram *diagram, const Match *match, const char *operation_id, const HeddleOperationKind *kind)
{
  g_autoptr (GArray) core = heddle_ids_copy (match->core);
  HeddleOperation *operation = heddle_diagram_edit_operation (diagram, operation_id);

  operation->kind = kind;
  g_clear_pointer (&operation->body, heddle_expr_unref);
  g_array_set_size (operation->operands, 0);
  heddle_ids_append (operation->operands, match->operand);
  g_array_set_size (operation->axes, 0);
  for (guint i = 0; i < core->len; i++)
    heddle_ids_append (operation->axes, heddle_ids_index (core, i));
  for (guint i = 0; i < match->passing->len; i++)
    if (heddle_diagram_count_readers (diagram, match->passing->pdata[i]) == 0)
      heddle_rewrite_remove (diagram, match->passing->pdata[i]);
}

gboolean
heddle_rewrite_collapse_softmax (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *map = heddle_diagram_get_operation (diagram, operation_id);
  const HeddleOperationKind *kind = heddle_operation_kind ("softmax");
  g_autoptr (GArray) none = heddle_ids_new ();
  const HeddleOperation softmax = { .kind = kind, .operands = none, .axes = none };
  g_autoptr (HeddleTerm) term = heddle_term_new (&softmax);
  g_autoptr (GHashTable) stages = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) passing = g_ptr_array_new ();
  Match match = { diagram, NULL, stages, NULL, passing };

  if (map->kind->form != HEDDLE_FORM_MAP || !match_term (&match, term, map)
      || may_read_outside (diagram, match.operand))
    return FALSE;
  collapse (diagram, &match, operation_id, kind);
  return TRUE;
}
