/* SPDX-License-Identifier: MIT */
#include "diagram/expr-private.h"

#include <math.h>
#include <string.h>

G_DEFINE_BOXED_TYPE (HeddleExpr, heddle_expr, heddle_expr_ref, heddle_expr_unref)

#define LEAF(KIND)                                                                                           \
  {                                                                                                          \
    HEDDLE_EXPR_##KIND, NULL, 0, FALSE, 10, FALSE                                                            \
  }
#define FUNCTION(KIND, name, arity)                                                                          \
  {                                                                                                          \
    HEDDLE_EXPR_##KIND, name, arity, TRUE, 10, FALSE                                                         \
  }
#define SPECIAL(KIND, name)                                                                                  \
  {                                                                                                          \
    HEDDLE_EXPR_##KIND, name, 1, TRUE, 10, TRUE                                                              \
  }
#define OPERATOR(KIND, name, arity, precedence)                                                              \
  {                                                                                                          \
    HEDDLE_EXPR_##KIND, name, arity, FALSE, precedence, FALSE                                                \
  }

/* In the order of HeddleExprKind. */
static const HeddleExprKindInfo infos[HEDDLE_N_EXPR_KINDS] = {
  LEAF (NUMBER),
  LEAF (ARGUMENT),
  LEAF (SIZE),
  LEAF (INDEX),
  LEAF (VARIABLE),
  OPERATOR (NEG, "-", 1, 7),
  OPERATOR (NOT, "not", 1, 3),
  SPECIAL (EXP, "exp"),
  SPECIAL (LOG, "log"),
  SPECIAL (SQRT, "sqrt"),
  SPECIAL (RSQRT, "rsqrt"),
  SPECIAL (SIN, "sin"),
  SPECIAL (COS, "cos"),
  SPECIAL (TANH, "tanh"),
  SPECIAL (ERF, "erf"),
  SPECIAL (SIGMOID, "sigmoid"),
  FUNCTION (RELU, "relu", 1),
  SPECIAL (GELU, "gelu"),
  SPECIAL (SILU, "silu"),
  FUNCTION (ABS, "abs", 1),
  FUNCTION (FLOOR, "floor", 1),
  FUNCTION (CEIL, "ceil", 1),
  OPERATOR (ADD, "+", 2, 5),
  OPERATOR (SUB, "-", 2, 5),
  OPERATOR (MUL, "*", 2, 6),
  OPERATOR (DIV, "/", 2, 6),
  OPERATOR (POW, "^", 2, 8),
  FUNCTION (MOD, "mod", 2),
  FUNCTION (MIN, "min", 2),
  FUNCTION (MAX, "max", 2),
  OPERATOR (LT, "<", 2, 4),
  OPERATOR (LE, "<=", 2, 4),
  OPERATOR (GT, ">", 2, 4),
  OPERATOR (GE, ">=", 2, 4),
  OPERATOR (EQ, "==", 2, 4),
  OPERATOR (NE, "!=", 2, 4),
  OPERATOR (AND, "and", 2, 2),
  OPERATOR (OR, "or", 2, 1),
  FUNCTION (WHERE, "where", 3),
};

/**
 * heddle_expr_kind_info:
 * @kind: a kind of expression
 *
 * Returns: (transfer none): what is known of it
 */
const HeddleExprKindInfo *
heddle_expr_kind_info (HeddleExprKind kind)
{
  g_return_val_if_fail (kind < HEDDLE_N_EXPR_KINDS, NULL);

  return &infos[kind];
}

/**
 * heddle_expr_kind_from_function:
 * @name: the name of a function in equations
 * @arity: how many arguments it has
 * @kind: (out): the kind; untouched when there is none
 *
 * Returns: whether there is such a function
 */
gboolean
heddle_expr_kind_from_function (const char *name, guint arity, HeddleExprKind *kind)
{
  g_return_val_if_fail (name != NULL && kind != NULL, FALSE);

  for (guint i = 0; i < HEDDLE_N_EXPR_KINDS; i++)
    if (infos[i].is_function && infos[i].arity == arity && g_str_equal (infos[i].name, name))
      {
        *kind = i;
        return TRUE;
      }
  return FALSE;
}

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
 * @value: any number but NaN, which equations cannot spell
 *
 * Returns: (transfer full): the constant
 */
HeddleExpr *
heddle_expr_number (double value)
{
  HeddleExpr *self;
  guint64 bits;

  g_return_val_if_fail (!isnan (value), NULL);

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
  g_return_val_if_fail (n_children > 0 && infos[kind].arity == n_children, NULL);

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

static gboolean
has_symbol (const HeddleExpr *self)
{
  return self->kind == HEDDLE_EXPR_SIZE || self->kind == HEDDLE_EXPR_INDEX
         || self->kind == HEDDLE_EXPR_VARIABLE;
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
  g_return_val_if_fail (self != NULL && has_symbol (self), NULL);

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

/**
 * heddle_expr_equal:
 * @a: an expression
 * @b: an expression
 *
 * Returns: whether the two are the same tree; numbers compare bit by bit, so that 0 and -0 differ
 */
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
  if (has_symbol (a))
    return a->symbol == b->symbol;
  for (guint i = 0; i < a->n_children; i++)
    if (!heddle_expr_equal (a->children[i], b->children[i]))
      return FALSE;
  return TRUE;
}

/**
 * heddle_expr_hash:
 * @self: an expression
 *
 * Returns: a hash that equal expressions share, the same in every run
 */
guint
heddle_expr_hash (const HeddleExpr *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->hash;
}

/**
 * heddle_expr_walk:
 * @self: an expression
 * @visit: (scope call): called on every node, parents first
 * @data: passed to @visit
 *
 * Returns: %FALSE when @visit stopped the walk
 */
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
         || (search->symbol != NULL && (!has_symbol (node) || !g_str_equal (node->symbol, search->symbol)));
}

/**
 * heddle_expr_uses:
 * @self: an expression
 * @kind: a kind
 * @symbol: (nullable): an axis id or a name; %NULL: any
 *
 * Returns: whether a node of @kind with that symbol occurs in @self
 */
gboolean
heddle_expr_uses (const HeddleExpr *self, HeddleExprKind kind, const char *symbol)
{
  Search search = { kind, symbol, 0 };

  return !heddle_expr_walk (self, is_not_searched, &search);
}

static gboolean
count_searched (const HeddleExpr *node, gpointer data)
{
  Search *search = data;

  search->count += node->kind == search->kind;
  return TRUE;
}

/**
 * heddle_expr_count:
 * @self: an expression
 * @kind: a kind
 *
 * Returns: how many nodes of @kind it has
 */
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

/**
 * heddle_expr_substitute:
 * @self: an expression
 * @replace: (scope call): gives what to put in place of a leaf, or %NULL to keep it
 * @data: passed to @replace
 *
 * Returns: (transfer full): @self with its leaves replaced; parts without replacement are shared
 */
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
