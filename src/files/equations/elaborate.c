/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/elaborate.h"
#include "files/equations/indices.h"
#include "files/equations/invoke.h"
#include "files/equations/node.h"
#include "files/equations/scope.h"
#include "files/equations/tree.h"
#include "files/equations/report.h"

/* --- reads --------------------------------------------------------------------------- */

/* Returns an operation in which every index is its own axis: it gives the same array. */
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

/* Takes the tree as an operand and returns its argument (transfer full); the same value read at the same
 * indices is one operand. NULL stands for a NULL @tree. */
static HeddleExpr *
eq_operand_expr (HeddleEqMap *map, HeddleEqTree *tree)
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

static HeddleExpr *eq_expr_of (HeddleEqMap *map, const HeddleEqNode *node);

static HeddleExpr *
children_expr (HeddleEqMap *map, const HeddleEqNode *node)
{
  g_autofree HeddleExpr **children = g_new (HeddleExpr *, node->n_children);
  guint n = 0;

  while (n < node->n_children && (children[n] = eq_expr_of (map, node->children[n])) != NULL)
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

/* Returns the elementwise function of @body (transfer full); it takes the body and the operands. A NULL @body
 * gives NULL. */
static HeddleEqTree *
eq_map_tree (HeddleEqMap *map, HeddleExpr *body)
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

  return eq_map_tree (&map, eq_expr_of (&map, node));
}

/* --- reductions ---------------------------------------------------------------------- */

/* Collects the axes of the result: those of the operands, without what goes and with what is made. @joined is
 * the axis that goes in all arguments of a concatenation, or NULL. */
static void
collect_axes (HeddleEqTree *self, const char *joined)
{
  HeddleOperationForm form = self->kind->form;
  const HeddleEqTree *first = g_ptr_array_index (self->operands, 0);
  g_autoptr (GArray) own = form == HEDDLE_FORM_CONCAT ? heddle_ids_copy (first->axes) : heddle_ids_new ();

  for (guint i = 1; form == HEDDLE_FORM_CONCAT && i < self->operands->len; i++)
    for (guint j = own->len; j-- > 0;) /* those in common are not its own */
      if (heddle_ids_contain (
              ((HeddleEqTree *) g_ptr_array_index (self->operands, i))->axes, heddle_ids_index (own, j)))
        g_array_remove_index (own, j);
  if (joined != NULL)
    heddle_ids_append (own, joined);
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

static void eq_set_over (HeddleEqScope *scope, HeddleEqTree *tree, const HeddleEqNode *node);
static HeddleEqTree *eq_tree_of (HeddleEqScope *scope, const HeddleEqNode *node);

static HeddleEqTree *
reduction_tree (HeddleEqScope *scope, const HeddleEqNode *node)
{
  g_autoptr (HeddleEqTree) self = heddle_eq_tree_new (node->operation);

  eq_set_over (scope, self, node);
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS; i++)
    self->options[i] = node->options[i];
  for (guint i = 0; i < node->n_children; i++)
    {
      HeddleEqTree *operand = eq_tree_of (scope, node->children[i]);

      if (operand == NULL)
        return NULL;
      g_ptr_array_add (self->operands, operand);
    }
  collect_axes (self, node->joined != 0 ? scope->axes[__builtin_ctzll (node->joined)] : NULL);
  return g_steal_pointer (&self);
}

static HeddleEqTree *eq_read_tree (HeddleEqScope *scope, const HeddleEqNode *node);
static HeddleExpr *eq_contraction_expr (HeddleEqMap *map, const HeddleEqNode *sum);

static gboolean eq_is_contraction (HeddleEqScope *scope, const HeddleEqNode *sum);
static HeddleEqTree *eq_call_tree (HeddleEqScope *scope, const HeddleEqNode *node, const GArray *axes);

/* Returns what a node is as a part of a function (transfer full), and adds the operands that it reads to
 * @map. NULL means that an error was reported. */
static HeddleExpr *
eq_expr_of (HeddleEqMap *map, const HeddleEqNode *node)
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
      return eq_operand_expr (map, eq_read_tree (map->scope, node));
    case HEDDLE_EQ_REDUCE:
      if (eq_is_contraction (map->scope, node))
        return eq_contraction_expr (map, node);
      return eq_operand_expr (map, reduction_tree (map->scope, node));
    case HEDDLE_EQ_CALL:
      return eq_operand_expr (map, eq_call_tree (map->scope, node, NULL));
    default:
      return children_expr (map, node);
    }
}

