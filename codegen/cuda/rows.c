/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/cuda/axes.h"
#include "codegen/cuda/rows.h"
#include "codegen/cuda/vectors.h"
#include "derive/index/extent.h"
#include "derive/program/liveness.h"
#include "derive/region/region.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"

#define MOST_THREADS 1024
/* The bytes of a bank of shared memory. */
#define BANK 4
/* The number of elements that lanes of one row have in a step if they come through shared memory, where the
 * pitch puts each lane's into banks of its own; and the bytes of shared memory that a block has without
 * asking. */
#define BANKS 32
#define MOST_SHARED 49152
/* The greatest number of values that a thread holds of each array, of all arrays together, and, where those are
 * more, of the arrays that are held at the same time: 1,024 threads leave 64 registers to each. */
#define MOST_VALUES 32
#define MOST_HELD 96
#define MOST_HELD_AT_ONCE 48
/* The number of values of a thread before another warp is taken. */
#define FEW_VALUES 16
/* A window has so many elements at most. */
#define MOST_TERMS 128

typedef struct
{
  HeddleRows *rows;
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes;
  HeddleDtype dtype;
  guint most_bytes, held, across; /* arrays with columns, and those that come through shared memory */
} Search;

/* Returns whether the type is that of places, which are held, and stored, if there is one a row. */
static gboolean
is_place (HeddleDtype dtype)
{
  return dtype == HEDDLE_DTYPE_I32 || dtype == HEDDLE_DTYPE_I64;
}

static const HeddleBuffer *
buffer_of (const Search *self, guint buffer)
{
  return heddle_loop_program_get_buffer (self->program, buffer);
}

static gboolean
buffer_has_columns (const Search *self, guint buffer)
{
  return heddle_rows_has_columns (self->rows, buffer_of (self, buffer));
}

/* Returns whether a thread computes with what source @i of a statement holds. */
static gboolean
holds_source (const Search *self, const HeddleNode *node, guint i)
{
  return heddle_vector_holds (buffer_of (self, g_array_index (node->sources, guint, i))->dtype);
}

/* Returns how much of an axis a block has at a time. */
static HeddleExtent
extent_of (const Search *self, const char *axis)
{
  if (axis == self->rows->columns && self->rows->streamed)
    return HEDDLE_EXTENT_CHUNK;
  return heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_GROUP) != NULL ? HEDDLE_EXTENT_TILE
                                                                                       : HEDDLE_EXTENT_FULL;
}

gboolean
heddle_rows_has_columns (const HeddleRows *self, const HeddleBuffer *buffer)
{
  return heddle_ids_contain (buffer->axes, self->columns);
}

gboolean
heddle_rows_is_across (const HeddleRows *self, const HeddleBuffer *buffer)
{
  return heddle_rows_has_columns (self, buffer)
         && heddle_ids_index (buffer->axes, buffer->axes->len - 1) != self->columns;
}

gint64
heddle_rows_pitch (const HeddleRows *self, gint64 rows, guint bytes)
{
  return (rows + self->width - 1) / self->width * self->width + MAX (BANK / bytes, 1);
}

/* Returns whether a buffer says better than another what rows are: it has more axes, or is written. */
static gboolean
is_better (const Search *self, const HeddleBuffer *buffer, const HeddleBuffer *than)
{
  if (than == NULL || buffer->axes->len != than->axes->len)
    return than == NULL || buffer->axes->len > than->axes->len;
  return heddle_ids_contain (self->program->outputs, buffer->value)
         && !heddle_ids_contain (self->program->outputs, than->value);
}

/* Returns whether a statement below @node reads the buffer at its own place. */
static gboolean
is_read_in_place (const HeddleNode *node, guint buffer)
{
  for (guint i = 0; node->kind != HEDDLE_NODE_BAND && i < node->sources->len; i++)
    if (g_array_index (node->sources, guint, i) == buffer
        && (node->kind == HEDDLE_NODE_LOAD || g_ptr_array_index (node->source_indices, i) == NULL))
      return TRUE;
  for (guint i = 0; i < node->children->len; i++)
    if (is_read_in_place (g_ptr_array_index (node->children, i), buffer))
      return TRUE;
  return FALSE;
}

