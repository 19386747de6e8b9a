/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "files/onnx/recognise.h"
#include "files/onnx/sketch-private.h"

static HeddleSketchOperation *
producer_of (HeddleSketch *self, int value)
{
  const int producer = heddle_sketch_get_value (self, value)->producer;

  return producer >= 0 ? g_ptr_array_index (self->operations, producer) : NULL;
}

static int
operand_at (const HeddleSketchOperation *operation, guint i)
{
  return g_array_index (operation->operands, int, i);
}

static gboolean
is_of_kind (const HeddleSketchOperation *operation, const char *kind)
{
  return operation != NULL && operation->kind == heddle_operation_kind (kind);
}

/* Returns whether @operation maps @n operands. */
static gboolean
is_map (const HeddleSketchOperation *operation, guint n)
{
  return is_of_kind (operation, "map") && operation->operands->len == n && operation->body != NULL;
}

static gboolean
is_said_so (const HeddleSketchOperation *operation, guint n, const char *text)
{
  g_autoptr (HeddleExpr) wanted = NULL;

  if (!is_map (operation, n))
    return FALSE;
  wanted = heddle_expr_literal (text);
  return heddle_expr_equal (operation->body, wanted);
}

/* Finds the number of "$0 + 1e-05" and the like. Returns whether there is one. */
static gboolean
is_with_number (const HeddleSketchOperation *operation, HeddleExprKind kind, double *number)
{
  if (!is_map (operation, 1) || heddle_expr_get_kind (operation->body) != kind)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      const HeddleExpr *side = heddle_expr_get_child (operation->body, i),
                       *other = heddle_expr_get_child (operation->body, 1 - i);

      if (heddle_expr_get_kind (other) == HEDDLE_EXPR_NUMBER
          && heddle_expr_get_kind (side) == HEDDLE_EXPR_ARGUMENT && (i == 0 || kind != HEDDLE_EXPR_DIV))
        {
          *number = heddle_expr_get_number (other);
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
same_axes (HeddleSketch *self, int a, int b)
{
  const GArray *one = heddle_sketch_axes (self, a), *other = heddle_sketch_axes (self, b);
  gboolean same = one->len == other->len;

  for (guint i = 0; i < one->len && same; i++)
    same = g_array_index (one, int, i) == g_array_index (other, int, i);
  return same;
}

/* --- norms -------------------------------------------------------------------------------------------- */

static double
count_of (HeddleSketch *self, const GArray *core)
{
  double count = 1.;

  for (guint i = 0; i < core->len; i++)
    count *= (double) heddle_sketch_size (self, g_array_index (core, int, i));
  return count;
}

/* Returns whether @value is a mean, and finds of what, and along which axes. A sum that is divided by its
 * count is one. */
static gboolean
is_mean (HeddleSketch *self, int value, int *of, const GArray **core)
{
  const HeddleSketchOperation *operation = producer_of (self, value);
  double count;
  const gboolean divided = operation != NULL && is_with_number (operation, HEDDLE_EXPR_DIV, &count);

  if (divided)
    operation = producer_of (self, operand_at (operation, 0));
  if (!is_of_kind (operation, divided ? "sum" : "mean")
      || (divided && count != count_of (self, operation->core)))
    return FALSE;
  *of = operand_at (operation, 0);
  *core = operation->core;
  return TRUE;
}

/* Returns whether @value is the square of something. */
static gboolean
is_square (HeddleSketch *self, int value, int *of)
{
  const HeddleSketchOperation *operation = producer_of (self, value);

  if (is_said_so (operation, 1, "$0^2") || is_said_so (operation, 1, "$0*$0")
      || (is_said_so (operation, 2, "$0*$1") && operand_at (operation, 0) == operand_at (operation, 1)))
    {
      *of = operand_at (operation, 0);
      return TRUE;
    }
  return FALSE;
}

/* Returns whether @value is the root of a mean of squares and a small number, or 1 over it with
 * @is_inverse. */
static gboolean
is_root (HeddleSketch *self, int value, gboolean is_inverse, int *of, double *epsilon, const GArray **core)
{
  const HeddleSketchOperation *operation = producer_of (self, value);
  int squares;

  if (is_inverse && is_said_so (operation, 1, "1/$0"))
    operation = producer_of (self, operand_at (operation, 0));
  else if (is_inverse && !is_said_so (operation, 1, "$0^(-0.5)"))
    return FALSE;
  if (!is_said_so (operation, 1, "sqrt($0)") && !is_said_so (operation, 1, "$0^0.5")
      && !is_said_so (operation, 1, "$0^(-0.5)"))
    return FALSE;
  operation = producer_of (self, operand_at (operation, 0));
  return operation != NULL && is_with_number (operation, HEDDLE_EXPR_ADD, epsilon)
         && is_mean (self, operand_at (operation, 0), &squares, core) && is_square (self, squares, of);
}

static gboolean
same_core (HeddleSketch *self, const GArray *a, const GArray *b)
{
  guint n = 0;

  for (guint i = 0; i < a->len; i++)
    for (guint j = 0; j < b->len; j++)
      n += heddle_sketch_find (self, g_array_index (a, int, i))
           == heddle_sketch_find (self, g_array_index (b, int, j));
  return a->len == b->len && n == a->len;
}

/* Returns whether @value is something after its own mean was subtracted; @before receives that. */
static gboolean
is_centred (HeddleSketch *self, int value, const GArray *core, int *before)
{
  const HeddleSketchOperation *operation = producer_of (self, value);
  const GArray *along;
  int of;

  if (!is_said_so (operation, 2, "$0 - $1") || !is_mean (self, operand_at (operation, 1), &of, &along)
      || of != operand_at (operation, 0) || !same_core (self, core, along))
    return FALSE;
  *before = of;
  return TRUE;
}

/* Turns the operation into one of @kind along @core. */
static void
become_norm (HeddleSketch *self, HeddleSketchOperation *operation, const char *kind, int of, double epsilon,
    const GArray *core)
{
  operation->kind = heddle_operation_kind (kind);
  g_array_set_size (operation->operands, 0);
  g_array_append_val (operation->operands, of);
  g_array_set_size (operation->core, 0);
  for (guint i = 0; i < core->len; i++)
    {
      const int axis = heddle_sketch_find (self, g_array_index (core, int, i));

      g_array_append_val (operation->core, axis);
    }
  g_clear_pointer (&operation->body, heddle_expr_unref);
  operation->option = epsilon;
}

/* Recognises a norm: a quotient by, or a product with, the root of the mean of the squares of its operand. */
static gboolean
recognise_norm (HeddleSketch *self, HeddleSketchOperation *operation)
{
  const gboolean divides = is_said_so (operation, 2, "$0/$1");
  const int result = g_array_index (operation->results, int, 0);

  if (!divides && !is_said_so (operation, 2, "$0*$1"))
    return FALSE;
  for (guint i = 0; i < (divides ? 1u : 2u); i++)
    {
      int x = operand_at (operation, i), of, before;
      const GArray *core;
      double epsilon;

      if (!is_root (self, operand_at (operation, 1 - i), !divides, &of, &epsilon, &core) || of != x
          || !(epsilon > 0.) || heddle_sketch_axes (self, x)->len != heddle_sketch_axes (self, result)->len
          || heddle_sketch_is_known (self, result))
        continue;
      if (is_centred (self, x, core, &before)
          && heddle_sketch_axes (self, before)->len == heddle_sketch_axes (self, x)->len)
        become_norm (self, operation, "layernorm", before, epsilon, core);
      else
        become_norm (self, operation, "rmsnorm", x, epsilon, core);
      return TRUE;
    }
  return FALSE;
}

/* --- elementwise ------------------------------------------------------------------------------------------ */

static gboolean
recognise_silu (HeddleSketch *self, HeddleSketchOperation *operation)
{
  if (!is_said_so (operation, 2, "$0*$1"))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      const int x = operand_at (operation, i);
      const HeddleSketchOperation *gate = producer_of (self, operand_at (operation, 1 - i));

      if (!is_said_so (gate, 1, "sigmoid($0)") || operand_at (gate, 0) != x)
        continue;
      g_array_set_size (operation->operands, 0);
      g_array_append_val (operation->operands, x);
      heddle_expr_unref (operation->body);
      operation->body = heddle_expr_literal ("silu($0)");
      return TRUE;
    }
  return FALSE;
}

/* Returns whether the operation makes a copy of its operand that has no name of its own. */
static gboolean
is_copy (HeddleSketch *self, const HeddleSketchOperation *operation)
{
  const HeddleSketchValue *from, *to;

  if (!is_map (operation, 1) || heddle_expr_get_kind (operation->body) != HEDDLE_EXPR_ARGUMENT)
    return FALSE;
  from = heddle_sketch_get_value (self, operand_at (operation, 0));
  to = heddle_sketch_get_value (self, g_array_index (operation->results, int, 0));
  return to->raw == NULL && from->dtype == to->dtype
         && same_axes (self, operand_at (operation, 0), g_array_index (operation->results, int, 0));
}

void
heddle_sketch_recognise (HeddleSketch *self)
{
  g_autofree int *instead = g_new (int, self->values->len + 1);

  for (guint i = 0; i < self->values->len; i++)
    instead[i] = (int) i;
  for (guint i = 0; i < self->operations->len; i++)
    {
      HeddleSketchOperation *operation = g_ptr_array_index (self->operations, i);

      for (guint j = 0; j < operation->operands->len; j++)
        g_array_index (operation->operands, int, j) = instead[operand_at (operation, j)];
      if (is_copy (self, operation))
        instead[g_array_index (operation->results, int, 0)] = operand_at (operation, 0);
      else if (!recognise_norm (self, operation))
        recognise_silu (self, operation);
    }
}