static HeddleEqTree *
contraction_and_after (HeddleEqScope *scope, const HeddleEqNode *node)
{
  HeddleEqMap map = { scope, heddle_eq_trees_new () };
  HeddleExpr *body = eq_contraction_expr (&map, node);
  HeddleEqTree *tree;

  if (body == NULL || heddle_expr_get_kind (body) != HEDDLE_EXPR_ARGUMENT)
    return eq_map_tree (&map, body);
  heddle_expr_unref (body);
  tree = g_ptr_array_steal_index (map.operands, 0);
  g_ptr_array_unref (map.operands);
  return tree;
}

/* Returns the operation whose result a scoped node is (transfer full); NULL means that an error was reported. */
static HeddleEqTree *
eq_tree_of (HeddleEqScope *scope, const HeddleEqNode *node)
{
  if (node->kind == HEDDLE_EQ_READ)
    return eq_read_tree (scope, node);
  if (node->kind == HEDDLE_EQ_CALL)
    return eq_call_tree (scope, node, NULL);
  if (node->kind != HEDDLE_EQ_REDUCE)
    return map_tree (scope, node);
  return eq_is_contraction (scope, node) ? contraction_and_after (scope, node) : reduction_tree (scope, node);
}

/* --- the statement ------------------------------------------------------------------- */

static void
set_axes (HeddleEqTree *tree, const GArray *axes)
{
  g_array_unref (tree->axes);
  tree->axes = heddle_ids_copy (axes);
}

/* Returns what a call is given: the array itself, or the operations that make it with the axes in this order
 * (transfer full). NULL means that an error was reported. */
static HeddleEqTree *
eq_argument_tree (HeddleEqScope *scope, const HeddleEqNode *node, const GArray *axes)
{
  HeddleEqTree *tree = eq_tree_of (scope, node);

  if (tree != NULL && tree->kind != NULL)
    set_axes (tree, axes);
  return tree;
}

HeddleEqTree *
heddle_eq_elaborate (HeddleEqScope *scope, const HeddleEqNode *root, const GArray *left)
{
  /* An array in parentheses is an elementwise function of it, one alone the array again. */
  gboolean is_function = root->kind == HEDDLE_EQ_READ && root->parenthesised;
  if (root->kind == HEDDLE_EQ_CALL)
    return eq_call_tree (scope, root, left);
  HeddleEqTree *tree = is_function ? map_tree (scope, root) : eq_tree_of (scope, root);

  if (tree == NULL)
    return NULL;
  if (tree->kind == NULL)
    tree = identity_tree (tree);
  if (tree->kind->form != HEDDLE_FORM_MAP && tree->kind->form != HEDDLE_FORM_REINDEX
      && !heddle_ids_same_set (tree->axes, left)) /* repeated along an axis that is on the left alone */
    tree = identity_tree (tree);
  set_axes (tree, left);
  return tree;
}

static gboolean
add_argument (HeddleEqScope *scope, HeddleEqTree *tree, const HeddleEqNode *node, const char *slot,
    const HeddleDiagram *callee)
{
  g_autoptr (GArray) axes = NULL;
  HeddleEqTree *operand;

  if (heddle_diagram_get_value (callee, slot) == NULL)
    {
      if (tree->sizes == NULL)
        tree->sizes = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
      g_ptr_array_add (tree->sizes, heddle_eq_size (scope->names, scope->line, node));
      return TRUE;
    }
  axes = heddle_eq_free_axes (scope, node);
  operand = eq_argument_tree (scope, node, axes);
  if (operand != NULL)
    g_ptr_array_add (tree->operands, operand);
  return operand != NULL;
}

/* Returns the operation of a call (transfer full). @axes are those of the result, or NULL where scoping found
 * them. NULL means that an error was reported. */
