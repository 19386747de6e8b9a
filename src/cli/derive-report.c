/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n.h>

#include "cli/accounting.h"
#include "cli/derive-form.h"
#include "cli/derive-report.h"
#include "cli/json.h"

/* --- JSON ---------------------------------------------------------------------------- */

static void
operations_json (JsonBuilder *json, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autofree char *name = heddle_derived_kernel_name (diagram, kernel);
  g_auto (GStrv) values = g_strsplit (name, " ", -1);

  heddle_json_begin_array (json, "operations");
  for (guint i = 0; values[i] != NULL; i++)
    json_builder_add_string_value (json, values[i]);
  json_builder_end_array (json);
}

static void
labels_json (JsonBuilder *json, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  heddle_json_begin_array (json, "labels");
  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "axis", heddle_derived_axis_name (diagram, label->axis));
      heddle_json_text (json, "kind", heddle_label_kind_to_string (label->kind));
      heddle_json_text (json, "level", label->level);
      heddle_json_int (json, "size", label->size);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
divisors_json (JsonBuilder *json, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  heddle_json_begin_array (json, "divisors");
  for (guint i = 0; i < kernel->divisors->len; i++)
    {
      const HeddleDivisor *divisor = g_ptr_array_index (kernel->divisors, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "axis", heddle_derived_axis_name (diagram, divisor->axis));
      heddle_json_int (json, "size", divisor->size);
      heddle_json_text (json, "reason", divisor->reason);
      heddle_json_int (json, "together", heddle_kernel_divisor (kernel, divisor->axis, 0));
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

/* Counts that do not fit in 64 bits stay at their largest number. */
static gboolean
is_exact (const HeddleLevelCost *level)
{
  return level->transfer_bytes < G_MAXINT64 && level->memory_bytes < G_MAXINT64;
}

static void
levels_json (JsonBuilder *json, const HeddleDiagram *diagram, const char *key, const GPtrArray *levels)
{
  heddle_json_begin_array (json, key);
  for (guint i = 0; i < levels->len; i++)
    {
      const HeddleLevelCost *level = g_ptr_array_index (levels, i);
      g_autofree char *transfer = heddle_derived_symbolic (diagram, level->transfer_symbolic);
      g_autofree char *memory = heddle_derived_symbolic (diagram, level->memory_symbolic);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "level", level->level);
      heddle_json_int (json, "transfer_elements", level->transfer_elements);
      heddle_json_int (json, "transfer_bytes", level->transfer_bytes);
      heddle_json_text (json, "transfer_symbolic", transfer);
      heddle_json_int (json, "step_elements", level->step_elements);
      heddle_json_int (json, "step_bytes", level->step_bytes);
      heddle_json_int (json, "memory_elements", level->memory_elements);
      heddle_json_int (json, "memory_bytes", level->memory_bytes);
      heddle_json_text (json, "memory_symbolic", memory);
      heddle_json_int (json, "capacity_bytes", level->capacity_bytes);
      heddle_json_int (json, "groups_within", level->instances);
      heddle_json_bool (json, "exact", is_exact (level));
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static const char *
result_label (const HeddleDiagram *diagram, const char *operation_id, char **label)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);

  *label = operation != NULL ? heddle_diagram_value_label (diagram, operation->result) : NULL;
  return *label;
}

static void
columns_json (JsonBuilder *json, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  heddle_json_begin_array (json, "columns");
  for (guint i = 0; i < kernel->columns->len; i++)
    {
      const HeddleColumnCost *column = g_ptr_array_index (kernel->columns, i);
      g_autofree char *label = NULL;

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "after", result_label (diagram, column->operation, &label));
      heddle_json_int (json, "transfer_elements", column->transfer_elements);
      heddle_json_int (json, "memory_elements", column->memory_elements);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

/* The values that --fuse takes to apply the remedy. */
static void
fuse_json (JsonBuilder *json, const HeddleDiagram *diagram, const HeddleRefusal *refusal)
{
  g_autoptr (GArray) told = heddle_ids_new ();

  heddle_json_begin_array (json, "fuse");
  for (guint i = 0; i < refusal->remedy_operations->len; i++)
    {
      const char *value
          = heddle_diagram_statement_of (diagram, heddle_ids_index (refusal->remedy_operations, i));
      g_autofree char *label = heddle_diagram_value_label (diagram, value);

      if (!heddle_ids_contain (told, value))
        json_builder_add_string_value (json, label);
      heddle_ids_append (told, value);
    }
  json_builder_end_array (json);
}

static void
illegal_json (JsonBuilder *json, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  heddle_json_begin_array (json, "illegal");
  for (guint i = 0; i < kernel->refusals->len; i++)
    {
      const HeddleRefusal *refusal = g_ptr_array_index (kernel->refusals, i);
      g_autofree char *label = NULL;

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "axis", heddle_derived_axis_name (diagram, refusal->axis));
      heddle_json_text (json, "kind", heddle_label_kind_to_string (refusal->kind));
      heddle_json_text (json, "operation", result_label (diagram, refusal->operation, &label));
      heddle_json_text (json, "reason", refusal->reason);
      heddle_json_text (json, "remedy", refusal->remedy);
      fuse_json (json, diagram, refusal);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
time_json (JsonBuilder *json, const HeddleKernel *kernel)
{
  heddle_json_begin_object (json, "flops_by_unit");
  heddle_json_double (json, "tensor", kernel->tensor_flops);
  heddle_json_double (json, "special", kernel->special_ops);
  heddle_json_double (json, "fp32", kernel->fp32_ops);
  json_builder_end_object (json);
  heddle_json_begin_object (json, "units");
  heddle_json_double (json, "tensor", kernel->tensor_s);
  heddle_json_double (json, "special", kernel->special_s);
  heddle_json_double (json, "fp32", kernel->fp32_s);
  json_builder_end_object (json);
  heddle_json_begin_object (json, "time");
  heddle_json_double (json, "overlapped_s", kernel->overlapped_s);
  heddle_json_double (json, "serial_s", kernel->serial_s);
  heddle_json_double (json, "expected_s", kernel->expected_s);
  heddle_json_double (json, "dram_s", kernel->dram_s);
  heddle_json_double (json, "l2_s", kernel->l2_s);
  heddle_json_double (json, "smem_s", kernel->smem_s);
  heddle_json_double (json, "above_s", kernel->above_s);
  heddle_json_text (json, "bound", kernel->bound);
  json_builder_end_object (json);
}

/* How many groups one instance of a level has room for. */
static void
workers_json (JsonBuilder *json, const HeddleMachine *machine, const HeddleKernel *kernel)
{
  heddle_json_begin_object (json, "workers_per_level");
  for (guint i = 0; i < kernel->levels->len; i++)
    {
      const HeddleLevelCost *cost = g_ptr_array_index (kernel->levels, i);
      double workers = heddle_level_cost_workers (cost, machine);

      if (workers > 0.)
        heddle_json_double (json, cost->level, workers);
    }
  json_builder_end_object (json);
}

/* The named values that it works out again. */
static GPtrArray *
recomputed_labels (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  GPtrArray *labels = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < kernel->again->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (kernel->again, i));

      if (heddle_diagram_get_value (diagram, operation->result)->name != NULL)
        g_ptr_array_add (labels, heddle_diagram_value_label (diagram, operation->result));
    }
  return labels;
}

static void
recomputed_json (JsonBuilder *json, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autoptr (GPtrArray) labels = recomputed_labels (diagram, kernel);

  heddle_json_begin_array (json, "recomputed");
  for (guint i = 0; i < labels->len; i++)
    json_builder_add_string_value (json, g_ptr_array_index (labels, i));
  json_builder_end_array (json);
}

static void
kernel_json (
    JsonBuilder *json, const HeddleDiagram *diagram, const HeddleMachine *machine, const HeddleKernel *kernel)
{
  heddle_json_begin_object (json, NULL);
  operations_json (json, diagram, kernel);
  labels_json (json, diagram, kernel);
  divisors_json (json, diagram, kernel);
  recomputed_json (json, diagram, kernel);
  heddle_json_int (json, "held_bytes", kernel->held_bytes);
  heddle_json_int (json, "kept_bytes", kernel->kept_bytes);
  heddle_json_double (json, "above_bytes", kernel->above_bytes);
  levels_json (json, diagram, "above", kernel->above);
  levels_json (json, diagram, "levels", kernel->levels);
  columns_json (json, diagram, kernel);
  heddle_json_bool (json, "fits", kernel->fits);
  heddle_json_text (json, "stream_kind", heddle_stream_kind_to_string (kernel->stream_kind));
  heddle_json_bool (json, "split", kernel->program != NULL && kernel->program->combine != NULL);
  heddle_json_text (json, "binding", kernel->binding);
  heddle_json_text (json, "runner_up", kernel->runner_up);
  heddle_json_bool (json, "generated", kernel->program != NULL);
  heddle_json_text (json, "not_generated_because", kernel->unmade);
  heddle_json_int (json, "groups", kernel->groups);
  heddle_json_double (json, "waves", kernel->waves);
  heddle_json_int (json, "ridge_tile", kernel->ridge_tile);
  heddle_json_double (json, "ridge", kernel->ridge);
  heddle_json_int (json, "shared_bytes", kernel->shared_bytes);
  heddle_json_double (json, "flops", kernel->flops);
  heddle_json_double (json, "special_ops", kernel->special_ops);
  heddle_json_double (json, "intensity_flops_per_byte", kernel->intensity);
  time_json (json, kernel);
  workers_json (json, machine, kernel);
  heddle_form_json (json, diagram, machine, kernel);
  illegal_json (json, diagram, kernel);
  json_builder_end_object (json);
}

static void
fusion_json (JsonBuilder *json, const HeddleFusion *fusion)
{
  heddle_json_begin_object (json, "fusion");
  heddle_json_text (json, "kernels", fusion->chosen);
  heddle_json_double (json, "cost", fusion->cost);
  heddle_json_double (json, "least", fusion->least);
  heddle_json_text (json, "unit", fusion->by_time ? "s" : "transfers");
  if (fusion->second != NULL)
    {
      heddle_json_text (json, "runner_up", fusion->second);
      heddle_json_double (json, "runner_up_cost", fusion->second_cost);
    }
  if (isfinite (fusion->cost))
    heddle_json_double (json, "gap", 1. - fusion->least / fusion->cost);
  heddle_json_int (json, "priced", fusion->priced);
  heddle_json_int (json, "places", fusion->places);
  heddle_json_bool (json, "exact", fusion->exact);
  json_builder_end_object (json);
}

void
heddle_derived_print_json (const HeddleDerived *self, const HeddleInput *input, const GPtrArray *accountings)
{
  const HeddleDerivation *derivation = self->derivation;
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "diagram", input->diagram->name);
  heddle_json_text (json, "gpu", self->machine->name);
  heddle_json_text (json, "dtype", heddle_dtype_to_string (self->dtype));
  heddle_json_begin_array (json, "kernels");
  for (guint i = 0; i < derivation->kernels->len; i++)
    kernel_json (json, input->diagram, self->machine, g_ptr_array_index (derivation->kernels, i));
  json_builder_end_array (json);
  heddle_json_begin_object (json, "total");
  heddle_json_int (json, "transfer_elements", derivation->transfer_elements);
  heddle_json_int (json, "transfer_bytes", derivation->transfer_bytes);
  heddle_json_double (json, "flops", derivation->flops);
  heddle_json_double (json, "overlapped_s", derivation->overlapped_s);
  heddle_json_double (json, "expected_s", derivation->expected_s);
  heddle_json_bool (json, "exact", derivation->transfer_bytes < G_MAXINT64);
  heddle_json_int (json, "held_bytes", derivation->held_bytes);
  if (self->budget > 0)
    {
      heddle_json_int (json, "budget_bytes", self->budget);
      heddle_json_bool (json, "within_budget", derivation->held_bytes <= self->budget);
    }
  json_builder_end_object (json);
  if (self->recomputing != NULL)
    heddle_json_text (json, "recomputing", self->recomputing);
  if (self->fusion.chosen != NULL)
    fusion_json (json, &self->fusion);
  if (accountings->len > 0)
    heddle_accountings_json (json, accountings);
  heddle_json_begin_object (json, "search");
  heddle_json_int (json, "candidates", (gint64) derivation->candidates);
  heddle_json_double (json, "milliseconds", derivation->milliseconds);
  heddle_json_bool (json, "exact", derivation->exact);
  json_builder_end_object (json);
  json_builder_end_object (json);
  heddle_json_print (json);
}

