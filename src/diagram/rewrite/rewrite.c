/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/analysis/sizes-keep.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "diagram/rewrite/choose.h"
#include "diagram/rewrite/collapse.h"
#include "diagram/rewrite/contract.h"
#include "diagram/rewrite/expand.h"
#include "diagram/rewrite/log.h"
#include "diagram/rewrite/map.h"
#include "diagram/rewrite/read.h"
#include "diagram/rewrite/rename.h"
#include "diagram/rewrite/rewrite.h"
#include "diagram/rewrite/split-sum.h"
#include "diagram/rewrite/tools.h"
#include "diagram/rewrite/view.h"

#include <glib/gi18n-lib.h>

static gboolean
is_same_type (const HeddleDiagram *diagram, const char *one, const char *other)
{
  const HeddleValue *a = heddle_diagram_get_value (diagram, one),
                    *b = heddle_diagram_get_value (diagram, other);

  return heddle_ids_equal (a->axes, b->axes) && (b->dtype == HEDDLE_DTYPE_UNSET || a->dtype == b->dtype);
}

/* Makes the readers of @from read @into, and removes @from. */
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

/* Returns whether the body is $0, $0*1, 1*$0, $0/1 or $0^1, and nothing else: $0 + 0 would make 0 of -0. */
static gboolean
is_identity_body (const HeddleExpr *body)
{
  const HeddleExprKind kind = heddle_expr_get_kind (body);

  if (kind == HEDDLE_EXPR_ARGUMENT)
    return heddle_expr_get_operand (body) == 0;
  if (kind == HEDDLE_EXPR_MUL && heddle_expr_is_number (heddle_expr_get_child (body, 0), 1.))
    return is_identity_body (heddle_expr_get_child (body, 1));
  return (kind == HEDDLE_EXPR_MUL || kind == HEDDLE_EXPR_DIV || kind == HEDDLE_EXPR_POW)
         && heddle_expr_is_number (heddle_expr_get_child (body, 1), 1.)
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

/* Replaces the operation by an equal one among its operand's readers. An operation without operands has none
 * to look among, and is left. */
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

      /* It is an output because nobody reads it, and would no longer be one. */
      if (!diagram->explicit_outputs && heddle_diagram_is_output (diagram, other->result))
        continue;
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

/* --- dead code ----------------------------------------------------------------------- */

/* Removes an operation that nobody reads, if outputs are explicit. */
static gboolean
remove_dead (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);
  const char *result = operation->result;

  if (!diagram->explicit_outputs || heddle_operation_n_results (operation) != 1
      || heddle_diagram_is_output (diagram, result) || heddle_diagram_count_readers (diagram, result) > 0)
    return FALSE;
  heddle_rewrite_remove (diagram, result);
  return TRUE;
}

/* --- the rules ----------------------------------------------------------------------- */

static const HeddleRewriteRule rules[] = {
  { "expand-softmax", N_ ("Softmax and log-sum-exp as maps and reductions"), heddle_rewrite_expand_softmax },
  { "collapse-softmax", N_ ("Softmax and log-sum-exp are recovered from maps and reductions"),
      heddle_rewrite_collapse_softmax },
  { "expand-norms", N_ ("Norms as maps and reductions"), heddle_rewrite_expand_norm },
  { "collapse-norms", N_ ("Norms are recovered from maps and reductions"), heddle_rewrite_collapse_norm },
  { "merge-contractions",
      N_ ("A contraction or product that one contraction or sum alone reads becomes part of it"),
      heddle_rewrite_merge_contraction },
  { "split-contractions",
      N_ ("A contraction of three or more becomes one of two at a time, the cheapest first"),
      heddle_rewrite_split_contraction },
  { "remove-units", N_ ("A Kronecker delta in a contraction becomes a wire"), heddle_rewrite_remove_unit },
  { "slide-broadcasts", N_ ("Values that are the same along an axis are computed before the axis begins"),
      heddle_rewrite_slide_broadcast },
  { "slide-reads", N_ ("The read of a product becomes the product of reads"), heddle_rewrite_slide_read },
  { "slide-renames",
      N_ ("Values computed from an array under another name of its axis are computed under its own"),
      heddle_rewrite_slide_rename },
  { "read-products", N_ ("A product that is read at chosen indices is computed only there"),
      heddle_rewrite_read_product },
  { "read-maps", N_ ("A map that is read at chosen indices is computed only there"),
      heddle_rewrite_read_map },
  { "part-products", N_ ("A product of which a part is read is computed only there"),
      heddle_rewrite_part_product },
  { "part-maps", N_ ("A map of which a part is read is computed only there"), heddle_rewrite_part_map },
  { "join-reads", N_ ("A read of a read becomes one read at the indices of both"),
      heddle_rewrite_join_reads },
  { "choose-joined", N_ ("What is joined of reads becomes a choice of what is read"),
      heddle_rewrite_choose_joined },
  { "split-sums", N_ ("A sum over an axis that stands for two becomes a sum over both"),
      heddle_rewrite_split_sum },
  { "log-softmax", N_ ("The logarithm of a softmax becomes the difference to the log-sum-exp"),
      heddle_rewrite_log_softmax },
  { "absorb-transposes", N_ ("Transposes and broadcasts become part of what reads them"),
      heddle_rewrite_absorb_views },
  { "fuse-maps", N_ ("A map of a map becomes one map"), heddle_rewrite_fuse_maps },
  { "split-maps", N_ ("A map becomes maps of one step each"), heddle_rewrite_split_map },
  { "common-subexpressions", N_ ("Values computed twice are computed once"), share },
  { "remove-identity", N_ ("Maps and reindexings that change nothing are removed"), remove_identity },
  { "dead-code", N_ ("Operations that no output depends on are removed"), remove_dead },
};