static HeddleEqTree *
eq_call_tree (HeddleEqScope *scope, const HeddleEqNode *node, const GArray *axes)
{
  g_autoptr (HeddleEqTree) self = heddle_eq_tree_new (heddle_operation_kind ("call"));
  g_autoptr (GArray) slots = heddle_eq_callee_slots (node->callee);
  g_autoptr (GArray) found = axes == NULL ? heddle_eq_result_axes (scope, node) : NULL;

  if (axes == NULL && found == NULL)
    return NULL;
  g_array_append_vals (self->axes, (axes != NULL ? axes : found)->data, (axes != NULL ? axes : found)->len);
  self->callee = node->callee->id;
  self->shared = node->shared;
  eq_set_over (scope, self, node);
  self->repeat = node->repeat != NULL ? heddle_eq_size (scope->names, scope->line, node->repeat) : NULL;
  for (guint i = 0; i < slots->len; i++)
    if (!add_argument (scope, self, node->children[i], heddle_ids_index (slots, i), node->callee))
      return NULL;
  return g_steal_pointer (&self);
}

/* --- sums of products ---------------------------------------------------------------- */

typedef enum
{
  FACTOR_AFTER, /* a scalar, or a divisor that does not depend on what is summed over: once, after the sum */
  FACTOR_OPERAND, /* contracted */
  FACTOR_INVERSE, /* contracted, as 1 / itself */
} FactorRole;

static guint64
bound_bits (HeddleEqScope *scope, const HeddleEqNode *sum)
{
  guint64 bits = 0;

  for (guint i = 0; i < sum->n_axes; i++)
    bits |= heddle_eq_scope_bit (scope, sum->axes[i].name, sum->axes[i].column);
  return bits;
}

static FactorRole
factor_role (const HeddleEqNode *product, guint i, guint64 bound)
{
  const HeddleEqNode *factor = product->children[i];

  if (!factor->has_array && factor->free == 0)
    return FACTOR_AFTER;
  if (!product->marks[i])
    return FACTOR_OPERAND;
  return factor->free & bound ? FACTOR_INVERSE : FACTOR_AFTER;
}

/* Returns whether a sum is of a product in which each index summed over is held by two factors or more. */
static gboolean
eq_is_contraction (HeddleEqScope *scope, const HeddleEqNode *sum)
{
  const HeddleEqNode *product = sum->children[0];
  guint64 bound = bound_bits (scope, sum), once = 0, twice = 0;
  guint n_operands = 0;

  if (!g_str_equal (sum->operation->id, "sum") || product->kind != HEDDLE_EQ_PRODUCT)
    return FALSE;
  for (guint i = 0; i < product->n_children; i++)
    {
      if (factor_role (product, i, bound) == FACTOR_AFTER)
        continue;
      n_operands++;
      twice |= once & product->children[i]->free;
      once |= product->children[i]->free;
    }
  return n_operands > 1 && (twice & bound) == bound;
}

static HeddleEqTree *
inverse_tree (HeddleEqScope *scope, const HeddleEqNode *factor)
{
  HeddleEqMap map = { scope, heddle_eq_trees_new () };
  HeddleExpr *inside = eq_expr_of (&map, factor);

  return eq_map_tree (
      &map, inside != NULL ? heddle_expr_binary (HEDDLE_EXPR_DIV, heddle_expr_number (1.), inside) : NULL);
}

/* Appends the ids of the axes that @node names as its core axes to those of @tree. */
static void
eq_set_over (HeddleEqScope *scope, HeddleEqTree *tree, const HeddleEqNode *node)
{
  for (guint i = 0; i < node->n_axes; i++)
    heddle_ids_append (tree->over, g_hash_table_lookup (scope->names->axes, node->axes[i].name));
}

static HeddleEqTree *
contraction_tree (HeddleEqScope *scope, const HeddleEqNode *sum)
{
  g_autoptr (HeddleEqTree) self = heddle_eq_tree_new (heddle_operation_kind ("contract"));
  const HeddleEqNode *product = sum->children[0];
  guint64 bound = bound_bits (scope, sum);

  eq_set_over (scope, self, sum);
  for (guint i = 0; i < product->n_children; i++)
    {
      FactorRole role = factor_role (product, i, bound);
      HeddleEqTree *operand;

      if (role == FACTOR_AFTER)
        continue;
      operand = role == FACTOR_OPERAND ? eq_tree_of (scope, product->children[i])
                                       : inverse_tree (scope, product->children[i]);
      if (operand == NULL)
        return NULL;
      g_ptr_array_add (self->operands, operand);
      for (guint j = 0; j < operand->axes->len; j++)
        if (!heddle_ids_contain (self->over, heddle_ids_index (operand->axes, j)))
          heddle_eq_add_missing (self->axes, heddle_ids_index (operand->axes, j));
    }
  return g_steal_pointer (&self);
}