gboolean
heddle_rows_is_direct (const HeddleRows *self, const HeddleLoopProgram *program, guint number)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (program, number);

  if (!self->reaches || buffer->role != HEDDLE_BUFFER_OPERAND)
    return FALSE;
  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);

      if ((axis != self->columns && !heddle_ids_contain (self->axes, axis))
          || g_array_index (buffer->extents, HeddleExtent, i) == HEDDLE_EXTENT_WINDOW)
        return TRUE;
    }
  return !is_read_in_place (program->root, number);
}

/* Returns the distance of a column index from the thread's own column; %FALSE if it is not the same along all
 * of them. */
static gboolean
find_shift (const HeddleRows *self, const HeddleExpr *index, gint64 *shift)
{
  HeddleExprKind kind = heddle_expr_get_kind (index);
  const HeddleExpr *constant;
  double value;

  *shift = 0;
  if (kind == HEDDLE_EXPR_INDEX)
    return heddle_expr_get_symbol (index) == self->columns;
  if (kind != HEDDLE_EXPR_ADD && kind != HEDDLE_EXPR_SUB)
    return FALSE;
  constant = heddle_expr_get_child (index, 1);
  if (!heddle_expr_evaluate (constant, NULL, NULL, &value, NULL) || value != floor (value)
      || fabs (value) > G_MAXINT32
      || heddle_expr_get_kind (heddle_expr_get_child (index, 0)) != HEDDLE_EXPR_INDEX
      || heddle_expr_get_symbol (heddle_expr_get_child (index, 0)) != self->columns)
    return FALSE;
  *shift = kind == HEDDLE_EXPR_ADD ? (gint64) value : -(gint64) value;
  return TRUE;
}

/* Returns whether the row, and the part of it that a block has, is a whole number of vectors for whatever sizes the kernel
 * is run with. */
static gboolean
has_whole_vectors (const HeddleRows *self, const HeddleLoopProgram *program, const HeddleSizes *sizes)
{
  const HeddleNode *part = heddle_loop_program_get_band (program, self->columns, HEDDLE_BAND_GROUP);

  return !heddle_cuda_axis_at_run_time (program, self->columns)
         && heddle_sizes_get (sizes, self->columns) % self->width == 0
         && (part == NULL || part->size % self->width == 0);
}

typedef struct
{
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes;
} Constants;

/* Answers a size that is a constant of the kernel. */
static gboolean
look_up_constant (const HeddleExpr *leaf, double *value, gpointer data)
{
  const Constants *self = data;

  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_SIZE
         && !heddle_cuda_axis_at_run_time (self->program, heddle_expr_get_symbol (leaf))
         && heddle_sizes_lookup (leaf, value, (gpointer) self->sizes);
}

static gboolean
is_constant (const Constants *constants, const HeddleExpr *expr, gint64 *n)
{
  double value;

  if (!heddle_expr_evaluate (expr, look_up_constant, (gpointer) constants, &value, NULL)
      || value != floor (value) || fabs (value) > G_MAXINT32)
    return FALSE;
  *n = (gint64) value;
  return TRUE;
}

/* Splits floor (column / every) * every. */
static gboolean
find_multiple (const HeddleRows *self, const Constants *constants, const HeddleExpr *index, gint64 *every)
{
  const HeddleExpr *quotient, *inside;
  gint64 again;

  if (heddle_expr_get_kind (index) != HEDDLE_EXPR_MUL)
    return FALSE;
  quotient = heddle_expr_get_child (index, 0);
  if (heddle_expr_get_kind (quotient) != HEDDLE_EXPR_FLOOR)
    return FALSE;
  inside = heddle_expr_get_child (quotient, 0);
  return heddle_expr_get_kind (inside) == HEDDLE_EXPR_DIV
         && heddle_expr_get_kind (heddle_expr_get_child (inside, 0)) == HEDDLE_EXPR_INDEX
         && heddle_expr_get_symbol (heddle_expr_get_child (inside, 0)) == self->columns
         && is_constant (constants, heddle_expr_get_child (inside, 1), every)
         && is_constant (constants, heddle_expr_get_child (index, 1), &again) && again == *every;
}

