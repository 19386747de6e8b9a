/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/banks.h"
#include "codegen/cuda/register-tile.h"
#include "derive/index/extent.h"
#include "derive/index/window-sum.h"
#include "derive/index/window.h"
#include "derive/program/windows.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"

/* A product of tiles takes an instruction for each multiplication only where few reads of shared memory serve many of them: of m rows and n
 * columns in registers, m + n elements serve m n. */

#define WARP 32
/* The lanes of a warp along the columns; the others are along the rows, so that a warp reads few places at once. */
#define LANES_ALONG 8
/* The greatest number of results of a thread: more take registers that the factors need. */
#define MOST_RESULTS 64
/* The least number of results of a block for each thread: with fewer, reads are not shared enough. */
#define LEAST_RESULTS 4
/* The number of elements that one instruction reads. */
#define VECTOR 4

static gint64
divide_up (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

/* --- where elements lie --- */

static const HeddleBuffer *
buffer_of (const HeddleRegisterTiles *self, guint buffer)
{
  return heddle_loop_program_get_buffer (self->program, buffer);
}

static HeddleExtent
extent_at (const HeddleBuffer *buffer, guint i)
{
  return g_array_index (buffer->extents, HeddleExtent, i);
}

/* Returns the greatest number of indices of an axis that the loops around a statement provide. */
static gint64
part_of (const char *axis, gpointer data)
{
  const HeddleRegisterTiles *self = data;
  gboolean streams = heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_STREAM) != NULL;
  gboolean groups = heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_GROUP) != NULL;

  return heddle_loop_program_extent (self->program, self->sizes, axis,
      streams  ? HEDDLE_EXTENT_CHUNK
      : groups ? HEDDLE_EXTENT_TILE
               : HEDDLE_EXTENT_FULL);
}

/* Returns the number of indices from the least to the largest read, also outside the array; 0 if not known. */
static gint64
window_extent (const HeddleRegisterTiles *self, const GPtrArray *exprs)
{
  g_autoptr (HeddleWindowSum) sum = heddle_window_sum_new (exprs, self->sizes);
  gint64 extent = 1;

  if (sum == NULL)
    return 0;
  for (guint i = 0; i < sum->axes->len; i++)
    {
      gint64 factor = g_array_index (sum->factors, gint64, i);

      if (factor < 0)
        return 0;
      extent += factor * (part_of (heddle_ids_index (sum->axes, i), (gpointer) self) - 1);
    }
  return extent + sum->spread;
}

static gint64
find_extent (const HeddleRegisterTiles *self, const HeddleBuffer *buffer, guint i)
{
  if (extent_at (buffer, i) == HEDDLE_EXTENT_WINDOW)
    return window_extent (self, g_ptr_array_index (buffer->windows, i));
  return heddle_buffer_most (self->program, self->sizes, buffer, i);
}

/* Finds the extents once, for a search asks for them again and again. */
static void
find_extents (HeddleRegisterTiles *self)
{
  for (guint b = 0; b < self->program->buffers->len; b++)
    {
      const HeddleBuffer *buffer = buffer_of (self, b);
      GArray *extents = g_array_new (FALSE, FALSE, sizeof (gint64));

      for (guint i = 0; i < buffer->axes->len; i++)
        {
          gint64 extent = find_extent (self, buffer, i);

          g_array_append_val (extents, extent);
        }
      g_ptr_array_add (self->extents, extents);
    }
}

gint64
heddle_register_tiles_extent (const HeddleRegisterTiles *self, guint buffer, guint i)
{
  return g_array_index ((GArray *) g_ptr_array_index (self->extents, buffer), gint64, i);
}

/* Returns the axis of the buffer along which it is padded: its last one of more than one index; -1 if there
 * is none. */
static int
register_tiles_padded_axis (const HeddleRegisterTiles *self, guint buffer)
{
  const HeddleBuffer *own = buffer_of (self, buffer);

  for (guint i = own->axes->len; i-- > 0;)
    if (heddle_register_tiles_extent (self, buffer, i) > 1)
      return i > 0 && g_array_index (self->pitches, gint64, buffer) > 0 ? (int) i : -1;
  return -1;
}

gint64
heddle_register_tiles_pitch (const HeddleRegisterTiles *self, guint buffer, guint i)
{
  return register_tiles_padded_axis (self, buffer) == (int) i
             ? g_array_index (self->pitches, gint64, buffer)
             : heddle_register_tiles_extent (self, buffer, i);
}

gint64
heddle_register_tiles_stride (const HeddleRegisterTiles *self, guint buffer, guint i)
{
  gint64 stride = 1;

  for (guint k = i + 1; k < buffer_of (self, buffer)->axes->len; k++)
    stride *= heddle_register_tiles_pitch (self, buffer, k);
  return stride;
}

