/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "codegen/tile/tile-layout.h"
#include "codegen/tile/tile-lowering.h"

/* --- products --- */

static const char *
contracted_axis (const HeddleTileLowering *self, const HeddleNode *node)
{
  const char *axis = NULL;

  if (node == self->maker->windowed)
    return heddle_tile_made (self)->depth;
  for (guint i = 0; i < node->over->len; i++)
    {
      const char *over = heddle_ids_index (node->over, i);
      const HeddleTensorTile *tile = heddle_tile_source (self, node, 0);
      const HeddleBuffer *buffer
          = heddle_loop_program_get_buffer (heddle_tile_made (self)->program, tile->buffer);
      int at = heddle_ids_find (buffer->axes, over);

      if (at < 0 || heddle_tile_extent (heddle_tile_made (self), buffer, (guint) at) == 1)
        continue;
      if (axis != NULL)
        return NULL;
      axis = over;
    }
  return axis;
}

static gboolean
has_sides (const HeddleTensorTile *tile, const char *a, const char *b)
{
  return (tile->down == a && tile->along == b) || (tile->down == b && tile->along == a);
}

/* Accumulators of two tiles side by side are a left factor as they are: their layouts are the same matrix. */
static gboolean
can_recast (void)
{
  HeddleLayout accumulators = heddle_layout_accumulators (), factor = heddle_layout_left_factor ();

  return heddle_layout_equal (&accumulators, &factor);
}

/* The rows come from the left factor, in registers or in shared memory; the right one is in shared memory. */
gboolean
heddle_tile_lower_contraction (HeddleTileLowering *self, const HeddleNode *node, guint left, guint right)
{
  const HeddleTensorTile *result = heddle_tile_at (heddle_tile_made (self), node->buffer);
  HeddleTensorTile *a = heddle_tile_at (heddle_tile_made (self), left),
                   *b = heddle_tile_at (heddle_tile_made (self), right);
  const char *over = contracted_axis (self, node);
  HeddleTileOp *op;

  if (a->down != heddle_tile_rows && a->along != heddle_tile_rows)
    {
      HeddleTensorTile *other = a;
      a = b;
      b = other;
    }
  if (result->place != HEDDLE_TILE_FRAGMENT || over == NULL || !has_sides (a, heddle_tile_rows, over)
      || (a->place == HEDDLE_TILE_FRAGMENT && a->along != over))
    return heddle_tile_refuse (self->maker, _ ("the product %s is not one of a tile of rows"),
        heddle_tile_name (heddle_tile_made (self), node->buffer));
  if (b->place != HEDDLE_TILE_SHARED || !has_sides (b, over, result->along))
    return heddle_tile_refuse (self->maker,
        _ ("%s, the other factor of %s, is made in the kernel or shares its rows"),
        heddle_tile_name (heddle_tile_made (self), b->buffer),
        heddle_tile_name (heddle_tile_made (self), node->buffer));
  if (a->place == HEDDLE_TILE_SHARED && a->dtype != b->dtype)
    return heddle_tile_refuse (self->maker,
        _ ("it multiplies %s and %s: arrays that declare no type are f16 unless another one is chosen"),
        heddle_dtype_to_string (a->dtype), heddle_dtype_to_string (b->dtype));
  if (a->place == HEDDLE_TILE_FRAGMENT && !(a->pad_known && isfinite (a->pad))
      && !heddle_tile_pad_with (self, a, 0))
    return FALSE;
  g_assert (a->place == HEDDLE_TILE_SHARED || can_recast ());
  op = heddle_tile_add_op (self, HEDDLE_TILE_CONTRACT, node->buffer, node);
  op->left = a->buffer;
  op->right = b->buffer;
  if (!node->accumulate)
    heddle_tile_set_pad (heddle_tile_at (heddle_tile_made (self), node->buffer), 0);
  self->group = -1;
  return TRUE;
}

/* --- reductions --- */

gboolean
heddle_tile_lower_reduction (HeddleTileLowering *self, const HeddleNode *node)
{
  const HeddleTensorTile *result = heddle_tile_at (heddle_tile_made (self), node->buffer);
  HeddleTensorTile *columns = NULL;
  const char *over = contracted_axis (self, node);
  HeddleTileOp *op;
  double pad;

  for (guint i = 0; i < node->sources->len; i++)
    {
      HeddleTensorTile *tile = heddle_tile_source (self, node, i);

      if (over != NULL && tile->along == over && (tile->place == HEDDLE_TILE_FRAGMENT || tile->unpacked))
        columns = tile;
    }
  if (result->place != HEDDLE_TILE_ROW || columns == NULL || columns->along == heddle_tile_made (self)->split)
    return heddle_tile_refuse (self->maker,
        _ ("%s is reduced over something else than the columns of a tile"),
        heddle_tile_name (heddle_tile_made (self), node->buffer));
  if (heddle_expr_get_kind (node->body) == HEDDLE_EXPR_ARGUMENT && !columns->unpacked
      && !heddle_tile_pad_with (self, columns, heddle_monoid_unit (node->monoid)))
    return FALSE;
  op = heddle_tile_add_op (self, HEDDLE_TILE_REDUCE, node->buffer, node);
  op->body = heddle_expr_ref (node->body);
  op->left = columns->buffer;
  op->guarded = heddle_tile_is_ragged (heddle_tile_made (self), columns)
                && !(heddle_tile_pad_of_body (self, node, node->body, over, &pad)
                     && pad == heddle_monoid_unit (node->monoid));
  return TRUE;
}
