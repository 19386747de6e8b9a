/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/derive.h"
#include "derive/execute-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Runs a loop program with every buffer a real memory of its tile's size, poisoned when it is made and gone when it dies, and counts what
 * crosses and what is held: the other side of the cost model. */

static void
executor_clear (HeddleExecutor *self)
{
  for (guint i = 0; self->memories != NULL && i < self->program->buffers->len; i++)
    heddle_memory_clear (&self->memories[i]);
  g_free (self->memories);
  g_free (self->inherited);
  g_clear_pointer (&self->ranges, g_hash_table_unref);
  g_clear_pointer (&self->kernels, g_hash_table_unref);
  g_clear_pointer (&self->liveness, heddle_liveness_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleExecutor, executor_clear)

/* --- memories -------------------------------------------------------------------------------- */

void
heddle_memory_clear (HeddleMemory *self)
{
  g_free (self->base);
  g_free (self->shape);
  g_free (self->origin);
  *self = (HeddleMemory){ 0 };
}

/* The indices of @axis that a buffer of extent @extent holds now. */
HeddleRange
heddle_executor_range (const HeddleExecutor *self, const char *axis, HeddleExtent extent)
{
  const HeddleRange *now = extent != HEDDLE_EXTENT_FULL ? g_hash_table_lookup (self->ranges, axis) : NULL;

  return now != NULL ? *now : (HeddleRange){ 0, heddle_sizes_get (self->sizes, axis) };
}

static void
shape_memory (const HeddleExecutor *self, const HeddleBuffer *buffer, HeddleMemory *memory)
{
  memory->n = 1;
  memory->shape = g_new (gint64, MAX (buffer->axes->len, 1));
  memory->origin = g_new (gint64, MAX (buffer->axes->len, 1));
  for (guint i = 0; i < buffer->axes->len; i++)
    {
      HeddleRange range = heddle_executor_range (
          self, heddle_ids_index (buffer->axes, i), g_array_index (buffer->extents, HeddleExtent, i));

      memory->origin[i] = range.from;
      memory->shape[i] = range.to - range.from;
      memory->n = heddle_saturating_multiply (memory->n, memory->shape[i]);
    }
}

/* How many copies of a buffer are held: streamed operands have one for each stage. */
static guint
copies_of (const HeddleExecutor *self, guint i)
{
  return heddle_loop_program_get_buffer (self->program, i)->role == HEDDLE_BUFFER_OPERAND
                 && self->liveness->in_stream[i]
             ? self->program->stages
             : 1;
}

static gboolean
allocate (HeddleExecutor *self, guint i, GError **error)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);
  HeddleMemory *memory = &self->memories[i];
  guint copies = copies_of (self, i);
  gint64 n;

  shape_memory (self, buffer, memory);
  if (self->inherited[i] >= 0)
    {
      HeddleMemory *source = &self->memories[self->inherited[i]];

      memory->base = g_steal_pointer (&source->base);
      memory->data = source->data;
      return TRUE;
    }
  n = heddle_saturating_multiply (memory->n, copies);
  memory->base = n <= G_MAXINT64 / 16 ? g_try_new (double, n) : NULL;
  if (memory->base == NULL)
    {
      g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_CAPACITY,
          _ ("there is no memory for %s: %lld elements"), buffer->name, (long long) memory->n);
      return FALSE;
    }
  for (gint64 k = 0; k < n; k++)
    memory->base[k] = NAN;
  memory->data = memory->base + (self->step % copies) * memory->n;
  return TRUE;
}

/* What is held now, by both conventions; buffers made in place of one another once. */
static void
count_held (HeddleExecutor *self)
{
  guint n = self->program->buffers->len;
  g_autofree gint64 *all = g_new0 (gint64, n), *operands = g_new0 (gint64, n);
  gint64 sum_all = 0, sum_operands = 0;

  for (guint i = 0; i < n; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);
      gint64 elements = self->memories[i].n * copies_of (self, i);

      if (self->memories[i].shape == NULL)
        continue;
      if (buffer->role != HEDDLE_BUFFER_FACTOR)
        all[buffer->slot] = MAX (all[buffer->slot], elements);
      if (buffer->counted)
        operands[buffer->slot] = MAX (operands[buffer->slot], elements);
    }
  for (guint i = 0; i < n; i++)
    {
      sum_all += all[i];
      sum_operands += operands[i];
    }
  self->counts->peak_elements = MAX (self->counts->peak_elements, sum_all);
  self->counts->peak_operands_elements = MAX (self->counts->peak_operands_elements, sum_operands);
}

/* --- loads and saves ---------------------------------------------------------------------------- */

/* Where the current element of a buffer is in the array it stands for, or in part @part of it. */
static gint64
global_offset (const HeddleMemory *memory, const HeddleArray *array, gint64 part, const gint64 *index)
{
  guint first = part >= 0 ? 1 : 0;
  gint64 offset = part >= 0 ? part : 0;

  for (guint i = first; i < array->n_dims; i++)
    offset = offset * array->shape[i] + memory->origin[i - first] + index[i - first];
  return offset;
}

