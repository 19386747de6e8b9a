/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/base/monoid.h"
#include "codegen/cuda/expr.h"
#include "codegen/cuda/guard.h"
#include "codegen/cuda/text.h"
#include "codegen/tensor/map.h"
#include "codegen/tensor/place.h"
#include "codegen/tile/program.h"
#include "derive/program/guard.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

/* This file prints what happens in registers: maps, masks and reductions along rows. */

#define LOG2E "1.44269504f"

static void
use_infinity (HeddleTensorKernel *self)
{
  heddle_tensor_use (self, "inf");
}

/* --- maps --- */

static void
print_map (HeddleTensorKernel *self, const HeddleTileOp *op, const HeddleExpr *body)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->tile);
  guint n = heddle_tensor_element_loops (self, tile);
  HeddleCudaContext context = heddle_tensor_context (self, op->node, tile->along);
  g_autofree char *element = heddle_tensor_element (self, op->tile),
                  *value = heddle_cuda_expr (&context, body);

  heddle_cuda_line (&self->cuda, "%s = %s;", element, value);
  heddle_tensor_close (self, n);
}

static gboolean
is_index (const HeddleExpr *expr)
{
  return heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, NULL);
}

/* Returns whether a map leaves its tile as it is. */
static gboolean
is_identity (HeddleTensorKernel *self, const HeddleTileOp *op, const HeddleExpr *body)
{
  const HeddleTensorTile *source;

  if (heddle_expr_get_kind (body) != HEDDLE_EXPR_ARGUMENT)
    return FALSE;
  source = heddle_tile_program_get (
      self->tiles, g_array_index (op->node->sources, guint, heddle_expr_get_operand (body)));
  return heddle_tile_root (self->tiles, source)
         == heddle_tile_root (self->tiles, heddle_tile_program_get (self->tiles, op->tile));
}

/* Prints a choice by indices: in most tiles it is the same everywhere, which interval arithmetic finds for
 * all threads at once. */
static void
print_choice (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleExpr *then = heddle_expr_get_child (op->body, 1);
  g_autoptr (HeddleExpr) fails
      = heddle_expr_unary (HEDDLE_EXPR_NOT, heddle_expr_ref (heddle_expr_get_child (op->body, 0)));
  g_autoptr (HeddleExpr) guard = heddle_guard_new (fails);
  g_autofree char *text = guard != NULL ? heddle_cuda_guard_text (&self->cuda, guard) : NULL;

  if (text == NULL)
    {
      print_map (self, op, op->body);
      return;
    }
  heddle_cuda_line (&self->cuda, "if (%s)", text);
  self->cuda.depth++;
  heddle_tensor_block (self);
  print_map (self, op, op->body);
  heddle_tensor_end_block (self);
  self->cuda.depth--;
  if (is_identity (self, op, then))
    return;
  heddle_cuda_line (&self->cuda, "else");
  self->cuda.depth++;
  heddle_tensor_block (self);
  print_map (self, op, then);
  heddle_tensor_end_block (self);
  self->cuda.depth--;
}

void
heddle_tensor_map (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  if (heddle_expr_get_kind (op->body) == HEDDLE_EXPR_WHERE && is_index (heddle_expr_get_child (op->body, 0)))
    print_choice (self, op);
  else
    print_map (self, op, op->body);
}

/* --- exponentials --- */

/* Returns the number by which an element is multiplied to be what its tile stands for, times @more; "" if
 * both are 1. */
static char *
factor_text (HeddleTensorKernel *self, const HeddleTensorTile *tile, const char *more)
{
  HeddleCudaContext context = { .names = self->cuda.names, .sections = self->cuda.sections };
  g_autofree char *scale = tile->scale != NULL ? heddle_cuda_factor (&context, tile->scale) : NULL;

  if (scale == NULL)
    return g_strdup (more);
  return *more ? g_strdup_printf ("(%s * %s)", scale, more) : g_steal_pointer (&scale);
}

/* Prints an exponential: exp (f a - r) is 2 to the (f log2 e) a - (log2 e) r, one multiplication and
 * subtraction at once, one power. A row of nothing but minus infinity has that for r; with 0 in its place its
 * exponentials are 0. */
