/* SPDX-License-Identifier: MIT */

/* This file recognises softmax and norms in the maps and plain reductions that their rows in the operation
 * table describe. */

#include "diagram/analysis/term.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tidy.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/rewrite/collapse.h"
#include "diagram/rewrite/tools.h"

typedef struct
{
  const HeddleDiagram *diagram;
  const char *operand; /* what $0 stands for, once known */
  GHashTable *stages; /* name -> value id */
  const GArray *core;
  GPtrArray *passing; /* value ids that go, the last made first */
} Match;

/* Binds a name to a value; returns FALSE if it is bound to another one. */
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

static gboolean
match_tidy (Match *self, const HeddleExpr *pattern, const HeddleOperation *map)
{
  g_autoptr (HeddleExpr) body = heddle_expr_tidy (map->body);

  return match_expr (self, pattern, body, map->operands);
}

/* Matches what a stage reduces: the operand itself, or a map of it. */
static gboolean
match_body (Match *self, const HeddleStage *stage, const char *value_id)
{
  const HeddleOperation *map = heddle_diagram_get_producer (self->diagram, value_id);

  if (heddle_expr_get_kind (stage->body) == HEDDLE_EXPR_ARGUMENT)
    return value_id == self->operand;
  g_ptr_array_add (self->passing, (gpointer) value_id);
  return map != NULL && map->kind->form == HEDDLE_FORM_MAP
         && heddle_rewrite_is_passing (self->diagram, value_id) && match_tidy (self, stage->body, map);
}

/* Matches a sum of squares, which is written as a contraction of the operand with itself. */
static gboolean
match_squares (Match *self, const HeddleStage *stage, const HeddleOperation *contraction)
{
  const char *value_id = heddle_ids_index (contraction->operands, 0);
  g_autoptr (HeddleExpr) squares = heddle_expr_literal ("$0*$0");

  if (!heddle_expr_equal (stage->body, squares) || contraction->operands->len != 2
      || heddle_ids_index (contraction->operands, 1) != value_id
      || !heddle_ids_equal (self->core, contraction->axes))
    return FALSE;
  g_ptr_array_add (self->passing, (gpointer) contraction->result);
  self->operand = self->operand != NULL ? self->operand : value_id;
  return self->operand == value_id;
}

static gboolean
match_stage (Match *self, const HeddleStage *stage)
{
  const char *value_id = g_hash_table_lookup (self->stages, stage->name);
  const HeddleOperation *reduction
      = value_id != NULL ? heddle_diagram_get_producer (self->diagram, value_id) : NULL;

  if (reduction != NULL && reduction->kind->form == HEDDLE_FORM_CONTRACT
      && heddle_rewrite_is_passing (self->diagram, value_id))
    return match_squares (self, stage, reduction);
  if (reduction == NULL || reduction->kind != heddle_operation_kind (heddle_monoid_to_string (stage->monoid))
      || !heddle_rewrite_is_passing (self->diagram, value_id))
    return FALSE;
  g_ptr_array_add (self->passing, (gpointer) value_id);
  return heddle_ids_equal (self->core, reduction->axes)
         && match_body (self, stage, heddle_ids_index (reduction->operands, 0));
}

/* Returns whether the stages of a norm keep all the operand's axes except those that are reduced. */
static gboolean
keeps_axes (const Match *self)
{
  GHashTableIter iter;
  gpointer value_id;

  g_hash_table_iter_init (&iter, self->stages);
  while (g_hash_table_iter_next (&iter, NULL, &value_id))
    if (heddle_rewrite_axes_of (self->diagram, value_id)->len + self->core->len
            != heddle_rewrite_axes_of (self->diagram, self->operand)->len
        || !heddle_rewrite_contain_all (heddle_rewrite_axes_of (self->diagram, self->operand), self->core))
      return FALSE;
  return TRUE;
}

static gboolean
match_term (Match *self, const HeddleTerm *term, const HeddleOperation *map, const HeddleExpr *body)
{
  if (!match_expr (self, term->result, body, map->operands))
    return FALSE;
  for (guint i = term->n_stages; i-- > 0;)
    if (!match_stage (self, &term->stages[i]))
      return FALSE;
  return self->operand != NULL && keeps_axes (self);
}

/* --- candidates ---------------------------------------------------------------------- */

static gboolean
note_number (const HeddleExpr *node, gpointer numbers)
{
  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_NUMBER)
    {
      double number = heddle_expr_get_number (node);

      g_array_append_val ((GArray *) numbers, number);
    }
  return TRUE;
}

