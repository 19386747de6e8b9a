/* SPDX-License-Identifier: MIT */
#include "codegen/tile/find-shifts.h"
#include "codegen/tile/program.h"
#include "codegen/tile/shifts-private.h"
#include "derive/index/window.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/tree.h"

/* The loop program of the kernel as tiles see it: its operands that are read at shifted indices have the axes
 * that move, and statements read them at the point. */

/* --- how operands are read --- */

typedef struct
{
  guint buffer;
  const GPtrArray *indices; /* NULL: it is read at the point, or at different ones */
  gboolean plain;
} Reads;

static gboolean
are_equal (const GPtrArray *a, const GPtrArray *b)
{
  for (guint k = 0; k < a->len; k++)
    if (!heddle_expr_equal (g_ptr_array_index (a, k), g_ptr_array_index (b, k)))
      return FALSE;
  return TRUE;
}

static gboolean
note_reads (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  Reads *reads = data;

  for (guint i = 0; i < node->sources->len; i++)
    {
      const GPtrArray *indices = g_ptr_array_index (node->source_indices, i);

      if (g_array_index (node->sources, guint, i) != reads->buffer)
        continue;
      reads->plain |= indices == NULL || (reads->indices != NULL && !are_equal (indices, reads->indices));
      reads->indices = indices;
    }
  return TRUE;
}

/* Returns how many indices of an axis a block goes through at a time. */
static gint64
count_of (const HeddleTileMaker *self, const char *axis)
{
  static const struct
  {
    HeddleBandKind band;
    HeddleExtent extent;
  } rows[] = { { HEDDLE_BAND_STREAM, HEDDLE_EXTENT_CHUNK }, { HEDDLE_BAND_GROUP, HEDDLE_EXTENT_TILE } };
  const HeddleTileProgram *made = self->made;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (heddle_loop_program_get_band (made->program, axis, rows[i].band) != NULL)
      return heddle_loop_program_extent (made->program, made->sizes, axis, rows[i].extent);
  return heddle_loop_program_extent (made->program, made->sizes, axis, HEDDLE_EXTENT_FULL);
}

static HeddleExtent
extent_of (const HeddleTileMaker *self, const char *axis)
{
  if (heddle_loop_program_get_band (self->made->program, axis, HEDDLE_BAND_STREAM) != NULL)
    return HEDDLE_EXTENT_CHUNK;
  return heddle_loop_program_get_band (self->made->program, axis, HEDDLE_BAND_GROUP) != NULL
             ? HEDDLE_EXTENT_TILE
             : HEDDLE_EXTENT_FULL;
}

/* Returns whether the expression is a sum in which the index of @axis stands once, as it is. */
static gboolean
adds_index (const HeddleExpr *expr, const char *axis)
{
  const HeddleExpr *a, *b;

  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_INDEX)
    return heddle_expr_get_symbol (expr) == axis;
  if (heddle_expr_get_kind (expr) != HEDDLE_EXPR_ADD)
    return FALSE;
  a = heddle_expr_get_child (expr, 0);
  b = heddle_expr_get_child (expr, 1);
  if (heddle_expr_uses (a, HEDDLE_EXPR_INDEX, axis))
    return adds_index (a, axis) && !heddle_expr_uses (b, HEDDLE_EXPR_INDEX, axis);
  return adds_index (b, axis);
}

static HeddleExpr *
drop_index (const HeddleExpr *leaf, gpointer data)
{
  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (leaf) == data
             ? heddle_expr_number (0)
             : NULL;
}

/* Returns whether the index never falls below 0 and falls with none of its leaves, whatever sizes the kernel is
 * called with. */
static gboolean
is_rising (const HeddleExpr *index)
{
  switch (heddle_expr_get_kind (index))
    {
    case HEDDLE_EXPR_INDEX:
    case HEDDLE_EXPR_SIZE:
      return TRUE;
    case HEDDLE_EXPR_NUMBER:
      return heddle_expr_get_number (index) >= 0;
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_MUL:
      return is_rising (heddle_expr_get_child (index, 0)) && is_rising (heddle_expr_get_child (index, 1));
    default:
      return FALSE;
    }
}

/* Returns the sum that the index along the array's axis @own is, if it only grows and stays inside at the planned
 * sizes; NULL else. */