/* Returns the first buffer with the slot and the width of @buffer, whose place it shares (see memory-layout.c). */
static guint
home_of (const HeddleRegisterTiles *self, guint buffer)
{
  const HeddleBuffer *own = buffer_of (self, buffer);
  guint home = 0;

  while (home < buffer
         && (buffer_of (self, home)->slot != own->slot
             || heddle_dtype_bytes (buffer_of (self, home)->dtype) != heddle_dtype_bytes (own->dtype)))
    home++;
  return home;
}

static gint64
bytes_of (const HeddleRegisterTiles *self, guint buffer)
{
  const HeddleBuffer *own = buffer_of (self, buffer);
  gint64 bytes = heddle_dtype_bytes (own->dtype);

  if (heddle_register_tiles_is_unheld (self, buffer))
    return 0;
  for (guint i = 0; i < own->axes->len; i++)
    if (__builtin_mul_overflow (bytes, heddle_register_tiles_pitch (self, buffer, i), &bytes))
      return G_MAXINT64 / 4;
  return divide_up (MIN (bytes, G_MAXINT64 / 4), 16) * 16;
}

/* Returns the end of the first @n buffers; buffers of one home have one length. */
static gint64
end_of (const HeddleRegisterTiles *self, guint n)
{
  gint64 end = 0;

  for (guint i = 0; i < n; i++)
    if (home_of (self, i) == i)
      end = MIN (end + bytes_of (self, i), G_MAXINT64 / 4);
  return end;
}

gint64
heddle_register_tiles_offset (const HeddleRegisterTiles *self, guint buffer)
{
  return end_of (self, home_of (self, buffer));
}

gint64
heddle_register_tiles_shared_bytes (const HeddleRegisterTiles *self)
{
  return end_of (self, self->program->buffers->len);
}

/* --- what a factor reads --- */

gint64
heddle_register_tiles_step (
    const HeddleRegisterTiles *self, const HeddleNode *node, guint source, const char *axis)
{
  guint buffer = g_array_index (node->sources, guint, source);
  const HeddleBuffer *own = buffer_of (self, buffer);
  const GPtrArray *indices = g_ptr_array_index (node->source_indices, source);
  gint64 step = 0;

  if (indices == NULL)
    {
      int i = heddle_ids_find (own->axes, axis);

      return i >= 0 ? heddle_register_tiles_stride (self, buffer, (guint) i) : 0;
    }
  for (guint i = 0; i < own->axes->len; i++)
    {
      g_autoptr (GPtrArray) one = NULL;
      g_autoptr (HeddleWindowSum) sum = NULL;
      gint64 stride;

      if (!heddle_expr_uses (g_ptr_array_index (indices, i), HEDDLE_EXPR_INDEX, axis))
        continue;
      stride = heddle_register_tiles_stride (self, buffer, i);
      one = g_ptr_array_new ();
      g_ptr_array_add (one, g_ptr_array_index (indices, i));
      sum = heddle_window_sum_new (one, self->sizes);
      for (guint k = 0; sum != NULL && k < sum->axes->len; k++)
        if (heddle_ids_index (sum->axes, k) == axis)
          step += g_array_index (sum->factors, gint64, k) * stride;
    }
  return step;
}

/* Returns the least index of a window's expressions where all indices are 0. */
static gint64
offset_of (const HeddleRegisterTiles *self, HeddleExpr *index)
{
  g_autoptr (GPtrArray) one = g_ptr_array_new ();
  g_autoptr (HeddleWindowSum) sum = NULL;

  g_ptr_array_add (one, index);
  sum = heddle_window_sum_new (one, self->sizes);
  return sum != NULL ? sum->offset : 0;
}

gint64
heddle_register_tiles_first (const HeddleRegisterTiles *self, const HeddleNode *node, guint source)
{
  guint buffer = g_array_index (node->sources, guint, source);
  const HeddleBuffer *own = buffer_of (self, buffer);
  const GPtrArray *indices = g_ptr_array_index (node->source_indices, source);
  gint64 first = 0;

  for (guint i = 0; indices != NULL && i < own->axes->len; i++)
    {
      const GPtrArray *exprs
          = extent_at (own, i) == HEDDLE_EXTENT_WINDOW ? g_ptr_array_index (own->windows, i) : NULL;
      gint64 least = G_MAXINT64;

      for (guint k = 0; exprs != NULL && k < exprs->len; k++)
        least = MIN (least, offset_of (self, g_ptr_array_index (exprs, k)));
      if (exprs != NULL)
        first += (offset_of (self, g_ptr_array_index (indices, i)) - least)
                 * heddle_register_tiles_stride (self, buffer, i);
    }
  return first;
}

