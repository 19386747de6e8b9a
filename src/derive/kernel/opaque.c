/* SPDX-License-Identifier: MIT */
#include "derive/cost/level-cost.h"
#include "derive/cost/time.h"
#include "derive/index/saturate.h"
#include "derive/kernel/opaque.h"
#include "derive/machine/machine.h"
#include "diagram/analysis/sizes.h"
#include "diagram/analysis/term.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial.h"
#include "diagram/graph/operation-table.h"

static gboolean
is_gather (const HeddleOperation *operation)
{
  return operation->kind->form == HEDDLE_FORM_REINDEX && operation->operands->len > 1;
}

/* --- what crosses ------------------------------------------------------------------------- */

typedef struct
{
  const HeddleDeriveContext *context;
  const GArray *operations;
  HeddleLevelCost *level;
  HeddleColumnCost *column; /* where what crosses counts */
  GHashTable *seen; /* values read */
  double work[HEDDLE_N_WORKS], contracted[HEDDLE_N_DTYPES];
} Pricing;

static HeddleExpr *
size_of (const HeddleValue *value)
{
  HeddleExpr *product = heddle_expr_number (1.);

  for (guint i = 0; i < value->axes->len; i++)
    product
        = heddle_expr_binary (HEDDLE_EXPR_MUL, product, heddle_expr_size (heddle_ids_index (value->axes, i)));
  return product;
}

/* Adds a transfer of as many elements as @shape has, of the type of @value. */
static void
add_crossing (Pricing *self, const HeddleValue *value, const HeddleValue *shape)
{
  HeddleLevelCost *level = self->level;
  gint64 elements = heddle_sizes_elements (self->context->sizes, shape);
  HeddleDtype dtype = heddle_diagram_dtype (self->context->diagram, value->id, self->context->dtype);
  gint64 bytes = heddle_saturating_multiply (elements, heddle_dtype_bytes (dtype));

  level->transfer_elements = heddle_saturating_add (level->transfer_elements, elements);
  level->transfer_bytes = heddle_saturating_add (level->transfer_bytes, bytes);
  level->transfer_symbolic = heddle_expr_binary (HEDDLE_EXPR_ADD, level->transfer_symbolic, size_of (shape));
  self->column->transfer_elements = heddle_saturating_add (self->column->transfer_elements, elements);
  self->column->transfer_bytes = heddle_saturating_add (self->column->transfer_bytes, bytes);
}

static gboolean
is_made_here (const Pricing *self, const char *value)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (self->context->diagram, value);

  return producer != NULL && heddle_ids_contain (self->operations, producer->id);
}

static void
add_reads (Pricing *self, const HeddleOperation *operation)
{
  const HeddleDiagram *diagram = self->context->diagram;

  for (guint i = 0; i < operation->operands->len; i++)
    {
      const char *id = heddle_ids_index (operation->operands, i);
      const HeddleValue *value = heddle_diagram_get_value (diagram, id);
      gboolean gathered = i == 0 && is_gather (operation);

      if (!is_made_here (self, id) && g_hash_table_add (self->seen, (gpointer) id))
        add_crossing (self, value, gathered ? heddle_diagram_get_value (diagram, operation->result) : value);
    }
}

static gboolean
is_read_elsewhere (const Pricing *self, const char *value)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->context->diagram, value);

  for (guint i = 0; i < readers->len; i++)
    if (!heddle_ids_contain (
            self->operations, ((const HeddleOperation *) g_ptr_array_index (readers, i))->id))
      return TRUE;
  return heddle_diagram_is_output (self->context->diagram, value);
}

static void
add_write (Pricing *self, const HeddleOperation *operation)
{
  const HeddleValue *result = heddle_diagram_get_value (self->context->diagram, operation->result);

  if (is_read_elsewhere (self, operation->result))
    add_crossing (self, result, result);
}

/* --- what is worked out ------------------------------------------------------------------- */

/* Returns the number of points of the result, times the number of points that are reduced at each. */
static double
reduced_points (const Pricing *self, const HeddleOperation *operation)
{
  const HeddleValue *result = heddle_diagram_get_value (self->context->diagram, operation->result);
  double points = (double) heddle_sizes_elements (self->context->sizes, result);

  for (guint i = 0; i < operation->axes->len; i++)
    if (!heddle_ids_contain (result->axes, heddle_ids_index (operation->axes, i)))
      points *= (double) heddle_sizes_get (self->context->sizes, heddle_ids_index (operation->axes, i));
  return points;
}

/* Returns the type in which tensor cores contract: they take operands of one type, so the narrower is
 * widened. */
static HeddleDtype
contracted_dtype (const Pricing *self, const HeddleOperation *operation)
{
  HeddleDtype widest = HEDDLE_DTYPE_UNSET;

  for (guint i = 0; i < operation->operands->len; i++)
    {
      HeddleDtype dtype = heddle_diagram_dtype (
          self->context->diagram, heddle_ids_index (operation->operands, i), self->context->dtype);

      if (widest == HEDDLE_DTYPE_UNSET || heddle_dtype_bytes (dtype) > heddle_dtype_bytes (widest))
        widest = dtype;
    }
  return widest;
}

