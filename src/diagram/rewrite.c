/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/rewrite-private.h"

#include <glib/gi18n-lib.h>

gboolean
heddle_rewrite_is_passing (const HeddleDiagram *diagram, const char *value_id)
{
  return heddle_diagram_get_value (diagram, value_id)->name == NULL
         && !heddle_diagram_is_output (diagram, value_id);
}

void
heddle_rewrite_remove (HeddleDiagram *diagram, const char *value_id)
{
  heddle_diagram_remove (diagram, heddle_diagram_get_producer (diagram, value_id)->id);
  heddle_diagram_remove (diagram, value_id);
}

static gboolean
is_same_type (const HeddleDiagram *diagram, const char *one, const char *other)
{
  const HeddleValue *a = heddle_diagram_get_value (diagram, one),
                    *b = heddle_diagram_get_value (diagram, other);

  return heddle_ids_equal (a->axes, b->axes) && (b->dtype == HEDDLE_DTYPE_UNSET || a->dtype == b->dtype);
}

/* Those that read @from read @into, and @from goes. */
static void
replace_value (HeddleDiagram *diagram, const char *from, const char *into)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, from);

  for (guint i = 0; i < readers->len; i++)
    {
      HeddleOperation *reader
          = heddle_diagram_edit_operation (diagram, ((const HeddleOperation *) readers->pdata[i])->id);

      for (guint j = 0; j < reader->operands->len; j++)
        if (heddle_ids_index (reader->operands, j) == from)
          heddle_ids_index (reader->operands, j) = into;
    }
  heddle_rewrite_remove (diagram, from);
}

/* --- identities ---------------------------------------------------------------------- */

static gboolean
is_number (const HeddleExpr *expr, double number)
{
  return heddle_expr_get_kind (expr) == HEDDLE_EXPR_NUMBER && heddle_expr_get_number (expr) == number;
}

/* $0, $0*1, 1*$0, $0/1, $0^1 and nothing else: $0 + 0 would make 0 of -0. */
static gboolean
is_identity_body (const HeddleExpr *body)
{
  const HeddleExprKind kind = heddle_expr_get_kind (body);

  if (kind == HEDDLE_EXPR_ARGUMENT)
    return heddle_expr_get_operand (body) == 0;
  if (kind == HEDDLE_EXPR_MUL && is_number (heddle_expr_get_child (body, 0), 1.))
    return is_identity_body (heddle_expr_get_child (body, 1));
  return (kind == HEDDLE_EXPR_MUL || kind == HEDDLE_EXPR_DIV || kind == HEDDLE_EXPR_POW)
         && is_number (heddle_expr_get_child (body, 1), 1.)
         && is_identity_body (heddle_expr_get_child (body, 0));
}

static gboolean
reads_in_place (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  const HeddleValue *operand = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));

  for (guint i = 0; i < operation->indices->len; i++)
    {
      const HeddleExpr *index = operation->indices->pdata[i];

      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
          || heddle_expr_get_symbol (index) != heddle_ids_index (operand->axes, i))
        return FALSE;
    }
  return TRUE;
}

static gboolean
remove_identity (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);
  const gboolean map = operation->kind->form == HEDDLE_FORM_MAP && is_identity_body (operation->body);
  const gboolean reindex
      = operation->kind->form == HEDDLE_FORM_REINDEX && reads_in_place (diagram, operation);

  if ((!map && !reindex) || operation->operands->len != 1
      || !heddle_rewrite_is_passing (diagram, operation->result)
      || !is_same_type (diagram, heddle_ids_index (operation->operands, 0), operation->result))
    return FALSE;
  replace_value (diagram, operation->result, heddle_ids_index (operation->operands, 0));
  return TRUE;
}

/* --- common subexpressions ----------------------------------------------------------- */

static gboolean
same_indices (const HeddleOperation *a, const HeddleOperation *b)
{
  const guint n = a->indices != NULL ? a->indices->len : 0;

  if (n != (b->indices != NULL ? b->indices->len : 0))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!heddle_expr_equal (a->indices->pdata[i], b->indices->pdata[i]))
      return FALSE;
  return TRUE;
}

static gboolean
same_operation (const HeddleOperation *a, const HeddleOperation *b)
{
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS; i++)
    if (a->options[i] != b->options[i])
      return FALSE;
  if ((a->body == NULL) != (b->body == NULL) || (a->body != NULL && !heddle_expr_equal (a->body, b->body)))
    return FALSE;
  return a->kind == b->kind && heddle_ids_equal (a->operands, b->operands)
         && heddle_ids_equal (a->axes, b->axes) && same_indices (a, b);
}

/* An operation without operands has no readers to look among; it is left. */
static gboolean
share (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);
  g_autoptr (GPtrArray) others = NULL;

  /* two calls have parameters of their own */
  if (operation->operands->len == 0 || operation->kind->form == HEDDLE_FORM_CALL
      || !heddle_rewrite_is_passing (diagram, operation->result))
    return FALSE;
  others = heddle_diagram_get_readers (diagram, heddle_ids_index (operation->operands, 0));
  for (guint i = 0; i < others->len; i++)
    {
      const HeddleOperation *other = others->pdata[i];

      if (other->id == operation->id || !same_operation (other, operation)
          || !is_same_type (diagram, other->result, operation->result)
          || heddle_diagram_index_of_operation (diagram, other->id)
                 > heddle_diagram_index_of_operation (diagram, operation->id))
        continue;
      replace_value (diagram, operation->result, other->result);
      return TRUE;
    }
  return FALSE;
}

