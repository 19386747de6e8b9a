/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "codegen/cuda/expr.h"
#include "codegen/cuda/text.h"
#include "codegen/tensor/fragment.h"
#include "codegen/tensor/kernel.h"
#include "codegen/tensor/place.h"
#include "codegen/tensor/product.h"
#include "codegen/tensor/warpgroup.h"
#include "codegen/tensor/window.h"
#include "codegen/tile/program.h"
#include "codegen/tile/tile.h"

/* Products by the tensor core: 32 bytes of the sum at a time. */

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
  guint outer, taps, n;
  char size[16];

  if (self->tiles->warpgroups)
    {
      heddle_tensor_contract_by_group (self, op);
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