static void
add_work (Pricing *self, const HeddleExpr *body, double points, double plain, HeddleWorkKind kind)
{
  double special = 0.;

  heddle_expr_count_operations (body, &special, &plain);
  self->work[HEDDLE_WORK_SPECIAL] += special * points;
  self->work[kind] += plain * points;
}

/* Adds the work of an operation. A step of a scan multiplies by its factor, unless that is 1, and adds;
 * sorting compares, which costs nothing. */
static void
add_operation (Pricing *self, const HeddleOperation *operation)
{
  g_autoptr (HeddleTerm) term = heddle_term_new (operation);
  gboolean contracts = operation->kind->form == HEDDLE_FORM_CONTRACT && operation->axes->len > 0;
  HeddleWorkKind kind = contracts ? HEDDLE_WORK_TENSOR : HEDDLE_WORK_FP32;
  double points = reduced_points (self, operation), before = self->work[HEDDLE_WORK_TENSOR];
  const HeddleValue *result = heddle_diagram_get_value (self->context->diagram, operation->result);

  for (guint i = 0; i < term->n_stages; i++)
    add_work (self, term->stages[i].body, points, operation->axes->len > 0 ? 1. : 0., kind);
  if (contracts)
    self->contracted[contracted_dtype (self, operation)] += self->work[HEDDLE_WORK_TENSOR] - before;
  if (operation->kind->form == HEDDLE_FORM_SCAN)
    self->work[HEDDLE_WORK_FP32] += points * (g_str_equal (operation->kind->scan.factor, "1") ? 1. : 2.);
  else
    add_work (self, term->result, (double) heddle_sizes_elements (self->context->sizes, result), 0.,
        HEDDLE_WORK_FP32);
}

void
heddle_kernel_add_contraction (const HeddleDeriveContext *context, const HeddleOperation *operation,
    double work[HEDDLE_N_WORKS], double contracted[HEDDLE_N_DTYPES])
{
  Pricing pricing = { context };

  if (operation->kind->form != HEDDLE_FORM_CONTRACT || operation->axes->len == 0)
    return;
  add_operation (&pricing, operation);
  work[HEDDLE_WORK_TENSOR] += pricing.work[HEDDLE_WORK_TENSOR];
  for (guint i = 0; i < HEDDLE_N_DTYPES; i++)
    contracted[i] += pricing.contracted[i];
}

/* --- the kernel --------------------------------------------------------------------------- */

static HeddleLevelCost *
level_new (const HeddleDeriveContext *context)
{
  const HeddleMachine *machine = context->options->machine;
  HeddleLevelCost *level = g_new0 (HeddleLevelCost, 1);
  int i = heddle_machine_find_level (machine, context->level);

  level->level = g_strdup (context->level);
  level->transfer_symbolic = heddle_expr_number (0.);
  level->memory_symbolic = heddle_expr_number (0.);
  level->capacity_bytes
      = i >= 0 ? ((const HeddleLevel *) g_ptr_array_index (machine->levels, (guint) i))->capacity_bytes : 0;
  return level;
}

static HeddleColumnCost *
add_column (HeddleKernel *kernel, const char *operation)
{
  HeddleColumnCost *column = g_new0 (HeddleColumnCost, 1);

  column->operation = operation;
  g_ptr_array_add (kernel->columns, column);
  return column;
}

/* Walks over the operations. Reads count before the first operation, writes after the last. */
static void
walk (Pricing *self, HeddleKernel *kernel)
{
  const HeddleDiagram *diagram = self->context->diagram;
  guint n = kernel->operations->len;

  self->column = add_column (kernel, NULL);
  for (guint i = 0; i < n; i++)
    add_reads (self, heddle_diagram_get_operation (diagram, heddle_ids_index (kernel->operations, i)));
  self->column = add_column (kernel, heddle_ids_index (kernel->operations, n - 1));
  for (guint i = 0; i < n; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (kernel->operations, i));

      add_write (self, operation);
      add_operation (self, operation);
    }
}

void
heddle_kernel_price_opaque (HeddleKernel *self, const HeddleDeriveContext *context, const char *reason)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  HeddleLevelCost *level = level_new (context);
  Pricing pricing = { context, self->operations, level, NULL, seen, { 0. }, { 0. } };
  HeddleExpr *sum;
  HeddleTime time;

  self->opaque_reason = g_strdup (reason);
  walk (&pricing, self);
  sum = level->transfer_symbolic;
  level->transfer_symbolic = heddle_expr_simplify (sum);
  heddle_expr_unref (sum);
  g_ptr_array_add (self->levels, level);
  time = heddle_time_of_work (context, pricing.work, pricing.contracted, (double) level->transfer_bytes);
  heddle_kernel_set_time (self, &time);
  self->fits = TRUE;
  self->intensity = level->transfer_bytes > 0 ? time.flops / (double) level->transfer_bytes : 0.;
}
