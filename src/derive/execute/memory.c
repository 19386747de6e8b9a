/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/execute/execute.h"
#include "derive/execute/memory.h"
#include "derive/execute/point.h"
#include "derive/execute/private.h"
#include "derive/index/extent.h"
#include "derive/index/saturate.h"
#include "derive/index/window.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/graph/diagram.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* What buffers are while a loop program runs. Every group of a lower level has memories of its own, which last from one time that it is
 * entered to the next; those of the group at hand are at hand, the others are kept by its number. */

/* --- memories -------------------------------------------------------------------------------- */

void
heddle_memory_clear (HeddleMemory *self)
{
  g_free (self->base);
  g_free (self->shape);
  g_free (self->origin);
  *self = (HeddleMemory){ 0 };
}

static void
memory_free (gpointer memory)
{
  heddle_memory_clear (memory);
  g_free (memory);
}

HeddleRange
heddle_executor_range (const HeddleExecutor *self, const char *axis, HeddleExtent extent, guint depth)
{
  const HeddleRange *now
      = extent != HEDDLE_EXTENT_FULL ? g_hash_table_lookup (self->ranges[depth], axis) : NULL;

  return now != NULL ? *now : (HeddleRange){ 0, heddle_sizes_get (self->sizes, axis) };
}

/* Of the level at hand. */
typedef struct
{
  const HeddleExecutor *executor;
  guint depth;
} Look;

static HeddleSpan
axis_at_hand (const char *axis, gpointer data)
{
  const Look *look = data;
  HeddleRange range = heddle_executor_range (look->executor, axis, HEDDLE_EXTENT_TILE, look->depth);

  return (HeddleSpan){ range.from, range.to };
}

static HeddleRange
range_of_buffer (const HeddleExecutor *self, const HeddleBuffer *buffer, guint i)
{
  const char *axis = heddle_ids_index (buffer->axes, i);
  HeddleExtent extent = g_array_index (buffer->extents, HeddleExtent, i);
  Look look = { self, buffer->depth };
  HeddleSpan span;

  if (extent != HEDDLE_EXTENT_WINDOW)
    return heddle_executor_range (self, axis, extent, buffer->depth);
  span = heddle_window_span (g_ptr_array_index (buffer->windows, i), self->sizes,
      heddle_sizes_get (self->sizes, axis), axis_at_hand, &look);
  return (HeddleRange){ span.from, span.to };
}

static void
shape_memory (const HeddleExecutor *self, const HeddleBuffer *buffer, HeddleMemory *memory)
{
  memory->n = 1;
  memory->shape = g_new (gint64, MAX (buffer->axes->len, 1));
  memory->origin = g_new (gint64, MAX (buffer->axes->len, 1));
  for (guint i = 0; i < buffer->axes->len; i++)
    {
      HeddleRange range = range_of_buffer (self, buffer, i);

      memory->origin[i] = range.from;
      memory->shape[i] = range.to - range.from;
      memory->n = heddle_saturating_multiply (memory->n, memory->shape[i]);
    }
}

/* How many copies of a buffer are held: streamed operands of the first level have one for each stage. */
static guint
copies_of (const HeddleExecutor *self, guint i)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);

  return buffer->role == HEDDLE_BUFFER_OPERAND && !buffer->again && buffer->depth == 0
                 && self->liveness->in_stream[i]
             ? self->program->stages
             : 1;
}

gboolean
heddle_executor_allocate (HeddleExecutor *self, guint i, GError **error)
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
  memory->base = n <= G_MAXINT64 / 16 ? g_try_new (double, MAX (n, 1)) : NULL;
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

/* --- the groups of lower levels ---------------------------------------------------------------- */

/* Puts the memories of the groups at hand, of the levels from @depth on, by and takes up those of others. */
static void
exchange (HeddleExecutor *self, guint depth, const guint64 *groups)
{
  for (guint i = 0; i < self->program->buffers->len; i++)
    {
      guint own = heddle_loop_program_get_buffer (self->program, i)->depth;
      HeddleMemory *other;

      if (own < depth)
        continue;
      if (self->memories[i].shape != NULL)
        g_hash_table_insert (self->kept[i], g_memdup2 (&self->group[own], sizeof (guint64)),
            g_memdup2 (&self->memories[i], sizeof (HeddleMemory)));
      self->memories[i] = (HeddleMemory){ 0 };
      other = g_hash_table_lookup (self->kept[i], &groups[own]);
      if (other == NULL)
        continue;
      self->memories[i] = *other;
      *other = (HeddleMemory){ 0 };
      g_hash_table_remove (self->kept[i], &groups[own]);
    }
}