static HeddleWindowSum *
sum_of (const HeddleTileMaker *self, const char *own, HeddleExpr *index)
{
  g_autoptr (GPtrArray) one = g_ptr_array_new ();
  g_autoptr (HeddleWindowSum) sum = NULL;
  HeddleSpan span;

  if (!is_rising (index))
    return NULL;
  g_ptr_array_add (one, index);
  sum = heddle_window_sum_new (one, self->made->sizes);
  span = heddle_window_hull (one, self->made->sizes, heddle_window_whole_axis, (gpointer) self->made->sizes);
  if (sum == NULL || sum->offset < 0 || span.from < 0 || span.to > heddle_sizes_get (self->made->sizes, own))
    return NULL;
  for (guint i = 0; i < sum->factors->len; i++)
    if (g_array_index (sum->factors, gint64, i) < 0)
      return NULL;
  return g_steal_pointer (&sum);
}

/* Finds the axis of which a block has several indices, and they lie side by side; *@axis is NULL if it has one
 * of each. Returns FALSE where there is none such, or where what is added changes from step to step. */
static gboolean
find_moving (
    const HeddleTileMaker *self, const HeddleWindowSum *sum, const HeddleExpr *index, const char **axis)
{
  *axis = NULL;
  for (guint i = 0; i < sum->axes->len; i++)
    {
      const char *own = heddle_ids_index (sum->axes, i);

      if (count_of (self, own) == 1)
        continue;
      if (*axis != NULL || !adds_index (index, own))
        return FALSE;
      *axis = own;
    }
  for (guint i = 0; self->made->stream != NULL && i < sum->axes->len; i++)
    if (heddle_ids_index (sum->axes, i) == self->made->stream->axis && self->made->stream->axis != *axis)
      return FALSE;
  return TRUE;
}

/* Returns the axis whose index alone the array's axis @own is read at, if it is as long; NULL else. Another name
 * of the axis stands for it, as in operands that are read at the point. */
static const char *
find_name (const HeddleTileMaker *self, const char *own, const HeddleExpr *index)
{
  const char *name
      = heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX ? heddle_expr_get_symbol (index) : NULL;

  return name != NULL
                 && heddle_sizes_get (self->made->sizes, name) == heddle_sizes_get (self->made->sizes, own)
             ? name
             : NULL;
}

static void
append_axis (
    HeddleTileOperandShift *shift, HeddleBuffer *seen, const char *own, const char *axis, HeddleExtent extent)
{
  heddle_ids_append (shift->axes, own);
  heddle_ids_append (seen->axes, axis);
  g_array_append_val (seen->extents, extent);
}

/* Adds what is known of the operand's axis @k to the shift and to the buffer that tiles see. */
static gboolean
add_axis (const HeddleTileMaker *self, const HeddleBuffer *buffer, guint k, HeddleExpr *index,
    HeddleTileOperandShift *shift, HeddleBuffer *seen)
{
  const char *own = heddle_ids_index (buffer->axes, k), *moving = find_name (self, own, index);
  HeddleExtent extent = g_array_index (buffer->extents, HeddleExtent, k);
  g_autoptr (HeddleExpr) from = NULL;
  HeddleWindowSum *sum;

  if (moving != NULL)
    {
      g_ptr_array_add (shift->sums, NULL);
      g_ptr_array_add (shift->from, NULL);
      append_axis (shift, seen, moving, moving, moving == own ? extent : extent_of (self, moving));
      return moving != own || extent != HEDDLE_EXTENT_WINDOW;
    }
  sum = sum_of (self, own, index);
  g_ptr_array_add (shift->sums, sum);
  if (sum == NULL || !find_moving (self, sum, index, &moving)
      || (moving == NULL && extent != HEDDLE_EXTENT_WINDOW))
    return FALSE;
  from = heddle_expr_substitute (index, drop_index, (gpointer) moving);
  g_ptr_array_add (shift->from, heddle_expr_simplify (from));
  append_axis (
      shift, seen, own, moving != NULL ? moving : own, moving != NULL ? extent_of (self, moving) : extent);
  return TRUE;
}

/* Returns whether all axes differ: those of a diagonal do not. */
static gboolean
are_apart (const GArray *axes)
{
  for (guint i = 0; i < axes->len; i++)
    if (heddle_ids_find (axes, heddle_ids_index (axes, i)) != (int) i)
      return FALSE;
  return TRUE;
}

