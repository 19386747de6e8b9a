/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/sums.h"
#include "codegen/cuda/vectors.h"
#include "derive/index/extent.h"
#include "derive/region/region.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"

/* The greatest number of reductions of a block, whose parts are in shared memory at the end: one of each
 * warp. */
#define MOST_REDUCTIONS 6

typedef struct
{
  HeddleSums *sums;
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes;
  HeddleDtype dtype;
  const HeddleNode *block; /* within the groups */
  const HeddleBuffer *largest; /* of what the stream loads */
  const GArray *over; /* what all reductions go over */
  guint most_bytes;
} Search;

static const HeddleBuffer *
buffer_of (const Search *self, guint buffer)
{
  return heddle_loop_program_get_buffer (self->program, buffer);
}

gboolean
heddle_sums_has_columns (const HeddleSums *self, const HeddleBuffer *buffer)
{
  return heddle_ids_contain (buffer->axes, self->columns);
}

static gboolean
have_common_axis (const GArray *a, const GArray *b)
{
  for (guint i = 0; i < a->len; i++)
    if (heddle_ids_contain (b, heddle_ids_index (a, i)))
      return TRUE;
  return FALSE;
}

gboolean
heddle_sums_has_places (const HeddleSums *self, const HeddleBuffer *buffer)
{
  return have_common_axis (buffer->axes, self->rows)
         || (!self->kept && have_common_axis (buffer->axes, self->inner));
}

/* Finds the one stream within the groups, and the largest array that it loads. */
static gboolean
find_band (Search *self)
{
  const HeddleNode *node = self->program->root;

  while (node->children->len == 1
         && ((HeddleNode *) g_ptr_array_index (node->children, 0))->band == HEDDLE_BAND_GROUP
         && ((HeddleNode *) g_ptr_array_index (node->children, 0))->kind == HEDDLE_NODE_BAND)
    node = g_ptr_array_index (node->children, 0);
  self->block = node;
  for (guint i = 0; i < node->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (node->children, i);

      if (child->kind != HEDDLE_NODE_BAND)
        continue;
      if (self->sums->band != NULL || child->band != HEDDLE_BAND_STREAM || child->guard != NULL)
        return FALSE;
      self->sums->band = child;
    }
  for (guint i = 0; self->sums->band != NULL && i < self->sums->band->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (self->sums->band->children, i);
      const HeddleBuffer *buffer = child->kind == HEDDLE_NODE_LOAD ? buffer_of (self, child->buffer) : NULL;

      if (buffer != NULL && (self->largest == NULL || buffer->axes->len > self->largest->axes->len))
        self->largest = buffer;
    }
  return self->largest != NULL && self->largest->axes->len > 0;
}

static gint64
length_of (const Search *self, const char *axis, HeddleExtent extent)
{
  return heddle_loop_program_extent (self->program, self->sizes, axis, extent);
}

static gboolean
is_subset (const GArray *axes, const GArray *of)
{
  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (of, heddle_ids_index (axes, i)))
      return FALSE;
  return TRUE;
}

/* Returns whether a buffer has the columns last, or none of the axes along which vectors lie. */
static gboolean
suits_buffer (Search *self, const HeddleBuffer *buffer)
{
  const GArray *inner = self->sums->inner;
  gboolean has_columns = heddle_sums_has_columns (self->sums, buffer);
  guint first = buffer->axes->len - (has_columns ? inner->len : 0);

  if (!heddle_vector_holds (buffer->dtype) || !is_subset (buffer->axes, self->largest->axes)
      || (has_columns && buffer->axes->len < inner->len))
    return FALSE;
  for (guint i = 0; i < inner->len; i++)
    if (has_columns ? heddle_ids_index (buffer->axes, first + i) != heddle_ids_index (inner, i)
                    : heddle_ids_contain (buffer->axes, heddle_ids_index (inner, i)))
      return FALSE;
  return TRUE;
}

/* Returns whether an axis is one that is kept. */
static gboolean
is_kept (const Search *self, const char *axis)
{
  return !heddle_ids_contain (self->over, axis);
}

