/* SPDX-License-Identifier: MIT */
#include <stdarg.h>

#include "codegen/tile/program.h"
#include "codegen/tile/shifts.h"
#include "derive/index/extent.h"
#include "derive/program/windows.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"

const char heddle_tile_rows[] = "rows";

void
heddle_tile_program_free (HeddleTileProgram *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->rows, g_array_unref);
  g_free (self->bulk_fault);
  g_free (self->choice);
  g_clear_pointer (&self->taps, g_array_unref);
  g_clear_pointer (&self->dealt, g_array_unref);
  heddle_tile_pass_free (self->pass);
  heddle_tile_shifts_free (self->shifts);
  g_ptr_array_unref (self->tiles);
  g_ptr_array_unref (self->prologue);
  g_ptr_array_unref (self->body);
  g_ptr_array_unref (self->epilogue);
  g_free (self);
}

/* --- looking --- */

HeddleTensorTile *
heddle_tile_at (const HeddleTileProgram *self, guint i)
{
  return g_ptr_array_index (self->tiles, i);
}

const HeddleTensorTile *
heddle_tile_program_get (const HeddleTileProgram *self, guint i)
{
  return heddle_tile_at (self, i);
}

HeddleDtype
heddle_tile_factor_type (const HeddleTileProgram *self, const HeddleTileOp *op)
{
  return heddle_tile_at (self, op->kind == HEDDLE_TILE_UNPACK ? op->tile : op->right)->dtype;
}

const HeddleTensorTile *
heddle_tile_root (const HeddleTileProgram *self, const HeddleTensorTile *tile)
{
  while (tile->alias >= 0)
    tile = heddle_tile_at (self, (guint) tile->alias);
  return tile;
}

const char *
heddle_tile_name (const HeddleTileProgram *self, guint i)
{
  return heddle_loop_program_get_buffer (self->program, i)->name;
}

gint64
heddle_tile_columns (const HeddleTileProgram *self, const HeddleTensorTile *tile)
{
  return tile->along == self->split && self->split != NULL ? tile->n_along / self->warps_along
                                                           : tile->n_along;
}

guint
heddle_tile_threads (const HeddleTileProgram *self)
{
  return 32 * heddle_tile_consumers (self) + (self->bulk ? HEDDLE_TILE_PRODUCERS : 0);
}

/* --- what the steps of making share --- */

gboolean
heddle_tile_refuse (HeddleTileMaker *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_free (self->why);
  self->why = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return FALSE;
}

static gboolean
walk (HeddleTileMaker *self, const HeddleNode *node, HeddleTileVisit visit, gpointer data)
{
  for (guint i = 0; i < node->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (node->children, i);

      if (!(child->kind == HEDDLE_NODE_BAND ? walk (self, child, visit, data) : visit (self, child, data)))
        return FALSE;
    }
  return TRUE;
}

gboolean
heddle_tile_walk (HeddleTileMaker *self, HeddleTileVisit visit, gpointer data)
{
  return walk (self, self->inner, visit, data);
}

void
heddle_tile_pass_free (HeddleTilePass *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->program.buffers);
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->buffers);
  g_free (self);
}

guint
heddle_tile_consumers (const HeddleTileProgram *self)
{
  return self->warps_down * self->warps_along;
}

HeddleTileOp *
heddle_tile_add_op (HeddleTileLowering *self, HeddleTileOpKind kind, guint tile, const HeddleNode *node)
{
  HeddleTileOp *op = g_new0 (HeddleTileOp, 1);

  op->kind = kind;
  op->tile = tile;
  op->node = node;
  op->pad_row = -1;
  g_ptr_array_add (self->ops, op);
  return op;
}

HeddleTensorTile *
heddle_tile_source (const HeddleTileLowering *self, const HeddleNode *node, guint i)
{
  return heddle_tile_at (heddle_tile_made (self), g_array_index (node->sources, guint, i));
}