/* Returns whether a buffer holds the same part of an axis as the loops around provide. */
static gboolean
holds_part (const HeddleRegisterTiles *self, const HeddleBuffer *buffer, guint i)
{
  const char *axis = heddle_ids_index (buffer->axes, i);
  gboolean streams = heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_STREAM) != NULL;
  gboolean groups = heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_GROUP) != NULL;

  return extent_at (buffer, i)
         == (streams && groups ? HEDDLE_EXTENT_WINDOW /* split: left to others */
             : streams         ? HEDDLE_EXTENT_CHUNK
             : groups          ? HEDDLE_EXTENT_TILE
                               : HEDDLE_EXTENT_FULL);
}

static gboolean
is_index_of (const HeddleExpr *expr, const char *axis)
{
  return heddle_expr_get_kind (expr) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (expr) == axis;
}

static gboolean
is_packed (const HeddleBuffer *buffer)
{
  return buffer->dtype == HEDDLE_DTYPE_F16 || buffer->dtype == HEDDLE_DTYPE_BF16;
}

/* Returns whether every axis of a source is read at its own index, or is a window read at a sum of them. */
static gboolean
is_regular (const HeddleRegisterTiles *self, const HeddleNode *node, guint source)
{
  const HeddleBuffer *own = buffer_of (self, g_array_index (node->sources, guint, source));
  const GPtrArray *indices = g_ptr_array_index (node->source_indices, source);

  if (own->dtype != HEDDLE_DTYPE_F32 && own->dtype != HEDDLE_DTYPE_TF32 && !is_packed (own))
    return FALSE;
  for (guint i = 0; i < own->axes->len; i++)
    {
      gboolean plain
          = indices == NULL || is_index_of (g_ptr_array_index (indices, i), heddle_ids_index (own->axes, i));

      if (plain && !holds_part (self, own, i))
        return FALSE;
      if (!plain
          && (extent_at (own, i) != HEDDLE_EXTENT_WINDOW
              || heddle_register_tiles_extent (self, g_array_index (node->sources, guint, source), i) == 0))
        return FALSE;
    }
  return TRUE;
}

/* --- which statements --- */

/* Returns whether both sources are short: then their products are for the tensor core, and what is left here is
 * small or no product of tiles. */
static gboolean
are_packed (const HeddleRegisterTiles *self, const HeddleNode *node, const guint sources[2])
{
  for (guint i = 0; i < 2; i++)
    if (!is_packed (buffer_of (self, g_array_index (node->sources, guint, sources[i]))))
      return FALSE;
  return TRUE;
}

/* Returns whether the statement is a product of two sources, each once. */
static gboolean
is_product (const HeddleNode *node, guint sources[2])
{
  const HeddleExpr *body = node->body;

  if (node->kind != HEDDLE_NODE_COMPUTE || node->form != HEDDLE_COMPUTE_FOLD
      || node->monoid != HEDDLE_MONOID_SUM || node->over == NULL || node->over->len == 0
      || node->second != HEDDLE_NO_BUFFER || heddle_expr_get_kind (body) != HEDDLE_EXPR_MUL)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      const HeddleExpr *factor = heddle_expr_get_child (body, i);

      if (heddle_expr_get_kind (factor) != HEDDLE_EXPR_ARGUMENT)
        return FALSE;
      sources[i] = heddle_expr_get_operand (factor);
    }
  return sources[0] != sources[1];
}

static void
tile_free (HeddleRegisterTile *self)
{
  g_array_unref (self->rows.axes);
  g_array_unref (self->columns.axes);
  g_array_unref (self->batch);
  g_array_unref (self->terms);
  g_ptr_array_unref (self->followers);
  g_free (self);
}

/* Divides the axes of the result: those of one factor, the other and both. The last is along the columns. */
static gboolean
share_axes (const HeddleRegisterTiles *self, HeddleRegisterTile *tile)
{
  const HeddleBuffer *result = buffer_of (self, tile->node->buffer);
  HeddleTileFactor *factors[] = { &tile->rows, &tile->columns };
  const char *last = NULL;

  for (guint i = 0; i < result->axes->len; i++)
    {
      const char *axis = heddle_ids_index (result->axes, i);
      gint64 extent = heddle_register_tiles_extent (self, tile->node->buffer, i);
      gboolean in[2];

      if (!holds_part (self, result, i))
        return FALSE;
      for (guint k = 0; k < 2; k++)
        in[k] = heddle_register_tiles_step (self, tile->node, factors[k]->source, axis) != 0;
      if (extent == 1 || (in[0] && in[1]))
        {
          heddle_ids_append (tile->batch, axis);
          continue;
        }
      if (!in[0] && !in[1])
        return FALSE;
      heddle_ids_append (factors[in[1]]->axes, axis);
      factors[in[1]]->extent *= extent;
      last = axis;
    }
  if (last != NULL && heddle_ids_contain (tile->rows.axes, last))
    {
      HeddleTileFactor rows = tile->rows;

      tile->rows = tile->columns;
      tile->columns = rows;
    }
  return TRUE;
}

