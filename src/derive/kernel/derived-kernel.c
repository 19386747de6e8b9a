/* SPDX-License-Identifier: MIT */
#include "derive/cost/hierarchy.h"
#include "derive/kernel/derived-kernel.h"

/* The number of fused values in a kernel's name; the names of others are left out. */
#define MAX_NAMED 4

HeddleKernel *
heddle_kernel_ref (HeddleKernel *self)
{
  g_atomic_ref_count_inc (&self->holders);
  return self;
}

void
heddle_kernel_unref (HeddleKernel *self)
{
  if (!g_atomic_ref_count_dec (&self->holders))
    return;
  g_array_unref (self->operations);
  g_array_unref (self->again);
  g_ptr_array_unref (self->labels);
  g_ptr_array_unref (self->divisors);
  g_ptr_array_unref (self->refusals);
  g_clear_pointer (&self->program, heddle_loop_program_unref);
  g_clear_pointer (&self->canonical, heddle_canonical_free);
  g_ptr_array_unref (self->levels);
  g_ptr_array_unref (self->above);
  g_ptr_array_unref (self->columns);
  g_free (self->name);
  g_free (self->title);
  g_free (self->opaque_reason);
  g_free (self->binding);
  g_free (self->runner_up);
  g_free (self);
}

void
heddle_kernel_make_lean (HeddleKernel *self)
{
  g_clear_pointer (&self->program, heddle_loop_program_unref);
  g_clear_pointer (&self->canonical, heddle_canonical_free);
  g_ptr_array_set_size (self->columns, 0);
  g_clear_pointer (&self->binding, g_free);
  g_clear_pointer (&self->runner_up, g_free);
}

/* Returns what the operations make, of each statement of which they have some: the last value that they make of it, or
 * that of the whole statement where @whole is TRUE. */
static GPtrArray *
made_by (const HeddleDiagram *diagram, const GArray *operations, gboolean whole)
{
  GPtrArray *values = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = operations->len; i-- > 0;)
    {
      const char *id = heddle_ids_index (operations, i);
      const char *statement = heddle_diagram_statement_of (diagram, id);

      if (statement != NULL && g_hash_table_add (seen, (gpointer) statement))
        g_ptr_array_insert (
            values, 0, (gpointer) (whole ? statement : heddle_diagram_get_operation (diagram, id)->result));
    }
  return values;
}

static void
append_label (GString *text, const HeddleDiagram *diagram, const char *value, const char *between)
{
  g_autofree char *label = heddle_diagram_value_label (diagram, value);

  g_string_append_printf (text, "%s%s", text->len > 0 ? between : "", label);
}

static gboolean
is_all_of (const HeddleDiagram *diagram, const GArray *operations)
{
  return operations->len == diagram->operations->len && diagram->name != NULL && diagram->name[0] != '\0';
}

char *
heddle_kernel_name (const HeddleDiagram *diagram, const GArray *operations)
{
  GString *name = g_string_new (NULL);
  g_autoptr (GPtrArray) values = NULL;

  if (is_all_of (diagram, operations))
    return g_string_free (g_string_assign (name, diagram->name), FALSE);
  values = made_by (diagram, operations, TRUE);
  for (guint i = 0; i < MIN (values->len, MAX_NAMED); i++)
    append_label (name, diagram, values->pdata[i], "_");
  return g_string_free (name, FALSE);
}

char *
heddle_kernel_values (const HeddleDiagram *diagram, const GArray *operations, const char *between)
{
  g_autoptr (GPtrArray) values = made_by (diagram, operations, FALSE);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < values->len; i++)
    append_label (text, diagram, values->pdata[i], between);
  return g_string_free (text, FALSE);
}

char *
heddle_kernel_title (const HeddleDiagram *diagram, const GArray *operations)
{
  GString *title = g_string_new (NULL);
  g_autoptr (GPtrArray) values = NULL;

  if (is_all_of (diagram, operations))
    return g_string_free (g_string_assign (title, diagram->name), FALSE);
  values = made_by (diagram, operations, FALSE);
  for (guint i = 0; i < values->len; i++)
    if (values->len <= MAX_NAMED || i < 2 || i + 1 == values->len)
      append_label (title, diagram, values->pdata[i], " ");
    else if (i == 2)
      g_string_append (title, " …");
  return g_string_free (title, FALSE);
}

gboolean
heddle_kernel_fits (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk)
{
  if (context->capacity == 0)
    return TRUE;
  if (!context->abstract && heddle_cost_shared (cost, tiles, chunk) > context->capacity)
    return FALSE;
  return (!context->abstract && cost->shared_is_most)
         || heddle_cost_memory (cost, tiles, chunk, !context->abstract) <= context->capacity;
}

void
heddle_kernel_set_time (HeddleKernel *self, const HeddleTime *time)
{
  self->waves = time->waves;
  self->flops = time->flops;
  self->special_ops = time->special_ops;
  self->tensor_flops = time->tensor_flops;
  self->fp32_ops = time->fp32_ops;
  self->joules = time->joules;
  self->tensor_dtype = time->tensor_dtype;
  self->tensor_peak = time->tensor_peak;
  self->tensor_s = time->tensor_s;
  self->plain = time->plain;
  self->special_s = time->special_s;
  self->fp32_s = time->fp32_s;
  self->dram_s = time->dram_s;
  self->l2_s = time->l2_s;
  self->smem_s = time->smem_s;
  self->dram_bytes = time->dram_bytes;
  self->l2_bytes = time->l2_bytes;
  self->smem_bytes = time->smem_bytes;
  self->above_s = time->above_s;
  self->above_bytes = time->above_bytes;
  self->overlapped_s = time->overlapped_s;
  self->serial_s = time->serial_s;
  self->expected_s = time->expected_s;
  memcpy (self->parts, time->parts, sizeof self->parts);
  self->bound = time->bound;
}

/* Returns whether the operations belong to one statement: what is fused beyond that is so on request. */
gboolean
heddle_kernel_is_statement (const HeddleDiagram *diagram, const GArray *operations)
{
  const char *first = heddle_diagram_statement_of (diagram, heddle_ids_index (operations, 0));

  for (guint i = 1; i < operations->len; i++)
    if (first == NULL || heddle_diagram_statement_of (diagram, heddle_ids_index (operations, i)) != first)
      return FALSE;
  return TRUE;
}

HeddleKernel
heddle_derivation_total_work (const HeddleDerivation *self)
{
  HeddleKernel total = { .flops = 0 };

  for (guint i = 0; self != NULL && i < self->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (self->kernels, i);

      total.flops += kernel->flops;
      total.special_ops += kernel->special_ops;
      if (kernel->tensor_peak <= total.tensor_peak)
        continue;
      total.tensor_peak = kernel->tensor_peak;
      total.tensor_dtype = kernel->tensor_dtype;
    }
  return total;
}
