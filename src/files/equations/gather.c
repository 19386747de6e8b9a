/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/elaborate.h"
#include "files/equations/gather.h"
#include "files/equations/private.h"
#include "files/equations/report.h"
#include "files/equations/tree.h"

/* --- what an index may be -------------------------------------------------------------- */

static gboolean
is_constant (const HeddleEqNode *node)
{
  return node->free == 0 && !node->has_array;
}

static gboolean is_affine (const HeddleEqNode *node);

/* floor (affine / constant), mod (affine, constant): what an axis is split by; min and max of affine ones: what stays inside. */
static gboolean
is_part (const HeddleEqNode *node)
{
  const HeddleEqNode *inside = node->children[0];

  if (node->apply == HEDDLE_EXPR_MIN || node->apply == HEDDLE_EXPR_MAX)
    return is_affine (inside) && is_affine (node->children[1]);
  if (node->apply == HEDDLE_EXPR_MOD)
    return is_affine (inside) && is_constant (node->children[1]);
  return node->apply == HEDDLE_EXPR_FLOOR && inside->kind == HEDDLE_EQ_PRODUCT && inside->n_children == 2
         && inside->marks[1] && is_affine (inside->children[0]) && is_constant (inside->children[1]);
}

/* Whether an index is a sum of indices and whole numbers of arrays, times sizes and whole numbers, or a part of such a one. */
static gboolean
is_affine (const HeddleEqNode *node)
{
  guint with_index = 0;

  if (node->kind == HEDDLE_EQ_READ)
    return TRUE;
  if (node->kind == HEDDLE_EQ_REDUCE)
    return FALSE;
  if (node->kind == HEDDLE_EQ_APPLY && !is_constant (node) && is_part (node))
    return TRUE;
  for (guint i = 0; i < node->n_children; i++)
    {
      if (!is_affine (node->children[i]))
        return FALSE;
      if (node->kind == HEDDLE_EQ_PRODUCT && node->marks[i] && (node->free != 0 || node->has_array))
        return FALSE;
      with_index += node->children[i]->free != 0 || node->children[i]->has_array;
    }
  if (node->kind == HEDDLE_EQ_NUMBER)
    return node->number == floor (node->number) && isfinite (node->number);
  return (node->free == 0 && !node->has_array) || node->kind == HEDDLE_EQ_INDEX || node->kind == HEDDLE_EQ_SUM
         || (node->kind == HEDDLE_EQ_PRODUCT && with_index == 1)
         || (node->kind == HEDDLE_EQ_APPLY && node->apply == HEDDLE_EXPR_NEG);
}

static gboolean
check_index (HeddleEqScope *scope, const HeddleEqNode *node)
{
  if (is_affine (node))
    return TRUE;
  heddle_eq_error (scope->line, node->column, _ ("expected an affine index such as 2*z + w - 1"));
  return FALSE;
}

/* --- reads ------------------------------------------------------------------------------ */

static gboolean
is_plain (const HeddleEqNode *read)
{
  for (guint i = 0; i < read->n_children; i++)
    if (read->children[i]->kind != HEDDLE_EQ_INDEX
        || read->children[i]->axis != heddle_ids_index (read->value->axes, i))
      return FALSE;
  return TRUE;
}

/* The axes that indices run over, in the order in which they occur. */
static void
collect_indices (const HeddleEqNode *node, GArray *axes)
{
  if (node->kind == HEDDLE_EQ_INDEX)
    heddle_eq_add_missing (axes, node->axis);
  for (guint i = 0; i < node->n_children; i++)
    collect_indices (node->children[i], axes);
}

HeddleEqTree *
heddle_eq_reindex_new (HeddleEqTree *operand)
{
  HeddleEqTree *self = heddle_eq_tree_new (heddle_operation_kind ("reindex"));

  self->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  g_ptr_array_add (self->operands, operand);
  return self;
}

/* The arrays of indices, from operand 1 on. */
static HeddleExpr *
shift_argument (const HeddleExpr *leaf, gpointer data)
{
  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT
             ? heddle_expr_argument (heddle_expr_get_operand (leaf) + 1)
             : NULL;
}

static gboolean
add_index (HeddleEqMap *numbers, HeddleEqTree *self, const HeddleEqNode *node)
{
  g_autoptr (HeddleExpr) index = heddle_eq_expr_of (numbers, node);

  if (index == NULL)
    return FALSE;
  g_ptr_array_add (self->indices, heddle_expr_substitute (index, shift_argument, NULL));
  collect_indices (node, self->axes);
  return TRUE;
}

static HeddleEqTree *
indexed_tree (HeddleEqScope *scope, const HeddleEqNode *node)
{
  HeddleEqTree *self = heddle_eq_reindex_new (heddle_eq_tree_value (node->value));
  HeddleEqMap numbers = { scope, heddle_eq_trees_new () };
  gboolean good = TRUE;

  for (guint i = 0; i < node->n_children && good; i++)
    good = add_index (&numbers, self, node->children[i]);
  g_ptr_array_extend_and_steal (self->operands, numbers.operands);
  if (!good)
    g_clear_pointer (&self, heddle_eq_tree_free);
  return self;
}

HeddleEqTree *
heddle_eq_read_tree (HeddleEqScope *scope, const HeddleEqNode *node)
{
  for (guint i = 0; i < node->n_children; i++)
    if (!check_index (scope, node->children[i]))
      return NULL;
  return is_plain (node) ? heddle_eq_tree_value (node->value) : indexed_tree (scope, node);
}
