/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "codegen/tensor-kernel.h"

/* Products by the tensor core: 16 columns of the left factor at a time. */

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

/* The section that holds a function for the type at hand. */
static void
use_typed (HeddleTensorKernel *self, const char *half, const char *bfloat)
{
  heddle_tensor_use (self, self->tiles->dtype == HEDDLE_DTYPE_BF16 ? bfloat : half);
}

static void
use_recast (HeddleTensorKernel *self)
{
  use_typed (self, "pack f16", "pack bf16");
  use_typed (self, "recast f16", "recast bf16");
}

/* A fragment of the left factor, whose rows the warp has. */
static void
load_left (HeddleTensorKernel *self, guint i)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  gboolean transposed = tile->along == heddle_tile_rows;
  g_autofree char *at = heddle_tensor_slot (self, i, "slot");
  g_autofree char *rows = heddle_tensor_length (self, tile->down, tile->n_down);
  g_autofree char *row = g_strdup_printf ("warp_row%s", self->tiles->tiles_down > 1 ? " + 16 * m16" : "");

  heddle_tensor_use (self, "tile address");
  heddle_tensor_use (self, transposed ? "load matrix transposed" : "load matrix");
  if (transposed)
    heddle_cuda_line (&self->cuda, "load_matrix_transposed (left%s, tile_address<%s> (%s, along, k16, %s));",
        dimension (self), rows, at, row);
  else
    heddle_cuda_line (&self->cuda, "load_matrix (left%s, tile_address<%s> (%s, down, %s, k16));",
        dimension (self), rows, at, row);
}

void
heddle_tensor_recast_left (HeddleTensorKernel *self, guint i, const char *to)
{
  const HeddleTensorTile *tile = heddle_tile_root (self->tiles, heddle_tile_program_get (self->tiles, i));
  const char *name = heddle_tensor_name (self, tile->buffer), *m16 = dimension (self);

  use_recast (self);
  heddle_cuda_line (&self->cuda, "recast_%s (%s%s, %s%s[k16 / 8], %s%s[k16 / 8 + 1]);",
      heddle_tensor_type (self), to, m16, name, m16, name, m16);
}

/* 16 rows of the right factor, which go along the result's columns. */
static void
load_right (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->right);
  const HeddleTensorTile *result = heddle_tile_program_get (self->tiles, op->tile);
  gboolean transposed = tile->along == result->along;
  gboolean split = result->along == self->tiles->split && self->tiles->warps_along > 1;
  g_autofree char *at = heddle_tensor_slot (self, op->right, "slot");
  g_autofree char *rows = heddle_tensor_length (self, tile->down, tile->n_down);
  const char *column = split ? "warp_column + n16" : "n16";

  heddle_tensor_use (self, "tile address");
  heddle_tensor_use (self, transposed ? "load matrix transposed" : "load matrix");
  if (transposed)
    heddle_cuda_line (&self->cuda, "load_matrix_transposed (right, tile_address<%s> (%s, down, k16, %s));",
        rows, at, column);
  else
    heddle_cuda_line (
        &self->cuda, "load_matrix (right, tile_address<%s> (%s, along, %s, k16));", rows, at, column);
}

static void
multiply (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const char *name = heddle_tensor_name (self, op->tile), *m16 = dimension (self),
             *type = heddle_tensor_type (self);
  guint n = heddle_tensor_rows_loop (self);

  use_typed (self, "multiply f16", "multiply bf16");
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

char *
heddle_tensor_depth (HeddleTensorKernel *self, const HeddleTensorTile *left)
{
  const char *over = left->along == heddle_tile_rows ? left->down : left->along;
  gint64 n = left->along == heddle_tile_rows ? left->n_down : left->n_along;

  return heddle_tensor_length (self, over, n);
}

void
heddle_tensor_contract (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *left = heddle_tile_program_get (self->tiles, op->left);
  const HeddleTensorTile *result = heddle_tile_program_get (self->tiles, op->tile);
  g_autofree char *depth = heddle_tensor_depth (self, left);
  g_autofree char *columns
      = heddle_tensor_length (self, result->along, heddle_tile_columns (self->tiles, result));
  guint outer, n;
  char size[16];

  if (self->tiles->warpgroups)
    {
      heddle_tensor_contract_by_group (self, op);
      return;
    }
  heddle_tensor_begin_result (self, op);
  outer = heddle_tensor_loop (self, "k16", depth, "16");
  heddle_tensor_block (self);
  heddle_cuda_line (&self->cuda, "unsigned left%s[4], right[4];", declared (self, size));
  n = heddle_tensor_rows_loop (self);
  if (left->place == HEDDLE_TILE_FRAGMENT)
    heddle_tensor_recast_left (self, op->left, "left");
  else
    load_left (self, op->left);
  heddle_tensor_close (self, n);
  n = heddle_tensor_loop (self, "n16", columns, "16");
  heddle_tensor_block (self);
  load_right (self, op);
  multiply (self, op);
  heddle_tensor_end_block (self);
  heddle_tensor_close (self, n);
  heddle_tensor_end_block (self);
  heddle_tensor_close (self, outer);
}

/* A tile of shared memory as f32, each lane with the elements that it has of accumulators. */
void
heddle_tensor_unpack (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, op->tile);
  const char *name = heddle_tensor_name (self, op->tile), *m16 = dimension (self);
  g_autofree char *columns = heddle_tensor_length (self, tile->along, tile->n_along);
  guint n = heddle_tensor_rows_loop (self);
  char size[16];

  use_typed (self, "unpack f16", "unpack bf16");
  n += heddle_tensor_loop (self, "k16", columns, "16");
  heddle_tensor_block (self);
  heddle_cuda_line (&self->cuda, "unsigned left%s[4];", declared (self, size));
  load_left (self, op->tile);
  heddle_cuda_line (&self->cuda, "unpack_%s (%s_values%s[k16 / 8], %s_values%s[k16 / 8 + 1], left%s);",
      heddle_tensor_type (self), name, m16, name, m16, m16);
  heddle_tensor_end_block (self);
  heddle_tensor_close (self, n);
}