/* Returns the axis of the sum along which the terms of a factor lie side by side; NULL if there is none. */
static const char *
contiguous_term (
    const HeddleRegisterTiles *self, const HeddleRegisterTile *tile, const HeddleTileFactor *factor)
{
  for (guint i = 0; i < tile->node->over->len; i++)
    {
      const char *axis = heddle_ids_index (tile->node->over, i);

      if (part_of (axis, (gpointer) self) > 1
          && heddle_register_tiles_step (self, tile->node, factor->source, axis) == 1)
        return axis;
    }
  return NULL;
}

/* Returns whether all places that a factor reads are whole vectors apart, except along @axis. */
static gboolean
is_aligned (const HeddleRegisterTiles *self, const HeddleRegisterTile *tile, const HeddleTileFactor *factor,
    const char *axis)
{
  const GArray *lists[] = { tile->node->over, factor->axes, tile->batch };

  if (heddle_register_tiles_first (self, tile->node, factor->source) % VECTOR != 0)
    return FALSE;
  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        const char *other = heddle_ids_index (lists[l], i);

        if (other != axis && part_of (other, (gpointer) self) > 1
            && heddle_register_tiles_step (self, tile->node, factor->source, other) % VECTOR != 0)
          return FALSE;
      }
  return TRUE;
}

/* Returns how a factor is read. @inner is the innermost loop. */
static HeddleFactorReading
reading_of (const HeddleRegisterTiles *self, const HeddleRegisterTile *tile, const HeddleTileFactor *factor,
    const char *inner)
{
  const char *last = factor->axes->len > 0 ? heddle_ids_index (factor->axes, factor->axes->len - 1) : NULL;

  if (heddle_register_tiles_step (self, tile->node, factor->source, inner) == 1
      && is_aligned (self, tile, factor, inner))
    return HEDDLE_READ_ALONG;
  if (last != NULL && heddle_register_tiles_step (self, tile->node, factor->source, last) == 1
      && (factor->axes->len == 1 || part_of (last, (gpointer) self) % VECTOR == 0)
      && is_aligned (self, tile, factor, last))
    return HEDDLE_READ_ACROSS;
  return HEDDLE_READ_SINGLE;
}

/* Orders the axes that are summed over, with the axis last along which a factor is contiguous. */
static void
order_terms (const HeddleRegisterTiles *self, HeddleRegisterTile *tile)
{
  const char *inner = contiguous_term (self, tile, &tile->rows);

  if (inner == NULL)
    inner = contiguous_term (self, tile, &tile->columns);
  if (inner == NULL)
    inner = heddle_ids_index (tile->node->over, tile->node->over->len - 1);
  g_array_set_size (tile->terms, 0);
  for (guint i = 0; i < tile->node->over->len; i++)
    if (heddle_ids_index (tile->node->over, i) != inner)
      heddle_ids_append (tile->terms, heddle_ids_index (tile->node->over, i));
  heddle_ids_append (tile->terms, inner);
  tile->rows.reading = reading_of (self, tile, &tile->rows, inner);
  tile->columns.reading = reading_of (self, tile, &tile->columns, inner);
}

static gint64
each_of (const HeddleTileFactor *factor, guint threads)
{
  return factor->reading == HEDDLE_READ_ACROSS
             ? divide_up (factor->extent, VECTOR * (gint64) threads) * VECTOR
             : divide_up (factor->extent, threads);
}

static double
reads_of (const HeddleTileFactor *factor, gint64 each)
{
  return factor->reading == HEDDLE_READ_SINGLE ? (double) each : (double) each / VECTOR;
}