/* Returns the values that an option of the operation may have: the default, or a number in the function. */
static GArray *
list_options (const HeddleOperationKind *kind, const HeddleExpr *body)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (double));

  g_array_append_val (numbers, kind->options[0].value);
  if (kind->options[0].name != NULL)
    heddle_expr_walk (body, note_number, numbers);
  return numbers;
}

/* Returns the term of an operation, with its expressions tidied as they are when it is written out. */
static HeddleTerm *
tidy_term (const HeddleOperation *operation)
{
  HeddleTerm *term = heddle_term_new (operation);

  for (guint i = 0; i <= term->n_stages; i++)
    {
      HeddleExpr **place = i < term->n_stages ? &term->stages[i].body : &term->result;
      HeddleExpr *raw = *place;

      *place = heddle_expr_tidy (raw);
      heddle_expr_unref (raw);
    }
  return term;
}

static void
collapse (HeddleDiagram *diagram, const Match *match, const char *operation_id, const HeddleOperation *as)
{
  g_autoptr (GArray) operands = heddle_ids_new ();

  heddle_ids_append (operands, match->operand);
  heddle_rewrite_become (diagram, operation_id, as->kind->id, operands, as->axes, NULL, NULL);
  heddle_diagram_edit_operation (diagram, operation_id)->options[0] = as->options[0];
  for (guint i = 0; i < match->passing->len; i++)
    heddle_rewrite_drop (diagram, match->passing->pdata[i]);
}

/* Replaces the map by the operation @as if it is its last step. Returns whether it is. */
static gboolean
collapse_as (HeddleDiagram *diagram, const HeddleOperation *map, const HeddleOperation *as)
{
  g_autoptr (HeddleTerm) term = tidy_term (as);
  g_autoptr (GHashTable) stages = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) passing = g_ptr_array_new ();
  g_autoptr (HeddleExpr) body = heddle_expr_tidy (map->body);
  Match match = { diagram, NULL, stages, as->axes, passing };

  if (!match_term (&match, term, map, body)
      || (as->kind->form == HEDDLE_FORM_NORMALISE
          && !heddle_ids_equal (
              heddle_rewrite_axes_of (diagram, match.operand), heddle_rewrite_axes_of (diagram, map->result)))
      || heddle_rewrite_may_read_outside (diagram, match.operand))
    return FALSE;
  collapse (diagram, &match, map->id, as);
  return TRUE;
}

/* Tries to collapse over the axes of one of the reductions that the map reads. */
static gboolean
collapse_over (
    HeddleDiagram *diagram, const HeddleOperation *map, const HeddleOperationKind *kind, GArray *core)
{
  g_autoptr (GArray) options = list_options (kind, map->body);
  g_autoptr (GArray) operands = heddle_ids_new ();

  for (guint i = 0; i < options->len; i++)
    {
      HeddleOperation as = {
        .kind = kind, .operands = operands, .axes = core, .options = { g_array_index (options, double, i) }
      };

      if (collapse_as (diagram, map, &as))
        return TRUE;
    }
  return FALSE;
}

static gboolean
collapse_kind (HeddleDiagram *diagram, const char *operation_id, const char *name)
{
  const HeddleOperation *map = heddle_diagram_get_operation (diagram, operation_id);

  for (guint i = 0; map->kind->form == HEDDLE_FORM_MAP && i < map->operands->len; i++)
    {
      const HeddleOperation *reduction
          = heddle_diagram_get_producer (diagram, heddle_ids_index (map->operands, i));
      g_autoptr (GArray) core = NULL;

      if (reduction == NULL || reduction->axes->len == 0)
        continue;
      core = heddle_ids_copy (reduction->axes);
      if (collapse_over (diagram, map, heddle_operation_kind (name), core))
        return TRUE;
    }
  return FALSE;
}

gboolean
heddle_rewrite_collapse_softmax (HeddleDiagram *diagram, const char *operation_id)
{
  return collapse_kind (diagram, operation_id, "softmax")
         || collapse_kind (diagram, operation_id, "logsumexp");
}

gboolean
heddle_rewrite_collapse_norm (HeddleDiagram *diagram, const char *operation_id)
{
  return collapse_kind (diagram, operation_id, "layernorm")
         || collapse_kind (diagram, operation_id, "rmsnorm")
         || collapse_kind (diagram, operation_id, "l2norm");
}
