/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/expr.h"
#include "codegen/cuda/text.h"
#include "codegen/tensor/fragment.h"
#include "codegen/tensor/place.h"
#include "codegen/tensor/product.h"
#include "codegen/tensor/window.h"
#include "codegen/tile/program.h"
#include "codegen/base/prelude.h"
#include "codegen/cuda/comment.h"
#include "codegen/tensor/columns.h"

/* This file prints products by the tensor core: 32 bytes of the sum at a time. */

static const char *
dimension (const HeddleTensorKernel *self)
{
  return self->tiles->tiles_down > 1 ? "[m16]" : "";
}

static const char *
declared (const HeddleTensorKernel *self, char text[16])
{
  g_snprintf (text, 16, "[%u]", self->tiles->tiles_down);
  return self->tiles->tiles_down > 1 ? text : "";
}

static void
multiply (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const char *name = heddle_tensor_name (self, op->tile), *m16 = dimension (self), *type = self->mma->name;
  guint n = heddle_tensor_rows_loop (self);

  heddle_tensor_use_typed (self, "multiply");
  if (n > 0)
    heddle_tensor_block (self);
  heddle_cuda_line (
      &self->cuda, "multiply_%s (%s%s[n16 / 8], left%s, right[0], right[1]);", type, name, m16, m16);
  heddle_cuda_line (
      &self->cuda, "multiply_%s (%s%s[n16 / 8 + 1], left%s, right[2], right[3]);", type, name, m16, m16);
  if (n > 0)
    heddle_tensor_end_block (self);
  heddle_tensor_close (self, n);
}

void
heddle_tensor_begin_result (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *result = heddle_tile_program_get (self->tiles, op->tile);
  g_autofree char *element = NULL, *factor = NULL;
  HeddleCudaContext context;
  guint n;

  if (op->node->accumulate && op->node->rescale == NULL)
    return;
  n = heddle_tensor_element_loops (self, result);
  element = heddle_tensor_element (self, op->tile);
  if (op->node->accumulate)
    {
      context = heddle_tensor_context (self, op->node, NULL);
      factor = heddle_cuda_factor (&context, op->node->rescale);
      heddle_cuda_line (&self->cuda, "%s *= %s;", element, factor);
    }
  else
    heddle_cuda_line (&self->cuda, "%s = 0.0f;", element);
  heddle_tensor_close (self, n);
}

/* Returns the length of the sum of a product, as text. */
static char *
tensor_depth (HeddleTensorKernel *self, const HeddleTensorTile *left)
{
  const char *over = left->along == heddle_tile_rows ? left->down : left->along;
  gint64 n = left->along == heddle_tile_rows ? left->n_down : left->n_along;

  return heddle_tensor_length (self, over, n);
}

static void tensor_contract_by_group (HeddleTensorKernel *self, const HeddleTileOp *op);

void
heddle_tensor_contract (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *left = heddle_tile_program_get (self->tiles, op->left);
  const HeddleTensorTile *result = heddle_tile_program_get (self->tiles, op->tile);
  g_autofree char *depth = tensor_depth (self, left);
  g_autofree char *columns
      = heddle_tensor_length (self, result->along, heddle_tile_columns (self->tiles, result));
  guint outer, taps, n;
  char size[16];

  if (self->tiles->warpgroups)
    {
      tensor_contract_by_group (self, op);
      return;
    }
  heddle_tensor_begin_result (self, op);
  if (self->tiles->pass != NULL)
    {
      heddle_cuda_line (&self->cuda, "if (chosen)");
      self->cuda.depth++;
    }
  taps = heddle_tensor_open_windows (self, op);
  if (left->window != NULL)
    heddle_tensor_block (self);
  heddle_tensor_begin_windows (self, op);
  outer = heddle_tensor_depth_loop (self, depth);
  heddle_tensor_block (self);
  heddle_cuda_line (&self->cuda, "unsigned left%s[4], right[4];", declared (self, size));
  heddle_tensor_load_left (self, op->left);
  n = heddle_tensor_loop (self, "n16", columns, "16");
  heddle_tensor_block (self);
  heddle_tensor_load_right (self, op);
  multiply (self, op);
  heddle_tensor_end_block (self);
  heddle_tensor_close (self, n);
  heddle_tensor_end_block (self);
  heddle_tensor_close (self, outer);
  if (left->window != NULL)
    heddle_tensor_end_block (self);
  heddle_tensor_close (self, taps);
  if (self->tiles->pass != NULL)
    self->cuda.depth--;
}