/* --- the table ----------------------------------------------------------------------- */

static char *
labels_text (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);

      g_string_append_printf (text, "%s%s:%s@%s=%" PRId64, i > 0 ? ", " : "",
          heddle_derived_axis_name (diagram, label->axis), heddle_label_kind_to_string (label->kind),
          label->level, label->size);
    }
  return g_string_free (text, FALSE);
}

static void
print_level (const HeddleDerived *self, const HeddleDiagram *diagram, const HeddleLevelCost *level)
{
  gboolean abstract = heddle_machine_is_abstract (self->machine);
  g_autofree char *transfer = heddle_derived_symbolic (diagram, level->transfer_symbolic);
  g_autofree char *memory = heddle_derived_symbolic (diagram, level->memory_symbolic);
  const char *unit = abstract ? _ ("elements") : _ ("bytes");

  g_print (_ ("  %-9s transfers %15" PRId64 " %s  = %s\n"), level->level,
      abstract ? level->transfer_elements : level->transfer_bytes, unit, transfer != NULL ? transfer : "");
  g_print (_ ("  %-9s holds     %15" PRId64 " %s  = %s"), "",
      abstract ? level->memory_elements : level->memory_bytes, unit, memory != NULL ? memory : "");
  if (level->capacity_bytes > 0)
    g_print (_ ("  (of %" PRId64 ")\n"), level->capacity_bytes);
  else
    g_print ("\n");
  if (level->step_elements > 0)
    g_print (_ ("  %-9s a step    %15" PRId64 " %s of each group\n"), "",
        abstract ? level->step_elements : level->step_bytes, unit);
  if (!is_exact (level))
    g_print (_ ("  %-9s not exact: a count is beyond 64 bits\n"), "");
}