/* Sorts the axes of the largest array: each lies in a vector, numbers places, or is one of a block. */
static gboolean
sort_axes (Search *self)
{
  HeddleSums *sums = self->sums;
  const GArray *axes = self->largest->axes;
  guint end = axes->len;

  sums->columns = heddle_ids_index (axes, axes->len - 1);
  sums->kept = is_kept (self, sums->columns);
  if (sums->columns == sums->band->axis || is_kept (self, sums->band->axis)
      || (sums->kept
          && heddle_loop_program_get_band (self->program, sums->columns, HEDDLE_BAND_GROUP) == NULL))
    return FALSE;
  /* reduced axes that lie one within the other are one, but for the streamed one */
  do
    end--;
  while (!sums->kept && end > 0 && !is_kept (self, heddle_ids_index (axes, end - 1))
         && heddle_ids_index (axes, end - 1) != sums->band->axis);
  for (guint i = end; i < axes->len; i++)
    heddle_ids_append (sums->inner, heddle_ids_index (axes, i));
  heddle_ids_append (sums->rows, sums->band->axis);
  for (guint i = 0; i < end; i++)
    {
      const char *axis = heddle_ids_index (axes, i);

      if (is_kept (self, axis) && length_of (self, axis, HEDDLE_EXTENT_TILE) != 1)
        return FALSE;
      if (!is_kept (self, axis) && axis != sums->band->axis)
        heddle_ids_append (sums->rows, axis);
    }
  return TRUE;
}

static gboolean
is_reduction (const HeddleNode *node)
{
  return node->over != NULL && node->over->len > 0;
}

/* Finds the axes that the reductions go over; returns %FALSE if there are none, or they differ. */
static gboolean
find_over (Search *self)
{
  for (guint i = 0; i < self->sums->band->children->len; i++)
    {
      const HeddleNode *node = g_ptr_array_index (self->sums->band->children, i);

      if (node->kind != HEDDLE_NODE_COMPUTE || !is_reduction (node))
        continue;
      if (self->over != NULL && !(is_subset (self->over, node->over) && is_subset (node->over, self->over)))
        return FALSE;
      self->over = node->over;
    }
  return self->over != NULL;
}

static gboolean
uses_inner (const Search *self, const HeddleExpr *expr)
{
  for (guint i = 0; expr != NULL && !self->sums->kept && i < self->sums->inner->len; i++)
    if (heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, heddle_ids_index (self->sums->inner, i)))
      return TRUE;
  return FALSE;
}

/* Returns whether the sources suit: a thread has its part of a sum until the loop is over, so nothing in the
 * loop may read the whole. */
static gboolean
suits_sources (Search *self, const HeddleNode *node, gboolean within)
{
  for (guint i = 0; i < node->sources->len; i++)
    {
      const HeddleBuffer *source = buffer_of (self, g_array_index (node->sources, guint, i));

      if (g_ptr_array_index (node->source_indices, i) != NULL || !suits_buffer (self, source)
          || (within && source->role == HEDDLE_BUFFER_STATE))
        return FALSE;
    }
  return TRUE;
}

static gboolean
suits_compute (Search *self, const HeddleNode *node, gboolean within)
{
  const HeddleBuffer *buffer = buffer_of (self, node->buffer);
  gboolean reduces = is_reduction (node), places = heddle_sums_has_places (self->sums, buffer);

  if (node->form != HEDDLE_COMPUTE_FOLD || node->rescale != NULL || !suits_buffer (self, buffer)
      || !suits_sources (self, node, within) || uses_inner (self, node->body) || node->accumulate != reduces)
    return FALSE;
  self->sums->reductions += reduces;
  return within ? places != reduces : !reduces && !places;
}

/* Returns whether elements that are read at indices lie side by side along the columns. */
static gboolean
follows_columns (const Search *self, const GPtrArray *at)
{
  const HeddleExpr *last = g_ptr_array_index (at, at->len - 1);

  for (guint i = 0; i + 1 < at->len; i++)
    if (heddle_expr_uses (g_ptr_array_index (at, i), HEDDLE_EXPR_INDEX, self->sums->columns))
      return FALSE;
  return heddle_expr_get_kind (last) == HEDDLE_EXPR_INDEX
         && heddle_expr_get_symbol (last) == self->sums->columns;
}

/* Returns whether an access suits, and widens the vectors: the widest is that of the array with the longest
 * elements. */
