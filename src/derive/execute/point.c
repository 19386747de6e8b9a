/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/execute/point.h"
#include "derive/region/region.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"
#include "derive/execute/execute.h"
#include "derive/index/saturate.h"
#include "derive/index/window.h"
#include "derive/machine/machine.h"

#include <math.h>
#include <glib/gi18n-lib.h>
#include <string.h>

/* One COMPUTE statement, point by point: the meaning of HeddleNode as loop-program.h has it. */

static void
formula_free (HeddleFormula *self)
{
  if (self == NULL)
    return;
  heddle_expr_program_free (self->program);
  g_free (self->leaves);
  g_free (self->values);
  g_free (self);
}

static void
reading_clear (HeddleReading *self)
{
  for (guint k = 0; self->indices != NULL && k < self->n_axes; k++)
    formula_free (self->indices[k]);
  g_free (self->indices);
}

void
heddle_point_kernel_free (HeddlePointKernel *self)
{
  formula_free (self->body);
  formula_free (self->rescale);
  formula_free (self->extra);
  for (guint i = 0; i < self->n_sources; i++)
    reading_clear (&self->readings[i]);
  reading_clear (&self->at);
  g_free (self->readings);
  g_free (self->axes);
  g_free (self);
}

/* --- compiling ----------------------------------------------------------------------------------- */

static guint
find_loop (const HeddlePointKernel *kernel, const char *axis)
{
  for (guint i = 0; i < kernel->n_loops; i++)
    if (kernel->axes[i] == axis)
      return i;
  g_assert_not_reached ();
}

static HeddleFormula *
formula_new (const HeddleExecutor *executor, const HeddlePointKernel *kernel, const HeddleExpr *expr)
{
  HeddleFormula *self = g_new0 (HeddleFormula, 1);

  self->program = heddle_expr_compile (expr);
  self->n_leaves = heddle_expr_program_get_n_slots (self->program);
  self->leaves = g_new0 (HeddleLeaf, MAX (self->n_leaves, 1));
  self->values = g_new0 (double, MAX (self->n_leaves, 1));
  for (guint i = 0; i < self->n_leaves; i++)
    {
      const HeddleExpr *slot = heddle_expr_program_get_slot (self->program, i);
      HeddleLeaf *leaf = &self->leaves[i];

      leaf->kind = heddle_expr_get_kind (slot);
      if (leaf->kind == HEDDLE_EXPR_ARGUMENT)
        leaf->source = heddle_expr_get_operand (slot);
      else if (leaf->kind == HEDDLE_EXPR_INDEX)
        leaf->loop = find_loop (kernel, heddle_expr_get_symbol (slot));
      else if (leaf->kind == HEDDLE_EXPR_SIZE)
        self->values[i] = (double) heddle_sizes_get (executor->sizes, heddle_expr_get_symbol (slot));
    }
  return self;
}

static void
compile_reading (const HeddleExecutor *executor, const HeddlePointKernel *kernel, const GPtrArray *indices,
    HeddleReading *reading)
{
  if (indices == NULL)
    return;
  reading->n_axes = indices->len;
  reading->indices = g_new (HeddleFormula *, MAX (indices->len, 1));
  for (guint i = 0; i < indices->len; i++)
    reading->indices[i] = formula_new (executor, kernel, g_ptr_array_index (indices, i));
}

static HeddleFormula *
formula_of (const HeddleExecutor *executor, const HeddlePointKernel *kernel, const HeddleExpr *expr)
{
  return expr != NULL ? formula_new (executor, kernel, expr) : NULL;
}

/* Collects the loops of a statement: those over its points, then those over what it reduces. A scan and a
 * selection compute all points along their axis at once. */
static void
collect_loops (HeddlePointKernel *self, const HeddleNode *node, const HeddleBuffer *buffer)
{
  const char *along = node->form != HEDDLE_COMPUTE_FOLD ? node->along : NULL;

  self->axes = g_new (const char *, buffer->axes->len + node->over->len + 1);
  for (guint i = 0; i < buffer->axes->len; i++)
    if (heddle_ids_index (buffer->axes, i) != along)
      self->axes[self->n_loops++] = heddle_ids_index (buffer->axes, i);
  self->n_points = self->n_loops;
  for (guint i = 0; i < node->over->len; i++)
    self->axes[self->n_loops++] = heddle_ids_index (node->over, i);
  if (node->form == HEDDLE_COMPUTE_SCAN || node->ranked)
    self->axes[self->n_loops++] = along;
}