static void
print_time (const HeddleKernel *kernel)
{
  g_print (_ ("  time      %.4g µs expected, %.4g µs overlapped, %.4g µs in series; bound by %s\n"),
      kernel->expected_s * 1e6, kernel->overlapped_s * 1e6, kernel->serial_s * 1e6,
      kernel->bound != NULL ? kernel->bound : "-");
  g_print (_ ("  units     tensor %.4g µs, special %.4g µs, fp32 %.4g µs, DRAM %.4g µs, L2 %.4g µs, SMEM "
              "%.4g µs\n"),
      kernel->tensor_s * 1e6, kernel->special_s * 1e6, kernel->fp32_s * 1e6, kernel->dram_s * 1e6,
      kernel->l2_s * 1e6, kernel->smem_s * 1e6);
}

static void
print_misfit (const HeddleMachine *machine, const HeddleKernel *kernel)
{
  gboolean abstract = heddle_machine_is_abstract (machine);
  gint64 instances = 1;

  for (guint i = 0; i < kernel->levels->len; i++)
    {
      const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, i);
      gint64 held = abstract ? level->memory_elements : level->memory_bytes;

      instances *= level->instances;
      if (held > level->capacity_bytes / instances)
        {
          g_print (
              _ ("  does not fit: %" PRId64 " groups at %s hold %" PRId64 " each, of %" PRId64 " in all\n"),
              instances, level->level, held, level->capacity_bytes);
          return;
        }
    }
  g_print (_ ("  does not fit: a kernel that keeps its sums in f32 takes %" PRId64 " bytes\n"),
      kernel->shared_bytes);
}

