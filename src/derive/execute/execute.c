/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/execute/execute.h"
#include "derive/execute/guard.h"
#include "derive/execute/point.h"
#include "derive/execute/private.h"
#include "derive/index/extent.h"
#include "derive/program/liveness.h"
#include "derive/program/loop-program-private.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/base/error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* This file runs a loop program with every buffer as a real memory of its tile's size, poisoned when it is
 * made and gone when it dies, and counts what crosses and what is held: it is the check on the cost model. */

static void
executor_clear (HeddleExecutor *self)
{
  for (guint i = 0; self->memories != NULL && i < self->program->buffers->len; i++)
    {
      heddle_memory_clear (&self->memories[i]);
      g_clear_pointer (&self->kept[i], g_hash_table_unref);
    }
  g_free (self->memories);
  g_free (self->kept);
  g_free (self->inherited);
  for (guint i = 0; i < HEDDLE_MAX_LEVELS; i++)
    g_clear_pointer (&self->ranges[i], g_hash_table_unref);
  g_clear_pointer (&self->kernels, g_hash_table_unref);
  g_clear_pointer (&self->liveness, heddle_liveness_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleExecutor, executor_clear)

/* --- running ------------------------------------------------------------------------------------ */

static gboolean
begin_buffers (HeddleExecutor *self, guint t, guint depth, GError **error)
{
  for (guint i = 0; i < self->program->buffers->len; i++)
    if (self->liveness->birth[i] == t && self->memories[i].shape == NULL
        && heddle_loop_program_get_buffer (self->program, i)->depth <= depth
        && !heddle_executor_allocate (self, i, error))
      return FALSE;
  return TRUE;
}

static gboolean
run_statement (HeddleExecutor *self, const HeddleNode *node, GError **error)
{
  guint t = self->statement++, depth = heddle_loop_program_get_buffer (self->program, node->buffer)->depth;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error)
      || !begin_buffers (self, t, depth, error))
    return FALSE;
  heddle_executor_count_held (self, depth);
  if (node->kind == HEDDLE_NODE_COMPUTE)
    heddle_executor_compute (self, node, NULL);
  else
    heddle_executor_transfer (self, node);
  for (guint i = 0; i < self->program->buffers->len; i++)
    if (self->liveness->death[i] == t && self->liveness->dies_with[i] < 0)
      heddle_memory_clear (&self->memories[i]);
  return TRUE;
}

static gboolean run_children (HeddleExecutor *self, const HeddleNode *node, GError **error);

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

static int
find_scope (const HeddleExecutor *self, const HeddleNode *band)
{
  for (guint i = 0; i < self->liveness->scopes->len; i++)
    if (g_array_index (self->liveness->scopes, HeddleScope, i).band == band)
      return (int) i;
  g_assert_not_reached ();
}

/* Drops what was carried through the loop and is not needed after it. */
static void
leave_loop (HeddleExecutor *self, const HeddleNode *band)
{
  int scope = find_scope (self, band);

  for (guint i = 0; i < self->program->buffers->len; i++)
    if (self->liveness->dies_with[i] == scope)
      heddle_executor_drop (self, i);
}

/* Runs one part of the band's axis. */
static gboolean
run_part (HeddleExecutor *self, const HeddleNode *band, guint64 number, guint64 count, GError **error)
{
  guint64 before[HEDDLE_MAX_LEVELS];
  gboolean lower = band->band == HEDDLE_BAND_GROUP && band->depth > 0, result = TRUE;
  guint depth = self->depth;

  memcpy (before, self->group, sizeof before);
  if (lower)
    heddle_executor_enter_group (self, band->depth, number, count);
  self->depth = MAX (self->depth, band->depth);
  if (!heddle_executor_is_needed (self, band))
    self->statement += count_statements (band);
  else
    result = run_children (self, band, error);
  self->depth = depth;
  if (lower)
    heddle_executor_leave_group (self, band->depth, before);
  return result;
}

