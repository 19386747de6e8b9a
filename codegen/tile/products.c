/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "codegen/tile/layout.h"
#include "codegen/tile/pads.h"
#include "codegen/tile/products.h"
#include "codegen/tile/program.h"
#include "codegen/tile/tile.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

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

/* Returns whether the accumulators of two tiles side by side are a left factor as they are: their layouts are
 * then the same matrix. */
static gboolean
can_recast (void)
{
  HeddleLayout accumulators = heddle_layout_accumulators (), factor = heddle_layout_left_factor ();

  return heddle_layout_equal (&accumulators, &factor);
}

/* Lowers a contraction. The rows come from the left factor, in registers or in shared memory; the right one
 * is in shared memory. */
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

/* Pads columns beyond the end with an element of their row, if that leaves nothing to add there: for a sum of
 * deviations from it. */
static void
pad_with_row (HeddleTileLowering *self, const HeddleNode *node, HeddleExpr *body, HeddleTensorTile *columns)
{
  HeddleTileProgram *made = heddle_tile_made (self);
  double unit = heddle_monoid_unit (node->monoid), pad;

  if (!columns->unpacked || columns->pad_row >= 0 || !heddle_tile_is_ragged (made, columns)
      || (heddle_tile_pad_of_body (self, node, body, columns->along, &pad) && pad == unit))
    return;
  for (guint i = 0; i < node->sources->len && columns->pad_row < 0; i++)
    if (heddle_tile_source (self, node, i)->place == HEDDLE_TILE_ROW)
      {
        columns->pad_row = (int) g_array_index (node->sources, guint, i);
        if (!heddle_tile_pad_of_body (self, node, body, columns->along, &pad) || pad != unit)
          columns->pad_row = -1;
      }
  if (columns->pad_row >= 0)
    heddle_tile_pad_with_row (self, columns, (guint) columns->pad_row);
}

/* Returns whether @condition holds for all of a step or for none of it: it says that the axis which streams
 * is before a whole number of steps. */
static gboolean
is_of_whole_steps (const HeddleTileProgram *self, const HeddleExpr *condition)
{
  const HeddleNode *stream = self->stream;
  const HeddleExpr *index, *end;

  if (heddle_expr_get_kind (condition) != HEDDLE_EXPR_LT || stream == NULL)
    return FALSE;
  index = heddle_expr_get_child (condition, 0);
  end = heddle_expr_get_child (condition, 1);
  return heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (index) == stream->axis
         && heddle_expr_get_kind (end) == HEDDLE_EXPR_NUMBER
         && fmod (heddle_expr_get_number (end), (double) stream->size) == 0
         && heddle_loop_program_get_band (self->program, stream->axis, HEDDLE_BAND_GROUP) == NULL;
}

/* Returns the condition on indices under which something is added to a sum, and what is left to add; NULL if
 * there is no condition. */
static HeddleExpr *
take_condition (const HeddleTileProgram *self, const HeddleNode *node, HeddleExpr **body)
{
  HeddleExpr *condition, *other, *then;

  if (!node->accumulate || node->rescale != NULL || heddle_expr_get_kind (*body) != HEDDLE_EXPR_WHERE)
    return NULL;
  condition = heddle_expr_get_child (*body, 0);
  other = heddle_expr_get_child (*body, 2);
  if (!heddle_expr_uses (condition, HEDDLE_EXPR_INDEX, NULL)
      || heddle_expr_get_kind (other) != HEDDLE_EXPR_NUMBER
      || heddle_expr_get_number (other) != heddle_monoid_unit (node->monoid))
    return NULL;
  condition = heddle_expr_ref (condition);
  if (is_of_whole_steps (self, condition))
    {
      then = heddle_expr_ref (heddle_expr_get_child (*body, 1));
      heddle_expr_unref (*body);
      *body = then;
    }
  return condition;
}

gboolean
heddle_tile_lower_reduction (HeddleTileLowering *self, const HeddleNode *node)
{
  const HeddleTensorTile *result = heddle_tile_at (heddle_tile_made (self), node->buffer);
  HeddleTensorTile *columns = NULL;
  const char *over = contracted_axis (self, node);
  g_autoptr (HeddleExpr) body = heddle_expr_ref (node->body), when = NULL;
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
        _ ("%s is reduced over something other than the columns of a tile"),
        heddle_tile_name (heddle_tile_made (self), node->buffer));
  if (heddle_expr_get_kind (body) == HEDDLE_EXPR_ARGUMENT && !columns->unpacked
      && !heddle_tile_pad_with (self, columns, heddle_monoid_unit (node->monoid)))
    return FALSE;
  when = take_condition (heddle_tile_made (self), node, &body);
  pad_with_row (self, node, body, columns);
  op = heddle_tile_add_op (self, HEDDLE_TILE_REDUCE, node->buffer, node);
  op->body = heddle_expr_ref (body);
  op->when = g_steal_pointer (&when);
  op->left = columns->buffer;
  op->guarded = heddle_tile_is_ragged (heddle_tile_made (self), columns)
                && !(heddle_tile_pad_of_body (self, node, body, over, &pad)
                     && pad == heddle_monoid_unit (node->monoid));
  return TRUE;
}
