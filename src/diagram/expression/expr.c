/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/expression/kind.h"
#include "diagram/expression/private.h"

#include <math.h>
#include <string.h>

G_DEFINE_BOXED_TYPE (HeddleExpr, heddle_expr, heddle_expr_ref, heddle_expr_unref)

/* --- life ---------------------------------------------------------------------------- */

static guint
mix (guint hash, guint64 value)
{
  /* FNV-1a over the two halves. */
  hash = (hash ^ (guint) value) * 16777619u;
  return (hash ^ (guint) (value >> 32)) * 16777619u;
}

static HeddleExpr *
expr_alloc (HeddleExprKind kind, guint n_children)
{
  HeddleExpr *self = g_malloc0 (sizeof (HeddleExpr) + n_children * sizeof (HeddleExpr *));

  g_atomic_ref_count_init (&self->ref_count);
  self->kind = kind;
  self->n_children = n_children;
  self->depth = 1;
  self->n_nodes = 1;
  self->hash = mix (2166136261u, kind);
  return self;
}

HeddleExpr *
heddle_expr_ref (HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
heddle_expr_unref (HeddleExpr *self)
{
  g_return_if_fail (self != NULL);

  /* Long chains lean to the left: going down there in a loop keeps the stack flat. */
  while (g_atomic_ref_count_dec (&self->ref_count))
    {
      HeddleExpr *first = self->n_children > 0 ? self->children[0] : NULL;

      for (guint i = 1; i < self->n_children; i++)
        heddle_expr_unref (self->children[i]);
      g_free (self);
      if (first == NULL)
        return;
      self = first;
    }
}

HeddleExpr *
heddle_expr_number (double value)
{
  HeddleExpr *self;
  guint64 bits;

  if (isnan (value))
    return heddle_expr_binary (HEDDLE_EXPR_DIV, heddle_expr_number (0.), heddle_expr_number (0.));

  self = expr_alloc (HEDDLE_EXPR_NUMBER, 0);
  self->number = value;
  memcpy (&bits, &value, sizeof bits);
  self->hash = mix (self->hash, bits);
  return self;
}

HeddleExpr *
heddle_expr_argument (guint operand)
{
  HeddleExpr *self = expr_alloc (HEDDLE_EXPR_ARGUMENT, 0);

  self->operand = operand;
  self->hash = mix (self->hash, operand);
  return self;
}

static HeddleExpr *
expr_symbol (HeddleExprKind kind, const char *symbol)
{
  HeddleExpr *self = expr_alloc (kind, 0);

  self->symbol = g_intern_string (symbol);
  self->hash = mix (self->hash, g_str_hash (symbol));
  return self;
}

HeddleExpr *
heddle_expr_size (const char *axis_id)
{
  g_return_val_if_fail (axis_id != NULL, NULL);

  return expr_symbol (HEDDLE_EXPR_SIZE, axis_id);
}

HeddleExpr *
heddle_expr_index (const char *axis_id)
{
  g_return_val_if_fail (axis_id != NULL, NULL);

  return expr_symbol (HEDDLE_EXPR_INDEX, axis_id);
}

HeddleExpr *
heddle_expr_variable (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  return expr_symbol (HEDDLE_EXPR_VARIABLE, name);
}

HeddleExpr *
heddle_expr_unary (HeddleExprKind kind, HeddleExpr *a)
{
  return heddle_expr_node (kind, (HeddleExpr *[]){ a }, 1);
}

HeddleExpr *
heddle_expr_binary (HeddleExprKind kind, HeddleExpr *a, HeddleExpr *b)
{
  return heddle_expr_node (kind, (HeddleExpr *[]){ a, b }, 2);
}

HeddleExpr *
heddle_expr_where (HeddleExpr *predicate, HeddleExpr *then, HeddleExpr *otherwise)
{
  return heddle_expr_node (HEDDLE_EXPR_WHERE, (HeddleExpr *[]){ predicate, then, otherwise }, 3);
}

HeddleExpr *
heddle_expr_node (HeddleExprKind kind, HeddleExpr **children, guint n_children)
{
  HeddleExpr *self;

  g_return_val_if_fail (kind < HEDDLE_N_EXPR_KINDS, NULL);
  g_return_val_if_fail (n_children > 0 && heddle_expr_kind_info (kind)->arity == n_children, NULL);

  if (kind == HEDDLE_EXPR_NEG && children[0]->kind == HEDDLE_EXPR_NUMBER)
    {
      self = heddle_expr_number (-children[0]->number);
      heddle_expr_unref (children[0]);
      return self;
    }

  self = expr_alloc (kind, n_children);
  for (guint i = 0; i < n_children; i++)
    {
      self->children[i] = children[i];
      self->hash = mix (self->hash, children[i]->hash);
      self->depth = MAX (self->depth, children[i]->depth + 1);
      self->n_nodes = (guint) MIN ((guint64) self->n_nodes + children[i]->n_nodes, G_MAXUINT);
    }
  return self;
}

/* --- looking ------------------------------------------------------------------------- */

HeddleExprKind
heddle_expr_get_kind (const HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL, HEDDLE_EXPR_NUMBER);

  return self->kind;
}

double
heddle_expr_get_number (const HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL && self->kind == HEDDLE_EXPR_NUMBER, 0.);

  return self->number;
}

gboolean
heddle_expr_is_number (const HeddleExpr *self, double number)
{
  return heddle_expr_get_kind (self) == HEDDLE_EXPR_NUMBER && self->number == number;
}

guint
heddle_expr_get_operand (const HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL && self->kind == HEDDLE_EXPR_ARGUMENT, 0);

  return self->operand;
}

const char *
heddle_expr_get_symbol (const HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL && heddle_expr_has_symbol (self), NULL);

  return self->symbol;
}

guint
heddle_expr_get_n_children (const HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_children;
}

HeddleExpr *
heddle_expr_get_child (const HeddleExpr *self, guint i)
{
  g_return_val_if_fail (self != NULL && i < self->n_children, NULL);

  return self->children[i];
}
