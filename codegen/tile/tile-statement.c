/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "codegen/tile/tile-expr.h"
#include "codegen/tile/tile-layout.h"
#include "codegen/tile/tile-private.h"

/* The statements of a loop program as operations on tiles. */

/* What one list of operations is made with. @group: the point of consumption that is open; -1: none. */
typedef struct
{
  HeddleTileMaker *maker;
  GPtrArray *ops;
  gboolean streamed;
  gboolean acquired; /* what was copied before is here */
  int group;
} Lowering;

static HeddleTileOp *
add_op (Lowering *self, HeddleTileOpKind kind, guint tile, const HeddleNode *node)
{
  HeddleTileOp *op = g_new0 (HeddleTileOp, 1);

  op->kind = kind;
  op->tile = tile;
  op->node = node;
  g_ptr_array_add (self->ops, op);
  return op;
}

static HeddleTileProgram *
made (const Lowering *self)
{
  return self->maker->made;
}

static HeddleTensorTile *
source_of (const Lowering *self, const HeddleNode *node, guint i)
{
  return heddle_tile_at (made (self), g_array_index (node->sources, guint, i));
}

/* --- columns behind the end of an axis --- */

static gboolean
is_ragged (const HeddleTileProgram *self, const HeddleTensorTile *tile)
{
  const HeddleNode *band = NULL;
  gint64 n = heddle_sizes_get (self->sizes, tile->along);

  if (self->stream != NULL && self->stream->axis == tile->along)
    band = self->stream;
  else
    band = heddle_loop_program_get_band (self->program, tile->along, HEDDLE_BAND_GROUP);
  return band != NULL || n != tile->n_along;
}

static void
set_pad (HeddleTensorTile *tile, double pad)
{
  tile->pad_known = TRUE;
  tile->pad = pad;
}

/* Makes the columns behind the end of a fragment's axis hold @pad. */
static gboolean
pad_with (Lowering *self, HeddleTensorTile *tile, double pad)
{
  if (!is_ragged (made (self), tile) || (tile->pad_known && tile->pad == pad))
    return TRUE;
  if (tile->scale != NULL && pad != 0 && isfinite (pad))
    return heddle_tile_refuse (self->maker, _ ("columns of %s behind its end cannot be masked"),
        heddle_tile_name (made (self), tile->buffer));
  add_op (self, HEDDLE_TILE_MASK, tile->buffer, NULL)->pad = pad;
  set_pad (tile, pad);
  return TRUE;
}

/* What an operation's sources hold behind the end of @along, as numbers where that is known. */
typedef struct
{
  const Lowering *lowering;
  const HeddleNode *node;
  const char *along;
} Pads;

static HeddleExpr *
pad_of_source (const HeddleExpr *leaf, gpointer data)
{
  const Pads *pads = data;
  const HeddleTensorTile *tile;
  const HeddleBuffer *buffer;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return heddle_expr_ref ((HeddleExpr *) leaf);
  tile = source_of (pads->lowering, pads->node, heddle_expr_get_operand (leaf));
  buffer = heddle_loop_program_get_buffer (made (pads->lowering)->program, tile->buffer);
  if (tile->place == HEDDLE_TILE_GLOBAL && heddle_ids_contain (buffer->axes, pads->along))
    return heddle_expr_number (0); /* reads behind the end give 0, as copies do */
  if (tile->unpacked || (tile->place == HEDDLE_TILE_FRAGMENT && tile->pad_known))
    return heddle_expr_number (tile->unpacked ? 0 : tile->pad);
  return heddle_expr_ref ((HeddleExpr *) leaf);
}

/* The value of @body behind the end of @along; %FALSE: not known. */
static gboolean
pad_of_body (const Lowering *self, const HeddleNode *node, HeddleExpr *body, const char *along, double *pad)
{
  Pads pads = { self, node, along };
  g_autoptr (HeddleExpr) there = heddle_expr_substitute (body, pad_of_source, &pads);
  g_autoptr (HeddleExpr) tidy = heddle_expr_tidy (there);

  return heddle_expr_evaluate (tidy, NULL, NULL, pad, NULL);
}