gint64
heddle_tile_extent (const HeddleTileProgram *self, const HeddleBuffer *buffer, guint k)
{
  return heddle_buffer_most (self->program, self->sizes, buffer, k);
}

GArray *
heddle_tile_axes (const HeddleTileProgram *self, const HeddleBuffer *buffer)
{
  GArray *axes = heddle_ids_new ();

  for (guint k = 0; k < buffer->axes->len; k++)
    if (heddle_tile_extent (self, buffer, k) > 1)
      heddle_ids_append (axes, heddle_ids_index (buffer->axes, k));
  return axes;
}

gboolean
heddle_tile_is_contraction (const HeddleNode *node, guint *left, guint *right)
{
  const HeddleExpr *a, *b;

  if (node->kind != HEDDLE_NODE_COMPUTE || node->over == NULL || node->over->len == 0
      || node->monoid != HEDDLE_MONOID_SUM || heddle_expr_get_kind (node->body) != HEDDLE_EXPR_MUL)
    return FALSE;
  a = heddle_expr_get_child (node->body, 0);
  b = heddle_expr_get_child (node->body, 1);
  if (heddle_expr_get_kind (a) != HEDDLE_EXPR_ARGUMENT || heddle_expr_get_kind (b) != HEDDLE_EXPR_ARGUMENT)
    return FALSE;
  *left = g_array_index (node->sources, guint, heddle_expr_get_operand (a));
  *right = g_array_index (node->sources, guint, heddle_expr_get_operand (b));
  return *left != *right;
}

gboolean
heddle_tile_has_whole_pieces (const HeddleTileMaker *self, const HeddleTensorTile *tile, const char *axis)
{
  static const struct
  {
    HeddleBandKind band;
    HeddleExtent extent;
  } rows[] = { { HEDDLE_BAND_GROUP, HEDDLE_EXTENT_TILE }, { HEDDLE_BAND_STREAM, HEDDLE_EXTENT_CHUNK } };
  const HeddleLoopProgram *program = self->made->program;
  const gint64 piece = 16 / heddle_dtype_bytes (tile->dtype);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (heddle_loop_program_get_band (program, axis, rows[i].band) != NULL
        && heddle_loop_program_extent (program, self->made->sizes, axis, rows[i].extent) % piece != 0)
      return FALSE;
  return TRUE;
}

/* Returns whether rows of a buffer's array have whole pieces of 16 bytes at the planned sizes. */
static gboolean
has_whole_rows (const HeddleTileProgram *self, const HeddleBuffer *buffer, const HeddleTensorTile *tile)
{
  const gint64 piece = 16 / heddle_dtype_bytes (tile->dtype);

  return buffer->axes->len == 0
         || heddle_sizes_get (self->sizes, heddle_tile_array_axis (self, buffer, buffer->axes->len - 1))
                    % piece
                == 0;
}

gboolean
heddle_tile_by_elements (const HeddleTileProgram *self, guint i)
{
  const HeddleTensorTile *tile = heddle_tile_at (self, i);

  return tile->place == HEDDLE_TILE_SHARED && tile->window == NULL
         && (!tile->vectors
             || !has_whole_rows (self, heddle_loop_program_get_buffer (self->program, i), tile));
}

gboolean
heddle_tile_has_odd_rows (const HeddleTileProgram *self, guint i)
{
  const HeddleTensorTile *tile = heddle_tile_at (self, i);

  return heddle_dtype_bytes (tile->dtype) == 2
         && !has_whole_rows (self, heddle_loop_program_get_buffer (self->program, i), tile);
}

gboolean
heddle_tile_is_streamed (const HeddleBuffer *buffer)
{
  for (guint k = 0; k < buffer->axes->len; k++)
    if (g_array_index (buffer->extents, HeddleExtent, k) == HEDDLE_EXTENT_CHUNK)
      return TRUE;
  return FALSE;
}
