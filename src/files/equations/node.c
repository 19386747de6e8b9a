/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "files/equations/arena.h"
#include "files/equations/node.h"

HeddleEqNode *
heddle_eq_node (
    HeddleEqArena *arena, HeddleEqKind kind, guint column, HeddleEqNode *const *children, guint n_children)
{
  HeddleEqNode *self = heddle_eq_alloc (arena, sizeof (HeddleEqNode));

  arena->n_nodes++;
  self->kind = kind;
  self->column = column;
  self->n_children = n_children;
  self->depth = 1;
  if (n_children > 0)
    {
      self->children = heddle_eq_alloc (arena, n_children * sizeof (HeddleEqNode *));
      if (children != NULL) /* else they are to come */
        memcpy (self->children, children, n_children * sizeof (HeddleEqNode *));
    }
  for (guint i = 0; i < n_children && children != NULL; i++)
    self->depth = MAX (self->depth, children[i]->depth + 1);
  if (kind == HEDDLE_EQ_SUM || kind == HEDDLE_EQ_PRODUCT)
    {
      self->marks = heddle_eq_alloc (arena, n_children);
      self->depth += n_children; /* the scalar expression is a chain of pairs */
    }
  return self;
}

HeddleEqNode *
heddle_eq_number (HeddleEqArena *arena, guint column, double number)
{
  HeddleEqNode *self = heddle_eq_node (arena, HEDDLE_EQ_NUMBER, column, NULL, 0);

  self->number = number;
  return self;
}

HeddleEqNode *
heddle_eq_leaf (HeddleEqArena *arena, HeddleEqKind kind, guint column, const char *name)
{
  HeddleEqNode *self = heddle_eq_node (arena, kind, column, NULL, 0);

  self->name = name;
  return self;
}

HeddleEqNode *
heddle_eq_apply (
    HeddleEqArena *arena, HeddleExprKind apply, guint column, HeddleEqNode *const *children, guint n_children)
{
  HeddleEqNode *self = heddle_eq_node (arena, HEDDLE_EQ_APPLY, column, children, n_children);

  self->apply = apply;
  return self;
}

HeddleEqNode *
heddle_eq_reduce (
    HeddleEqArena *arena, const HeddleOperationKind *operation, guint column, HeddleEqNode *child)
{
  return heddle_eq_reduce_all (arena, operation, column, &child, 1);
}

HeddleEqNode *
heddle_eq_reduce_all (HeddleEqArena *arena, const HeddleOperationKind *operation, guint column,
    HeddleEqNode *const *children, guint n)
{
  HeddleEqNode *self = heddle_eq_node (arena, HEDDLE_EQ_REDUCE, column, children, n);

  self->operation = operation;
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS; i++)
    self->options[i] = operation->options[i].value;
  return self;
}

HeddleExpr *
heddle_eq_chain (HeddleEqKind kind, const guint8 *marks, HeddleExpr **children, guint n)
{
  HeddleExprKind plain = kind == HEDDLE_EQ_SUM ? HEDDLE_EXPR_ADD : HEDDLE_EXPR_MUL;
  HeddleExprKind marked = kind == HEDDLE_EQ_SUM ? HEDDLE_EXPR_SUB : HEDDLE_EXPR_DIV;
  HeddleExpr *chain = children[0];

  for (guint i = 1; i < n; i++)
    chain = heddle_expr_binary (marks[i] ? marked : plain, chain, children[i]);
  return chain;
}

gboolean
heddle_eq_node_tells_index (const HeddleEqNode *node, const char *name)
{
  if (node->kind == HEDDLE_EQ_INDEX)
    return g_str_equal (node->name, name);
  for (guint i = 0; node->kind != HEDDLE_EQ_READ && i < node->n_children; i++)
    if (heddle_eq_node_tells_index (node->children[i], name))
      return TRUE;
  return FALSE;
}