/* Finds a column index floor (column / every) * every + place, as of the other number of a pair: it is an element of the
 * thread's own vector. */
static gboolean
find_partner (
    const HeddleRows *self, const Constants *constants, const HeddleExpr *index, gint64 *every, gint64 *place)
{
  *place = 0;
  if (heddle_expr_get_kind (index) == HEDDLE_EXPR_ADD)
    {
      if (!is_constant (constants, heddle_expr_get_child (index, 1), place))
        return FALSE;
      index = heddle_expr_get_child (index, 0);
    }
  return find_multiple (self, constants, index, every) && *every > 1 && self->width % *every == 0
         && *place >= 0 && *place < *every && has_whole_vectors (self, constants->program, constants->sizes);
}

gboolean
heddle_rows_reads_vectors (const HeddleRows *self, const HeddleLoopProgram *program, const HeddleSizes *sizes,
    const HeddleBuffer *buffer, const GPtrArray *indices, gint64 *every, gint64 *place)
{
  const Constants constants = { program, sizes };
  gint64 shift;

  *every = 1;
  *place = 0;
  if (indices->len == 0 || heddle_ids_index (buffer->axes, buffer->axes->len - 1) != self->columns)
    return FALSE;
  for (guint i = 0; i + 1 < indices->len; i++)
    if (heddle_expr_uses (g_ptr_array_index (indices, i), HEDDLE_EXPR_INDEX, self->columns))
      return FALSE;
  if (find_partner (self, &constants, g_ptr_array_index (indices, indices->len - 1), every, place))
    return TRUE;
  *every = 1;
  *place = 0;
  if (!find_shift (self, g_ptr_array_index (indices, indices->len - 1), &shift))
    return FALSE;
  return shift == 0
         || (shift % self->width == 0 && !heddle_cuda_axis_at_run_time (program, self->columns)
             && heddle_sizes_get (sizes, self->columns) % self->width == 0);
}

/* Finds the axes by the best buffer: its last axis is that of the columns, and the others are those of the
 * rows. */
static void
find_axes (Search *self)
{
  const HeddleBuffer *largest = NULL;

  for (guint i = 0; i < self->program->buffers->len; i++)
    if ((!self->rows->reaches
            || heddle_ids_contain (
                self->program->outputs, heddle_loop_program_get_buffer (self->program, i)->value))
        && is_better (self, heddle_loop_program_get_buffer (self->program, i), largest))
      largest = heddle_loop_program_get_buffer (self->program, i);
  for (guint i = 0; largest != NULL && i + 1 < largest->axes->len; i++)
    heddle_ids_append (self->rows->axes, heddle_ids_index (largest->axes, i));
  if (largest != NULL && largest->axes->len > 0)
    self->rows->columns = heddle_ids_index (largest->axes, largest->axes->len - 1);
  for (guint i = 0; self->rows->columns != NULL && !self->rows->reaches && i < self->program->buffers->len;
       i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);

      if (heddle_rows_is_across (self->rows, buffer))
        self->rows->across = heddle_ids_index (buffer->axes, buffer->axes->len - 1);
    }
}

/* Returns whether the buffer is a part of rows, or has one value for each, and holds the same part of each
 * axis as the others do. */
static gboolean
suits_buffer (Search *self, const HeddleBuffer *buffer)
{
  gboolean has_columns = heddle_rows_has_columns (self->rows, buffer);

  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);

      if (axis != self->rows->columns && !heddle_ids_contain (self->rows->axes, axis))
        return FALSE;
      if (g_array_index (buffer->extents, HeddleExtent, i) != extent_of (self, axis))
        return FALSE;
    }
  self->held += has_columns;
  return heddle_vector_holds (buffer->dtype) || (!has_columns && is_place (buffer->dtype));
}