static HeddlePointKernel *
point_kernel_new (const HeddleExecutor *executor, const HeddleNode *node)
{
  HeddlePointKernel *self = g_new0 (HeddlePointKernel, 1);

  collect_loops (self, node, heddle_loop_program_get_buffer (executor->program, node->buffer));
  self->body = formula_of (executor, self, node->body);
  self->rescale = formula_of (executor, self, node->rescale);
  self->extra = formula_of (executor, self, node->extra);
  self->n_sources = node->sources->len;
  self->readings = g_new0 (HeddleReading, MAX (self->n_sources, 1));
  for (guint i = 0; i < self->n_sources; i++)
    compile_reading (executor, self, g_ptr_array_index (node->source_indices, i), &self->readings[i]);
  compile_reading (executor, self, node->at, &self->at);
  return self;
}

/* --- running ---------------------------------------------------------------------------------------- */

/* Returns where in the memory of @buffer the element at the point is, counted in elements; along the axis
 * @along at the index @place, or, where @along is NULL, at the point's own index. */
static gint64
point_offset (const HeddlePoint *point, guint buffer, const char *along, gint64 place)
{
  const GArray *axes = heddle_loop_program_get_buffer (point->executor->program, buffer)->axes;
  const HeddleMemory *memory = &point->executor->memories[buffer];
  gint64 offset = 0;

  g_assert (memory->shape != NULL);
  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);
      gint64 index = axis == along ? place : point->index[find_loop (point->kernel, axis)];
      gint64 local = index - memory->origin[i];

      g_assert (local >= 0 && local < memory->shape[i]);
      offset = offset * memory->shape[i] + local;
    }
  return offset;
}

/* Returns the element of a source at the point's own indices: it must be in memory. */
static double
read_at_point (const HeddlePoint *point, guint source)
{
  guint buffer = g_array_index (point->node->sources, guint, source);

  return point->executor->memories[buffer].data[point_offset (point, buffer, NULL, 0)];
}

static double point_run (const HeddlePoint *point, HeddleFormula *formula, gboolean *outside);

static double
read_at_indices (const HeddlePoint *point, guint source, gboolean *outside)
{
  guint buffer = g_array_index (point->node->sources, guint, source);
  const HeddleMemory *memory = &point->executor->memories[buffer];
  const HeddleReading *reading = &point->kernel->readings[source];
  const GArray *axes = heddle_loop_program_get_buffer (point->executor->program, buffer)->axes;
  gint64 offset = 0;

  g_assert (memory->shape != NULL);
  for (guint i = 0; i < reading->n_axes; i++)
    {
      double index = point_run (point, reading->indices[i], outside);

      if (!(index >= 0.
              && index < (double) heddle_sizes_get (point->executor->sizes, heddle_ids_index (axes, i))))
        {
          *outside = TRUE;
          return 0.;
        }
      index -= (double) memory->origin[i];
      g_assert (index >= 0. && index < (double) memory->shape[i]);
      offset = offset * memory->shape[i] + (gint64) index;
    }
  return memory->data[offset];
}

/* Returns the value of @formula at the point. @outside becomes TRUE where a source is read at an index
 * outside its array, and stays as it was otherwise. */
static double
point_run (const HeddlePoint *point, HeddleFormula *formula, gboolean *outside)
{
  for (guint i = 0; i < formula->n_leaves; i++)
    {
      const HeddleLeaf *leaf = &formula->leaves[i];

      if (leaf->kind == HEDDLE_EXPR_INDEX)
        formula->values[i] = (double) point->index[leaf->loop];
      else if (leaf->kind != HEDDLE_EXPR_ARGUMENT)
        continue;
      else if (point->kernel->readings[leaf->source].indices != NULL)
        formula->values[i] = read_at_indices (point, leaf->source, outside);
      else
        formula->values[i] = read_at_point (point, leaf->source);
    }
  return heddle_expr_program_run (formula->program, formula->values);
}

/* Moves the loops from number @first up to, not including, @end on by one. %FALSE means that they are
 * through and back at their beginnings. */
