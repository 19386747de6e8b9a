/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/context.h"
#include "derive/cost/cost.h"
#include "derive/cost/time.h"
#include "derive/kernel/opaque.h"
#include "derive/machine/machine.h"
#include "derive/suggest/fusion-least.h"
#include "derive/suggest/fusion-private.h"
#include "derive/suggest/fusion.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram-index.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

#include <string.h>

/* What no cut and no kernel can do better than. */

static double
bytes_of (const HeddleFusionSearch *self, const char *id)
{
  const HeddleValue *value = heddle_diagram_get_value (self->context.diagram, id);
  double elements = (double) heddle_sizes_elements (self->context.sizes, value);

  return self->context.abstract ? elements
                                : elements
                                      * heddle_dtype_bytes (heddle_diagram_dtype (
                                          self->context.diagram, id, self->context.dtype));
}

/* What is kept in a cache, even if only in a column, need not cross global memory. */
static gboolean
may_be_cached (const HeddleFusionSearch *self, const char *value)
{
  const GPtrArray *places = self->context.schedule->residency;

  for (guint i = 0; heddle_fusion_is_by_time (self) && i < places->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (places, i);
      int level = heddle_machine_find_level (self->options.machine, place->level);

      if (place->value == value && level >= 0
          && ((const HeddleLevel *) g_ptr_array_index (self->options.machine->levels, (guint) level))->cache)
        return TRUE;
    }
  return FALSE;
}

static double
compulsory (const HeddleFusionSearch *self)
{
  g_autoptr (GArray) inputs = heddle_diagram_get_inputs (self->context.diagram);
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->context.diagram);
  double sum = 0.;

  for (guint i = 0; i < inputs->len; i++)
    if (heddle_diagram_count_readers (self->context.diagram, heddle_ids_index (inputs, i)) > 0
        && !may_be_cached (self, heddle_ids_index (inputs, i)))
      sum += bytes_of (self, heddle_ids_index (inputs, i));
  for (guint i = 0; i < outputs->len; i++)
    if (heddle_diagram_get_producer (self->context.diagram, heddle_ids_index (outputs, i)) != NULL
        && !may_be_cached (self, heddle_ids_index (outputs, i)))
      sum += bytes_of (self, heddle_ids_index (outputs, i));
  return sum;
}

/* Whether steps may be left out: where a condition on indices is, the products behind it are not all worked out. */
static gboolean
has_masks (const HeddleDiagram *diagram)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (operation->body != NULL && heddle_expr_uses (operation->body, HEDDLE_EXPR_INDEX, NULL))
        return TRUE;
    }
  return FALSE;
}

double
heddle_fusion_least (const HeddleFusionSearch *self)
{
  const HeddleDiagram *diagram = self->context.diagram;
  double work[HEDDLE_N_WORKS] = { 0. }, contracted[HEDDLE_N_DTYPES] = { 0. };

  if (!heddle_fusion_is_by_time (self))
    return compulsory (self);
  for (guint i = 0; i < diagram->operations->len && !has_masks (diagram); i++)
    heddle_kernel_add_contraction (
        &self->context, g_ptr_array_index (diagram->operations, i), work, contracted);
  return heddle_time_of_work (&self->context, work, contracted, compulsory (self)).overlapped_s
         + HEDDLE_KERNEL_START;
}

/* --- of one kernel ------------------------------------------------------------------------- */

static const HeddleOperation *
operation_at (const HeddleFusionSearch *self, guint i)
{
  return g_ptr_array_index (self->context.diagram->operations, self->order_ideals->first + i);
}

static gboolean
has (const HeddleFusionSearch *self, guint64 set, const HeddleOperation *operation)
{
  int i = heddle_diagram_index_of_operation (self->context.diagram, operation->id)
          - (int) self->order_ideals->first;

  return i >= 0 && i < (int) self->order_ideals->n && (set >> i & 1) != 0;
}

/* Whether all that the operation reads is needed in full, and all that it works out. */
static gboolean
takes_all (const HeddleOperation *operation)
{
  return operation->kind->form != HEDDLE_FORM_REINDEX && operation->kind->form != HEDDLE_FORM_SELECT
         && (operation->body == NULL || !heddle_expr_uses (operation->body, HEDDLE_EXPR_INDEX, NULL));
}

static gboolean
leaves (const HeddleFusionSearch *self, guint64 set, const char *value)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->context.diagram, value);

  for (guint i = 0; i < readers->len; i++)
    if (!has (self, set, g_ptr_array_index (readers, i)))
      return TRUE;
  return heddle_diagram_is_output (self->context.diagram, value);
}

static double
bytes_read (const HeddleFusionSearch *self, guint64 set, const HeddleOperation *operation, GArray *seen)
{
  double bytes = 0.;

  for (guint k = 0; k < operation->operands->len; k++)
    {
      const char *operand = heddle_ids_index (operation->operands, k);
      const HeddleOperation *producer = heddle_diagram_get_producer (self->context.diagram, operand);

      if ((producer != NULL && has (self, set, producer)) || heddle_ids_contain (seen, operand))
        continue;
      heddle_ids_append (seen, operand);
      bytes += bytes_of (self, operand);
    }
  return bytes;
}

static double
work_out_least (const HeddleFusionSearch *self, guint64 set)
{
  double work[HEDDLE_N_WORKS] = { 0. }, contracted[HEDDLE_N_DTYPES] = { 0. }, read = 0., written = 0.;
  g_autoptr (GArray) seen = heddle_ids_new ();
  gboolean all = TRUE;

  if (self->context.schedule->residency->len > 0)
    return 0.;
  for (guint64 rest = set; rest != 0; rest &= rest - 1)
    {
      const HeddleOperation *operation = operation_at (self, (guint) __builtin_ctzll (rest));

      all = all && takes_all (operation);
      read += bytes_read (self, set, operation, seen);
      written += leaves (self, set, operation->result) ? bytes_of (self, operation->result) : 0.;
      heddle_kernel_add_contraction (&self->context, operation, work, contracted);
    }
  if (!heddle_fusion_is_by_time (self))
    return written + (all ? read : 0.);
  if (!all)
    {
      memset (work, 0, sizeof work);
      memset (contracted, 0, sizeof contracted);
    }
  return heddle_time_of_work (&self->context, work, contracted, written + (all ? read : 0.)).overlapped_s
         + HEDDLE_KERNEL_START;
}

double
heddle_fusion_least_of (HeddleFusionSearch *self, guint64 set)
{
  const double *known = g_hash_table_lookup (self->leasts, &set);
  double least;

  if (known != NULL)
    return *known;
  least = work_out_least (self, set);
  g_hash_table_insert (self->leasts, g_memdup2 (&set, sizeof set), g_memdup2 (&least, sizeof least));
  return least;
}