/* Returns whether a read is at indices that are the same along a row, but for the column. */
static gboolean
suits_gather (Search *self, const HeddleNode *node)
{
  const HeddleExpr *last = g_ptr_array_index (node->at, node->at->len - 1);

  if (!self->rows->reaches || !buffer_has_columns (self, node->buffer)
      || heddle_expr_get_kind (last) != HEDDLE_EXPR_INDEX
      || heddle_expr_get_symbol (last) != self->rows->columns)
    return FALSE;
  for (guint i = 0; i + 1 < node->at->len; i++)
    if (heddle_expr_uses (g_ptr_array_index (node->at, i), HEDDLE_EXPR_INDEX, self->rows->columns))
      return FALSE;
  for (guint i = 0; i < node->sources->len; i++)
    if (buffer_has_columns (self, g_array_index (node->sources, guint, i)))
      return FALSE;
  return TRUE;
}

/* Returns whether a load or a store is at the place that the thread itself computes. */
static gboolean
suits_place (Search *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = buffer_of (self, node->buffer);
  gboolean across = heddle_rows_is_across (self->rows, buffer);

  if (across
      && (node->kind != HEDDLE_NODE_LOAD
          || heddle_ids_index (buffer->axes, buffer->axes->len - 1) != self->rows->across))
    return FALSE;
  self->across += across;
  /* a part of the result that several rows share would be made for each */
  return node->kind == HEDDLE_NODE_LOAD
         || buffer->axes->len == self->rows->axes->len + (buffer_has_columns (self, node->buffer) ? 1 : 0);
}

/* Returns whether a load or a store can be made: of elements that a thread computes with, or of places, one a
 * row. The longest elements of those that are read as vectors are noted. */
static gboolean
suits_access (Search *self, const HeddleNode *node)
{
  HeddleDtype dtype
      = heddle_diagram_dtype (self->program->diagram, buffer_of (self, node->buffer)->value, self->dtype);
  gboolean direct
      = node->kind == HEDDLE_NODE_LOAD && heddle_rows_is_direct (self->rows, self->program, node->buffer),
      placed = !direct && node->at == NULL,
      places = placed && (node->kind == HEDDLE_NODE_SAVE || self->rows->reaches)
               && !buffer_has_columns (self, node->buffer) && is_place (dtype);

  if (node->partial != NULL || node->upper != HEDDLE_GLOBAL || (direct && node->at != NULL)
      || !(heddle_vector_holds (dtype) || places))
    return FALSE;
  if (!direct && !(placed ? suits_place (self, node) : suits_gather (self, node)))
    return FALSE;
  if (!placed || buffer_has_columns (self, node->buffer))
    self->most_bytes = MAX (self->most_bytes, heddle_dtype_bytes (dtype));
  return TRUE;
}

/* Returns whether a selection suits: it finds the largest element of each row, and where it is. A row's
 * columns are counted in floats, which whole rows in registers have room for. */
static gboolean
suits_select (Search *self, const HeddleNode *node)
{
  if (node->along != NULL || node->ranked || node->second == HEDDLE_NO_BUFFER || self->rows->tiled
      || node->over == NULL || node->over->len != 1 || heddle_ids_index (node->over, 0) != self->rows->columns
      || node->extra == NULL || heddle_expr_get_kind (node->extra) != HEDDLE_EXPR_INDEX
      || heddle_expr_get_symbol (node->extra) != self->rows->columns)
    return FALSE;
  for (guint i = 0; i < node->sources->len; i++)
    if (g_ptr_array_index (node->source_indices, i) != NULL || !holds_source (self, node, i))
      return FALSE;
  self->rows->selects = TRUE;
  self->rows->reductions += 2;
  return TRUE;
}

/* Returns whether the terms along an axis are those of a window: something is read at an index in which
 * another axis occurs. Products of matrices, whose factors are read by many rows, are another form. */
