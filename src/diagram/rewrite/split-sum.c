/* SPDX-License-Identifier: MIT */

/* This file undoes what was merged only to be summed: a sum over (h k) of what has h and k is one over h and k. */

#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/rewrite/split-sum.h"
#include "diagram/rewrite/tools.h"

/* An axis that stands for two of another array: outer * n + inner. */
typedef struct
{
  const char *merged; /* NULL: not known yet */
  const char *outer, *inner;
  double n; /* the number by which it is divided, which has to be the inner one's size */
} Merge;

/* Returns whether the expression has no index, and its value. */
static gboolean
is_length (const HeddleExpr *expr, const HeddleSizes *sizes, double *value)
{
  return !heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, NULL)
         && heddle_expr_evaluate (expr, heddle_sizes_lookup, (gpointer) sizes, value, NULL);
}

/* Takes floor (merged / n) as the index of @axis, or mod (merged, n). Returns FALSE if it is neither, or fits
 * nothing that was taken before. */
static gboolean
take_half (Merge *self, const char *axis, const HeddleExpr *index, const HeddleSizes *sizes)
{
  gboolean outer = heddle_expr_get_kind (index) == HEDDLE_EXPR_FLOOR;
  const HeddleExpr *divided = outer ? heddle_expr_get_child (index, 0) : index, *whole;
  const char **half = outer ? &self->outer : &self->inner;
  double n;

  if (heddle_expr_get_kind (divided) != (outer ? HEDDLE_EXPR_DIV : HEDDLE_EXPR_MOD) || *half != NULL)
    return FALSE;
  whole = heddle_expr_get_child (divided, 0);
  if (heddle_expr_get_kind (whole) != HEDDLE_EXPR_INDEX
      || !is_length (heddle_expr_get_child (divided, 1), sizes, &n))
    return FALSE;
  if (self->merged != NULL && (self->merged != heddle_expr_get_symbol (whole) || self->n != n))
    return FALSE;
  self->merged = heddle_expr_get_symbol (whole);
  self->n = n;
  *half = axis;
  return TRUE;
}

/* Finds the axis in whose place the array that is read has two; all others are as they are. */
static gboolean
find_merge (Merge *self, const HeddleDiagram *diagram, const HeddleOperation *view, const HeddleSizes *sizes)
{
  const GArray *axes = heddle_rewrite_axes_of (diagram, heddle_ids_index (view->operands, 0));

  for (guint i = 0; i < axes->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (view->indices, i);
      const char *axis = heddle_ids_index (axes, i);

      if ((heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX || heddle_expr_get_symbol (index) != axis)
          && !take_half (self, axis, index, sizes))
        return FALSE;
    }
  return self->outer != NULL && self->inner != NULL
         && self->n == (double) heddle_sizes_get (sizes, self->inner)
         && heddle_sizes_get (sizes, self->merged)
                == heddle_sizes_get (sizes, self->outer) * heddle_sizes_get (sizes, self->inner);
}

/* Returns whether neither the result nor an operand but @view has one of the two axes. */
static gboolean
are_new (const Merge *self, const HeddleDiagram *diagram, const HeddleOperation *sum, const char *view)
{
  for (guint i = 0; i <= sum->operands->len; i++)
    {
      const char *value = i < sum->operands->len ? heddle_ids_index (sum->operands, i) : sum->result;
      const GArray *axes = heddle_rewrite_axes_of (diagram, value);

      if (value != view && (heddle_ids_contain (axes, self->outer) || heddle_ids_contain (axes, self->inner)))
        return FALSE;
    }
  return TRUE;
}

static void
append_both (const Merge *self, GArray *axes)
{
  heddle_ids_append (axes, self->outer);
  heddle_ids_append (axes, self->inner);
}

/* Returns the operand read as having the two axes in place of the merged one; itself if it does not have
 * that. */
static const char *
split_operand (const Merge *self, HeddleDiagram *diagram, const char *sum_id, const char *operand)
{
  g_autoptr (GArray) from = heddle_ids_copy (heddle_rewrite_axes_of (diagram, operand)),
                     axes = heddle_ids_new (), operands = heddle_ids_new ();
  GPtrArray *indices;
  HeddleOperation *made;

  if (!heddle_ids_contain (from, self->merged))
    return operand;
  indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; i < from->len; i++)
    {
      const char *axis = heddle_ids_index (from, i);

      if (axis == self->merged)
        append_both (self, axes);
      else
        heddle_ids_append (axes, axis);
      g_ptr_array_add (indices, axis != self->merged
                                    ? heddle_expr_index (axis)
                                    : heddle_expr_binary (HEDDLE_EXPR_ADD,
                                        heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_index (self->outer),
                                            heddle_expr_size (self->inner)),
                                        heddle_expr_index (self->inner)));
    }
  heddle_ids_append (operands, operand);
  made = heddle_rewrite_add (diagram, sum_id, "reindex", operands, axes, NULL);
  g_clear_pointer (&made->indices, g_ptr_array_unref);
  made->indices = indices;
  return made->result;
}

static void
split (const Merge *self, HeddleDiagram *diagram, const char *sum_id, const char *view)
{
  const HeddleOperation *sum = heddle_diagram_get_operation (diagram, sum_id);
  const char *source = heddle_ids_index (heddle_diagram_get_producer (diagram, view)->operands, 0);
  g_autoptr (GArray) before = heddle_ids_copy (sum->operands), core = heddle_ids_new (),
                     operands = heddle_ids_new ();

  for (guint i = 0; i < sum->axes->len; i++)
    if (heddle_ids_index (sum->axes, i) == self->merged)
      append_both (self, core);
    else
      heddle_ids_append (core, heddle_ids_index (sum->axes, i));
  for (guint i = 0; i < before->len; i++)
    {
      const char *operand = heddle_ids_index (before, i);

      heddle_ids_append (operands, operand == view ? source : split_operand (self, diagram, sum_id, operand));
    }
  heddle_rewrite_become (diagram, sum_id, "contract", operands, core, NULL, NULL);
  heddle_rewrite_drop (diagram, view);
}

gboolean
heddle_rewrite_split_sum (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *sum = heddle_diagram_get_operation (diagram, operation_id);
  g_autoptr (HeddleSizes) sizes = NULL;

  if (sum->kind->form != HEDDLE_FORM_CONTRACT)
    return FALSE;
  for (guint i = 0; i < sum->operands->len; i++)
    {
      const char *value = heddle_ids_index (sum->operands, i);
      const HeddleOperation *view = heddle_diagram_get_producer (diagram, value);
      Merge merge = { NULL };

      if (view == NULL || view->kind->form != HEDDLE_FORM_REINDEX || view->operands->len != 1
          || !heddle_rewrite_is_passing (diagram, value)
          || heddle_diagram_get_value (diagram, value)->dtype != HEDDLE_DTYPE_UNSET)
        continue;
      if (sizes == NULL && (sizes = heddle_sizes_new (diagram, NULL, NULL)) == NULL)
        return FALSE;
      if (find_merge (&merge, diagram, view, sizes) && heddle_ids_contain (sum->axes, merge.merged)
          && are_new (&merge, diagram, sum, value))
        {
          split (&merge, diagram, operation_id, value);
          return TRUE;
        }
    }
  return FALSE;
}
