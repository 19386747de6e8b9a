/* SPDX-License-Identifier: MIT */
#include "diagram/expression/tree.h"
#include "diagram/graph/operation.h"

void
heddle_operation_unref (HeddleOperation *operation)
{
  if (!g_atomic_ref_count_dec (&operation->ref_count))
    return;
  g_array_unref (operation->operands);
  g_array_unref (operation->axes);
  g_clear_pointer (&operation->body, heddle_expr_unref);
  g_clear_pointer (&operation->indices, g_ptr_array_unref);
  g_clear_pointer (&operation->more_results, g_array_unref);
  g_clear_pointer (&operation->sizes, g_ptr_array_unref);
  g_clear_pointer (&operation->repeat, heddle_expr_unref);
  g_free (operation);
}

HeddleOperation *
heddle_operation_new (const HeddleOperationKind *kind, const char *result)
{
  HeddleOperation *operation = g_new0 (HeddleOperation, 1);
  g_atomic_ref_count_init (&operation->ref_count);
  operation->kind = kind;
  operation->result = result;
  operation->operands = heddle_ids_new ();
  operation->axes = heddle_ids_new ();
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS; i++)
    operation->options[i] = kind->options[i].value;
  return operation;
}

HeddleOperation *
heddle_operation_copy (const HeddleOperation *self)
{
  HeddleOperation *copy = heddle_operation_new (self->kind, self->result);
  copy->id = self->id;
  g_array_append_vals (copy->operands, self->operands->data, self->operands->len);
  g_array_append_vals (copy->axes, self->axes->data, self->axes->len);
  copy->more_results = self->more_results != NULL ? heddle_ids_copy (self->more_results) : NULL;
  heddle_operation_copy_details (copy, self, NULL, NULL);
  return copy;
}

/* --- details --------------------------------------------------------------------- */

static HeddleExpr *
copy_expr (HeddleExpr *expr, HeddleExprReplace replace, gpointer data)
{
  if (expr == NULL)
    return NULL;
  return replace != NULL ? heddle_expr_substitute (expr, replace, data) : heddle_expr_ref (expr);
}

static GPtrArray *
copy_exprs (GPtrArray *exprs, HeddleExprReplace replace, gpointer data)
{
  if (exprs == NULL)
    return NULL;
  GPtrArray *copy = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; i < exprs->len; i++)
    g_ptr_array_add (copy, copy_expr (g_ptr_array_index (exprs, i), replace, data));
  return copy;
}

void
heddle_operation_copy_details (
    HeddleOperation *self, const HeddleOperation *from, HeddleExprReplace replace, gpointer data)
{
  g_return_if_fail (self != NULL && from != NULL);
  self->body = copy_expr (from->body, replace, data);
  self->indices = copy_exprs (from->indices, replace, data);
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS; i++)
    self->options[i] = from->options[i];
  self->callee = from->callee;
  self->sizes = copy_exprs (from->sizes, replace, data);
  self->repeat = copy_expr (from->repeat, replace, data);
  self->shared = from->shared;
}

static gboolean
walk_exprs (const GPtrArray *exprs, HeddleExprVisit visit, gpointer data)
{
  gboolean on = TRUE;
  for (guint i = 0; exprs != NULL && i < exprs->len && on; i++)
    if (g_ptr_array_index (exprs, i) != NULL)
      on = heddle_expr_walk (g_ptr_array_index (exprs, i), visit, data);
  return on;
}

void
heddle_operation_walk (const HeddleOperation *self, HeddleExprVisit visit, gpointer data)
{
  if ((self->body == NULL || heddle_expr_walk (self->body, visit, data))
      && walk_exprs (self->indices, visit, data) && walk_exprs (self->sizes, visit, data)
      && self->repeat != NULL)
    heddle_expr_walk (self->repeat, visit, data);
}

/* --- results --------------------------------------------------------------------- */

guint
heddle_operation_n_results (const HeddleOperation *operation)
{
  g_return_val_if_fail (operation != NULL, 0);
  return 1 + (operation->more_results != NULL ? operation->more_results->len : 0);
}

const char *
heddle_operation_get_result (const HeddleOperation *operation, guint i)
{
  g_return_val_if_fail (operation != NULL && i < heddle_operation_n_results (operation), NULL);
  return i == 0 ? operation->result : heddle_ids_index (operation->more_results, i - 1);
}

/* --- calls ----------------------------------------------------------------------- */

const char *
heddle_call_scan_axis (const HeddleOperation *operation)
{
  g_return_val_if_fail (operation != NULL, NULL);
  const gboolean is_call = operation->kind != NULL && operation->kind->form == HEDDLE_FORM_CALL;
  return is_call && operation->axes->len > 0 ? heddle_ids_index (operation->axes, 0) : NULL;
}

const char *
heddle_concat_own_axis (const HeddleValue *result, const HeddleValue *operand)
{
  for (guint i = 0; i < operand->axes->len; i++)
    if (!heddle_ids_contain (result->axes, heddle_ids_index (operand->axes, i)))
      return heddle_ids_index (operand->axes, i);
  return NULL;
}