static gboolean
is_window (const HeddleNode *node, const char *axis)
{
  for (guint i = 0; i < node->sources->len; i++)
    {
      const GPtrArray *indices = g_ptr_array_index (node->source_indices, i);

      for (guint k = 0; indices != NULL && k < indices->len; k++)
        if (heddle_expr_get_kind (g_ptr_array_index (indices, k)) != HEDDLE_EXPR_INDEX
            && heddle_expr_uses (g_ptr_array_index (indices, k), HEDDLE_EXPR_INDEX, axis))
          return TRUE;
    }
  return FALSE;
}

/* Returns whether the axes that a statement sums over are windows of a few elements. */
static gboolean
suits_windows (const Search *self, const HeddleNode *node)
{
  gint64 terms = 1;

  for (guint i = 0; node->over != NULL && i < node->over->len; i++)
    {
      const char *axis = heddle_ids_index (node->over, i);

      if (axis == self->rows->columns || heddle_ids_contain (self->rows->axes, axis)
          || !is_window (node, axis)
          || heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_GROUP) != NULL
          || __builtin_mul_overflow (terms, heddle_sizes_get (self->sizes, axis), &terms))
        return FALSE;
    }
  return terms <= MOST_TERMS;
}

/* Returns whether sums over what each element reads around it, and maps of what is read at indices, suit: all
 * of it is in the thread that has the element. */
static gboolean
suits_reach (Search *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);

  if (!self->rows->reaches || node->form != HEDDLE_COMPUTE_FOLD || node->accumulate
      || node->sources->len > HEDDLE_ROWS_MOST_READS || !heddle_rows_has_columns (self->rows, buffer)
      || buffer->axes->len != self->rows->axes->len + 1)
    return FALSE;
  if (!suits_windows (self, node))
    return FALSE;
  for (guint i = 0; i < node->sources->len; i++)
    {
      guint source = g_array_index (node->sources, guint, i);

      if ((g_ptr_array_index (node->source_indices, i) != NULL
              && !heddle_rows_is_direct (self->rows, self->program, source))
          || !holds_source (self, node, i))
        return FALSE;
    }
  return TRUE;
}

gboolean
heddle_rows_reaches (const HeddleRows *self, const HeddleLoopProgram *program, const HeddleNode *node)
{
  if (node->kind != HEDDLE_NODE_COMPUTE || node->form != HEDDLE_COMPUTE_FOLD || !self->reaches)
    return FALSE;
  for (guint i = 0; i < node->sources->len; i++)
    if (heddle_rows_is_direct (self, program, g_array_index (node->sources, guint, i)))
      return TRUE;
  return node->over != NULL && node->over->len > 0 && !heddle_ids_contain (node->over, self->columns);
}

/* Returns whether a scan suits: it is a running sum along the row, all of which is in registers. */
static gboolean
suits_scan (Search *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);

  if (node->along != self->rows->columns || node->extra != NULL || node->second != HEDDLE_NO_BUFFER
      || self->rows->tiled || !heddle_rows_has_columns (self->rows, buffer))
    return FALSE;
  for (guint i = 0; i < node->sources->len; i++)
    if (g_ptr_array_index (node->source_indices, i) != NULL || !holds_source (self, node, i))
      return FALSE;
  self->rows->reductions++;
  return TRUE;
}

static gboolean
suits_compute (Search *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  gboolean has_columns = heddle_rows_has_columns (self->rows, buffer), reads_columns = FALSE;
  guint n_over = node->over != NULL ? node->over->len : 0;

  if (heddle_rows_reaches (self->rows, self->program, node))
    return suits_reach (self, node);
  if (node->form == HEDDLE_COMPUTE_SELECT)
    return suits_select (self, node);
  if (node->form == HEDDLE_COMPUTE_SCAN)
    return suits_scan (self, node);
  if (node->form != HEDDLE_COMPUTE_FOLD || n_over > 1 || (node->accumulate && n_over == 0))
    return FALSE;
  for (guint i = 0; i < node->sources->len; i++)
    {
      if (g_ptr_array_index (node->source_indices, i) != NULL || !holds_source (self, node, i))
        return FALSE;
      reads_columns |= buffer_has_columns (self, g_array_index (node->sources, guint, i));
    }
  if (n_over == 0)
    return has_columns || !reads_columns;
  self->rows->reductions++;
  return !has_columns && heddle_ids_index (node->over, 0) == self->rows->columns;
}