static gboolean
point_advance (const HeddlePoint *point, const HeddleRange *ranges, guint first, guint end)
{
  for (guint i = end; i-- > first;)
    {
      if (++point->index[i] < ranges[i].to)
        return TRUE;
      point->index[i] = ranges[i].from;
    }
  return FALSE;
}

/* Returns the reduction at a point, or the body if nothing is reduced. A term read outside its array is left
 * out; alone it is 0. */
static double
run_point (const HeddlePoint *point, const HeddleRange *ranges)
{
  const HeddlePointKernel *kernel = point->kernel;
  HeddleMonoid monoid = point->node->monoid;
  gboolean outside = FALSE;
  double result;

  if (kernel->n_loops == kernel->n_points)
    {
      result = point_run (point, kernel->body, &outside);
      return outside ? 0. : result;
    }
  result = heddle_monoid_unit (monoid);
  do
    {
      double term;

      outside = FALSE;
      term = point_run (point, kernel->body, &outside);
      if (!outside)
        result = heddle_monoid_combine (monoid, result, term);
    }
  while (point_advance (point, ranges, kernel->n_points, kernel->n_loops));
  return result;
}

static double
accumulated (const HeddlePoint *point, double old, double result)
{
  gboolean outside = FALSE;

  if (point->kernel->rescale != NULL)
    old *= point_run (point, point->kernel->rescale, &outside);
  return point->node->over->len > 0 ? heddle_monoid_combine (point->node->monoid, old, result) : old + result;
}

/* Returns the compiled expressions of @node, which are made when first asked for and owned by @self. */
static HeddlePointKernel *
executor_get_kernel (HeddleExecutor *self, const HeddleNode *node)
{
  HeddlePointKernel *kernel = g_hash_table_lookup (self->kernels, node);

  if (kernel == NULL)
    {
      kernel = point_kernel_new (self, node);
      g_hash_table_insert (self->kernels, (gpointer) node, kernel);
    }
  return kernel;
}

/* Returns an element of @array at the indices that a LOAD reads at; 0 where that is outside. */
static double
gathered (const HeddlePoint *point, const HeddleArray *array)
{
  const HeddleReading *at = &point->kernel->at;
  gboolean outside = FALSE;
  gint64 offset = 0;

  for (guint i = 0; i < at->n_axes; i++)
    {
      double index = point_run (point, at->indices[i], &outside);

      if (!(index >= 0. && index < (double) array->shape[i]))
        return 0.;
      offset = offset * array->shape[i] + (gint64) index;
    }
  return outside ? 0. : array->data[offset];
}

static void
fold (const HeddlePoint *point, const HeddleRange *ranges)
{
  double *element = &point->executor->memories[point->node->buffer]
                         .data[point_offset (point, point->node->buffer, NULL, 0)];
  double result = run_point (point, ranges);

  *element = point->node->accumulate ? accumulated (point, *element, result) : result;
}

/* Runs a scan. The loops of the statement go over the points, then over the axis that the state moves
 * along. */
static void
point_scan (const HeddlePoint *point, const HeddleRange *ranges)
{
  const HeddleNode *node = point->node;
  HeddlePointKernel *kernel = point->kernel;
  HeddleMemory *out = &point->executor->memories[node->buffer];
  HeddleMemory *carried = node->second != HEDDLE_NO_BUFFER ? &point->executor->memories[node->second] : NULL;
  gint64 at = carried != NULL ? point_offset (point, node->second, NULL, 0) : 0;
  double state = carried != NULL ? carried->data[at] : 0.;
  gboolean outside = FALSE;

  do
    {
      double factor = kernel->extra != NULL ? point_run (point, kernel->extra, &outside) : 1.;

      state = factor * state + point_run (point, kernel->body, &outside);
      out->data[point_offset (point, node->buffer, NULL, 0)] = state;
    }
  while (point_advance (point, ranges, kernel->n_points, kernel->n_loops));
  if (carried != NULL)
    carried->data[at] = state;
}

/* Returns whether a value is sorted before one that is there already: of equal ones the first stays first,
 * and NaN comes last. */
static gboolean
goes_before (double value, double other, double place_of_other)
{
  return place_of_other < 0. || value > other || (isnan (other) && !isnan (value));
}

