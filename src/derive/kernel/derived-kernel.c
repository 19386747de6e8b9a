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

static char *
join_names (const HeddleDiagram *diagram, const GArray *operations, const char *between)
{
  GString *name = g_string_new (NULL);
  const char *last = NULL;
  guint n = 0;

  if (operations->len == diagram->operations->len && diagram->name != NULL && diagram->name[0] != '\0')
    return g_string_free (g_string_assign (name, diagram->name), FALSE);
  for (guint i = 0; i < operations->len; i++)
    {
      const char *value = heddle_diagram_statement_of (diagram, heddle_ids_index (operations, i));
      g_autofree char *label = NULL;

      if (value == NULL || value == last)
        continue;
      last = value;
      if (n++ >= MAX_NAMED)
        continue;
      label = heddle_diagram_value_label (diagram, value);
      g_string_append_printf (name, "%s%s", name->len > 0 ? between : "", label);
    }
  return g_string_free (name, FALSE);
}

char *
heddle_kernel_name (const HeddleDiagram *diagram, const GArray *operations)
{
  return join_names (diagram, operations, "_");
}

char *
heddle_kernel_title (const HeddleDiagram *diagram, const GArray *operations)
{
  return join_names (diagram, operations, " ");
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
