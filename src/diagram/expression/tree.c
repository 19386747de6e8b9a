/* SPDX-License-Identifier: MIT */
#include "diagram/expression/private.h"
#include "diagram/expression/tree.h"

#include <string.h>

gboolean
heddle_expr_equal (const HeddleExpr *a, const HeddleExpr *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  if (a == b)
    return TRUE;
  if (a->hash != b->hash || a->kind != b->kind || a->depth != b->depth)
    return FALSE;
  if (a->kind == HEDDLE_EXPR_NUMBER)
    return memcmp (&a->number, &b->number, sizeof (double)) == 0;
  if (a->kind == HEDDLE_EXPR_ARGUMENT)
    return a->operand == b->operand;
  if (heddle_expr_has_symbol (a))
    return a->symbol == b->symbol;
  for (guint i = 0; i < a->n_children; i++)
    if (!heddle_expr_equal (a->children[i], b->children[i]))
      return FALSE;
  return TRUE;
}

guint
heddle_expr_hash (const HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->hash;
}

gboolean
heddle_expr_walk (const HeddleExpr *self, HeddleExprVisit visit, gpointer data)
{
  g_return_val_if_fail (self != NULL && visit != NULL, FALSE);

  if (!visit (self, data))
    return FALSE;
  for (guint i = 0; i < self->n_children; i++)
    if (!heddle_expr_walk (self->children[i], visit, data))
      return FALSE;
  return TRUE;
}

typedef struct
{
  HeddleExprKind kind;
  const char *symbol;
  guint count;
} Search;

static gboolean
is_not_searched (const HeddleExpr *node, gpointer data)
{
  const Search *search = data;

  return node->kind != search->kind
         || (search->symbol != NULL
             && (!heddle_expr_has_symbol (node) || !g_str_equal (node->symbol, search->symbol)));
}

gboolean
heddle_expr_uses (const HeddleExpr *self, HeddleExprKind kind, const char *symbol)
{
  Search search = { kind, symbol, 0 };

  return !heddle_expr_walk (self, is_not_searched, &search);
}

static gboolean
is_other_argument (const HeddleExpr *node, gpointer data)
{
  return node->kind != HEDDLE_EXPR_ARGUMENT || heddle_expr_get_operand (node) != GPOINTER_TO_UINT (data);
}

gboolean
heddle_expr_uses_argument (const HeddleExpr *self, guint operand)
{
  return !heddle_expr_walk (self, is_other_argument, GUINT_TO_POINTER (operand));
}

static gboolean
count_searched (const HeddleExpr *node, gpointer data)
{
  Search *search = data;

  search->count += node->kind == search->kind;
  return TRUE;
}

guint
heddle_expr_count (const HeddleExpr *self, HeddleExprKind kind)
{
  Search search = { kind, NULL, 0 };

  heddle_expr_walk (self, count_searched, &search);
  return search.count;
}

static HeddleExpr *
substitute_children (HeddleExpr *self, HeddleExprReplace replace, gpointer data)
{
  HeddleExpr *children[3] = { NULL };
  gboolean changed = FALSE;

  g_assert (self->n_children <= G_N_ELEMENTS (children));
  for (guint i = 0; i < self->n_children; i++)
    {
      children[i] = heddle_expr_substitute (self->children[i], replace, data);
      changed |= children[i] != self->children[i];
    }
  if (changed)
    return heddle_expr_node (self->kind, children, self->n_children);

  for (guint i = 0; i < self->n_children; i++)
    heddle_expr_unref (children[i]);
  return heddle_expr_ref (self);
}

HeddleExpr *
heddle_expr_substitute (HeddleExpr *self, HeddleExprReplace replace, gpointer data)
{
  HeddleExpr *replacement;

  g_return_val_if_fail (self != NULL && replace != NULL, NULL);

  if (self->n_children > 0)
    return substitute_children (self, replace, data);
  replacement = replace (self, data);
  return replacement != NULL ? replacement : heddle_expr_ref (self);
}
