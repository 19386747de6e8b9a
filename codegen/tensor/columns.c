/* SPDX-License-Identifier: MIT */
#include "codegen/base/names.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/comment.h"
#include "codegen/cuda/text.h"
#include "codegen/tensor/columns.h"
#include "codegen/tensor/fragment.h"
#include "codegen/tensor/place.h"
#include "codegen/tensor/remarks.h"
#include "codegen/tile/columns.h"
#include "codegen/tile/mma.h"
#include "codegen/tile/program.h"
#include "derive/program/loop-program.h"

/* This file prints products of vectors and a tile: the vectors are the first rows of a product by warps,
 * which divide its columns, 16 to each at a time. The four lanes of row v load vector v where it is; all
 * others multiply zeros. */

/* Returns "column_sums", or column_sums_1 for the second of several such operations. */
static char *
sums_of (const HeddleTensorKernel *self, const HeddleTileOp *op)
{
  guint before = 0, n = 0;

  for (guint i = 0; i < self->tiles->body->len; i++)
    {
      const HeddleTileOp *other = g_ptr_array_index (self->tiles->body, i);

      if (other == op)
        before = n;
      n += other->kind == HEDDLE_TILE_COLUMNS;
    }
  return n > 1 ? g_strdup_printf ("column_sums_%u", before) : g_strdup ("column_sums");
}

/* Returns whether there are columns for all warps in each step. */
static gboolean
is_even (const HeddleTensorKernel *self, const HeddleTileOp *op)
{
  return heddle_tile_program_get (self->tiles, op->tile)->n_along % (16 * heddle_tile_consumers (self->tiles))
         == 0;
}

static char *
names_of (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < op->members->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
        heddle_tensor_name (self, ((const HeddleNode *) g_ptr_array_index (op->members, i))->buffer));
  return g_string_free (text, FALSE);
}

void
heddle_tensor_print_column_registers (HeddleTensorKernel *self)
{
  for (guint i = 0; i < self->tiles->body->len; i++)
    {
      const HeddleTileOp *op = g_ptr_array_index (self->tiles->body, i);
      g_autofree char *sums = NULL, *names = NULL;

      if (op->kind != HEDDLE_TILE_COLUMNS)
        continue;
      sums = sums_of (self, op);
      names = names_of (self, op);
      heddle_cuda_line (&self->cuda, "float %s[%u][2][4] = {};  // this warp's columns of %s", sums,
          heddle_tile_column_steps (self->tiles, op), names);
    }
}

/* --- the vectors --- */

/* Returns the place at which this step's part of a member's vector begins. */
static char *
begin_text (HeddleTensorKernel *self, const HeddleTileOp *op, guint member)
{
  guint vector = heddle_tile_vector_of (op, g_ptr_array_index (op->members, member));
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->tiles->program, vector);
  g_autofree char *begin = heddle_tensor_begin (self, buffer, FALSE);

  return g_strdup_printf ("%s + %s", heddle_names_value (self->cuda.names, buffer->value), begin);
}

/* Returns the lane's own vector, as lane / 4 == 0 ? g + m_0 : b + m_0. */
static char *
own_text (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < op->members->len; i++)
    {
      g_autofree char *begin = begin_text (self, op, i);

      if (i + 1 < op->members->len)
        g_string_append_printf (text, "lane / 4 == %u ? ", i);
      g_string_append_printf (text, "%s%s", begin, i + 1 < op->members->len ? " : " : "");
    }
  return g_string_free (text, FALSE);
}

/* Prints auto element = [&] (int at), which returns an element of the lane's own vector, or 0 if it has
 * none. */
static void
print_vectors (HeddleTensorKernel *self, const HeddleTileOp *op, const char *count)
{
  g_autofree char *own = own_text (self, op);
  const char *load, *store;
  gboolean packed
      = heddle_cuda_packed (heddle_tile_program_get (self->tiles, op->left)->dtype, &load, &store);
  gboolean rounded = heddle_tensor_rounds_vectors (self->tiles, op);

  if (packed)
    heddle_tensor_use (self, load);
  heddle_cuda_line (&self->cuda, "// as the first %u rows of a left factor%s%s; the others are 0",
      op->members->len, rounded ? ", rounded to " : "", rounded ? self->mma->name : "");
  heddle_cuda_line (&self->cuda, "const auto *const value = %s;", own);
  heddle_cuda_line (&self->cuda, "auto element = [&] (int at)");
  heddle_tensor_block (self);
  heddle_cuda_line (&self->cuda, "return lane / 4 < %u && at < %s ? %s (value[at]) : 0.0f;", op->members->len,
      count, packed ? "load" : "float");
  self->cuda.depth--;
  heddle_cuda_line (&self->cuda, "};");
}