const HeddleRewriteRule *
heddle_rewrite_table (guint *n_rules)
{
  *n_rules = G_N_ELEMENTS (rules);
  return rules;
}

const HeddleRewriteRule *
heddle_rewrite_rule (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rules); i++)
    if (g_str_equal (rules[i].name, name))
      return &rules[i];
  return NULL;
}

/* The limit of steps. A rule that makes new operations is applied to these too; no rule goes on for ever, and
 * none takes so many steps. */
#define MAX_STEPS 100000

static GArray *
list_operations (const HeddleDiagram *diagram)
{
  GArray *operations = heddle_ids_new ();

  for (guint i = 0; i < diagram->operations->len; i++)
    heddle_ids_append (operations, ((const HeddleOperation *) diagram->operations->pdata[i])->id);
  return operations;
}

static gboolean
follow (HeddleDiagram *diagram, const HeddleRewriteRule *rule, const char *operation_id)
{
  return heddle_diagram_get_operation (diagram, operation_id) != NULL
         && rule->rewrite (diagram, operation_id);
}

gboolean
heddle_diagram_rewrite_at (HeddleDiagram *diagram, const HeddleRewriteRule *rule, const char *operation_id)
{
  g_autoptr (HeddleDiagram) before = NULL;

  g_return_val_if_fail (diagram != NULL && rule != NULL && operation_id != NULL, FALSE);

  before = heddle_diagram_copy (diagram);
  if (!follow (diagram, rule, operation_id))
    return FALSE;
  heddle_sizes_keep (diagram, before);
  return TRUE;
}

/* The number of objects that may be copied to find the places of one rule; more take longer than a person
 * waits. */
#define MOST_COPIED 10000000

GArray *
heddle_diagram_rewrite_places (const HeddleDiagram *diagram, const HeddleRewriteRule *rule, gboolean *all)
{
  g_autoptr (HeddleDiagram) tried = NULL;
  g_autoptr (GArray) operations = NULL;
  GArray *places = heddle_ids_new ();
  guint64 copied = 0;
  guint i;

  g_return_val_if_fail (diagram != NULL && rule != NULL, NULL);

  operations = list_operations (diagram);
  for (i = 0; i < operations->len && copied < MOST_COPIED; i++)
    {
      if (tried == NULL)
        {
          tried = heddle_diagram_copy (diagram);
          copied += diagram->operations->len + diagram->values->len + diagram->axes->len;
        }
      if (!rule->rewrite (tried, heddle_ids_index (operations, i)))
        continue;
      heddle_ids_append (places, heddle_ids_index (operations, i));
      g_clear_pointer (&tried, heddle_diagram_free);
    }
  if (all != NULL)
    *all = i == operations->len;
  return places;
}

static guint
rewrite_once (HeddleDiagram *diagram, const HeddleRewriteRule *rule, guint most)
{
  g_autoptr (GArray) operations = list_operations (diagram);
  guint n = 0;

  for (guint i = 0; i < operations->len; i++)
    while (n < most && follow (diagram, rule, heddle_ids_index (operations, i)))
      n++;
  return n;
}

guint
heddle_diagram_rewrite (HeddleDiagram *diagram, const HeddleRewriteRule *rule)
{
  g_autoptr (HeddleDiagram) before = NULL;
  guint n = 0, more = 1;

  g_return_val_if_fail (diagram != NULL && rule != NULL, 0);

  before = heddle_diagram_copy (diagram);
  while (more > 0 && n < MAX_STEPS)
    n += more = rewrite_once (diagram, rule, MAX_STEPS - n);
  heddle_sizes_keep (diagram, before);
  return n;
}