static gboolean
is_loaded_in (const HeddleNode *stream, guint buffer)
{
  for (guint i = 0; stream != NULL && i < stream->children->len; i++)
    {
      const HeddleNode *node = g_ptr_array_index (stream->children, i);

      if (node->kind == HEDDLE_NODE_LOAD && node->buffer == buffer)
        return TRUE;
    }
  return FALSE;
}

/* Returns the operand as tiles see it, and what is known of its shifts; NULL if it is read in another way. */
static HeddleBuffer *
see_operand (HeddleTileMaker *self, guint i, HeddleTileOperandShift **shift)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->made->program, i);
  Reads reads = { .buffer = i };
  HeddleBuffer *seen;
  gboolean good = TRUE;

  if (buffer->role != HEDDLE_BUFFER_OPERAND || buffer->again)
    return NULL;
  heddle_tile_walk (self, note_reads, &reads);
  if (reads.plain || reads.indices == NULL)
    return NULL;
  *shift = g_new (HeddleTileOperandShift, 1);
  **shift = (HeddleTileOperandShift){ heddle_ids_new (), g_ptr_array_new (), g_ptr_array_new () };
  seen = g_memdup2 (buffer, sizeof *buffer);
  seen->axes = heddle_ids_new ();
  seen->extents = g_array_new (FALSE, FALSE, sizeof (HeddleExtent));
  for (guint k = 0; good && k < buffer->axes->len; k++)
    good = add_axis (self, buffer, k, g_ptr_array_index (reads.indices, k), *shift, seen);
  if (good && are_apart (seen->axes)
      && heddle_tile_is_streamed (seen) == is_loaded_in (self->made->stream, i))
    return seen;
  heddle_tile_shift_buffer_free (seen);
  heddle_tile_shift_free (*shift);
  return NULL;
}

/* --- the program as tiles see it --- */

static HeddleNode *see_node (
    HeddleTileShifts *self, const HeddleLoopProgram *program, const HeddleNode *node);

/* Returns the indices at which the statement still reads. */
static GPtrArray *
left_indices (const HeddleTileShifts *self, const HeddleLoopProgram *program, const HeddleNode *node)
{
  GPtrArray *left = g_ptr_array_new ();

  for (guint i = 0; i < node->source_indices->len; i++)
    {
      const guint source = g_array_index (node->sources, guint, i);
      gboolean seen
          = g_ptr_array_index (self->program.buffers, source) != g_ptr_array_index (program->buffers, source);

      g_ptr_array_add (left, seen ? NULL : g_ptr_array_index (node->source_indices, i));
    }
  return left;
}

static HeddleNode *
see_node (HeddleTileShifts *self, const HeddleLoopProgram *program, const HeddleNode *node)
{
  HeddleNode *seen = g_memdup2 (node, sizeof *node);

  seen->children = g_ptr_array_new ();
  seen->source_indices = left_indices (self, program, node);
  g_ptr_array_add (self->nodes, seen);
  for (guint i = 0; i < node->children->len; i++)
    g_ptr_array_add (seen->children, see_node (self, program, g_ptr_array_index (node->children, i)));
  return seen;
}

gboolean
heddle_tile_find_shifts (HeddleTileMaker *self)
{
  HeddleTileShifts *shifts = g_new0 (HeddleTileShifts, 1);

  shifts->program = *self->made->program;
  shifts->program.buffers = g_ptr_array_copy (self->made->program->buffers, NULL, NULL);
  g_ptr_array_set_free_func (shifts->program.buffers, NULL);
  shifts->nodes = g_ptr_array_new_with_free_func (heddle_tile_shift_node_free);
  shifts->buffers = g_ptr_array_new_with_free_func (heddle_tile_shift_buffer_free);
  shifts->shifts = g_hash_table_new_full (NULL, NULL, NULL, heddle_tile_shift_free);
  for (guint i = 0; i < self->made->program->buffers->len; i++)
    {
      HeddleTileOperandShift *shift = NULL;
      HeddleBuffer *seen = see_operand (self, i, &shift);

      if (seen == NULL)
        continue;
      g_ptr_array_add (shifts->buffers, seen);
      g_hash_table_insert (shifts->shifts, seen, shift);
      shifts->program.buffers->pdata[i] = seen;
    }
  self->made->shifts = shifts;
  if (shifts->buffers->len == 0)
    return FALSE;
  shifts->program.root = see_node (shifts, self->made->program, self->made->program->root);
  self->made->program = &shifts->program;
  return TRUE;
}