void
heddle_executor_enter_group (HeddleExecutor *self, guint depth, guint64 number, guint64 count)
{
  guint64 groups[HEDDLE_MAX_LEVELS];

  memcpy (groups, self->group, sizeof groups);
  for (guint i = depth; i < HEDDLE_MAX_LEVELS; i++)
    groups[i] = groups[i] * (count + 1) + number + 1;
  exchange (self, depth, groups);
  memcpy (self->group, groups, sizeof groups);
}

void
heddle_executor_leave_group (HeddleExecutor *self, guint depth, const guint64 *before)
{
  exchange (self, depth, before);
  memcpy (self->group, before, sizeof self->group);
}

/* Of the group at hand where it is in one of the buffer's level, else of all. */
void
heddle_executor_drop (HeddleExecutor *self, guint i)
{
  heddle_memory_clear (&self->memories[i]);
  if (heddle_loop_program_get_buffer (self->program, i)->depth > self->depth)
    g_hash_table_remove_all (self->kept[i]);
}

void
heddle_executor_init_groups (HeddleExecutor *self)
{
  self->kept = g_new (GHashTable *, self->program->buffers->len);
  for (guint i = 0; i < self->program->buffers->len; i++)
    self->kept[i] = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, memory_free);
}

/* What the groups at hand hold now, of the levels down to @depth, by both conventions; buffers made in place of one another once. */
static void
count_level (HeddleExecutor *self, guint depth, gint64 *all, gint64 *operands)
{
  guint n = self->program->buffers->len;
  HeddleLevelCounts *counts = &self->counts->levels[depth];
  gint64 sum_all = 0, sum_operands = 0;

  memset (all, 0, n * sizeof *all);
  memset (operands, 0, n * sizeof *operands);
  for (guint i = 0; i < n; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);
      gint64 elements = self->memories[i].n * copies_of (self, i);

      if (self->memories[i].shape == NULL || buffer->depth != depth)
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
  counts->peak_elements = MAX (counts->peak_elements, sum_all);
  counts->peak_operands_elements = MAX (counts->peak_operands_elements, sum_operands);
}

void
heddle_executor_count_held (HeddleExecutor *self, guint depth)
{
  guint n = self->program->buffers->len;
  g_autofree gint64 *all = g_new (gint64, n), *operands = g_new (gint64, n);

  for (guint i = 0; i <= depth; i++)
    count_level (self, i, all, operands);
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

/* Between a buffer and the one above it. */
static void
copy_between (HeddleMemory *lower, HeddleMemory *upper, guint n_dims, gboolean save)
{
  g_autofree gint64 *index = g_new0 (gint64, MAX (n_dims, 1));

  g_assert (upper->shape != NULL);
  for (gint64 k = 0; k < lower->n; k++)
    {
      gint64 offset = 0;

      for (guint i = 0; i < n_dims; i++)
        {
          gint64 local = lower->origin[i] + index[i] - upper->origin[i];

          g_assert (local >= 0 && local < upper->shape[i]);
          offset = offset * upper->shape[i] + local;
        }
      if (save)
        upper->data[offset] = lower->data[k];
      else
        lower->data[k] = upper->data[offset];
      for (guint i = n_dims; i-- > 0 && ++index[i] == lower->shape[i];)
        index[i] = 0;
    }
}

static void
transfer_global (HeddleExecutor *self, const HeddleNode *node, const HeddleBuffer *buffer)
{
  HeddleArray *array
      = g_hash_table_lookup (self->arrays, node->partial != NULL ? node->partial : buffer->value);
  gint64 part = -1;

  if (node->partial != NULL)
    part = heddle_executor_range (self, self->program->split, HEDDLE_EXTENT_TILE, 0).from
           / self->program->split_size;
  if (node->at != NULL)
    heddle_executor_compute (self, node, array);
  else
    copy_elements (&self->memories[node->buffer], array, part, node->kind == HEDDLE_NODE_SAVE);
}

void
heddle_executor_transfer (HeddleExecutor *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  HeddleLevelCounts *counts = &self->counts->levels[buffer->depth];
  HeddleMemory *memory = &self->memories[node->buffer];

  if (node->upper == HEDDLE_GLOBAL)
    transfer_global (self, node, buffer);
  else
    copy_between (memory, &self->memories[node->upper], buffer->axes->len, node->kind == HEDDLE_NODE_SAVE);
  counts->transfer_elements = heddle_saturating_add (counts->transfer_elements, memory->n);
}
