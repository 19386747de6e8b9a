/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/execute/forms.h"
#include "derive/execute/memory.h"
#include "derive/execute/point-private.h"
#include "derive/execute/point.h"
#include "derive/execute/private.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"
#include "derive/region/region.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

#include <math.h>

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

/* The points, then what each of them goes through. A scan and a selection work out all points along their axis at once. */
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

gint64
heddle_point_offset (const HeddlePoint *point, guint buffer, const char *along, gint64 place)
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

/* The element of a source at the point's own indices: it must be in memory. */
static double
read_at_point (const HeddlePoint *point, guint source)
{
  guint buffer = g_array_index (point->node->sources, guint, source);

  return point->executor->memories[buffer].data[heddle_point_offset (point, buffer, NULL, 0)];
}

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
      double index = heddle_point_run (point, reading->indices[i], outside);

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

double
heddle_point_run (const HeddlePoint *point, HeddleFormula *formula, gboolean *outside)
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

gboolean
heddle_point_advance (const HeddlePoint *point, const HeddleRange *ranges, guint first, guint end)
{
  for (guint i = end; i-- > first;)
    {
      if (++point->index[i] < ranges[i].to)
        return TRUE;
      point->index[i] = ranges[i].from;
    }
  return FALSE;
}

/* The reduction at a point, or the body where nothing is reduced. A term read outside its array is left out; alone it is 0. */
static double
run_point (const HeddlePoint *point, const HeddleRange *ranges)
{
  const HeddlePointKernel *kernel = point->kernel;
  HeddleMonoid monoid = point->node->monoid;
  gboolean outside = FALSE;
  double result;

  if (kernel->n_loops == kernel->n_points)
    {
      result = heddle_point_run (point, kernel->body, &outside);
      return outside ? 0. : result;
    }
  result = heddle_monoid_unit (monoid);
  do
    {
      double term;

      outside = FALSE;
      term = heddle_point_run (point, kernel->body, &outside);
      if (!outside)
        result = heddle_monoid_combine (monoid, result, term);
    }
  while (heddle_point_advance (point, ranges, kernel->n_points, kernel->n_loops));
  return result;
}

static double
accumulated (const HeddlePoint *point, double old, double result)
{
  gboolean outside = FALSE;

  if (point->kernel->rescale != NULL)
    old *= heddle_point_run (point, point->kernel->rescale, &outside);
  return point->node->over->len > 0 ? heddle_monoid_combine (point->node->monoid, old, result) : old + result;
}

HeddlePointKernel *
heddle_executor_get_kernel (HeddleExecutor *self, const HeddleNode *node)
{
  HeddlePointKernel *kernel = g_hash_table_lookup (self->kernels, node);

  if (kernel == NULL)
    {
      kernel = point_kernel_new (self, node);
      g_hash_table_insert (self->kernels, (gpointer) node, kernel);
    }
  return kernel;
}

/* An element of @array at the indices that a LOAD reads at; 0 where that is outside. */
static double
gathered (const HeddlePoint *point, const HeddleArray *array)
{
  const HeddleReading *at = &point->kernel->at;
  gboolean outside = FALSE;
  gint64 offset = 0;

  for (guint i = 0; i < at->n_axes; i++)
    {
      double index = heddle_point_run (point, at->indices[i], &outside);

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
                         .data[heddle_point_offset (point, point->node->buffer, NULL, 0)];
  double result = run_point (point, ranges);

  *element = point->node->accumulate ? accumulated (point, *element, result) : result;
}

static void
run_form (const HeddlePoint *point, const HeddleRange *ranges, const HeddleArray *array)
{
  if (array != NULL)
    point->executor->memories[point->node->buffer]
        .data[heddle_point_offset (point, point->node->buffer, NULL, 0)]
        = gathered (point, array);
  else if (point->node->form == HEDDLE_COMPUTE_SCAN)
    heddle_point_scan (point, ranges);
  else if (point->node->form == HEDDLE_COMPUTE_SELECT)
    heddle_point_select (point, ranges);
  else
    fold (point, ranges);
}

/* What of a loop's axis is gone through: of the buffer what it holds, of what is reduced the chunk at hand. */
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
  HeddlePointKernel *kernel = heddle_executor_get_kernel (self, node);
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
  while (heddle_point_advance (&point, ranges, 0, kernel->n_points));
}
