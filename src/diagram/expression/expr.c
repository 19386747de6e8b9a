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

/**
 * heddle_expr_ref:
 * @self: an expression
 *
 * Returns: (transfer full): @self, with one more reference
 */
HeddleExpr *
heddle_expr_ref (HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * heddle_expr_unref:
 * @self: (transfer full): an expression
 *
 * Drops a reference; the last one frees the expression.
 */
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

/**
 * heddle_expr_number:
 * @value: any number
 *
 * NaN, which equations cannot spell, is written as 0/0.
 *
 * Returns: (transfer full): the constant
 */
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

/**
 * heddle_expr_argument:
 * @operand: the number of an operand, from 0
 *
 * Returns: (transfer full): the value of that operand at the current point
 */
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

/**
 * heddle_expr_size:
 * @axis_id: the id of an axis
 *
 * Returns: (transfer full): the size of that axis
 */
HeddleExpr *
heddle_expr_size (const char *axis_id)
{
  g_return_val_if_fail (axis_id != NULL, NULL);

  return expr_symbol (HEDDLE_EXPR_SIZE, axis_id);
}

/**
 * heddle_expr_index:
 * @axis_id: the id of an axis
 *
 * Returns: (transfer full): the index along that axis at the current point, from 0
 */
HeddleExpr *
heddle_expr_index (const char *axis_id)
{
  g_return_val_if_fail (axis_id != NULL, NULL);

  return expr_symbol (HEDDLE_EXPR_INDEX, axis_id);
}

/**
 * heddle_expr_variable:
 * @name: a name
 *
 * Returns: (transfer full): the variable of that name
 */
HeddleExpr *
heddle_expr_variable (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  return expr_symbol (HEDDLE_EXPR_VARIABLE, name);
}

/**
 * heddle_expr_unary:
 * @kind: a kind with one child
 * @a: (transfer full): the child
 *
 * A minus before a number is the number negated, so that -0.5 has one spelling as a tree.
 *
 * Returns: (transfer full): the expression
 */
HeddleExpr *
heddle_expr_unary (HeddleExprKind kind, HeddleExpr *a)
{
  return heddle_expr_node (kind, (HeddleExpr *[]){ a }, 1);
}

/**
 * heddle_expr_binary:
 * @kind: a kind with two children
 * @a: (transfer full): the left child
 * @b: (transfer full): the right child
 *
 * Returns: (transfer full): the expression
 */
HeddleExpr *
heddle_expr_binary (HeddleExprKind kind, HeddleExpr *a, HeddleExpr *b)
{
  return heddle_expr_node (kind, (HeddleExpr *[]){ a, b }, 2);
}

/**
 * heddle_expr_where:
 * @predicate: (transfer full): which of the two
 * @then: (transfer full): the value where @predicate is not 0
 * @otherwise: (transfer full): the value where it is
 *
 * Returns: (transfer full): the choice
 */
HeddleExpr *
heddle_expr_where (HeddleExpr *predicate, HeddleExpr *then, HeddleExpr *otherwise)
{
  return heddle_expr_node (HEDDLE_EXPR_WHERE, (HeddleExpr *[]){ predicate, then, otherwise }, 3);
}

/**
 * heddle_expr_node:
 * @kind: a kind with children
 * @children: (array length=n_children) (transfer full): the children
 * @n_children: as many as @kind has
 *
 * Returns: (transfer full): the expression; see heddle_expr_unary() for minus before a number
 */
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

/**
 * heddle_expr_get_kind:
 * @self: an expression
 *
 * Returns: its kind
 */
HeddleExprKind
heddle_expr_get_kind (const HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL, HEDDLE_EXPR_NUMBER);

  return self->kind;
}

/**
 * heddle_expr_get_number:
 * @self: a number
 *
 * Returns: its value
 */
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

/**
 * heddle_expr_get_operand:
 * @self: an argument
 *
 * Returns: the number of the operand that it stands for
 */
guint
heddle_expr_get_operand (const HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL && self->kind == HEDDLE_EXPR_ARGUMENT, 0);

  return self->operand;
}

/**
 * heddle_expr_get_symbol:
 * @self: a size, an index or a variable
 *
 * Returns: (transfer none): the id of its axis, or its name; interned
 */
const char *
heddle_expr_get_symbol (const HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL && heddle_expr_has_symbol (self), NULL);

  return self->symbol;
}

/**
 * heddle_expr_get_n_children:
 * @self: an expression
 *
 * Returns: how many children it has; 0 for a leaf
 */
guint
heddle_expr_get_n_children (const HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_children;
}

/**
 * heddle_expr_get_child:
 * @self: an expression
 * @i: which child
 *
 * Returns: (transfer none): the child
 */
HeddleExpr *
heddle_expr_get_child (const HeddleExpr *self, guint i)
{
  g_return_val_if_fail (self != NULL && i < self->n_children, NULL);

  return self->children[i];
}