void
heddle_tensor_exponential (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->tile),
                         *source = heddle_tile_program_get (self->tiles, op->left);
  g_autofree char *factor = factor_text (self, source, LOG2E), *row = NULL, *from = NULL, *to = NULL;
  g_autofree char *columns
      = heddle_tensor_length (self, tile->along, heddle_tile_columns (self->tiles, tile));
  g_autofree char *tiles = g_strdup_printf ("%s / 8", columns);
  guint n = heddle_tensor_rows_loop (self), inner;

  n += heddle_tensor_loop (self, "half", "2", "1");
  self->half = HEDDLE_TENSOR_BY_ROW;
  row = heddle_tensor_element (self, op->right);
  heddle_tensor_block (self);
  use_infinity (self);
  heddle_tensor_use (self, "power of two");
  heddle_cuda_line (&self->cuda, "const float shift = %s == -INF ? 0.0f : %s * " LOG2E ";", row, row);
  inner = heddle_tensor_loop (self, "n8", tiles, "1");
  heddle_cuda_line (&self->cuda, "#pragma unroll");
  heddle_cuda_line (&self->cuda, "for (int e4 = 2 * half; e4 < 2 * half + 2; ++e4)");
  self->cuda.depth++;
  from = heddle_tensor_element (self, op->left);
  to = heddle_tensor_element (self, op->tile);
  heddle_cuda_line (&self->cuda, "%s = power_of_two (%s * %s - shift);", to, from, factor);
  heddle_tensor_close (self, inner + 1);
  heddle_tensor_end_block (self);
  heddle_tensor_close (self, n);
}

/* --- masks --- */

static char *
number_text (HeddleTensorKernel *self, double value)
{
  HeddleCudaContext context = { .names = self->cuda.names, .sections = self->cuda.sections };
  g_autoptr (HeddleExpr) number = heddle_expr_number (value);

  return heddle_cuda_expr (&context, number);
}

/* Prints the mask of columns beyond the end, which only the last step of a stream, or the last tile, has. */
void
heddle_tensor_mask (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->tile);
  g_autofree char *count = heddle_tensor_count (self, tile->along), *pad = NULL;
  g_autofree char *columns = heddle_tensor_length (self, tile->along, tile->n_along), *outside = NULL,
                  *element = NULL;
  guint n;

  heddle_cuda_line (&self->cuda, "if (%s < %s)", count, columns);
  self->cuda.depth++;
  heddle_tensor_block (self);
  n = heddle_tensor_element_loops (self, tile);
  outside = heddle_tensor_inside (self, tile->along, ">=");
  element = heddle_tensor_element (self, op->tile);
  pad = op->pad_row >= 0 ? heddle_tensor_element (self, (guint) op->pad_row) : number_text (self, op->pad);
  heddle_cuda_line (&self->cuda, "if (%s)", outside);
  heddle_cuda_line (&self->cuda, "  %s = %s;", element, pad);
  heddle_tensor_close (self, n);
  heddle_tensor_end_block (self);
  self->cuda.depth--;
}

/* --- reductions --- */

/* Returns the combination of two values, by one instruction where the general function takes more. */
static char *
combine (HeddleTensorKernel *self, HeddleMonoid monoid, const char *a, const char *b)
{
  HeddleCudaContext context = { .names = self->cuda.names, .sections = self->cuda.sections };
  const char *instruction = heddle_device_monoid (monoid)->instruction;

  if (instruction == NULL)
    return heddle_cuda_combine (&context, monoid, a, b);
  heddle_tensor_use (self, instruction);
  return g_strdup_printf ("%s (%s, %s)", instruction, a, b);
}

/* Returns the reduction over the four lanes that hold a row. */
static char *
across_lanes (HeddleTensorKernel *self, HeddleMonoid monoid)
{
  const HeddleDeviceMonoid *row = heddle_device_monoid (monoid);

  if (row->instruction != NULL)
    heddle_tensor_use (self, row->instruction);
  heddle_tensor_use (self, row->along_row_section);
  return g_strdup_printf ("%s (acc)", row->along_row);
}

/* Prints the reduction of a row's own columns. If the body is a tile times a number, that number is
 * multiplied at the end. */