static void
copy_elements (HeddleMemory *memory, HeddleArray *array, gint64 part, gboolean save)
{
  guint n_dims = array->n_dims - (part >= 0 ? 1 : 0);
  g_autofree gint64 *index = g_new0 (gint64, MAX (n_dims, 1));

  for (gint64 k = 0; k < memory->n; k++)
    {
      gint64 offset = global_offset (memory, array, part, index);

      if (save)
        array->data[offset] = memory->data[k];
      else
        memory->data[k] = array->data[offset];
      for (guint i = n_dims; i-- > 0 && ++index[i] == memory->shape[i];)
        index[i] = 0;
    }
}

static void
transfer (HeddleExecutor *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  HeddleArray *array
      = g_hash_table_lookup (self->arrays, node->partial != NULL ? node->partial : buffer->value);
  HeddleMemory *memory = &self->memories[node->buffer];
  gint64 part = -1;

  if (node->partial != NULL)
    part = heddle_executor_range (self, self->program->split, HEDDLE_EXTENT_TILE).from
           / self->program->split_size;
  if (node->at != NULL)
    heddle_executor_compute (self, node, array);
  else
    copy_elements (memory, array, part, node->kind == HEDDLE_NODE_SAVE);
  self->counts->transfer_elements = heddle_saturating_add (self->counts->transfer_elements, memory->n);
}

/* --- running ------------------------------------------------------------------------------------ */

static gboolean
run_statement (HeddleExecutor *self, const HeddleNode *node, GError **error)
{
  guint t = self->statement++;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (self->liveness->birth[node->buffer] == t && !allocate (self, node->buffer, error))
    return FALSE;
  count_held (self);
  if (node->kind == HEDDLE_NODE_COMPUTE)
    heddle_executor_compute (self, node, NULL);
  else
    transfer (self, node);
  for (guint i = 0; i < self->program->buffers->len; i++)
    if (self->liveness->death[i] == t && self->liveness->in_stream[i] == (self->depth > 0))
      heddle_memory_clear (&self->memories[i]);
  return TRUE;
}

static gboolean run_children (HeddleExecutor *self, const HeddleNode *node, GError **error);

/* What was carried through the loop and is not needed after it. */
static void
leave_stream (HeddleExecutor *self, guint first)
{
  for (guint i = 0; i < self->program->buffers->len; i++)
    if (!self->liveness->in_stream[i] && self->liveness->death[i] >= first
        && self->liveness->death[i] < self->statement)
      heddle_memory_clear (&self->memories[i]);
}

static guint
count_statements (const HeddleNode *node)
{
  guint n = 0;

  if (node->kind != HEDDLE_NODE_BAND)
    return 1;
  for (guint i = 0; i < node->children->len; i++)
    n += count_statements (g_ptr_array_index (node->children, i));
  return n;
}

/* A stream within the groups of its own axis goes through the group's part. */
static gboolean
run_band (HeddleExecutor *self, const HeddleNode *band, GError **error)
{
  HeddleRange *around = g_hash_table_lookup (self->ranges, band->axis);
  HeddleRange whole = heddle_executor_range (self, band->axis, HEDDLE_EXTENT_TILE), range;
  guint first = self->statement;
  gboolean stream = band->band == HEDDLE_BAND_STREAM;

  g_hash_table_insert (self->ranges, (gpointer) band->axis, &range);
  self->depth += stream ? 1 : 0;
  for (gint64 from = whole.from, step = 0; from < whole.to; from += band->size, step++)
    {
      range = (HeddleRange){ from, MIN (band->size, whole.to - from) + from };
      self->statement = first;
      self->step = stream ? (guint64) step : 0;
      if (!heddle_executor_is_needed (self, band))
        self->statement += count_statements (band);
      else if (!run_children (self, band, error))
        return FALSE;
    }
  self->depth -= stream ? 1 : 0;
  if (around != NULL)
    g_hash_table_insert (self->ranges, (gpointer) band->axis, around);
  else
    g_hash_table_remove (self->ranges, band->axis);
  if (stream)
    leave_stream (self, first);
  return TRUE;
}

static gboolean
run_children (HeddleExecutor *self, const HeddleNode *node, GError **error)
{
  for (guint i = 0; i < node->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (node->children, i);

      if (!(child->kind == HEDDLE_NODE_BAND ? run_band (self, child, error)
                                            : run_statement (self, child, error)))
        return FALSE;
    }
  return TRUE;
}

/* --- the door --------------------------------------------------------------------------------------- */