/* --- contractions -------------------------------------------------------------------- */

/* The inner contraction's axes may not be known to the outer one: they would be taken for its own. */
static gboolean
can_merge (const HeddleDiagram *diagram, const HeddleOperation *outer, const HeddleOperation *inner)
{
  if (inner == NULL || inner->kind != outer->kind || !heddle_rewrite_is_passing (diagram, inner->result)
      || heddle_diagram_count_readers (diagram, inner->result) != 1
      || heddle_diagram_get_value (diagram, inner->result)->dtype != HEDDLE_DTYPE_UNSET)
    return FALSE;
  for (guint i = 0; i < outer->operands->len; i++)
    {
      const HeddleValue *operand = heddle_diagram_get_value (diagram, heddle_ids_index (outer->operands, i));

      for (guint j = 0; j < inner->axes->len; j++)
        if (heddle_ids_contain (operand->axes, heddle_ids_index (inner->axes, j)))
          return FALSE;
    }
  return TRUE;
}

static void
merge (HeddleDiagram *diagram, const HeddleOperation *outer, const HeddleOperation *inner, guint slot)
{
  g_autoptr (GArray) operands = heddle_ids_new (), inner_axes = heddle_ids_copy (inner->axes);
  const char *gone = inner->result;

  for (guint i = 0; i < outer->operands->len; i++)
    for (guint j = 0; j < (i == slot ? inner->operands->len : 1); j++)
      heddle_ids_append (
          operands, heddle_ids_index (i == slot ? inner->operands : outer->operands, i == slot ? j : i));
  HeddleOperation *merged = heddle_diagram_edit_operation (diagram, outer->id);
  g_array_set_size (merged->operands, 0);
  g_array_append_vals (merged->operands, operands->data, operands->len);
  g_array_append_vals (merged->axes, inner_axes->data, inner_axes->len);
  heddle_rewrite_remove (diagram, gone);
}

static gboolean
merge_contraction (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *outer = heddle_diagram_get_operation (diagram, operation_id);

  for (guint i = 0; outer->kind->form == HEDDLE_FORM_CONTRACT && i < outer->operands->len; i++)
    {
      const HeddleOperation *inner
          = heddle_diagram_get_producer (diagram, heddle_ids_index (outer->operands, i));

      if (!can_merge (diagram, outer, inner))
        continue;
      merge (diagram, outer, inner, i);
      return TRUE;
    }
  return FALSE;
}

/* --- the rules ----------------------------------------------------------------------- */

static const HeddleRewriteRule rules[] = {
  { "expand-softmax", N_ ("Softmax and log-sum-exp as maps and reductions"), heddle_rewrite_expand_softmax },
  { "collapse-softmax", N_ ("Softmax out of the maps and reductions it is made of"),
      heddle_rewrite_collapse_softmax },
  { "expand-norms", N_ ("Norms as maps and reductions"), heddle_rewrite_expand_norm },
  { "merge-contractions", N_ ("A contraction that one contraction alone reads becomes part of it"),
      merge_contraction },
  { "common-subexpressions", N_ ("What is made twice is made once"), share },
  { "remove-identity", N_ ("Maps and reindexings that change nothing go"), remove_identity },
};

/**
 * heddle_rewrite_table:
 * @n_rules: (out): how many there are
 *
 * Returns: (transfer none): all rules
 */
const HeddleRewriteRule *
heddle_rewrite_table (guint *n_rules)
{
  *n_rules = G_N_ELEMENTS (rules);
  return rules;
}

/**
 * heddle_rewrite_rule:
 * @name: such as "expand-softmax"
 *
 * Returns: (transfer none) (nullable): the rule of that name
 */
const HeddleRewriteRule *
heddle_rewrite_rule (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rules); i++)
    if (g_str_equal (rules[i].name, name))
      return &rules[i];
  return NULL;
}

/**
 * heddle_diagram_rewrite:
 * @diagram: a diagram without errors
 * @rule: what to do
 *
 * Follows the rule wherever it can be followed, from the inputs on, and at one place as often as it can be. Inputs, named values and outputs
 * keep what they are.
 *
 * Returns: how often it was followed
 */
guint
heddle_diagram_rewrite (HeddleDiagram *diagram, const HeddleRewriteRule *rule)
{
  g_return_val_if_fail (diagram != NULL && rule != NULL, 0);

  g_autoptr (GArray) operations = heddle_ids_new ();
  guint n = 0;

  for (guint i = 0; i < diagram->operations->len; i++)
    heddle_ids_append (operations, ((const HeddleOperation *) diagram->operations->pdata[i])->id);
  for (guint i = 0; i < operations->len; i++)
    while (heddle_diagram_get_operation (diagram, heddle_ids_index (operations, i)) != NULL
           && rule->rewrite (diagram, heddle_ids_index (operations, i)))
      n++;
  return n;
}