static void
print_stream (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  static const char *const kinds[] = { N_ ("nothing"), N_ ("a map: chunks do not know of one another"),
    N_ ("a monoid: its states can be merged"), N_ ("a state machine: its states are carried in order") };

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      if (heddle_loop_program_get_band (kernel->program, axis->id, HEDDLE_BAND_STREAM) != NULL)
        g_print (_ ("  streams   %s, %s\n"), axis->name, _ (kinds[kernel->stream_kind]));
    }
}

/* q 48 (16: its tiles at registers; 3: as it was labelled) */
static void
print_divisors (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      gint64 divisor = heddle_kernel_divisor (kernel, axis->id, 0);
      g_autofree char *reasons = heddle_kernel_explain_divisor (kernel, axis->id, 0);

      if (divisor > 1)
        g_print (_ ("  divisor   %s in multiples of %" PRId64 " (%s)\n"), axis->name, divisor, reasons);
    }
}

static void
print_recomputed (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autoptr (GPtrArray) labels = recomputed_labels (diagram, kernel);
  g_autofree char *text = NULL;

  g_ptr_array_add (labels, NULL);
  text = g_strjoinv (" ", (char **) labels->pdata);
  g_print (_ ("  again     %s worked out here, not read\n"), text);
}

static void
print_kernel (const HeddleDerived *self, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autofree char *name = heddle_derived_kernel_name (diagram, kernel);
  g_autofree char *labels = labels_text (diagram, kernel);

  g_print ("%s\n", name);
  g_print (_ ("  labels    %s\n"), *labels != '\0' ? labels : _ ("none"));
  if (kernel->unmade != NULL)
    g_print (_ ("  no kernel %s; priced as what it reads and writes once\n"), kernel->unmade);
  if (kernel->refusals->len > 0)
    {
      g_print (_ ("  refused   %u of the labels given\n"), kernel->refusals->len);
      return;
    }
  for (guint i = 0; i < kernel->levels->len; i++)
    print_level (self, diagram, g_ptr_array_index (kernel->levels, i));
  for (guint i = 0; i < kernel->above->len; i++)
    print_level (self, diagram, g_ptr_array_index (kernel->above, i));
  if (kernel->stream_kind != HEDDLE_STREAM_NONE)
    print_stream (diagram, kernel);
  print_divisors (diagram, kernel);
  if (kernel->again->len > 0)
    print_recomputed (diagram, kernel);
  if (kernel->above_bytes > 0.)
    g_print (_ ("  above     %.15g bytes from or to memory beyond GMEM, %.4g µs\n"), kernel->above_bytes,
        kernel->above_s * 1e6);
  if (kernel->kept_bytes > 0)
    g_print (_ ("  kept      %" PRId64 " bytes in a cache: not moved from or to DRAM\n"), kernel->kept_bytes);
  if (kernel->binding != NULL)
    g_print (_ ("  limit     %s\n"), kernel->binding);
  if (kernel->runner_up != NULL)
    g_print (_ ("  runner-up %s\n"), kernel->runner_up);
  if (!kernel->fits)
    print_misfit (self->machine, kernel);
  if (kernel->unmade != NULL)
    g_print (_ ("  work      %.3g FLOP, %.3g FLOP/byte\n"), kernel->flops, kernel->intensity);
  else
    g_print (_ ("  groups    %" PRId64 ", %.3g FLOP, %.3g FLOP/byte\n"), kernel->groups, kernel->flops,
        kernel->intensity);
  if (!heddle_machine_is_abstract (self->machine))
    print_time (kernel);
  heddle_form_print (diagram, self->machine, kernel, self->hierarchy);
}