/* --- what has to be here first --- */

/* Tiles of the ring that a statement is the first to read belong to the point that is open, or open one. */
static void
need_streamed (Lowering *self, HeddleTensorTile *tile)
{
  if (tile->point >= 0)
    return;
  if (self->group < 0)
    {
      self->group = (int) made (self)->points++;
      add_op (self, HEDDLE_TILE_ACQUIRE, (guint) self->group, NULL);
    }
  tile->point = self->group;
  if (tile->unpacked)
    add_op (self, HEDDLE_TILE_UNPACK, tile->buffer, NULL);
}

static gboolean
is_streamed (const Lowering *self, const HeddleTensorTile *tile)
{
  const HeddleNode *stream = made (self)->stream;

  return stream != NULL && (tile->down == stream->axis || tile->along == stream->axis);
}

static void
need_sources (Lowering *self, const HeddleNode *node)
{
  for (guint i = 0; node->sources != NULL && i < node->sources->len; i++)
    {
      HeddleTensorTile *tile = source_of (self, node, i);

      if (tile->place != HEDDLE_TILE_SHARED)
        continue;
      if (self->streamed && is_streamed (self, tile))
        need_streamed (self, tile);
      else if (!self->streamed && !self->acquired)
        {
          add_op (self, HEDDLE_TILE_ACQUIRE, G_MAXUINT, NULL);
          self->acquired = TRUE;
        }
    }
}

/* --- products --- */

