/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/cuda/row-body.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

typedef struct
{
  const HeddleRows *rows;
  const HeddleLoopProgram *program;
  const HeddleNode *node;
} Place;

static guint
source_of (const HeddleNode *node, const HeddleExpr *argument)
{
  return g_array_index (node->sources, guint, heddle_expr_get_operand (argument));
}

/* Returns whether the value of an expression differs between the columns of a row. */
static gboolean
varies (const Place *place, const HeddleExpr *expr)
{
  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_ARGUMENT)
    return heddle_rows_has_columns (
        place->rows, heddle_loop_program_get_buffer (place->program, source_of (place->node, expr)));
  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_INDEX)
    return heddle_expr_get_symbol (expr) == place->rows->columns;
  for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
    if (varies (place, heddle_expr_get_child (expr, i)))
      return TRUE;
  return FALSE;
}

/* Returns the computation or the reduction below @node that makes @buffer; NULL if it is read, or made in
 * another way. */
static const HeddleNode *
find_maker (const HeddleNode *node, guint buffer, gboolean reduces)
{
  const HeddleNode *found = NULL;

  if (node->kind == HEDDLE_NODE_COMPUTE && node->buffer == buffer
      && reduces == (node->over != NULL && node->over->len > 0))
    return node;
  for (guint i = 0; found == NULL && i < node->children->len; i++)
    found = find_maker (g_ptr_array_index (node->children, i), buffer, reduces);
  return found;
}

/* Returns whether two expressions, each over the sources of its own statement, refer to the same elements. */
static gboolean
is_same (const HeddleNode *a_node, const HeddleExpr *a, const HeddleNode *b_node, const HeddleExpr *b)
{
  guint n = heddle_expr_get_n_children (a);

  if (heddle_expr_get_kind (a) != heddle_expr_get_kind (b) || n != heddle_expr_get_n_children (b))
    return FALSE;
  if (heddle_expr_get_kind (a) == HEDDLE_EXPR_ARGUMENT)
    return source_of (a_node, a) == source_of (b_node, b);
  for (guint i = 0; i < n; i++)
    if (!is_same (a_node, heddle_expr_get_child (a, i), b_node, heddle_expr_get_child (b, i)))
      return FALSE;
  return n > 0 || heddle_expr_equal (a, b);
}

static gboolean
is_number (const HeddleExpr *expr, double number)
{
  double value = NAN;

  return heddle_expr_evaluate (expr, NULL, NULL, &value, NULL) && value == number;
}

/* Returns A of where (A == @number, 0, …), or NULL if the expression has another form. */
static const HeddleExpr *
guarded (const HeddleExpr *expr, double number)
{
  const HeddleExpr *predicate;

  if (heddle_expr_get_kind (expr) != HEDDLE_EXPR_WHERE || !is_number (heddle_expr_get_child (expr, 1), 0))
    return NULL;
  predicate = heddle_expr_get_child (expr, 0);
  if (heddle_expr_get_kind (predicate) != HEDDLE_EXPR_EQ
      || !is_number (heddle_expr_get_child (predicate, 1), number))
    return NULL;
  return heddle_expr_get_child (predicate, 0);
}

/* Returns the reduction over the row that makes an argument, which is the same along it; NULL if there is
 * none by that monoid. */
static const HeddleNode *
find_reduction (const Place *place, const HeddleExpr *argument, HeddleMonoid monoid)
{
  const HeddleNode *maker = NULL;

  if (heddle_expr_get_kind (argument) == HEDDLE_EXPR_ARGUMENT && !varies (place, argument))
    maker = find_maker (place->program->root, source_of (place->node, argument), TRUE);
  return maker != NULL && maker->monoid == monoid ? maker : NULL;
}

/* --- exponentials --- */

/* Returns where (a == -inf, 0, exp (a - m)), where m is the largest a of the row, as exp (a - m) with 0 for
 * an m of -inf: then all a are. */
static HeddleExpr *
without_guard (const Place *place, HeddleExpr *expr)
{
  const HeddleExpr *element = guarded (expr, -INFINITY), *power, *difference, *largest;
  const HeddleNode *maker;
  HeddleExpr *row;

  if (element == NULL)
    return heddle_expr_ref (expr);
  power = heddle_expr_get_child (expr, 2);
  difference = heddle_expr_get_kind (power) == HEDDLE_EXPR_EXP ? heddle_expr_get_child (power, 0) : power;
  if (heddle_expr_get_kind (difference) != HEDDLE_EXPR_SUB
      || !heddle_expr_equal (heddle_expr_get_child (difference, 0), element))
    return heddle_expr_ref (expr);
  largest = heddle_expr_get_child (difference, 1);
  maker = find_reduction (place, largest, HEDDLE_MONOID_MAX);
  if (difference == power || maker == NULL || !is_same (place->node, element, maker, maker->body))
    return heddle_expr_ref (expr);
  row = heddle_expr_where (heddle_expr_binary (HEDDLE_EXPR_EQ, heddle_expr_ref ((HeddleExpr *) largest),
                               heddle_expr_number (-INFINITY)),
      heddle_expr_number (0), heddle_expr_ref ((HeddleExpr *) largest));
  return heddle_expr_unary (
      HEDDLE_EXPR_EXP, heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_ref ((HeddleExpr *) element), row));
}

