/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/tile/expr.h"
#include "codegen/tile/maps.h"
#include "codegen/tile/pads.h"
#include "codegen/tile/private.h"
#include "codegen/tile/program.h"
#include "codegen/tile/tile.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

/* --- maps --- */

typedef struct
{
  guint buffer, n;
} Readers;

static gboolean
count_reader (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  Readers *readers = data;

  for (guint i = 0; node->sources != NULL && i < node->sources->len; i++)
    readers->n += g_array_index (node->sources, guint, i) == readers->buffer;
  return TRUE;
}

/* Returns whether @node alone reads the buffer, which no step carries to the next. */
static gboolean
reads_alone (HeddleTileLowering *self, guint buffer)
{
  Readers readers = { buffer, 0 };

  heddle_tile_walk (self->maker, count_reader, &readers);
  return readers.n == 1
         && heddle_loop_program_get_buffer (heddle_tile_made (self)->program, buffer)->role
                == HEDDLE_BUFFER_INTERMEDIATE;
}

static gboolean
note_factor (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  guint *buffer = data, left, right;

  return !heddle_tile_is_contraction (node, &left, &right) || (left != *buffer && right != *buffer);
}

static gboolean
is_factor (HeddleTileMaker *self, guint buffer)
{
  return !heddle_tile_walk (self, note_factor, &buffer);
}

/* Returns whether the kernel stores the buffer: what leaves the kernel is stored as it is. */
static gboolean
is_saved (const HeddleTileLowering *self, guint i)
{
  const HeddleLoopProgram *program = heddle_tile_made (self)->program;
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (program, i);

  return buffer->value != NULL && heddle_ids_contain (program->outputs, buffer->value);
}

/* Defers a factor: a tile that is another times a positive number keeps that number for later, when rows'
 * maxima and exponentials apply it at less cost. */
static gboolean
defer_factor (HeddleTileLowering *self, const HeddleNode *node, HeddleExpr **body)
{
  HeddleTensorTile *result = heddle_tile_at (heddle_tile_made (self), node->buffer), *source;
  g_autoptr (HeddleExpr) factor = NULL, rest = heddle_tile_split_factor (*body, &factor);
  const HeddleExpr *argument;

  if (rest == NULL || result->place != HEDDLE_TILE_FRAGMENT
      || (argument = heddle_tile_only_argument (rest)) == NULL)
    return FALSE;
  source = heddle_tile_source (self, node, heddle_expr_get_operand (argument));
  if (is_saved (self, node->buffer) || is_factor (self->maker, node->buffer)
      || source->place != HEDDLE_TILE_FRAGMENT || source->along != result->along
      || !reads_alone (self, source->buffer) || source->scale != NULL)
    return FALSE;
  result->scale = g_steal_pointer (&factor);
  result->alias = (int) source->buffer;
  result->pad_known = source->pad_known && (source->pad == 0 || isinf (source->pad));
  result->pad = source->pad;
  heddle_expr_unref (*body);
  *body = g_steal_pointer (&rest);
  return TRUE;
}

/* Returns whether @r is the maximum over the columns of @a, computed in this list. */
static gboolean
is_maximum (const HeddleTileLowering *self, guint r, guint a)
{
  for (guint i = 0; i < self->ops->len; i++)
    {
      const HeddleTileOp *op = g_ptr_array_index (self->ops, i);

      if (op->kind == HEDDLE_TILE_REDUCE && op->tile == r && op->left == a
          && op->node->monoid == HEDDLE_MONOID_MAX && heddle_expr_get_kind (op->body) == HEDDLE_EXPR_ARGUMENT
          && op->node->rescale == NULL)
        return TRUE;
    }
  return FALSE;
}

/* Lowers where (a == -inf, 0, exp (a - r)) with r at least a: it is exp (a - r) once r is made finite. */
static gboolean
lower_exponential (HeddleTileLowering *self, const HeddleNode *node)
{
  HeddleTensorTile *result = heddle_tile_at (heddle_tile_made (self), node->buffer);
  guint a, r;
  HeddleTileOp *op;

  if (result->place != HEDDLE_TILE_FRAGMENT || !heddle_tile_is_shifted_exponential (node->body, &a, &r))
    return FALSE;
  a = g_array_index (node->sources, guint, a);
  r = g_array_index (node->sources, guint, r);
  if (heddle_tile_at (heddle_tile_made (self), a)->place != HEDDLE_TILE_FRAGMENT
      || heddle_tile_at (heddle_tile_made (self), r)->place != HEDDLE_TILE_ROW || !is_maximum (self, r, a))
    return FALSE;
  op = heddle_tile_add_op (self, HEDDLE_TILE_EXPONENTIAL, node->buffer, node);
  op->left = a;
  op->right = r;
  result->pad_known = heddle_tile_at (heddle_tile_made (self), a)->pad_known
                      && heddle_tile_at (heddle_tile_made (self), a)->pad == -INFINITY;
  result->pad = 0;
  return TRUE;
}

static gboolean
is_argument_of_fragment (const HeddleExpr *expr, gpointer data)
{
  const HeddleNode *node = ((gpointer *) data)[1];
  const HeddleTileLowering *self = ((gpointer *) data)[0];
  const HeddleTensorTile *tile;

  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_INDEX)
    return FALSE;
  if (heddle_expr_get_kind (expr) != HEDDLE_EXPR_ARGUMENT)
    return TRUE;
  tile = heddle_tile_source (self, node, heddle_expr_get_operand (expr));
  return tile->place == HEDDLE_TILE_ROW;
}

static gboolean
is_row_wise (const HeddleExpr *expr, gpointer data)
{
  return heddle_expr_walk (expr, is_argument_of_fragment, data);
}

gboolean
heddle_tile_lower_map (HeddleTileLowering *self, const HeddleNode *node)
{
  HeddleTensorTile *result = heddle_tile_at (heddle_tile_made (self), node->buffer);
  g_autoptr (HeddleExpr) body = heddle_expr_ref (node->body);
  gpointer data[] = { self, (gpointer) node };
  gboolean deferred;

  if (lower_exponential (self, node))
    return TRUE;
  deferred = defer_factor (self, node, &body);
  if (deferred && heddle_expr_get_kind (body) == HEDDLE_EXPR_ARGUMENT)
    return TRUE; /* nothing is left to do: it is that tile under another name */
  if (result->place == HEDDLE_TILE_FRAGMENT)
    {
      HeddleExpr *rewritten = heddle_tile_by_reciprocals (body, is_row_wise, data);

      heddle_expr_unref (body);
      body = rewritten;
      result->pad_known = heddle_tile_pad_of_body (self, node, body, result->along, &result->pad);
    }
  heddle_tile_add_op (self, HEDDLE_TILE_MAP, node->buffer, node)->body = g_steal_pointer (&body);
  return TRUE;
}