static void
set_range (HeddleExecutor *self, const HeddleNode *band, const HeddleRange *const *ranges)
{
  for (guint i = band->depth; i < HEDDLE_MAX_LEVELS; i++)
    if (ranges[i] != NULL)
      g_hash_table_insert (self->ranges[i], (gpointer) band->axis, (gpointer) ranges[i]);
    else
      g_hash_table_remove (self->ranges[i], band->axis);
}

/* Runs a band. A loop within another one over the same axis goes through that one's part. */
static gboolean
run_band (HeddleExecutor *self, const HeddleNode *band, GError **error)
{
  HeddleRange whole = heddle_executor_range (self, band->axis, HEDDLE_EXTENT_TILE, band->depth), range;
  const HeddleRange *around[HEDDLE_MAX_LEVELS], *within[HEDDLE_MAX_LEVELS];
  guint64 count = (guint64) ((whole.to - whole.from) / band->size + 1), number = 0;
  guint64 step = self->step;
  guint first = self->statement;

  for (guint i = 0; i < HEDDLE_MAX_LEVELS; i++)
    {
      around[i] = g_hash_table_lookup (self->ranges[i], band->axis);
      within[i] = &range;
    }
  set_range (self, band, within);
  for (gint64 from = whole.from; from < whole.to; from += range.to - range.from, number++)
    {
      range = (HeddleRange){ from, MIN (band->size, whole.to - from) + from };
      self->statement = first;
      if (band->band == HEDDLE_BAND_STREAM && band->depth == 0)
        self->step = number;
      if (!run_part (self, band, number, count, error))
        return FALSE;
    }
  set_range (self, band, around);
  self->step = step;
  leave_loop (self, band);
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
                      : _ ("the array of %s does not have the shape of its axes"),
        label);
  return fits;
}

/* Adds an output whose elements are NaN until they are written. */
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

/* Moves values over the links above global memory, element by element, into memory that is NaN before. */
static gboolean
cross_links (const HeddleExecutor *self, gboolean after, GError **error)
{
  const GArray *moves = self->program->moves;

  for (guint i = 0; moves != NULL && i < moves->len; i++)
    {
      const HeddleMove *move = &g_array_index (moves, HeddleMove, i);
      g_autoptr (HeddleArray) from = NULL;
      HeddleArray *to;

      if (move->after != after)
        continue;
      from = heddle_array_ref (g_hash_table_lookup (self->arrays, move->value));
      if (!add_output (self, move->value, error))
        return FALSE;
      to = g_hash_table_lookup (self->arrays, move->value);
      for (gint64 k = 0; k < from->n_elements; k++)
        {
          to->data[k] = from->data[k];
          self->counts->above_elements[move->number]++;
        }
    }
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

/* Runs one program without its combine step. */
static gboolean
run_program (const HeddleLoopProgram *program, const HeddleSizes *sizes, GHashTable *arrays,
    HeddleCounts *counts, GCancellable *cancellable, GError **error)
{
  g_auto (HeddleExecutor) self = { program, sizes, arrays, counts, cancellable };

  self.liveness = heddle_liveness_new (program);
  self.memories = g_new0 (HeddleMemory, program->buffers->len);
  for (guint i = 0; i < HEDDLE_MAX_LEVELS; i++)
    self.ranges[i] = g_hash_table_new (NULL, NULL);
  heddle_executor_init_groups (&self);
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
  for (guint i = 0; i < program->spilled->len; i++)
    if (!add_output (&self, heddle_ids_index (program->spilled, i), error))
      return FALSE;
  if (!cross_links (&self, FALSE, error) || !run_children (&self, program->root, error)
      || !cross_links (&self, TRUE, error))
    return FALSE;
  for (guint i = 0; i < program->spilled->len; i++)
    g_hash_table_remove (arrays, heddle_ids_index (program->spilled, i));
  return TRUE;
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
  if (!run_program (program, own, arrays, counts, cancellable, error)
      || (program->combine != NULL && !run_combine (program, own, arrays, counts, cancellable, error)))
    return FALSE;
  counts->transfer_elements = counts->levels[0].transfer_elements;
  counts->peak_elements = counts->levels[0].peak_elements;
  counts->peak_operands_elements = counts->levels[0].peak_operands_elements;
  return TRUE;
}