static gboolean
suits_access (Search *self, const HeddleNode *node, gboolean within)
{
  const HeddleBuffer *buffer = buffer_of (self, node->buffer);
  HeddleDtype dtype = heddle_diagram_dtype (self->program->diagram, buffer->value, self->dtype);
  gboolean load = node->kind == HEDDLE_NODE_LOAD;

  if (node->upper != HEDDLE_GLOBAL || !suits_buffer (self, buffer) || (load && !heddle_vector_holds (dtype))
      || (within && !load))
    return FALSE;
  if (!load)
    return (node->partial != NULL || heddle_vector_holds (dtype))
           && !heddle_sums_has_places (self->sums, buffer)
           && buffer->axes->len == self->largest->axes->len - self->over->len;
  for (guint i = 0; node->at != NULL && i < node->at->len; i++)
    if (heddle_expr_uses (g_ptr_array_index (node->at, i), HEDDLE_EXPR_ARGUMENT, NULL)
        || uses_inner (self, g_ptr_array_index (node->at, i)))
      return FALSE;
  if (node->at != NULL && heddle_sums_has_columns (self->sums, buffer) && !follows_columns (self, node->at))
    return FALSE;
  if (heddle_sums_has_columns (self->sums, buffer))
    self->most_bytes = MAX (self->most_bytes, heddle_dtype_bytes (dtype));
  return node->at == NULL || (!within && node->sources->len == 0);
}

static gboolean
suits (Search *self, const HeddleNode *node, gboolean within)
{
  for (guint i = 0; i < node->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (node->children, i);
      gboolean good = child->kind == HEDDLE_NODE_BAND      ? !within && suits (self, child, TRUE)
                      : child->kind == HEDDLE_NODE_COMPUTE ? suits_compute (self, child, within)
                                                           : suits_access (self, child, within);

      if (!good)
        return FALSE;
    }
  return TRUE;
}

/* Counts the threads of a block: those that have a place, up to the next warp. */
static gboolean
count_threads (Search *self)
{
  HeddleSums *sums = self->sums;
  const char *streamed = sums->band->axis;
  gboolean split = heddle_loop_program_get_band (self->program, streamed, HEDDLE_BAND_GROUP) != NULL;
  gint64 places = length_of (self, streamed, split ? HEDDLE_EXTENT_TILE : HEDDLE_EXTENT_FULL);

  for (guint i = 1; i < sums->rows->len; i++)
    if (__builtin_mul_overflow (
            places, length_of (self, heddle_ids_index (sums->rows, i), HEDDLE_EXTENT_FULL), &places))
      return FALSE;
  if (__builtin_mul_overflow (places, sums->pieces, &places) || places > G_MAXINT32 / 2)
    return FALSE;
  sums->threads = (guint) CLAMP (
      (places * sums->lanes + HEDDLE_VECTOR_WARP - 1) / HEDDLE_VECTOR_WARP * HEDDLE_VECTOR_WARP,
      HEDDLE_VECTOR_WARP, HEDDLE_VECTOR_THREADS);
  return TRUE;
}

/* Divides a place among threads: if columns are kept, among lanes; else all of them go through the vectors of
 * all places. */
static gboolean
divide (Search *self)
{
  HeddleSums *sums = self->sums;
  gint64 n = 1;

  sums->width = HEDDLE_VECTOR_BYTES / self->most_bytes;
  if (sums->kept)
    {
      n = length_of (self, sums->columns, HEDDLE_EXTENT_TILE);
      sums->lanes = heddle_vector_power_of_two ((n + sums->width - 1) / sums->width);
      sums->pieces = 1;
      return sums->lanes <= HEDDLE_VECTOR_WARP && sums->lanes * sums->width <= HEDDLE_VECTOR_THREADS;
    }
  for (guint i = 0; i < sums->inner->len; i++)
    n *= length_of (self, heddle_ids_index (sums->inner, i), HEDDLE_EXTENT_FULL);
  while (n % sums->width != 0)
    sums->width /= 2;
  sums->lanes = 1;
  sums->pieces = (guint) MIN (n / sums->width, G_MAXINT32);
  return n / sums->width < G_MAXINT32 / 2;
}

gboolean
heddle_sums_find (
    HeddleSums *self, const HeddleLoopProgram *program, const HeddleSizes *sizes, HeddleDtype dtype)
{
  Search search = { .sums = self, .program = program, .sizes = sizes, .dtype = dtype };

  *self = (HeddleSums){ .rows = heddle_ids_new (), .inner = heddle_ids_new () };
  return program->spilled->len == 0 && find_band (&search) && find_over (&search) && sort_axes (&search)
         && suits (&search, search.block, FALSE) && self->reductions <= MOST_REDUCTIONS
         && search.most_bytes > 0 && divide (&search) && count_threads (&search);
}

void
heddle_sums_clear (HeddleSums *self)
{
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->inner, g_array_unref);
}

guint
heddle_sums_threads (const HeddleSums *self)
{
  return self->threads;
}