/* --- one reciprocal a row --- */

/* Returns the first divisor, of something that varies along a row, that is the same along it. */
static HeddleExpr *
find_divisor (const Place *place, const HeddleExpr *expr)
{
  HeddleExpr *found = NULL;

  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_DIV && varies (place, heddle_expr_get_child (expr, 0))
      && !varies (place, heddle_expr_get_child (expr, 1)))
    return heddle_expr_get_child (expr, 1);
  for (guint i = 0; found == NULL && i < heddle_expr_get_n_children (expr); i++)
    found = find_divisor (place, heddle_expr_get_child (expr, i));
  return found;
}

/* Returns the expression with divisions by @divisor as products with operand number @reciprocal. */
static HeddleExpr *
with_reciprocal (HeddleExpr *expr, const HeddleExpr *divisor, guint reciprocal)
{
  guint n = heddle_expr_get_n_children (expr);
  g_autofree HeddleExpr **children = g_new (HeddleExpr *, MAX (n, 1));

  if (n == 0)
    return heddle_expr_ref (expr);
  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_DIV && heddle_expr_get_child (expr, 1) == divisor)
    return heddle_expr_binary (HEDDLE_EXPR_MUL,
        with_reciprocal (heddle_expr_get_child (expr, 0), divisor, reciprocal),
        heddle_expr_argument (reciprocal));
  for (guint i = 0; i < n; i++)
    children[i] = with_reciprocal (heddle_expr_get_child (expr, i), divisor, reciprocal);
  return heddle_expr_node (heddle_expr_get_kind (expr), children, n);
}

/* Returns whether elements of a buffer are exponentials, or 0: where their sum is 0, all of them are. */
static gboolean
is_exponential (const Place *place, guint buffer)
{
  const HeddleNode *maker = find_maker (place->program->root, buffer, FALSE);
  const HeddleExpr *body = maker != NULL ? maker->body : NULL;

  if (body != NULL && guarded (body, -INFINITY) != NULL)
    body = heddle_expr_get_child (body, 2);
  return body != NULL && heddle_expr_get_kind (body) == HEDDLE_EXPR_EXP;
}

/* Returns e / s of where (s == 0, 0, e / s), where s is the sum of the exponentials e: it is e times the
 * reciprocal of s, or 0 for an s of 0. Returns NULL if the expression has another form. */
static HeddleExpr *
share_of_sum (const Place *place, const HeddleExpr *expr)
{
  const HeddleExpr *sum = guarded (expr, 0);
  HeddleExpr *quotient = sum != NULL ? heddle_expr_get_child (expr, 2) : NULL;
  const HeddleNode *maker = sum != NULL ? find_reduction (place, sum, HEDDLE_MONOID_SUM) : NULL;

  if (maker == NULL || heddle_expr_get_kind (quotient) != HEDDLE_EXPR_DIV
      || !heddle_expr_equal (heddle_expr_get_child (quotient, 1), sum)
      || heddle_expr_get_kind (maker->body) != HEDDLE_EXPR_ARGUMENT
      || !is_same (place->node, heddle_expr_get_child (quotient, 0), maker, maker->body))
    return NULL;
  return is_exponential (place, source_of (maker, maker->body)) ? quotient : NULL;
}

void
heddle_row_body_init (
    HeddleRowBody *self, const HeddleRows *rows, const HeddleLoopProgram *program, const HeddleNode *node)
{
  Place place = { rows, program, node };
  HeddleExpr *share = share_of_sum (&place, node->body), *divisor;
  g_autoptr (HeddleExpr) whole = share != NULL ? heddle_expr_ref (share) : without_guard (&place, node->body);

  *self = (HeddleRowBody){ NULL, NULL, NULL };
  if (share != NULL)
    self->empty = heddle_expr_ref (heddle_expr_get_child (node->body, 0));
  divisor = find_divisor (&place, whole);
  if (divisor != NULL)
    {
      self->divisor = heddle_expr_ref (divisor);
      self->expr = with_reciprocal (whole, divisor, node->sources->len);
    }
  else
    self->expr = heddle_expr_ref (whole);
}

void
heddle_row_body_clear (HeddleRowBody *self)
{
  g_clear_pointer (&self->expr, heddle_expr_unref);
  g_clear_pointer (&self->divisor, heddle_expr_unref);
  g_clear_pointer (&self->empty, heddle_expr_unref);
}