/* Divides rows and columns among the threads so that they need the fewest instructions. */
static gboolean
share_threads (HeddleRegisterTile *tile, guint threads)
{
  double least = 0;

  for (guint along = 1; along <= threads; along *= 2)
    {
      guint down = threads / along;
      gint64 rows = each_of (&tile->rows, down), columns = each_of (&tile->columns, along);
      double instructions
          = (double) (rows * columns) + reads_of (&tile->rows, rows) + reads_of (&tile->columns, columns);

      if (rows * columns > MOST_RESULTS || (least > 0 && instructions >= least))
        continue;
      least = instructions;
      tile->rows.threads = down;
      tile->columns.threads = along;
      tile->rows.each = (guint) rows;
      tile->columns.each = (guint) columns;
      tile->columns.lanes = MIN (LANES_ALONG, along);
      tile->rows.lanes = MIN (WARP / tile->columns.lanes, down);
      tile->columns.lanes = WARP / tile->rows.lanes;
    }
  return least > 0;
}

static HeddleRegisterTile *
tile_new (const HeddleRegisterTiles *self, const HeddleNode *node, guint threads)
{
  guint sources[2];
  HeddleRegisterTile *tile;
  const HeddleBuffer *result;

  if (!is_product (node, sources))
    return NULL;
  result = buffer_of (self, node->buffer);
  if ((result->dtype != HEDDLE_DTYPE_F32 && result->dtype != HEDDLE_DTYPE_TF32)
      || !is_regular (self, node, sources[0]) || !is_regular (self, node, sources[1])
      || are_packed (self, node, sources))
    return NULL;
  tile = g_new0 (HeddleRegisterTile, 1);
  tile->node = node;
  tile->batch = heddle_ids_new ();
  tile->terms = heddle_ids_new ();
  tile->followers = g_ptr_array_new ();
  tile->rows = (HeddleTileFactor){ sources[0], g_array_index (node->sources, guint, sources[0]),
    heddle_ids_new (), 1, 0, 0, 0, HEDDLE_READ_SINGLE, FALSE };
  tile->columns = (HeddleTileFactor){ sources[1], g_array_index (node->sources, guint, sources[1]),
    heddle_ids_new (), 1, 0, 0, 0, HEDDLE_READ_SINGLE, FALSE };
  tile->rows.is_packed = is_packed (buffer_of (self, tile->rows.buffer));
  tile->columns.is_packed = is_packed (buffer_of (self, tile->columns.buffer));
  if (share_axes (self, tile) && tile->rows.extent * tile->columns.extent >= LEAST_RESULTS * (gint64) threads
      && MIN (tile->rows.extent, tile->columns.extent) >= LEAST_RESULTS)
    {
      order_terms (self, tile);
      if (share_threads (tile, threads))
        return tile;
    }
  tile_free (tile);
  return NULL;
}

static void
find_tiles (HeddleRegisterTiles *self, const HeddleNode *node, guint threads)
{
  HeddleRegisterTile *tile = node->kind == HEDDLE_NODE_COMPUTE ? tile_new (self, node, threads) : NULL;

  if (tile != NULL)
    g_ptr_array_add (self->tiles, tile);
  for (guint i = 0; i < node->children->len; i++)
    find_tiles (self, g_ptr_array_index (node->children, i), threads);
}

/* --- results that stay in registers --- */

typedef struct
{
  guint buffer;
  guint inits, updates, saves, others; /* statements that touch it: = 0, those of the tile, saves, all else */
  const HeddleNode *tile, *stream; /* the tile's statement, and the loop that it is in */
  gboolean nested; /* another loop is around that one */
  gboolean inside; /* something else within the loop touches it */
} Uses;

static gboolean
is_zero (const HeddleNode *node)
{
  return node->kind == HEDDLE_NODE_COMPUTE && node->form == HEDDLE_COMPUTE_FOLD && node->over->len == 0
         && !node->accumulate && node->sources->len == 0
         && heddle_expr_get_kind (node->body) == HEDDLE_EXPR_NUMBER
         && heddle_expr_get_number (node->body) == 0;
}

static void
count_uses (Uses *self, const HeddleNode *node, const HeddleNode *stream)
{
  if (node->kind == HEDDLE_NODE_BAND)
    {
      const HeddleNode *around = node->band == HEDDLE_BAND_STREAM ? node : stream;

      for (guint i = 0; i < node->children->len; i++)
        {
          const HeddleNode *child = g_ptr_array_index (node->children, i);

          if (child == self->tile)
            {
              self->stream = node->band == HEDDLE_BAND_STREAM ? node : NULL;
              self->nested = node->band == HEDDLE_BAND_STREAM && stream != NULL;
            }
          count_uses (self, child, around);
        }
      return;
    }
  if (node == self->tile)
    {
      self->updates++;
      return;
    }
  if (node->buffer == self->buffer)
    {
      self->inside |= stream != NULL;
      if (node->kind == HEDDLE_NODE_SAVE && node->upper == HEDDLE_GLOBAL)
        self->saves++;
      else if (is_zero (node))
        self->inits++;
      else
        self->others++;
    }
  for (guint i = 0; node->kind == HEDDLE_NODE_COMPUTE && i < node->sources->len; i++)
    if (g_array_index (node->sources, guint, i) == self->buffer)
      {
        self->inside |= stream != NULL;
        self->others++;
      }
  if (node->second == self->buffer && node->kind == HEDDLE_NODE_COMPUTE)
    self->inits = 2;
}

