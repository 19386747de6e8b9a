/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/execute-private.h"

#include <math.h>

/* One COMPUTE statement, point by point: the meaning of HeddleNode as loop-program.h has it. */

/* A leaf of a compiled expression and where its value comes from. */
typedef struct
{
  HeddleExprKind kind;
  guint source; /* ARGUMENT: which of the node's sources */
  guint loop; /* INDEX: which loop */
  double size; /* SIZE */
} Leaf;

typedef struct
{
  HeddleExprProgram *program;
  guint n_leaves;
  Leaf *leaves;
  double *values;
} Formula;

/* How a source is read: at the point, or at indices of its own. */
typedef struct
{
  Formula **indices; /* one per axis of the source, or NULL */
  guint n_axes;
} Reading;

struct _HeddlePointKernel
{
  guint n_points, n_loops; /* the buffer's axes, then those reduced */
  const char **axes; /* of the loops */
  Formula *body, *rescale;
  guint n_sources;
  Reading *readings;
};

static void
formula_free (Formula *self)
{
  if (self == NULL)
    return;
  heddle_expr_program_free (self->program);
  g_free (self->leaves);
  g_free (self->values);
  g_free (self);
}

void
heddle_point_kernel_free (HeddlePointKernel *self)
{
  formula_free (self->body);
  formula_free (self->rescale);
  for (guint i = 0; i < self->n_sources; i++)
    {
      for (guint k = 0; self->readings[i].indices != NULL && k < self->readings[i].n_axes; k++)
        formula_free (self->readings[i].indices[k]);
      g_free (self->readings[i].indices);
    }
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

static Formula *
formula_new (const HeddleExecutor *executor, const HeddlePointKernel *kernel, const HeddleExpr *expr)
{
  Formula *self = g_new0 (Formula, 1);

  self->program = heddle_expr_compile (expr);
  self->n_leaves = heddle_expr_program_get_n_slots (self->program);
  self->leaves = g_new0 (Leaf, MAX (self->n_leaves, 1));
  self->values = g_new0 (double, MAX (self->n_leaves, 1));
  for (guint i = 0; i < self->n_leaves; i++)
    {
      const HeddleExpr *slot = heddle_expr_program_get_slot (self->program, i);
      Leaf *leaf = &self->leaves[i];

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
    Reading *reading)
{
  if (indices == NULL)
    return;
  reading->n_axes = indices->len;
  reading->indices = g_new (Formula *, MAX (indices->len, 1));
  for (guint i = 0; i < indices->len; i++)
    reading->indices[i] = formula_new (executor, kernel, g_ptr_array_index (indices, i));
}

static HeddlePointKernel *
point_kernel_new (const HeddleExecutor *executor, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (executor->program, node->buffer);
  HeddlePointKernel *self = g_new0 (HeddlePointKernel, 1);

  self->n_points = buffer->axes->len;
  self->n_loops = self->n_points + node->over->len;
  self->axes = g_new (const char *, MAX (self->n_loops, 1));
  for (guint i = 0; i < self->n_loops; i++)
    self->axes[i] = i < self->n_points ? heddle_ids_index (buffer->axes, i)
                                       : heddle_ids_index (node->over, i - self->n_points);
  self->body = formula_new (executor, self, node->body);
  self->rescale = node->rescale != NULL ? formula_new (executor, self, node->rescale) : NULL;
  self->n_sources = node->sources->len;
  self->readings = g_new0 (Reading, MAX (self->n_sources, 1));
  for (guint i = 0; i < self->n_sources; i++)
    compile_reading (executor, self, g_ptr_array_index (node->source_indices, i), &self->readings[i]);
  return self;
}

/* --- running ---------------------------------------------------------------------------------------- */

typedef struct
{
  HeddleExecutor *executor;
  const HeddleNode *node;
  HeddlePointKernel *kernel;
  gint64 *index; /* global, per loop */
} Point;

/* The element of a source at the point's own indices: it must be in memory. */
static double
read_at_point (const Point *point, guint source)
{
  guint buffer = g_array_index (point->node->sources, guint, source);
  const GArray *axes = heddle_loop_program_get_buffer (point->executor->program, buffer)->axes;
  const HeddleMemory *memory = &point->executor->memories[buffer];
  gint64 offset = 0;

  g_assert (memory->shape != NULL);
  for (guint i = 0; i < axes->len; i++)
    {
      gint64 local = point->index[find_loop (point->kernel, heddle_ids_index (axes, i))] - memory->origin[i];

      g_assert (local >= 0 && local < memory->shape[i]);
      offset = offset * memory->shape[i] + local;
    }
  return memory->data[offset];
}

static double run_formula (const Point *point, Formula *formula, gboolean *outside);

static double
read_at_indices (const Point *point, guint source, gboolean *outside)
{
  guint buffer = g_array_index (point->node->sources, guint, source);
  const HeddleMemory *memory = &point->executor->memories[buffer];
  const Reading *reading = &point->kernel->readings[source];
  gint64 offset = 0;

  g_assert (memory->shape != NULL);
  for (guint i = 0; i < reading->n_axes; i++)
    {
      double index = run_formula (point, reading->indices[i], outside) - (double) memory->origin[i];

      if (!(index >= 0. && index < (double) memory->shape[i]))
        {
          *outside = TRUE;
          return 0.;
        }
      offset = offset * memory->shape[i] + (gint64) index;
    }
  return memory->data[offset];
}

static double
run_formula (const Point *point, Formula *formula, gboolean *outside)
{
  for (guint i = 0; i < formula->n_leaves; i++)
    {
      const Leaf *leaf = &formula->leaves[i];

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

/* Moves loops @first to the last on by one; %FALSE: they are through and back at their beginnings. */
static gboolean
advance (const Point *point, const HeddleRange *ranges, guint first, guint end)
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
run_point (const Point *point, const HeddleRange *ranges)
{
  const HeddlePointKernel *kernel = point->kernel;
  HeddleMonoid monoid = point->node->monoid;
  gboolean outside = FALSE;
  double result;

  if (kernel->n_loops == kernel->n_points)
    {
      result = run_formula (point, kernel->body, &outside);
      return outside ? 0. : result;
    }
  result = heddle_monoid_unit (monoid);
  do
    {
      double term;

      outside = FALSE;
      term = run_formula (point, kernel->body, &outside);
      if (!outside)
        result = heddle_monoid_combine (monoid, result, term);
    }
  while (advance (point, ranges, kernel->n_points, kernel->n_loops));
  return result;
}

static double
accumulated (const Point *point, double old, double result)
{
  gboolean outside = FALSE;

  if (point->kernel->rescale != NULL)
    old *= run_formula (point, point->kernel->rescale, &outside);
  return point->node->over->len > 0 ? heddle_monoid_combine (point->node->monoid, old, result) : old + result;
}

static HeddlePointKernel *
get_kernel (HeddleExecutor *self, const HeddleNode *node)
{
  HeddlePointKernel *kernel = g_hash_table_lookup (self->kernels, node);

  if (kernel == NULL)
    {
      kernel = point_kernel_new (self, node);
      g_hash_table_insert (self->kernels, (gpointer) node, kernel);
    }
  return kernel;
}

void
heddle_executor_compute (HeddleExecutor *self, const HeddleNode *node)
{
  HeddlePointKernel *kernel = get_kernel (self, node);
  HeddleMemory *memory = &self->memories[node->buffer];
  g_autofree gint64 *index = g_new0 (gint64, MAX (kernel->n_loops, 1));
  g_autofree HeddleRange *ranges = g_new0 (HeddleRange, MAX (kernel->n_loops, 1));
  Point point = { self, node, kernel, index };

  for (guint i = 0; i < kernel->n_loops; i++)
    {
      ranges[i] = i < kernel->n_points
                      ? (HeddleRange){ memory->origin[i], memory->origin[i] + memory->shape[i] }
                      : heddle_executor_range (
                          self, kernel->axes[i], HEDDLE_EXTENT_CHUNK, self->program->levels->len - 1);
      index[i] = ranges[i].from;
    }
  for (gint64 k = 0; k < memory->n; k++)
    {
      double result = run_point (&point, ranges);

      memory->data[k] = node->accumulate ? accumulated (&point, memory->data[k], result) : result;
      advance (&point, ranges, 0, kernel->n_points);
    }
}