static gboolean
check_input (const HeddleExecutor *self, const char *id, GError **error)
{
  const HeddleValue *value = heddle_diagram_get_value (self->program->diagram, id);
  const HeddleArray *array = g_hash_table_lookup (self->arrays, id);
  g_autofree char *label = heddle_diagram_value_label (self->program->diagram, id);
  gboolean fits = array != NULL && array->n_dims == value->axes->len;

  for (guint i = 0; fits && i < array->n_dims; i++)
    fits = array->shape[i] == heddle_sizes_get (self->sizes, heddle_ids_index (value->axes, i));
  if (!fits)
    g_set_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INPUT,
        array == NULL ? _ ("the array of %s is missing")
                      : _ ("the array of %s has not the shape of its axes"),
        label);
  return fits;
}

/* An output nobody has written to is not a number. */
static gboolean
add_output (const HeddleExecutor *self, const char *id, GError **error)
{
  const HeddleValue *value = heddle_diagram_get_value (self->program->diagram, id);
  g_autofree gint64 *shape = g_new (gint64, MAX (value->axes->len, 1));
  HeddleArray *array;

  for (guint i = 0; i < value->axes->len; i++)
    shape[i] = heddle_sizes_get (self->sizes, heddle_ids_index (value->axes, i));
  array = heddle_array_new (HEDDLE_DTYPE_F64, value->axes->len, shape, error);
  if (array == NULL)
    return FALSE;
  for (gint64 i = 0; i < array->n_elements; i++)
    array->data[i] = NAN;
  g_hash_table_insert (self->arrays, (gpointer) id, array);
  return TRUE;
}

static void
find_inherited (HeddleExecutor *self)
{
  guint n = self->program->buffers->len;

  self->inherited = g_new (int, n);
  for (guint i = 0; i < n; i++)
    self->inherited[i] = heddle_liveness_source_in_place (self->liveness, self->program, i);
}

/* Of one program, without its combine step. */
static gboolean
run_program (const HeddleLoopProgram *program, const HeddleSizes *sizes, GHashTable *arrays,
    HeddleCounts *counts, GCancellable *cancellable, GError **error)
{
  g_auto (HeddleExecutor) self = { program, sizes, arrays, counts, cancellable };

  self.liveness = heddle_liveness_new (program);
  self.memories = g_new0 (HeddleMemory, program->buffers->len);
  self.ranges = g_hash_table_new (NULL, NULL);
  self.kernels = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_point_kernel_free);
  find_inherited (&self);
  for (guint i = 0; i < program->inputs->len; i++)
    if (!check_input (&self, heddle_ids_index (program->inputs, i), error))
      return FALSE;
  for (guint i = 0; program->combine != NULL && i < program->partials->len; i++)
    if (!add_output (&self, heddle_ids_index (program->partials, i), error))
      return FALSE;
  for (guint i = 0; i < program->outputs->len; i++)
    if (!g_hash_table_contains (arrays, heddle_ids_index (program->outputs, i))
        && !add_output (&self, heddle_ids_index (program->outputs, i), error))
      return FALSE;
  return run_children (&self, program->root, error);
}

/* Merges the partial states, which are then gone. */
static gboolean
run_combine (const HeddleLoopProgram *program, const HeddleSizes *sizes, GHashTable *arrays,
    HeddleCounts *counts, GCancellable *cancellable, GError **error)
{
  if (!run_program (program->combine, sizes, arrays, counts, cancellable, error))
    return FALSE;
  for (guint i = 0; i < program->partials->len; i++)
    g_hash_table_remove (arrays, heddle_ids_index (program->partials, i));
  return TRUE;
}

/**
 * heddle_execute:
 * @program: a loop program
 * @sizes: the sizes of the axes
 * @arrays: (element-type utf8 HeddleArray): value id -> array: the program's inputs; its outputs are added, f64. The table frees
 *   values with heddle_array_unref()
 * @counts: (out): what crossed and what was held
 *
 * Runs the program in f64, group after group, every buffer a memory of its tile's size; then its combine step, where it has one.
 *
 * Returns: whether it ran to the end; %HEDDLE_DIAGRAM_ERROR_INPUT, %HEDDLE_DIAGRAM_ERROR_LIMIT, %HEDDLE_DERIVE_ERROR_CAPACITY or
 *   %G_IO_ERROR_CANCELLED otherwise
 */
gboolean
heddle_execute (const HeddleLoopProgram *program, const HeddleSizes *sizes, GHashTable *arrays,
    HeddleCounts *counts, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleSizes) own = NULL;

  g_return_val_if_fail (program != NULL && sizes != NULL && arrays != NULL && counts != NULL, FALSE);

  *counts = (HeddleCounts){ 0 };
  own = heddle_loop_program_own_sizes (program, sizes);
  for (guint i = 0; i < program->outputs->len; i++)
    g_hash_table_remove (arrays, heddle_ids_index (program->outputs, i));
  return run_program (program, own, arrays, counts, cancellable, error)
         && (program->combine == NULL || run_combine (program, own, arrays, counts, cancellable, error));
}
