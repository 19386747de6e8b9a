/* SPDX-License-Identifier: MIT */
#include <math.h>

#include <glib/gi18n.h>

#include "cli/accounting.h"
#include "cli/derive-form.h"
#include "cli/derive-json.h"
#include "cli/derive-report.h"
#include "cli/derive-shard.h"
#include "cli/json.h"
#include "derive/cost/level-cost.h"
#include "derive/cost/time-part.h"
#include "derive/cost/report.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/divisors.h"
#include "derive/legality/refusal.h"
#include "derive/machine/machine.h"
#include "derive/report/layouts.h"
#include "derive/report/symbols.h"
#include "derive/stream/split.h"
#include "derive/suggest/fusion.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "files/base/json.h"

static void
operations_json (JsonBuilder *json, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autofree char *all = heddle_kernel_values (diagram, kernel->operations, " ");
  g_auto (GStrv) values = g_strsplit (all, " ", -1);

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
      heddle_json_int (json, "together", heddle_kernel_divisor (kernel, divisor->axis));
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
levels_json (JsonBuilder *json, const HeddleDiagram *diagram, const char *key, const GPtrArray *levels)
{
  heddle_json_begin_array (json, key);
  for (guint i = 0; i < levels->len; i++)
    {
      const HeddleLevelCost *level = g_ptr_array_index (levels, i);
      g_autofree char *transfer = heddle_costs_symbolic (diagram, level->transfer_symbolic);
      g_autofree char *memory = heddle_costs_symbolic (diagram, level->memory_symbolic);

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
      heddle_json_bool (json, "exact", heddle_derived_is_exact (level));
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

/* Adds the values that --fuse takes to apply the remedy. */
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
      heddle_json_text (json, "no_remedy_because", refusal->no_remedy);
      fuse_json (json, diagram, refusal);
      heddle_json_text (json, "axis_instead",
          refusal->remedy_axis != NULL ? heddle_derived_axis_name (diagram, refusal->remedy_axis) : NULL);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

/* Adds the parts of the time, which add up to "expected_s". */
static void
parts_json (JsonBuilder *json, const HeddleKernel *kernel)
{
  heddle_json_begin_array (json, "parts");
  for (guint i = 0; i < HEDDLE_TIME_N_PARTS; i++)
    {
      g_autofree char *sentence = heddle_time_part_sentence (kernel->parts, i, kernel->bound, kernel->waves);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "part", heddle_time_part_name (i));
      heddle_json_double (json, "seconds", kernel->parts[i]);
      heddle_json_text (json, "sentence", sentence);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
time_json (JsonBuilder *json, const HeddleKernel *kernel)
{
  gboolean exact = TRUE;

  for (guint i = 0; i < kernel->levels->len; i++)
    exact = exact && heddle_derived_is_exact (g_ptr_array_index (kernel->levels, i));
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
  heddle_json_bool (json, "exact", exact);
  heddle_json_double (json, "overlapped_s", kernel->overlapped_s);
  heddle_json_double (json, "serial_s", kernel->serial_s);
  heddle_json_double (json, "expected_s", kernel->expected_s);
  heddle_json_double (json, "dram_s", kernel->dram_s);
  heddle_json_double (json, "l2_s", kernel->l2_s);
  heddle_json_double (json, "smem_s", kernel->smem_s);
  heddle_json_double (json, "above_s", kernel->above_s);
  heddle_json_text (json, "bound", kernel->bound);
  parts_json (json, kernel);
  json_builder_end_object (json);
}

/* Adds how many groups one instance of each level has room for. */
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

static void
recomputed_json (JsonBuilder *json, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autoptr (GPtrArray) labels = heddle_derived_recomputed_labels (diagram, kernel);

  heddle_json_begin_array (json, "recomputed");
  for (guint i = 0; i < labels->len; i++)
    json_builder_add_string_value (json, g_ptr_array_index (labels, i));
  json_builder_end_array (json);
}

static void
layouts_json (JsonBuilder *json, const HeddleDerivation *derivation, const HeddleDiagram *diagram,
    const HeddleKernel *kernel)
{
  g_autoptr (GPtrArray) values = heddle_derivation_laid_values (derivation, diagram, kernel);
  const HeddleDiagram *laid = heddle_derivation_diagram (derivation, diagram);

  heddle_json_begin_array (json, "layouts");
  for (guint i = 0; i < values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (values, i);
      g_autofree char *name = heddle_diagram_value_label (laid, value->id);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "value", name);
      heddle_json_begin_array (json, "axes");
      for (guint k = 0; k < value->axes->len; k++)
        json_builder_add_string_value (
            json, heddle_derived_axis_name (diagram, heddle_ids_index (value->axes, k)));
      json_builder_end_array (json);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
kernel_json (JsonBuilder *json, const HeddleDerivation *derivation, const HeddleDiagram *whole,
    const HeddleMachine *machine, const HeddleKernel *kernel, gint64 held_bytes)
{
  const HeddleDiagram *diagram = heddle_derivation_diagram (derivation, whole);

  heddle_json_begin_object (json, NULL);
  operations_json (json, diagram, kernel);
  labels_json (json, diagram, kernel);
  divisors_json (json, diagram, kernel);
  layouts_json (json, derivation, whole, kernel);
  recomputed_json (json, diagram, kernel);
  heddle_json_int (json, "held_bytes", held_bytes);
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
  heddle_json_text (json, "not_generated_because", kernel->opaque_reason);
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
heddle_derived_values_json (
    JsonBuilder *json, const char *member, const HeddleDiagram *diagram, const GArray *values)
{
  heddle_json_begin_array (json, member);
  for (guint i = 0; values != NULL && i < values->len; i++)
    {
      g_autofree char *label = heddle_diagram_value_label (diagram, heddle_ids_index (values, i));

      json_builder_add_string_value (json, label);
    }
  json_builder_end_array (json);
}

void
heddle_derived_print_json (const HeddleDerived *self, const HeddleInput *input, const GPtrArray *accountings)
{
  const HeddleDerivation *derivation = self->derivation;
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "diagram", input->diagram->name);
  heddle_json_text (json, "gpu", self->machine->name);
  heddle_json_text (json, "measured", self->machine->measured);
  heddle_json_text (json, "dtype", heddle_dtype_to_string (self->dtype));
  heddle_json_begin_array (json, "kernels");
  for (guint i = 0; i < derivation->kernels->len; i++)
    kernel_json (json, derivation, input->diagram, self->machine, g_ptr_array_index (derivation->kernels, i),
        g_array_index (derivation->held, gint64, i));
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
  heddle_derived_shards_json (json, self);
  heddle_derived_values_json (json, "split", input->diagram, self->split);
  heddle_derived_values_json (json, "joined", input->diagram, self->joined);
  heddle_derived_values_json (json, "written_out", input->diagram, self->written_out);
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
  heddle_json_text (
      json, "not_proved_because", derivation->unproved != NULL ? _ (derivation->unproved) : NULL);
  json_builder_end_object (json);
  json_builder_end_object (json);
  heddle_json_print (json);
}