static const char *
contracted_axis (const Lowering *self, const HeddleNode *node)
{
  const char *axis = NULL;

  for (guint i = 0; i < node->over->len; i++)
    {
      const char *over = heddle_ids_index (node->over, i);
      const HeddleTensorTile *tile = source_of (self, node, 0);
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (made (self)->program, tile->buffer);
      int at = heddle_ids_find (buffer->axes, over);

      if (at < 0 || heddle_tile_extent (made (self), buffer, (guint) at) == 1)
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
static gboolean
lower_contraction (Lowering *self, const HeddleNode *node, guint left, guint right)
{
  const HeddleTensorTile *result = heddle_tile_at (made (self), node->buffer);
  HeddleTensorTile *a = heddle_tile_at (made (self), left), *b = heddle_tile_at (made (self), right);
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
        heddle_tile_name (made (self), node->buffer));
  if (b->place != HEDDLE_TILE_SHARED || !has_sides (b, over, result->along))
    return heddle_tile_refuse (self->maker,
        _ ("%s, the other factor of %s, is made in the kernel or shares its rows"),
        heddle_tile_name (made (self), b->buffer), heddle_tile_name (made (self), node->buffer));
  if (a->place == HEDDLE_TILE_FRAGMENT && !(a->pad_known && isfinite (a->pad)) && !pad_with (self, a, 0))
    return FALSE;
  g_assert (a->place == HEDDLE_TILE_SHARED || can_recast ());
  op = add_op (self, HEDDLE_TILE_CONTRACT, node->buffer, node);
  op->left = a->buffer;
  op->right = b->buffer;
  if (!node->accumulate)
    set_pad (heddle_tile_at (made (self), node->buffer), 0);
  self->group = -1;
  return TRUE;
}

/* --- reductions --- */

static gboolean
lower_reduction (Lowering *self, const HeddleNode *node)
{
  const HeddleTensorTile *result = heddle_tile_at (made (self), node->buffer);
  HeddleTensorTile *columns = NULL;
  const char *over = contracted_axis (self, node);
  HeddleTileOp *op;
  double pad;

  for (guint i = 0; i < node->sources->len; i++)
    {
      HeddleTensorTile *tile = source_of (self, node, i);

      if (over != NULL && tile->along == over && (tile->place == HEDDLE_TILE_FRAGMENT || tile->unpacked))
        columns = tile;
    }
  if (result->place != HEDDLE_TILE_ROW || columns == NULL || columns->along == made (self)->split)
    return heddle_tile_refuse (self->maker,
        _ ("%s is reduced over something else than the columns of a tile"),
        heddle_tile_name (made (self), node->buffer));
  if (heddle_expr_get_kind (node->body) == HEDDLE_EXPR_ARGUMENT && !columns->unpacked
      && !pad_with (self, columns, heddle_monoid_unit (node->monoid)))
    return FALSE;
  op = add_op (self, HEDDLE_TILE_REDUCE, node->buffer, node);
  op->body = heddle_expr_ref (node->body);
  op->left = columns->buffer;
  op->guarded
      = is_ragged (made (self), columns)
        && !(pad_of_body (self, node, node->body, over, &pad) && pad == heddle_monoid_unit (node->monoid));
  return TRUE;
}

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

/* Whether @node alone reads the buffer, which no step carries to the next. */
static gboolean
reads_alone (Lowering *self, guint buffer)
{
  Readers readers = { buffer, 0 };

  heddle_tile_walk (self->maker, count_reader, &readers);
  return readers.n == 1
         && heddle_loop_program_get_buffer (made (self)->program, buffer)->role == HEDDLE_BUFFER_INTERMEDIATE;
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

/* A tile that is another times a positive number keeps that number for later: rows' maxima and exponentials take it up at less cost. */
static gboolean
defer_factor (Lowering *self, const HeddleNode *node, HeddleExpr **body)
{
  HeddleTensorTile *result = heddle_tile_at (made (self), node->buffer), *source;
  g_autoptr (HeddleExpr) factor = NULL, rest = heddle_tile_split_factor (*body, &factor);
  const HeddleExpr *argument;

  if (rest == NULL || result->place != HEDDLE_TILE_FRAGMENT
      || (argument = heddle_tile_only_argument (rest)) == NULL)
    return FALSE;
  source = source_of (self, node, heddle_expr_get_operand (argument));
  if (is_factor (self->maker, node->buffer) || source->place != HEDDLE_TILE_FRAGMENT
      || source->along != result->along || !reads_alone (self, source->buffer) || source->scale != NULL)
    return FALSE;
  result->scale = g_steal_pointer (&factor);
  result->alias = (int) source->buffer;
  result->pad_known = source->pad_known && (source->pad == 0 || isinf (source->pad));
  result->pad = source->pad;
  heddle_expr_unref (*body);
  *body = g_steal_pointer (&rest);
  return TRUE;
}

/* Whether @r is the maximum over the columns of @a, worked out in this list. */
static gboolean
is_maximum (const Lowering *self, guint r, guint a)
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

/* where (a == -inf, 0, exp (a - r)) with r at least a: exp (a - r) once r is made finite. */
static gboolean
lower_exponential (Lowering *self, const HeddleNode *node)
{
  HeddleTensorTile *result = heddle_tile_at (made (self), node->buffer);
  guint a, r;
  HeddleTileOp *op;

  if (result->place != HEDDLE_TILE_FRAGMENT || !heddle_tile_is_shifted_exponential (node->body, &a, &r))
    return FALSE;
  a = g_array_index (node->sources, guint, a);
  r = g_array_index (node->sources, guint, r);
  if (heddle_tile_at (made (self), a)->place != HEDDLE_TILE_FRAGMENT
      || heddle_tile_at (made (self), r)->place != HEDDLE_TILE_ROW || !is_maximum (self, r, a))
    return FALSE;
  op = add_op (self, HEDDLE_TILE_EXPONENTIAL, node->buffer, node);
  op->left = a;
  op->right = r;
  result->pad_known
      = heddle_tile_at (made (self), a)->pad_known && heddle_tile_at (made (self), a)->pad == -INFINITY;
  result->pad = 0;
  return TRUE;
}

static gboolean
check_sources (Lowering *self, const HeddleNode *node)
{
  const HeddleTensorTile *result = heddle_tile_at (made (self), node->buffer);

  for (guint i = 0; node->sources != NULL && i < node->sources->len; i++)
    {
      const HeddleTensorTile *tile = source_of (self, node, i);
      gboolean columns = tile->place == HEDDLE_TILE_FRAGMENT || tile->unpacked;

      if (node->source_indices != NULL && g_ptr_array_index (node->source_indices, i) != NULL)
        return heddle_tile_refuse (self->maker, _ ("%s is read at indices that are worked out"),
            heddle_tile_name (made (self), tile->buffer));
      if (columns && node->over->len == 0 && tile->along != result->along)
        return heddle_tile_refuse (self->maker, _ ("%s has other columns than %s"),
            heddle_tile_name (made (self), tile->buffer), heddle_tile_name (made (self), node->buffer));
    }
  return TRUE;
}

static gboolean
is_argument_of_fragment (const HeddleExpr *expr, gpointer data)
{
  const HeddleNode *node = ((gpointer *) data)[1];
  const Lowering *self = ((gpointer *) data)[0];
  const HeddleTensorTile *tile;

  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_INDEX)
    return FALSE;
  if (heddle_expr_get_kind (expr) != HEDDLE_EXPR_ARGUMENT)
    return TRUE;
  tile = source_of (self, node, heddle_expr_get_operand (expr));
  return tile->place == HEDDLE_TILE_ROW;
}

static gboolean
is_row_wise (const HeddleExpr *expr, gpointer data)
{
  return heddle_expr_walk (expr, is_argument_of_fragment, data);
}

static gboolean
lower_map (Lowering *self, const HeddleNode *node)
{
  HeddleTensorTile *result = heddle_tile_at (made (self), node->buffer);
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
      result->pad_known = pad_of_body (self, node, body, result->along, &result->pad);
    }
  add_op (self, HEDDLE_TILE_MAP, node->buffer, node)->body = g_steal_pointer (&body);
  return TRUE;
}