static gint64
batches_of (const HeddleRegisterTiles *self, const HeddleRegisterTile *tile)
{
  gint64 n = 1;

  for (guint i = 0; i < tile->batch->len; i++)
    n *= part_of (heddle_ids_index (tile->batch, i), (gpointer) self);
  return n;
}

/* Returns whether @buffer shares its memory with no other. */
static gboolean
lives_alone (const HeddleRegisterTiles *self, guint buffer)
{
  for (guint i = 0; i < self->program->buffers->len; i++)
    if (i != buffer && home_of (self, i) == home_of (self, buffer))
      return FALSE;
  return TRUE;
}

static void
find_residence (const HeddleRegisterTiles *self, HeddleRegisterTile *tile)
{
  Uses uses = { .buffer = tile->node->buffer, .tile = tile->node };

  count_uses (&uses, self->program->root, NULL);
  if (!tile->node->accumulate || uses.stream == NULL || uses.nested || uses.inside || uses.inits != 1
      || uses.updates != 1 || batches_of (self, tile) != 1)
    return;
  tile->stream = uses.stream;
  tile->saved = uses.others == 0 && uses.saves > 0 && lives_alone (self, tile->node->buffer);
}

/* Returns whether @node replaces each value of @buffer by another one, made of nothing else. */
static gboolean
replaces (const HeddleRegisterTiles *self, const HeddleNode *node, guint buffer)
{
  return node->kind == HEDDLE_NODE_COMPUTE && node->form == HEDDLE_COMPUTE_FOLD && node->over->len == 0
         && !node->accumulate && node->second == HEDDLE_NO_BUFFER && node->sources->len == 1
         && g_array_index (node->sources, guint, 0) == buffer
         && g_ptr_array_index (node->source_indices, 0) == NULL && node->buffer != buffer
         && home_of (self, node->buffer) == home_of (self, buffer)
         && buffer_of (self, node->buffer)->dtype == HEDDLE_DTYPE_F32
         && heddle_ids_equal (buffer_of (self, node->buffer)->axes, buffer_of (self, buffer)->axes);
}

/* Finds the statements right after @tile's among @siblings that compute with its result alone. */
static void
find_followers (const HeddleRegisterTiles *self, HeddleRegisterTile *tile, const GPtrArray *siblings)
{
  guint at = 0, buffer = tile->node->buffer;

  if (tile->node->accumulate || !g_ptr_array_find ((GPtrArray *) siblings, tile->node, &at))
    return;
  while (++at < siblings->len && replaces (self, g_ptr_array_index (siblings, at), buffer))
    {
      const HeddleNode *node = g_ptr_array_index (siblings, at);

      g_ptr_array_add (tile->followers, (gpointer) node);
      buffer = node->buffer;
    }
}

static void
find_all_followers (const HeddleRegisterTiles *self, const HeddleNode *node)
{
  for (guint i = 0; i < self->tiles->len; i++)
    find_followers (self, g_ptr_array_index (self->tiles, i), node->children);
  for (guint i = 0; i < node->children->len; i++)
    find_all_followers (self, g_ptr_array_index (node->children, i));
}

/* --- padding --- */

static guint
conflicts_of_factor (
    const HeddleRegisterTiles *self, const HeddleRegisterTile *tile, const HeddleTileFactor *factor)
{
  const char *last = factor->axes->len > 0 ? heddle_ids_index (factor->axes, factor->axes->len - 1) : NULL;

  if (last == NULL || factor->reading != HEDDLE_READ_ALONG)
    return 1;
  return heddle_banks_meetings (
      heddle_register_tiles_step (self, tile->node, factor->source, last), factor->lanes);
}

static guint
conflicts_of_result (const HeddleRegisterTiles *self, const HeddleRegisterTile *tile)
{
  const HeddleBuffer *result = buffer_of (self, tile->node->buffer);
  int row = tile->rows.axes->len > 0
                ? heddle_ids_find (result->axes, heddle_ids_index (tile->rows.axes, tile->rows.axes->len - 1))
                : -1;

  if (row < 0 || tile->columns.reading == HEDDLE_READ_ACROSS)
    return 1;
  return heddle_banks_meetings_of_rows (heddle_register_tiles_stride (self, tile->node->buffer, (guint) row),
      tile->rows.lanes, tile->columns.lanes);
}