/* Returns the product with the contraction in the place of its first factor, and what is multiplied or
 * divided once after it. NULL means that an error was reported. */
static HeddleExpr *
eq_contraction_expr (HeddleEqMap *map, const HeddleEqNode *sum)
{
  const HeddleEqNode *product = sum->children[0];
  guint64 bound = bound_bits (map->scope, sum);
  HeddleExpr *chain = NULL, *contraction = eq_operand_expr (map, contraction_tree (map->scope, sum));

  if (contraction == NULL)
    return NULL;
  for (guint i = 0; i < product->n_children; i++)
    {
      gboolean after = factor_role (product, i, bound) == FACTOR_AFTER;
      HeddleExpr *factor = after ? eq_expr_of (map, product->children[i]) : g_steal_pointer (&contraction);

      if (factor != NULL && chain != NULL)
        chain = heddle_expr_binary (
            after && product->marks[i] ? HEDDLE_EXPR_DIV : HEDDLE_EXPR_MUL, chain, factor);
      else if (factor != NULL)
        chain = factor;
      else if (after)
        {
          g_clear_pointer (&chain, heddle_expr_unref);
          g_clear_pointer (&contraction, heddle_expr_unref);
          return NULL;
        }
    }
  return chain;
}

/* --- what an index may be -------------------------------------------------------------- */

static gboolean
is_constant (const HeddleEqNode *node)
{
  return node->free == 0 && !node->has_array;
}

static gboolean is_affine (const HeddleEqNode *node);

/* Returns whether the node compares affine ones, or joins such comparisons. */
static gboolean
is_condition (const HeddleEqNode *node)
{
  for (guint i = 0; i < node->n_children; i++)
    if (!is_affine (node->children[i]) && !is_condition (node->children[i]))
      return FALSE;
  return node->kind == HEDDLE_EQ_APPLY
         && (node->apply == HEDDLE_EXPR_LT || node->apply == HEDDLE_EXPR_LE || node->apply == HEDDLE_EXPR_GT
             || node->apply == HEDDLE_EXPR_GE || node->apply == HEDDLE_EXPR_EQ
             || node->apply == HEDDLE_EXPR_NE || node->apply == HEDDLE_EXPR_AND
             || node->apply == HEDDLE_EXPR_OR || node->apply == HEDDLE_EXPR_NOT);
}

/* Returns whether the node is floor (affine / constant) or mod (affine, constant), as an axis is split by, min or max of
 * affine ones, as an index is kept inside by, or a choice by numbers of an array, as one that may count from the end is. */
static gboolean
is_part (const HeddleEqNode *node)
{
  const HeddleEqNode *inside = node->children[0];

  if (node->apply == HEDDLE_EXPR_MIN || node->apply == HEDDLE_EXPR_MAX)
    return is_affine (inside) && is_affine (node->children[1]);
  if (node->apply == HEDDLE_EXPR_WHERE)
    return node->has_array && is_condition (inside) && is_affine (node->children[1])
           && is_affine (node->children[2]);
  if (node->apply == HEDDLE_EXPR_MOD)
    return is_affine (inside) && is_constant (node->children[1]);
  return node->apply == HEDDLE_EXPR_FLOOR && inside->kind == HEDDLE_EQ_PRODUCT && inside->n_children == 2
         && inside->marks[1] && is_affine (inside->children[0]) && is_constant (inside->children[1]);
}

/* Returns whether an index is a sum of indices and whole numbers of arrays, times sizes and whole numbers, or
 * a part of such a sum. */
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

/* Collects the axes that indices run over, in the order in which they occur. */
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

/* Shifts the number of an argument: the arrays of indices are the operands from number 1 on. */
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
  g_autoptr (HeddleExpr) index = eq_expr_of (numbers, node);

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

/* Returns the array read, or a reindexing of it: a gather where indices are values (transfer full). NULL
 * means that an error was reported. */
static HeddleEqTree *
eq_read_tree (HeddleEqScope *scope, const HeddleEqNode *node)
{
  for (guint i = 0; i < node->n_children; i++)
    if (!check_index (scope, node->children[i]))
      return NULL;
  return is_plain (node) ? heddle_eq_tree_value (node->value) : indexed_tree (scope, node);
}