static void
print_fusion (const HeddleFusion *fusion)
{
  g_print (_ ("kernels: %s, the best of %u that were priced; %s\n"), fusion->chosen, fusion->priced,
      fusion->exact ? _ ("every way to fuse was considered") : _ ("not every way to fuse was considered"));
  if (!isfinite (fusion->cost))
    {
      g_print (_ ("no way to fuse makes kernels that all fit\n"));
      return;
    }
  if (fusion->places > 0)
    g_print (_ ("places: each kernel was priced with the %u given; one that cannot have them was not "
                "considered\n"),
        fusion->places);
  if (fusion->second != NULL && isfinite (fusion->second_cost))
    g_print (_ ("runner-up: %s, %.3g %% more\n"), fusion->second,
        100. * (fusion->second_cost / fusion->cost - 1.));
  g_print (
      fusion->by_time
          ? _ ("no way to fuse is more than %.3g %% better: every input and output crosses once, and every "
               "contraction is worked out\n")
          : _ ("no way to fuse is more than %.3g %% better: every input and output crosses once\n"),
      100. * (1. - fusion->least / fusion->cost));
}

/* Global memory at a time, where several kernels share it or not all of it may be used. */
static void
print_held (const HeddleDerived *self, const HeddleDiagram *diagram)
{
  const HeddleDerivation *derivation = self->derivation;
  g_autofree char *name = NULL;

  if (derivation->kernels->len > 1 || self->budget > 0)
    {
      name = heddle_derived_kernel_name (
          diagram, g_ptr_array_index (derivation->kernels, derivation->held_at));
      g_print (_ ("held: %" PRId64 " bytes of global memory at most, while %s runs\n"),
          derivation->held_bytes, name);
    }
  if (self->budget > 0 && derivation->held_bytes > self->budget)
    g_print (_ ("does not fit: %" PRId64 " bytes of global memory may be held at a time\n"), self->budget);
  if (self->recomputing != NULL)
    g_print ("%s\n", self->recomputing);
}

void
heddle_derived_print_table (const HeddleDerived *self, const HeddleInput *input)
{
  const HeddleDerivation *derivation = self->derivation;

  g_print (
      _ ("%s on %s, %s\n"), input->diagram->name, self->machine->title, heddle_dtype_to_string (self->dtype));
  for (guint i = 0; i < derivation->kernels->len; i++)
    print_kernel (self, input->diagram, g_ptr_array_index (derivation->kernels, i));
  if (derivation->illegal)
    return;
  g_print (_ ("total: %" PRId64 " elements, %" PRId64 " bytes transferred\n"), derivation->transfer_elements,
      derivation->transfer_bytes);
  if (derivation->transfer_bytes == G_MAXINT64)
    g_print (_ ("not exact: the total is beyond 64 bits\n"));
  print_held (self, input->diagram);
  if (self->fusion.chosen != NULL)
    print_fusion (&self->fusion);
  if (derivation->candidates > 0)
    g_print (_ ("search: %" PRIu64 " candidates, %.3g ms, %s\n"), derivation->candidates,
        derivation->milliseconds, derivation->exact ? _ ("exact") : _ ("not proved best"));
}