/* Returns the cycles that all reads and writes of buffers at @home lose to bank conflicts. */
static guint
conflicts (const HeddleRegisterTiles *self, guint home)
{
  guint sum = 0;

  for (guint i = 0; i < self->tiles->len; i++)
    {
      const HeddleRegisterTile *tile = g_ptr_array_index (self->tiles, i);

      if (home_of (self, tile->rows.buffer) == home)
        sum += 8 * conflicts_of_factor (self, tile, &tile->rows);
      if (home_of (self, tile->columns.buffer) == home)
        sum += 8 * conflicts_of_factor (self, tile, &tile->columns);
      if (home_of (self, tile->node->buffer) == home)
        sum += conflicts_of_result (self, tile);
    }
  return sum;
}

static void
set_pitches (const HeddleRegisterTiles *self, guint home, gint64 pitch)
{
  for (guint i = home; i < self->pitches->len; i++)
    if (home_of (self, i) == home)
      g_array_index (self->pitches, gint64, i) = pitch;
}

/* Returns whether all buffers at @home have the same layout, so that they can be padded alike. */
static gboolean
lie_alike (const HeddleRegisterTiles *self, guint home)
{
  const HeddleBuffer *first = buffer_of (self, home);

  for (guint i = home + 1; i < self->pitches->len; i++)
    {
      const HeddleBuffer *other = buffer_of (self, i);

      if (home_of (self, i) != home)
        continue;
      if (!heddle_ids_equal (first->axes, other->axes))
        return FALSE;
      for (guint k = 0; k < first->axes->len; k++)
        if (heddle_register_tiles_extent (self, home, k) != heddle_register_tiles_extent (self, i, k))
          return FALSE;
    }
  return TRUE;
}

static gboolean
is_touched (const HeddleRegisterTiles *self, guint home)
{
  for (guint i = 0; i < self->tiles->len; i++)
    {
      const HeddleRegisterTile *tile = g_ptr_array_index (self->tiles, i);

      if (home_of (self, tile->rows.buffer) == home || home_of (self, tile->columns.buffer) == home
          || home_of (self, tile->node->buffer) == home)
        return TRUE;
    }
  return FALSE;
}

static gint64
inner_extent (const HeddleRegisterTiles *self, guint buffer)
{
  for (guint i = buffer_of (self, buffer)->axes->len; i-- > 1;)
    if (heddle_register_tiles_extent (self, buffer, i) > 1)
      return heddle_register_tiles_extent (self, buffer, i);
  return 0;
}

/* Returns the number of elements to whose multiples rows are padded: those of 16 bytes, by which they are read
 * or copied. */
static gint64
unit_of (const HeddleRegisterTiles *self, guint home)
{
  return is_packed (buffer_of (self, home)) ? 2 * VECTOR : VECTOR;
}

/* Pads rows to whole vectors first: then it is known what can be read by vectors. */
static void
pad_to_vectors (HeddleRegisterTiles *self)
{
  for (guint home = 0; home < self->pitches->len; home++)
    if (home_of (self, home) == home && is_touched (self, home) && lie_alike (self, home))
      set_pitches (
          self, home, divide_up (inner_extent (self, home), unit_of (self, home)) * unit_of (self, home));
  for (guint i = 0; i < self->tiles->len; i++)
    order_terms (self, g_ptr_array_index (self->tiles, i));
}

/* Pads rows further, as far apart as the banks need it. */
static void
pad_for_banks (HeddleRegisterTiles *self)
{
  for (guint home = 0; home < self->pitches->len; home++)
    {
      gint64 least = g_array_index (self->pitches, gint64, home), best = least;
      guint fewest = G_MAXUINT;

      if (home_of (self, home) != home || least == 0)
        continue;
      for (gint64 pitch = least; pitch < least + HEDDLE_BANKS; pitch += unit_of (self, home))
        {
          guint n;

          set_pitches (self, home, pitch);
          n = conflicts (self, home);
          if (n >= fewest)
            continue;
          fewest = n;
          best = pitch;
        }
      set_pitches (self, home, best);
    }
}

/* --- all --- */

/* Returns whether the length of every window is known: all are framed where some are factors. */
static gboolean
windows_are_known (const HeddleRegisterTiles *self)
{
  for (guint b = 0; b < self->program->buffers->len; b++)
    for (guint i = 0; i < buffer_of (self, b)->axes->len; i++)
      if (extent_at (buffer_of (self, b), i) == HEDDLE_EXTENT_WINDOW
          && heddle_register_tiles_extent (self, b, i) == 0)
        return FALSE;
  return TRUE;
}