/* Prints a fragment of the vectors: a lane has elements of rows lane / 4 and, empty here, 8 below. */
static void
print_left (HeddleTensorKernel *self)
{
  const HeddleMma *mma = self->mma;

  heddle_cuda_line (&self->cuda, "unsigned left[4] = {};");
  heddle_tensor_use_typed (self, mma->rounded ? "round" : "pack");
  for (guint i = 0; i < 2; i++)
    if (mma->rounded)
      heddle_cuda_line (
          &self->cuda, "left[%u] = round_%s (element (k8 + lane %% 4 + %u));", 2 * i, mma->name, 4 * i);
    else
      heddle_cuda_line (&self->cuda,
          "left[%u] = pack_%s (element (k16 + column + %u), element (k16 + column + %u));", 2 * i, mma->name,
          8 * i, 8 * i + 1);
}

/* --- the products --- */

/* Opens for (int n16 …), a loop over the columns of this warp from `place` on. Returns the number of loops
 * opened. */
static guint
open_columns (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  g_autofree char *steps = g_strdup_printf ("%u", heddle_tile_column_steps (self->tiles, op)), *length = NULL;
  guint n = heddle_tensor_loop (self, "n16", steps, "1");

  heddle_tensor_block (self);
  heddle_cuda_line (
      &self->cuda, "const int place = 16 * (warp + %u * n16);", heddle_tile_consumers (self->tiles));
  if (is_even (self, op))
    return n;
  length = heddle_tensor_length (self, heddle_tile_program_get (self->tiles, op->tile)->along,
      heddle_tile_program_get (self->tiles, op->tile)->n_along);
  heddle_cuda_line (&self->cuda, "if (place >= %s)", length);
  heddle_cuda_line (&self->cuda, "  continue;");
  return n;
}

static void
close_columns (HeddleTensorKernel *self, guint n)
{
  heddle_tensor_end_block (self);
  heddle_tensor_close (self, n);
}

void
heddle_tensor_columns (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *right = heddle_tile_program_get (self->tiles, op->right),
                         *result = heddle_tile_program_get (self->tiles, op->tile);
  gboolean exchanged = right->along == result->along;
  const char *over = exchanged ? right->down : right->along, *type;
  g_autofree char *count = heddle_tensor_count (self, over), *sums = sums_of (self, op);
  g_autofree char *depth = heddle_tensor_length (self, over, exchanged ? right->n_down : right->n_along);
  guint n, inner;

  self->mma = heddle_mma_get (right->dtype);
  type = self->mma->name;
  for (guint i = 1; i < op->members->len; i++)
    {
      self->cuda.node = g_ptr_array_index (op->members, i);
      heddle_cuda_statement_comment (&self->cuda, self->cuda.node);
    }
  heddle_tensor_block (self);
  print_vectors (self, op, count);
  n = heddle_tensor_depth_loop (self, depth);
  heddle_tensor_block (self);
  print_left (self);
  inner = open_columns (self, op);
  heddle_cuda_line (&self->cuda, "unsigned right[4];");
  heddle_tensor_load_columns (self, op->right, exchanged, "place");
  heddle_tensor_use_typed (self, "multiply");
  heddle_cuda_line (&self->cuda, "multiply_%s (%s[n16][0], left, right[0], right[1]);", type, sums);
  heddle_cuda_line (&self->cuda, "multiply_%s (%s[n16][1], left, right[2], right[3]);", type, sums);
  close_columns (self, inner);
  heddle_tensor_end_block (self);
  heddle_tensor_close (self, n);
  heddle_tensor_end_block (self);
}

/* --- behind the stream --- */

static void
spread (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->tile);
  g_autofree char *sums = sums_of (self, op), *names = names_of (self, op);
  g_autofree char *length = heddle_tensor_length (self, tile->along, tile->n_along);
  guint n;

  heddle_cuda_line (&self->cuda, "// %s: rows of those products, to where all warps read them", names);
  heddle_cuda_line (&self->cuda, "if (lane / 4 < %u)", op->members->len);
  self->cuda.depth++;
  n = open_columns (self, op);
  heddle_cuda_line (&self->cuda, "#pragma unroll");
  heddle_cuda_line (&self->cuda, "for (int e4 = 0; e4 < 4; ++e4)");
  heddle_cuda_line (&self->cuda,
      "  %s[lane / 4 * %s + place + 8 * (e4 / 2) + column + e4 %% 2] = %s[n16][e4 / 2][e4 %% 2];",
      heddle_tensor_name (self, op->tile), length, sums);
  close_columns (self, n);
  self->cuda.depth--;
}

void
heddle_tensor_spread (HeddleTensorKernel *self)
{
  for (guint i = 0; i < self->tiles->body->len; i++)
    {
      const HeddleTileOp *op = g_ptr_array_index (self->tiles->body, i);

      if (op->kind == HEDDLE_TILE_COLUMNS)
        spread (self, op);
    }
  if (!self->tiles->bulk)
    {
      heddle_cuda_line (&self->cuda, "__syncthreads ();");
      return;
    }
  heddle_tensor_use (self, "meet");
  heddle_cuda_line (&self->cuda, "meet<%u> ();  // those that bring tiles are done",
      32 * heddle_tile_consumers (self->tiles));
}