/* This part prints products by warpgroups: the right factor is read from shared memory, and so is the left
 * one, unless it is in registers. They are begun together, and waited for before anything else is done with
 * what they make; if a step does nothing else, while the next one is begun. */

/* Returns the name of the function, as multiply_64x128_f16, and records the section that has it. */
static char *
function_of (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  gint64 columns = heddle_tile_columns (self->tiles, heddle_tile_program_get (self->tiles, op->tile));
  gboolean shared = heddle_tile_program_get (self->tiles, op->left)->place == HEDDLE_TILE_SHARED;
  g_autofree char *section = g_strdup_printf (HEDDLE_PRELUDE_PRODUCT "%" G_GINT64_FORMAT " %s %s", columns,
      self->mma->name, shared ? "shared" : "registers");

  heddle_tensor_use (self, g_intern_string (section));
  return g_strdup_printf ("multiply_64x%" G_GINT64_FORMAT "_%s", columns, self->mma->name);
}

/* Returns the descriptor of a factor's matrix: rows or columns of the result from @first on, 16 of the
 * sum. */
static char *
describe (HeddleTensorKernel *self, guint i, gboolean transposed, const char *first)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  g_autofree char *at = heddle_tensor_slot (self, i, self->slot);
  g_autofree char *rows = heddle_tensor_length (self, tile->down, tile->n_down);

  heddle_tensor_use (self, "descriptors");
  return transposed ? g_strdup_printf ("describe_down<%s> (%s, k16, %s)", rows, at, first)
                    : g_strdup_printf ("describe_along<%s%s> (%s, %s, %s)", rows,
                        self->mma->bytes == 1 ? ", 1" : "", at, first, heddle_tensor_depth_name (self));
}

void
heddle_tensor_declare_left (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  g_autofree char *depth = tensor_depth (self, heddle_tile_program_get (self->tiles, op->left));

  heddle_cuda_line (&self->cuda, "unsigned left[%s / 16][4];", depth);
}

void
heddle_tensor_recast_all (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  g_autofree char *depth = tensor_depth (self, heddle_tile_program_get (self->tiles, op->left));
  guint n = heddle_tensor_loop (self, "k16", depth, "16");

  heddle_tensor_recast_left (self, op->left, "left[k16 / 16]");
  heddle_tensor_close (self, n);
  heddle_tensor_use (self, "hold");
  heddle_cuda_line (&self->cuda, "hold (left);");
}

/* Prints the beginning of products. @to holds the registers that the products are put into, or added to. */
static void
begin_products (
    HeddleTensorKernel *self, const HeddleTileOp *op, const char *depth, const char *to, gboolean adds)
{
  const HeddleTensorTile *left = heddle_tile_program_get (self->tiles, op->left),
                         *right = heddle_tile_program_get (self->tiles, op->right);
  gboolean shared = left->place == HEDDLE_TILE_SHARED, split = self->tiles->warps_along > 1;
  gboolean left_transposed = left->along == heddle_tile_rows;
  gboolean right_transposed = right->along == heddle_tile_program_get (self->tiles, op->tile)->along;
  g_autofree char *function = function_of (self, op);
  g_autofree char *a
      = shared ? describe (self, op->left, left_transposed, "group_row") : g_strdup ("left[k16 / 16]");
  g_autofree char *b = describe (self, op->right, right_transposed, split ? "warp_column" : "0");
  g_autofree char *flags = self->mma->bytes == 1 ? g_strdup ("")
                           : shared ? g_strdup_printf ("<%d, %d>", left_transposed, right_transposed)
                                    : g_strdup_printf ("<%d>", right_transposed);
  guint n = heddle_tensor_depth_loop (self, depth);

  heddle_cuda_line (&self->cuda, "%s%s (%s, %s,", function, flags, to, a);
  if (adds)
    heddle_cuda_line (&self->cuda, "    %s, 1);", b);
  else
    heddle_cuda_line (&self->cuda, "    %s, %s > 0);", b, heddle_tensor_depth_name (self));
  heddle_tensor_close (self, n);
}

/* Prints a long sum in parts. The tensor core of sm_90 aligns products of 8-bit elements and drops what lies
 * below about 14 bits of the largest (DeepSeek-V3 Technical Report, arXiv 2412.19437, section 3.3.2, measured
 * it): the sum is therefore one in f32 of the results of the steps. */