/* Returns whether a band suits: groups are around everything; within them rows may be processed in parts. */
static gboolean
suits_band (const Search *self, const HeddleNode *outer, const HeddleNode *band)
{
  if (band->band == HEDDLE_BAND_GROUP)
    return outer->children->len == 1;
  return band->band == HEDDLE_BAND_STREAM && band->axis == self->rows->columns && band->guard == NULL
         && (outer->kind != HEDDLE_NODE_BAND || outer->band != HEDDLE_BAND_STREAM);
}

/* Returns whether all statements below @node can be done on rows. */
static gboolean
suits (Search *self, const HeddleNode *node)
{
  for (guint i = 0; i < node->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (node->children, i);
      gboolean good;

      if (child->kind == HEDDLE_NODE_BAND)
        good = suits_band (self, node, child) && suits (self, child);
      else if (child->kind == HEDDLE_NODE_COMPUTE)
        good = suits_compute (self, child);
      else
        good = suits_access (self, child);
      if (!good)
        return FALSE;
    }
  return TRUE;
}

static gint64
ceil_div (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

/* Returns the greatest number of arrays with columns that are held at the same time; one that is made in place
 * of another takes its room. */
static guint
held_at_once (const Search *self)
{
  g_autoptr (HeddleLiveness) liveness = heddle_liveness_new (self->program);
  g_autoptr (GHashTable) slots = g_hash_table_new (NULL, NULL);
  guint most = 0;

  for (guint t = 0; t < liveness->statements->len; t++)
    {
      g_hash_table_remove_all (slots);
      for (guint i = 0; i < self->program->buffers->len; i++)
        if (buffer_has_columns (self, i) && heddle_liveness_is_live (liveness, i, t)
            && !heddle_rows_is_direct (self->rows, self->program, i))
          g_hash_table_add (
              slots, GUINT_TO_POINTER (heddle_loop_program_get_buffer (self->program, i)->slot));
      most = MAX (most, g_hash_table_size (slots));
    }
  return most;
}

/* Returns whether the registers have room for what a thread holds. */
static gboolean
fits_registers (const Search *self)
{
  guint values = self->rows->steps * self->rows->width;

  return values <= MOST_VALUES
         && (values * self->held <= MOST_HELD || values * held_at_once (self) <= MOST_HELD_AT_ONCE);
}

/* Divides the work into threads and elements: the lanes of a warp share rows as long as each has few enough,
 * then whole warps do. */
static gboolean
divide (Search *self)
{
  HeddleRows *rows = self->rows;
  gint64 n = heddle_loop_program_extent (
             self->program, self->sizes, rows->columns, extent_of (self, rows->columns)),
         n_rows = 1, few = rows->streamed ? MOST_VALUES : FEW_VALUES;

  for (guint i = 0; i < rows->axes->len; i++)
    {
      const char *axis = heddle_ids_index (rows->axes, i);

      n_rows *= heddle_loop_program_extent (self->program, self->sizes, axis, extent_of (self, axis));
    }
  rows->width = HEDDLE_VECTOR_BYTES / self->most_bytes;
  while (n % rows->width != 0)
    rows->width /= 2;
  if (ceil_div (n, rows->width) <= HEDDLE_VECTOR_WARP || n <= HEDDLE_VECTOR_WARP * few)
    rows->lanes = MIN (heddle_vector_power_of_two (ceil_div (n, rows->width)), HEDDLE_VECTOR_WARP);
  else
    rows->lanes = (guint) MIN (
        ceil_div (ceil_div (n, MAX (rows->width, few)), HEDDLE_VECTOR_WARP) * HEDDLE_VECTOR_WARP,
        MOST_THREADS);
  if (rows->across != NULL)
    rows->lanes = BANKS / rows->width;
  rows->steps = (guint) MIN (ceil_div (n, (gint64) rows->lanes * rows->width), G_MAXINT16);
  rows->rows = rows->lanes <= HEDDLE_VECTOR_WARP
                   ? MIN (HEDDLE_VECTOR_THREADS / rows->lanes, heddle_vector_power_of_two (n_rows))
                   : 1;
  if (rows->rows * rows->lanes < HEDDLE_VECTOR_WARP)
    rows->rows = HEDDLE_VECTOR_WARP / rows->lanes;
  rows->covered = !rows->tiled && n == (gint64) rows->lanes * rows->width * rows->steps;
  return fits_registers (self);
}

/* Returns whether the tiles that are read across suit: shared memory has room for them, and they have the
 * columns and one axis of rows alone. */
static gboolean
suits_across (const Search *self)
{
  const HeddleRows *rows = self->rows;
  gint64 bytes;

  if (rows->across == NULL)
    return TRUE;
  if (!rows->tiled || rows->streamed || rows->reductions > 0
      || heddle_loop_program_get_band (self->program, rows->across, HEDDLE_BAND_GROUP) == NULL)
    return FALSE;
  for (guint i = 0; i < rows->axes->len; i++)
    {
      const char *axis = heddle_ids_index (rows->axes, i);
      gboolean grouped = heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_GROUP) != NULL;

      if (axis != rows->across
          && heddle_loop_program_extent (
                 self->program, self->sizes, axis, grouped ? HEDDLE_EXTENT_TILE : HEDDLE_EXTENT_FULL)
                 != 1)
        return FALSE;
    }
  bytes = heddle_rows_pitch (rows,
              heddle_loop_program_extent (self->program, self->sizes, rows->across, HEDDLE_EXTENT_TILE),
              self->most_bytes)
          * heddle_loop_program_extent (self->program, self->sizes, rows->columns, HEDDLE_EXTENT_TILE)
          * self->most_bytes;
  return bytes * self->across <= MOST_SHARED;
}

