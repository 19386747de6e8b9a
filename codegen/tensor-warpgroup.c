/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "codegen/prelude.h"
#include "codegen/tensor-kernel.h"

/* Products by warpgroups: the right factor is read from shared memory, the left one too or it is in registers. They are begun together, and waited for
 * before anything else is done with what they make; where a step does nothing else, while the next one is begun. */

static const HeddleTensorTile *
tile_of (const HeddleTensorKernel *self, guint i)
{
  return heddle_tile_program_get (self->tiles, i);
}

/* multiply_64x128_f16, with the section that holds it. */
static char *
function_of (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  gint64 columns = heddle_tile_columns (self->tiles, tile_of (self, op->tile));
  gboolean shared = tile_of (self, op->left)->place == HEDDLE_TILE_SHARED;
  g_autofree char *section = g_strdup_printf (HEDDLE_PRELUDE_PRODUCT "%" G_GINT64_FORMAT " %s %s", columns,
      heddle_tensor_type (self), shared ? "shared" : "registers");

  heddle_tensor_use (self, g_intern_string (section));
  return g_strdup_printf ("multiply_64x%" G_GINT64_FORMAT "_%s", columns, heddle_tensor_type (self));
}

/* The matrix behind a factor: rows or columns of the result from @first on, 16 of the sum. */
static char *
describe (HeddleTensorKernel *self, guint i, gboolean transposed, const char *first)
{
  const HeddleTensorTile *tile = tile_of (self, i);
  g_autofree char *at = heddle_tensor_slot (self, i, "slot");
  g_autofree char *rows = heddle_tensor_length (self, tile->down, tile->n_down);

  heddle_tensor_use (self, "descriptors");
  return transposed ? g_strdup_printf ("describe_down<%s> (%s, k16, %s)", rows, at, first)
                    : g_strdup_printf ("describe_along<%s> (%s, %s, k16)", rows, at, first);
}

/* The left factor as products take it, all of it: it must not change while they are under way. */
static void
recast_all (HeddleTensorKernel *self, const HeddleTileOp *op, const char *depth)
{
  guint n;

  heddle_cuda_line (&self->cuda, "unsigned left[%s / 16][4];", depth);
  n = heddle_tensor_loop (self, "k16", depth, "16");
  heddle_tensor_recast_left (self, op->left, "left[k16 / 16]");
  heddle_tensor_close (self, n);
  heddle_cuda_line (&self->cuda, "hold (left);");
}

static void
begin_products (HeddleTensorKernel *self, const HeddleTileOp *op, const char *depth)
{
  const HeddleTensorTile *left = tile_of (self, op->left), *right = tile_of (self, op->right);
  gboolean shared = left->place == HEDDLE_TILE_SHARED, split = self->tiles->warps_along > 1;
  gboolean left_transposed = left->along == heddle_tile_rows;
  gboolean right_transposed = right->along == tile_of (self, op->tile)->along;
  g_autofree char *function = function_of (self, op);
  g_autofree char *a
      = shared ? describe (self, op->left, left_transposed, "group_row") : g_strdup ("left[k16 / 16]");
  g_autofree char *b = describe (self, op->right, right_transposed, split ? "warp_column" : "0");
  guint n = heddle_tensor_loop (self, "k16", depth, "16");
  const char *adds = op->node->accumulate ? "1" : "k16 > 0";

  g_autofree char *flags = shared ? g_strdup_printf ("%d, %d", left_transposed, right_transposed)
                                  : g_strdup_printf ("%d", right_transposed);

  heddle_cuda_line (&self->cuda, "%s<%s> (%s, %s,", function, flags, heddle_tensor_name (self, op->tile), a);
  heddle_cuda_line (&self->cuda, "    %s, %s);", b, adds);
  heddle_tensor_close (self, n);
}

void
heddle_tensor_contract_by_group (HeddleTensorKernel *self, const HeddleTileOp *op)
{
  const HeddleTensorTile *left = tile_of (self, op->left);
  const char *name = heddle_tensor_name (self, op->tile);
  g_autofree char *depth = heddle_tensor_depth (self, left);

  if (op->node->accumulate)
    heddle_tensor_begin_result (self, op);
  heddle_tensor_use (self, "hold");
  heddle_tensor_use (self, "products of warpgroups");
  heddle_tensor_block (self);
  if (left->place == HEDDLE_TILE_FRAGMENT)
    recast_all (self, op, depth);
  if (op->node->accumulate)
    heddle_cuda_line (&self->cuda, "hold (%s);", name);
  heddle_cuda_line (&self->cuda, "fence_products ();");
  begin_products (self, op, depth);
  heddle_cuda_line (&self->cuda, "commit_products ();");
  if (self->meanwhile != NULL)
    {
      self->cuda.node = self->meanwhile->node;
      heddle_cuda_statement_comment (&self->cuda, self->cuda.node);
      heddle_tensor_columns (self, self->meanwhile);
      self->cuda.node = op->node;
    }
  heddle_cuda_line (&self->cuda, "wait_for_products<%u> ();", self->tiles->under_way);
  heddle_cuda_line (&self->cuda, "hold (%s);", name);
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
