/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/contract.h"
#include "files/equations/elaborate.h"
#include "files/equations/gather.h"
#include "files/equations/invoke.h"
#include "files/equations/node.h"
#include "files/equations/private.h"
#include "files/equations/scope.h"
#include "files/equations/tree.h"

void
heddle_eq_add_missing (GArray *ids, const char *id)
{
  if (!heddle_ids_contain (ids, id))
    heddle_ids_append (ids, id);
}

/* --- reads --------------------------------------------------------------------------- */

/* Every index its own axis: the same array, as an operation. */
static HeddleEqTree *
identity_tree (HeddleEqTree *operand)
{
  HeddleEqTree *self = heddle_eq_reindex_new (operand);

  for (guint i = 0; i < operand->axes->len; i++)
    g_ptr_array_add (self->indices, heddle_expr_index (heddle_ids_index (operand->axes, i)));
  g_array_append_vals (self->axes, operand->axes->data, operand->axes->len);
  return self;
}

/* --- elementwise --------------------------------------------------------------------- */

HeddleExpr *
heddle_eq_operand_expr (HeddleEqMap *map, HeddleEqTree *tree)
{
  gboolean is_read = tree != NULL && (tree->kind == NULL || tree->kind->form == HEDDLE_FORM_REINDEX);

  if (tree == NULL)
    return NULL;
  for (guint i = 0; is_read && i < map->operands->len; i++)
    if (heddle_eq_tree_difference (g_ptr_array_index (map->operands, i), tree) == NULL)
      {
        heddle_eq_tree_free (tree);
        return heddle_expr_argument (i);
      }
  g_ptr_array_add (map->operands, tree);
  return heddle_expr_argument (map->operands->len - 1);
}

static HeddleExpr *
combine (const HeddleEqNode *node, HeddleExpr **children)
{
  if (node->kind == HEDDLE_EQ_APPLY)
    return heddle_expr_node (node->apply, children, node->n_children);
  return heddle_eq_chain (node->kind, node->marks, children, node->n_children);
}

static HeddleExpr *
children_expr (HeddleEqMap *map, const HeddleEqNode *node)
{
  g_autofree HeddleExpr **children = g_new (HeddleExpr *, node->n_children);
  guint n = 0;

  while (n < node->n_children && (children[n] = heddle_eq_expr_of (map, node->children[n])) != NULL)
    n++;
  if (n == node->n_children)
    return combine (node, children);
  while (n > 0)
    heddle_expr_unref (children[--n]);
  return NULL;
}

static void
collect_index_leaf (GArray *axes, const HeddleExpr *expr)
{
  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_INDEX)
    heddle_eq_add_missing (axes, heddle_expr_get_symbol (expr));
}

static gboolean
visit_index (const HeddleExpr *expr, gpointer axes)
{
  collect_index_leaf (axes, expr);
  return TRUE;
}

HeddleEqTree *
heddle_eq_map_tree (HeddleEqMap *map, HeddleExpr *body)
{
  HeddleEqTree *self;

  if (body == NULL)
    {
      g_clear_pointer (&map->operands, g_ptr_array_unref);
      return NULL;
    }
  self = heddle_eq_tree_new (heddle_operation_kind ("map"));
  g_ptr_array_unref (self->operands);
  self->operands = g_steal_pointer (&map->operands);
  self->body = body;
  for (guint i = 0; i < self->operands->len; i++)
    {
      const HeddleEqTree *operand = g_ptr_array_index (self->operands, i);

      for (guint j = 0; j < operand->axes->len; j++)
        heddle_eq_add_missing (self->axes, heddle_ids_index (operand->axes, j));
    }
  heddle_expr_walk (body, visit_index, self->axes);
  return self;
}

static HeddleEqTree *
map_tree (HeddleEqScope *scope, const HeddleEqNode *node)
{
  HeddleEqMap map = { scope, heddle_eq_trees_new () };

  return heddle_eq_map_tree (&map, heddle_eq_expr_of (&map, node));
}

/* --- reductions ---------------------------------------------------------------------- */

/* The axes of the result: those of the operands, without what goes and with what is made. */
static void
collect_axes (HeddleEqTree *self)
{
  HeddleOperationForm form = self->kind->form;
  const HeddleEqTree *first = g_ptr_array_index (self->operands, 0);
  g_autoptr (GArray) own = form == HEDDLE_FORM_CONCAT ? heddle_ids_copy (first->axes) : heddle_ids_new ();

  for (guint i = 1; form == HEDDLE_FORM_CONCAT && i < self->operands->len; i++)
    for (guint j = own->len; j-- > 0;) /* those in common are not its own */
      if (heddle_ids_contain (
              ((HeddleEqTree *) g_ptr_array_index (self->operands, i))->axes, heddle_ids_index (own, j)))
        g_array_remove_index (own, j);
  for (guint i = 0; i < (form == HEDDLE_FORM_CONCAT ? 1 : self->operands->len); i++)
    {
      const HeddleEqTree *operand = g_ptr_array_index (self->operands, i);

      for (guint j = 0; j < operand->axes->len; j++)
        {
          const char *axis = heddle_ids_index (operand->axes, j);
          gboolean goes = (form == HEDDLE_FORM_REDUCE && heddle_ids_contain (self->over, axis))
                          || (form == HEDDLE_FORM_SELECT && axis == heddle_ids_index (self->over, 0))
                          || heddle_ids_contain (own, axis);

          if (!goes)
            heddle_eq_add_missing (self->axes, axis);
          else if (form == HEDDLE_FORM_CONCAT || form == HEDDLE_FORM_SELECT)
            heddle_eq_add_missing (self->axes, heddle_ids_index (self->over, self->over->len - 1));
        }
    }
}