static gboolean
find (HeddleRows *self, const HeddleLoopProgram *program, const HeddleSizes *sizes, HeddleDtype dtype,
    gboolean reaches)
{
  Search search = { .rows = self, .program = program, .sizes = sizes, .dtype = dtype };

  *self = (HeddleRows){ .axes = heddle_ids_new (), .reaches = reaches };
  find_axes (&search);
  if (self->columns == NULL || program->split != NULL || program->spilled->len > 0)
    return FALSE;
  self->streamed = heddle_loop_program_get_band (program, self->columns, HEDDLE_BAND_STREAM) != NULL;
  self->tiled
      = self->streamed || heddle_loop_program_get_band (program, self->columns, HEDDLE_BAND_GROUP) != NULL;
  if (reaches && self->streamed)
    return FALSE;
  for (guint i = 0; i < program->buffers->len; i++)
    if (!heddle_rows_is_direct (self, program, i)
        && !suits_buffer (&search, heddle_loop_program_get_buffer (program, i)))
      return FALSE;
  return suits (&search, program->root) && search.most_bytes > 0
         && !(self->tiled && !self->streamed && self->reductions > 0) && divide (&search)
         && suits_across (&search);
}

gboolean
heddle_rows_find (
    HeddleRows *self, const HeddleLoopProgram *program, const HeddleSizes *sizes, HeddleDtype dtype)
{
  HeddleRows reaching;

  if (find (self, program, sizes, dtype, FALSE))
    return TRUE;
  if (!find (&reaching, program, sizes, dtype, TRUE))
    {
      heddle_rows_clear (&reaching);
      return FALSE;
    }
  heddle_rows_clear (self);
  *self = reaching;
  return TRUE;
}

void
heddle_rows_clear (HeddleRows *self)
{
  g_clear_pointer (&self->axes, g_array_unref);
}

guint
heddle_rows_threads (const HeddleRows *self)
{
  return self->lanes * self->rows;
}