/* Returns whether some value is computed in double, for which this form is not made. */
static gboolean
is_wide (const HeddleRegisterTiles *self)
{
  for (guint b = 0; b < self->program->buffers->len; b++)
    if (buffer_of (self, b)->dtype == HEDDLE_DTYPE_F64 || buffer_of (self, b)->dtype == HEDDLE_DTYPE_I64)
      return TRUE;
  return FALSE;
}

static void
share_all (HeddleRegisterTiles *self, guint threads)
{
  for (guint i = self->tiles->len; i-- > 0;)
    if (!share_threads (g_ptr_array_index (self->tiles, i), threads))
      g_ptr_array_remove_index (self->tiles, i);
}

HeddleRegisterTiles *
heddle_register_tiles_new (
    const HeddleLoopProgram *program, const HeddleSizes *sizes, guint threads, gint64 capacity)
{
  g_autoptr (HeddleRegisterTiles) self = g_new0 (HeddleRegisterTiles, 1);

  self->program = program;
  self->sizes = sizes;
  self->tiles = g_ptr_array_new_with_free_func ((GDestroyNotify) tile_free);
  self->pitches = g_array_new (FALSE, TRUE, sizeof (gint64));
  g_array_set_size (self->pitches, program->buffers->len);
  self->extents = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  find_extents (self);
  if (program->levels->len > 1 || program->split != NULL || is_wide (self) || !windows_are_known (self))
    return NULL;
  find_tiles (self, program->root, threads);
  if (self->tiles->len == 0)
    return NULL;
  for (guint i = 0; i < self->tiles->len; i++)
    find_residence (self, g_ptr_array_index (self->tiles, i));
  pad_to_vectors (self);
  share_all (self, threads);
  pad_for_banks (self);
  find_all_followers (self, program->root);
  if (self->tiles->len == 0 || heddle_register_tiles_shared_bytes (self) > capacity)
    return NULL;
  return g_steal_pointer (&self);
}

void
heddle_register_tiles_free (HeddleRegisterTiles *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->tiles);
  g_array_unref (self->pitches);
  g_ptr_array_unref (self->extents);
  g_free (self);
}

const HeddleRegisterTile *
heddle_register_tiles_get (const HeddleRegisterTiles *self, const HeddleNode *node)
{
  for (guint i = 0; self != NULL && i < self->tiles->len; i++)
    {
      const HeddleRegisterTile *tile = g_ptr_array_index (self->tiles, i);

      if (tile->node == node)
        return tile;
    }
  return NULL;
}

gboolean
heddle_register_tiles_is_passed (const HeddleRegisterTiles *self, guint buffer)
{
  for (guint i = 0; self != NULL && i < self->tiles->len; i++)
    {
      const HeddleRegisterTile *tile = g_ptr_array_index (self->tiles, i);
      const GPtrArray *followers = tile->followers;

      for (guint k = 0; k < followers->len; k++)
        if (((const HeddleNode *) (k == 0 ? tile->node : g_ptr_array_index (followers, k - 1)))->buffer
            == buffer)
          return TRUE;
    }
  return FALSE;
}

gboolean
heddle_register_tiles_follow (const HeddleRegisterTiles *self, const HeddleNode *node)
{
  for (guint i = 0; self != NULL && i < self->tiles->len; i++)
    {
      const HeddleRegisterTile *tile = g_ptr_array_index (self->tiles, i);

      if (g_ptr_array_find (tile->followers, node, NULL))
        return TRUE;
    }
  return FALSE;
}

const HeddleRegisterTile *
heddle_register_tiles_resident (const HeddleRegisterTiles *self, guint buffer)
{
  for (guint i = 0; self != NULL && i < self->tiles->len; i++)
    {
      const HeddleRegisterTile *tile = g_ptr_array_index (self->tiles, i);

      if (tile->stream != NULL && tile->node->buffer == buffer)
        return tile;
    }
  return NULL;
}

gboolean
heddle_register_tiles_read (const HeddleRegisterTiles *self, guint buffer)
{
  for (guint i = 0; self != NULL && i < self->tiles->len; i++)
    {
      const HeddleRegisterTile *tile = g_ptr_array_index (self->tiles, i);

      if (tile->rows.buffer == buffer || tile->columns.buffer == buffer)
        return TRUE;
    }
  return FALSE;
}

gboolean
heddle_register_tiles_is_unheld (const HeddleRegisterTiles *self, guint buffer)
{
  const HeddleRegisterTile *tile = heddle_register_tiles_resident (self, buffer);

  return tile != NULL && tile->saved;
}