static HeddleEqTree *
reduction_tree (HeddleEqScope *scope, const HeddleEqNode *node)
{
  g_autoptr (HeddleEqTree) self = heddle_eq_tree_new (node->operation);

  heddle_eq_set_over (scope, self, node);
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS; i++)
    self->options[i] = node->options[i];
  for (guint i = 0; i < node->n_children; i++)
    {
      HeddleEqTree *operand = heddle_eq_tree_of (scope, node->children[i]);

      if (operand == NULL)
        return NULL;
      g_ptr_array_add (self->operands, operand);
    }
  collect_axes (self);
  return g_steal_pointer (&self);
}

HeddleExpr *
heddle_eq_expr_of (HeddleEqMap *map, const HeddleEqNode *node)
{
  switch (node->kind)
    {
    case HEDDLE_EQ_NUMBER:
      return heddle_expr_number (node->number);
    case HEDDLE_EQ_SIZE:
      return heddle_expr_size (node->axis);
    case HEDDLE_EQ_INDEX:
      return heddle_expr_index (node->axis);
    case HEDDLE_EQ_READ:
      return heddle_eq_operand_expr (map, heddle_eq_read_tree (map->scope, node));
    case HEDDLE_EQ_REDUCE:
      if (heddle_eq_is_contraction (map->scope, node))
        return heddle_eq_contraction_expr (map, node);
      return heddle_eq_operand_expr (map, reduction_tree (map->scope, node));
    case HEDDLE_EQ_CALL:
      return heddle_eq_operand_expr (map, heddle_eq_call_tree (map->scope, node, NULL));
    default:
      return children_expr (map, node);
    }
}

static HeddleEqTree *
contraction_and_after (HeddleEqScope *scope, const HeddleEqNode *node)
{
  HeddleEqMap map = { scope, heddle_eq_trees_new () };
  HeddleExpr *body = heddle_eq_contraction_expr (&map, node);
  HeddleEqTree *tree;

  if (body == NULL || heddle_expr_get_kind (body) != HEDDLE_EXPR_ARGUMENT)
    return heddle_eq_map_tree (&map, body);
  heddle_expr_unref (body);
  tree = g_ptr_array_steal_index (map.operands, 0);
  g_ptr_array_unref (map.operands);
  return tree;
}

HeddleEqTree *
heddle_eq_tree_of (HeddleEqScope *scope, const HeddleEqNode *node)
{
  if (node->kind == HEDDLE_EQ_READ)
    return heddle_eq_read_tree (scope, node);
  if (node->kind == HEDDLE_EQ_CALL)
    return heddle_eq_call_tree (scope, node, NULL);
  if (node->kind != HEDDLE_EQ_REDUCE)
    return map_tree (scope, node);
  return heddle_eq_is_contraction (scope, node) ? contraction_and_after (scope, node)
                                                : reduction_tree (scope, node);
}

/* --- the statement ------------------------------------------------------------------- */

static gboolean
same_set (const GArray *a, const GArray *b)
{
  for (guint i = 0; i < a->len; i++)
    if (!heddle_ids_contain (b, heddle_ids_index (a, i)))
      return FALSE;
  return a->len == b->len;
}

static void
set_axes (HeddleEqTree *tree, const GArray *axes)
{
  g_array_unref (tree->axes);
  tree->axes = heddle_ids_copy (axes);
}

HeddleEqTree *
heddle_eq_argument_tree (HeddleEqScope *scope, const HeddleEqNode *node, const GArray *axes)
{
  HeddleEqTree *tree = heddle_eq_tree_of (scope, node);

  if (tree != NULL && tree->kind != NULL)
    set_axes (tree, axes);
  return tree;
}

GArray *
heddle_eq_free_axes (const HeddleEqScope *scope, const HeddleEqNode *node)
{
  g_autoptr (GArray) bits = g_array_new (FALSE, FALSE, sizeof (guint64));
  GArray *axes = heddle_ids_new ();
  guint64 left = node->free;

  heddle_eq_order_of_appearance (node, &left, bits);
  for (guint i = 0; i < bits->len; i++)
    heddle_ids_append (axes, scope->axes[g_bit_nth_lsf (g_array_index (bits, guint64, i), -1)]);
  return axes;
}

HeddleEqTree *
heddle_eq_elaborate (HeddleEqScope *scope, const HeddleEqNode *root, const GArray *left)
{
  /* An array in parentheses is an elementwise function of it, one alone the array again. */
  gboolean is_function = root->kind == HEDDLE_EQ_READ && root->parenthesised;
  if (root->kind == HEDDLE_EQ_CALL)
    return heddle_eq_call_tree (scope, root, left);
  HeddleEqTree *tree = is_function ? map_tree (scope, root) : heddle_eq_tree_of (scope, root);

  if (tree == NULL)
    return NULL;
  if (tree->kind == NULL)
    tree = identity_tree (tree);
  if (tree->kind->form != HEDDLE_FORM_MAP && tree->kind->form != HEDDLE_FORM_REINDEX
      && !same_set (tree->axes, left)) /* repeated along an axis that is on the left alone */
    tree = identity_tree (tree);
  set_axes (tree, left);
  return tree;
}