/* --- statements --- */

static gboolean
lower_compute (Lowering *self, const HeddleNode *node)
{
  guint left, right;

  if (!check_sources (self, node))
    return FALSE;
  if (node->accumulate && node->over->len == 0)
    return heddle_tile_refuse (
        self->maker, _ ("%s is added to step by step"), heddle_tile_name (made (self), node->buffer));
  need_sources (self, node);
  if (heddle_tile_is_contraction (node, &left, &right)
      && heddle_tile_at (made (self), node->buffer)->place == HEDDLE_TILE_FRAGMENT)
    return lower_contraction (self, node, left, right);
  return node->over->len > 0 ? lower_reduction (self, node) : lower_map (self, node);
}

static gboolean
lower_statement (Lowering *self, const HeddleNode *node)
{
  const HeddleTensorTile *tile = heddle_tile_at (made (self), node->buffer);

  switch (node->kind)
    {
    case HEDDLE_NODE_LOAD:
      if (tile->place == HEDDLE_TILE_SHARED && !is_streamed (self, tile))
        {
          add_op (self, HEDDLE_TILE_COPY, node->buffer, node);
          self->acquired = FALSE;
        }
      return TRUE;
    case HEDDLE_NODE_SAVE:
      add_op (self, HEDDLE_TILE_STORE, node->buffer, node);
      return TRUE;
    default:
      return lower_compute (self, node);
    }
}

static gboolean
lower_stream (Lowering *self)
{
  Lowering body = { .maker = self->maker, .ops = made (self)->body, .streamed = TRUE, .group = -1 };
  const GPtrArray *children = made (self)->stream->children;

  for (guint i = 0; i < children->len; i++)
    if (!lower_statement (&body, g_ptr_array_index (children, i)))
      return FALSE;
  if (made (self)->points == 0)
    return heddle_tile_refuse (self->maker, _ ("no factor of a product is streamed"));
  self->ops = made (self)->epilogue;
  self->acquired = TRUE;
  return TRUE;
}

gboolean
heddle_tile_lower (HeddleTileMaker *maker)
{
  Lowering self = { .maker = maker, .ops = maker->made->prologue, .group = -1 };

  for (guint i = 0; i < maker->inner->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (maker->inner->children, i);

      if (!(child->kind == HEDDLE_NODE_BAND ? lower_stream (&self) : lower_statement (&self, child)))
        return FALSE;
    }
  return TRUE;
}
