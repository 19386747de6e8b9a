/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/tile/columns.h"
#include "codegen/tile/expr.h"
#include "codegen/tile/mma.h"
#include "codegen/tile/program.h"

/* This file binds products of a vector and a factor of shared memory that another product reads anyway, such
 * as what a norm's mean and bias are multiplied by: the result has columns and no rows. Vectors are rows of
 * one product more, 16 of them at most in what the tensor core takes at a time; warps divide its columns, and
 * exchange them by shared memory when the stream is over. */

/* The number of rows of that product of which a lane has one pair of elements; the other 8 are left empty. */
#define MOST_VECTORS 8

static gboolean
has_rows (const HeddleTileProgram *self, const HeddleBuffer *buffer)
{
  for (guint k = 0; k < buffer->axes->len; k++)
    if (heddle_ids_contain (self->rows, heddle_ids_index (buffer->axes, k)))
      return TRUE;
  return FALSE;
}

gboolean
heddle_tile_is_vector (const HeddleTileProgram *self, const HeddleBuffer *buffer)
{
  g_autoptr (GArray) axes = heddle_tile_axes (self, buffer);

  return self->rows->len > 0 && axes->len == 1 && !has_rows (self, buffer);
}

typedef struct
{
  guint buffer;
  gboolean product, other;
} Makers;

static gboolean
note_maker (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  Makers *makers = data;
  guint left, right;

  if (node->kind != HEDDLE_NODE_COMPUTE || node->buffer != makers->buffer)
    return TRUE;
  if (heddle_tile_is_contraction (node, &left, &right) && node->accumulate)
    makers->product = TRUE;
  else
    makers->other |= node->over->len > 0 || !heddle_expr_is_zero (node->body);
  return TRUE;
}

gboolean
heddle_tile_is_column (HeddleTileMaker *self, const HeddleBuffer *buffer, guint i)
{
  Makers makers = { .buffer = i };

  if (buffer->role != HEDDLE_BUFFER_STATE || !heddle_tile_is_vector (self->made, buffer))
    return FALSE;
  heddle_tile_walk (self, note_maker, &makers);
  return makers.product && !makers.other;
}

guint
heddle_tile_column_steps (const HeddleTileProgram *self, const HeddleTileOp *op)
{
  guint step = HEDDLE_TILE_STEP * heddle_tile_consumers (self);

  return (guint) ((heddle_tile_at (self, op->tile)->n_along + step - 1) / step);
}

/* Returns the operation that takes one vector more of the same factor and type; NULL if there is none. */
static HeddleTileOp *
find_op (const HeddleTileLowering *self, guint vector, guint right)
{
  const HeddleTileProgram *made = heddle_tile_made (self);

  for (guint i = 0; i < self->ops->len; i++)
    {
      HeddleTileOp *op = g_ptr_array_index (self->ops, i);

      if (op->kind == HEDDLE_TILE_COLUMNS && op->right == right && op->members->len < MOST_VECTORS
          && heddle_tile_at (made, op->left)->dtype == heddle_tile_at (made, vector)->dtype)
        return op;
    }
  return NULL;
}

gboolean
heddle_tile_lower_columns (HeddleTileLowering *self, const HeddleNode *node, guint left, guint right)
{
  HeddleTileProgram *made = heddle_tile_made (self);
  const HeddleTensorTile *result = heddle_tile_at (made, node->buffer);
  guint vector = heddle_tile_at (made, left)->place == HEDDLE_TILE_GLOBAL ? left : right;
  guint factor = vector == left ? right : left;
  const HeddleTensorTile *b = heddle_tile_at (made, factor);
  HeddleTileOp *op;

  if (!self->streamed || node->rescale != NULL || node->over->len != 1
      || heddle_tile_at (made, vector)->place != HEDDLE_TILE_GLOBAL || b->place != HEDDLE_TILE_SHARED
      || heddle_mma_get (b->dtype) == NULL || heddle_mma_get (b->dtype)->bytes == 1 || b->window != NULL
      || b->taps > 1 || (b->along != result->along && b->down != result->along)
      || b->along == heddle_tile_rows || b->down == heddle_tile_rows)
    return heddle_tile_refuse (self->maker,
        _ ("the product %s has no rows, and is not that of a vector and a tile"),
        heddle_tile_name (made, node->buffer));
  op = find_op (self, vector, factor);
  if (op == NULL)
    {
      op = heddle_tile_add_op (self, HEDDLE_TILE_COLUMNS, node->buffer, node);
      op->left = vector;
      op->right = factor;
      op->members = g_ptr_array_new ();
    }
  g_ptr_array_add (op->members, (gpointer) node);
  return TRUE;
}

guint
heddle_tile_vector_of (const HeddleTileOp *op, const HeddleNode *member)
{
  guint left, right;

  heddle_tile_is_contraction (member, &left, &right);
  return left == op->right ? right : left;
}

/* Adds, after the stream, the writing of the sums to shared memory, once for all. */
void
heddle_tile_lower_spread (HeddleTileLowering *self)
{
  const GPtrArray *body = heddle_tile_made (self)->body;

  for (guint i = 0; i < body->len; i++)
    if (((const HeddleTileOp *) g_ptr_array_index (body, i))->kind == HEDDLE_TILE_COLUMNS)
      {
        heddle_tile_add_op (self, HEDDLE_TILE_SPREAD, G_MAXUINT, NULL);
        return;
      }
}

gint64
heddle_tile_place_columns (HeddleTileProgram *self, gint64 at)
{
  at = heddle_tile_round (at, 16);
  for (guint i = 0; i < self->body->len; i++)
    {
      const HeddleTileOp *op = g_ptr_array_index (self->body, i);

      for (guint k = 0; op->kind == HEDDLE_TILE_COLUMNS && k < op->members->len; k++)
        {
          const HeddleNode *member = g_ptr_array_index (op->members, k);
          HeddleTensorTile *tile = heddle_tile_at (self, member->buffer);

          tile->offset = at;
          at += tile->n_along * (gint64) sizeof (float);
        }
    }
  return at;
}

/* --- registers --- */

typedef struct
{
  GArray *factors; /* of guint: buffers */
  guint registers;
} Registers;

static gboolean
count_registers (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  Registers *all = data;
  HeddleTileOp op = { .tile = node->buffer };
  guint left, right, factor;

  if (!heddle_tile_is_contraction (node, &left, &right)
      || heddle_tile_at (self->made, node->buffer)->place != HEDDLE_TILE_COLUMN)
    return TRUE;
  factor = heddle_tile_at (self->made, left)->place == HEDDLE_TILE_GLOBAL ? right : left;
  for (guint i = 0; i < all->factors->len; i++)
    if (g_array_index (all->factors, guint, i) == factor)
      return TRUE;
  g_array_append_val (all->factors, factor);
  all->registers += 8 * heddle_tile_column_steps (self->made, &op);
  return TRUE;
}

guint
heddle_tile_column_registers (HeddleTileMaker *self)
{
  Registers all = { g_array_new (FALSE, FALSE, sizeof (guint)), 0 };

  heddle_tile_walk (self, count_registers, &all);
  g_array_unref (all.factors);
  return all.registers;
}