static void
contract_in_parts (HeddleTensorKernel *self, const HeddleTileOp *op, const char *depth)
{
  const HeddleTensorTile *result = heddle_tile_program_get (self->tiles, op->tile);
  g_autofree char *columns
      = heddle_tensor_length (self, result->along, heddle_tile_columns (self->tiles, result));
  g_autofree char *element = NULL;
  guint n;

  heddle_cuda_line (&self->cuda,
      "// Tensor cores add products of 8 bits with about 14 bits: what a step gives is added in f32.");
  heddle_cuda_line (&self->cuda, "float part[%s / 8][4];", columns);
  heddle_cuda_line (&self->cuda, "fence_products ();");
  begin_products (self, op, depth, "part", FALSE);
  heddle_cuda_line (&self->cuda, "commit_products ();");
  heddle_cuda_line (&self->cuda, "wait_for_products<0> ();");
  heddle_cuda_line (&self->cuda, "hold (part);");
  n = heddle_tensor_element_loops (self, result);
  element = heddle_tensor_element (self, op->tile);
  heddle_cuda_line (&self->cuda, "%s += part[n8][e4];", element);
  heddle_tensor_close (self, n);
}

void
heddle_tensor_begin_by_group (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const char *name = heddle_tensor_name (self, op->tile);
  g_autofree char *depth = tensor_depth (self, heddle_tile_program_get (self->tiles, op->left));

  heddle_tensor_use (self, "hold");
  heddle_tensor_use (self, "products of warpgroups");
  if (op->node->accumulate)
    heddle_cuda_line (&self->cuda, "hold (%s);", name);
  heddle_cuda_line (&self->cuda, "fence_products ();");
  begin_products (self, op, depth, name, op->node->accumulate);
  heddle_cuda_line (&self->cuda, "commit_products ();");
}

void
heddle_tensor_wait_for_group (HeddleTensorKernel *self, const HeddleTileOp *op, guint under_way)
{
  heddle_cuda_line (&self->cuda, "wait_for_products<%u> ();", under_way);
  heddle_cuda_line (&self->cuda, "hold (%s);", heddle_tensor_name (self, op->tile));
}

/* Returns how many groups of products go on while the one of @op is waited for: only steps of the stream leave
 * one to the next. */
static guint
groups_under_way (const HeddleTensorKernel *self, const HeddleTileOp *op)
{
  return g_ptr_array_find (self->tiles->body, op, NULL) ? self->tiles->under_way : 0;
}

/* Prints a product by warpgroups. */
static void
tensor_contract_by_group (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *left = heddle_tile_program_get (self->tiles, op->left);
  g_autofree char *depth = tensor_depth (self, left);

  if (op->node->accumulate)
    heddle_tensor_begin_result (self, op);
  heddle_tensor_use (self, "hold");
  heddle_tensor_use (self, "products of warpgroups");
  heddle_tensor_block (self);
  if (op->node->accumulate && self->mma->bytes == 1)
    {
      contract_in_parts (self, op, depth);
      heddle_tensor_end_block (self);
      return;
    }
  if (left->place == HEDDLE_TILE_FRAGMENT)
    {
      heddle_tensor_declare_left (self, op);
      heddle_tensor_recast_all (self, op);
    }
  heddle_tensor_begin_by_group (self, op);
  if (self->meanwhile != NULL)
    {
      self->cuda.node = self->meanwhile->node;
      heddle_cuda_statement_comment (&self->cuda, self->cuda.node);
      heddle_tensor_columns (self, self->meanwhile);
      self->cuda.node = op->node;
    }
  heddle_tensor_wait_for_group (self, op, groups_under_way (self, op));
  heddle_tensor_end_block (self);
}

void
heddle_tensor_finish_products (HeddleTensorKernel *self)
{
  heddle_cuda_line (&self->cuda, "%s", "");
  heddle_cuda_line (&self->cuda, "wait_for_products<0> ();");
  for (guint i = 0; i < self->tiles->body->len; i++)
    {
      const HeddleTileOp *op = g_ptr_array_index (self->tiles->body, i);

      if (op->kind == HEDDLE_TILE_CONTRACT)
        heddle_cuda_line (&self->cuda, "hold (%s);", heddle_tensor_name (self, op->tile));
    }
}