static void
print_columns (HeddleTensorKernel *self, const HeddleTileOp *op, gboolean plain)
{
  const HeddleTensorTile *columns = heddle_tile_program_get (self->tiles, op->left);
  g_autofree char *length = heddle_tensor_length (self, columns->along, columns->n_along);
  g_autofree char *tiles = g_strdup_printf ("%s / 8", length), *value = NULL, *next = NULL;
  HeddleCudaContext context;
  guint n = heddle_tensor_loop (self, "n8", tiles, "1");

  heddle_cuda_line (&self->cuda, "#pragma unroll");
  heddle_cuda_line (&self->cuda, "for (int e4 = 2 * half; e4 < 2 * half + 2; ++e4)");
  self->cuda.depth++;
  context = heddle_tensor_context (self, op->node, columns->along);
  value = plain ? heddle_tensor_element (self, op->left) : heddle_cuda_factor (&context, op->body);
  if (op->guarded)
    {
      g_autofree char *inside = heddle_tensor_inside (self, columns->along, "<");

      heddle_cuda_line (&self->cuda, "if (%s)", inside);
      self->cuda.depth++;
    }
  if (heddle_device_monoid (op->node->monoid)->sign != NULL)
    next = heddle_cuda_accumulate (&context, op->node->monoid, value);
  else
    {
      g_autofree char *call = combine (self, op->node->monoid, "acc", value);

      next = g_strdup_printf ("acc = %s", call);
    }
  heddle_cuda_line (&self->cuda, "%s;", next);
  heddle_tensor_close (self, n + 1 + (op->guarded ? 1 : 0));
}

static char *
before_text (HeddleTensorKernel *self, const HeddleTileOp *op, const char *element)
{
  HeddleCudaContext context = heddle_tensor_context (self, op->node, NULL);
  g_autofree char *rescale
      = op->node->rescale != NULL ? heddle_cuda_factor (&context, op->node->rescale) : NULL;

  return rescale != NULL ? g_strdup_printf ("%s * %s", rescale, element) : g_strdup (element);
}

static void
print_reduction (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *columns = heddle_tile_program_get (self->tiles, op->left);
  HeddleMonoid monoid = op->node->monoid;
  gboolean plain = heddle_expr_get_kind (op->body) == HEDDLE_EXPR_ARGUMENT && monoid != HEDDLE_MONOID_PROD
                   && columns->place == HEDDLE_TILE_FRAGMENT;
  g_autofree char *factor = plain ? factor_text (self, columns, "") : g_strdup ("");
  g_autofree char *unit = number_text (self, heddle_monoid_unit (monoid)),
                  *lanes = across_lanes (self, monoid);
  g_autofree char *element = NULL, *before = NULL, *value = NULL;
  guint n = heddle_tensor_rows_loop (self) + heddle_tensor_loop (self, "half", "2", "1");

  self->half = HEDDLE_TENSOR_BY_ROW;
  heddle_tensor_block (self);
  heddle_cuda_line (&self->cuda, "float acc = %s;", unit);
  print_columns (self, op, plain);
  heddle_cuda_line (&self->cuda, "acc = %s%s%s;", factor, *factor ? " * " : "", lanes);
  element = heddle_tensor_element (self, op->tile);
  before = op->node->accumulate ? before_text (self, op, element) : NULL;
  value = before != NULL ? combine (self, monoid, before, "acc") : g_strdup ("acc");
  heddle_cuda_line (&self->cuda, "%s = %s;", element, value);
  heddle_tensor_end_block (self);
  heddle_tensor_close (self, n);
}

void
heddle_tensor_reduce (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  g_autoptr (HeddleExpr) may = op->when != NULL ? heddle_guard_new (op->when) : NULL;
  g_autofree char *guard = may != NULL ? heddle_cuda_guard_text (&self->cuda, may) : NULL;

  if (guard == NULL)
    {
      print_reduction (self, op);
      return;
    }
  heddle_cuda_line (&self->cuda, "if (%s)", guard);
  self->cuda.depth++;
  heddle_tensor_block (self);
  print_reduction (self, op);
  heddle_tensor_end_block (self);
  self->cuda.depth--;
}