static void
insert (const HeddlePoint *point, gint64 n, double value, double place)
{
  const HeddleNode *node = point->node;
  double *best = point->executor->memories[node->buffer].data;
  double *places = point->executor->memories[node->second].data;

  for (gint64 i = n; i-- > 0;)
    {
      gint64 at = point_offset (point, node->buffer, node->along, i);
      gint64 after = i + 1 < n ? point_offset (point, node->buffer, node->along, i + 1) : -1;

      if (!goes_before (value, best[at], places[at]))
        return;
      if (after >= 0)
        {
          best[after] = best[at];
          places[after] = places[at];
        }
      best[at] = value;
      places[at] = place;
    }
}

/* Runs a SELECT: goes through the points of @ranges in order and keeps the largest values with their places,
 * as many as the buffer holds. A point whose place is negative is passed over. */
static void
point_select (const HeddlePoint *point, const HeddleRange *ranges)
{
  const HeddleNode *node = point->node;
  HeddlePointKernel *kernel = point->kernel;
  gint64 n = node->along != NULL ? heddle_sizes_get (point->executor->sizes, node->along) : 1;
  gboolean outside = FALSE;

  do
    {
      double place = point_run (point, kernel->extra, &outside);

      if (place >= 0.)
        insert (point, n, point_run (point, kernel->body, &outside), place);
    }
  while (point_advance (point, ranges, kernel->n_points, kernel->n_loops));
}

static void
run_form (const HeddlePoint *point, const HeddleRange *ranges, const HeddleArray *array)
{
  if (array != NULL)
    point->executor->memories[point->node->buffer].data[point_offset (point, point->node->buffer, NULL, 0)]
        = gathered (point, array);
  else if (point->node->form == HEDDLE_COMPUTE_SCAN)
    point_scan (point, ranges);
  else if (point->node->form == HEDDLE_COMPUTE_SELECT)
    point_select (point, ranges);
  else
    fold (point, ranges);
}

/* Returns the range of a loop's axis: what the buffer holds of it or, if it is reduced, the current chunk. */
static HeddleRange
range_of_loop (HeddleExecutor *self, const HeddleNode *node, const char *axis)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  int at = heddle_ids_find (buffer->axes, axis);
  const HeddleMemory *memory = &self->memories[node->buffer];

  return at >= 0 ? (HeddleRange){ memory->origin[at], memory->origin[at] + memory->shape[at] }
                 : heddle_executor_range (self, axis, HEDDLE_EXTENT_CHUNK, self->program->levels->len - 1);
}

void
heddle_executor_compute (HeddleExecutor *self, const HeddleNode *node, const HeddleArray *array)
{
  HeddlePointKernel *kernel = executor_get_kernel (self, node);
  g_autofree gint64 *index = g_new0 (gint64, MAX (kernel->n_loops, 1));
  g_autofree HeddleRange *ranges = g_new0 (HeddleRange, MAX (kernel->n_loops, 1));
  HeddlePoint point = { self, node, kernel, index };

  for (guint i = 0; i < kernel->n_loops; i++)
    {
      ranges[i] = range_of_loop (self, node, kernel->axes[i]);
      index[i] = ranges[i].from;
      /* A window beyond the end of an array holds nothing. */
      if (i < kernel->n_points && ranges[i].from >= ranges[i].to)
        return;
    }
  do
    run_form (&point, ranges, array);
  while (point_advance (&point, ranges, 0, kernel->n_points));
}

/* This part does HEDDLE_COMPUTE_SCAN and HEDDLE_COMPUTE_SELECT at one point, as loop-program.h describes
 * them. */

/* This part manages the memories of buffers while a loop program runs. Every group of a lower level has
 * memories of its own, which last from one time that it is entered to the next; those of the current group
 * are in place, and the others are kept by their group's number. */

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

/* The memories of the current level. */
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

/* Returns how many copies of a buffer are held: streamed operands of the first level have one for each
 * stage. */
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

/* Stores the memories of the current groups, of the levels from @depth on, and restores those of others. */
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

/* Drops the contents of a buffer: those of the current group if it is of one of the buffer's level, else
 * all. */
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

/* Counts what the current groups of the levels down to @depth hold, by both conventions; buffers made in
 * place of one another count once. */
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

/* Returns the offset of a buffer's current element in the array it stands for, or in part @part of it. */
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

/* Copies between a buffer and the one above it. */
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
