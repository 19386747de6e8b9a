/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/base/codegen.h"
#include "codegen/emit/emit.h"
#include "codegen/plan/plan.h"
#include "derive/cost/level-cost.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/stream/split.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "files/base/json.h"
#include "files/optimise/cost.h"
#include "files/optimise/findings.h"
#include "files/optimise/report-json.h"

static void
add_cost (JsonBuilder *json, const char *name, const HeddleOptimisedCost *cost)
{
  heddle_json_begin_object (json, name);
  heddle_json_int (json, "kernels", cost->kernels);
  heddle_json_int (json, "different_kernels", cost->different);
  heddle_json_double (json, "transfer_bytes", cost->transfer_bytes);
  heddle_json_double (json, "dram_bytes", cost->dram_bytes);
  heddle_json_double (json, "flops", cost->flops);
  heddle_json_double (json, "expected_s", cost->expected_s);
  json_builder_end_object (json);
}

static void
add_baseline (JsonBuilder *json, const char *name, const HeddleOptimisedCost *cost)
{
  heddle_json_begin_object (json, name);
  heddle_json_int (json, "kernels", cost->kernels);
  heddle_json_double (json, "dram_bytes", cost->dram_bytes);
  heddle_json_double (json, "expected_s", cost->expected_s);
  json_builder_end_object (json);
}

static void
add_labels (JsonBuilder *json, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  heddle_json_begin_array (json, "labels");
  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "axis", heddle_diagram_get_axis (diagram, label->axis)->name);
      heddle_json_text (json, "kind", heddle_label_kind_to_string (label->kind));
      heddle_json_text (json, "level", label->level);
      heddle_json_int (json, "size", label->size);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static const HeddleKernelText *
text_of (const HeddlePlan *plan, const HeddleKernel *kernel)
{
  for (guint i = 0; plan->texts != NULL && i < plan->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);

      if (text->program == kernel->program)
        return text;
    }
  return NULL;
}

static void
add_kernel (
    JsonBuilder *json, const HeddleOptimised *self, const HeddlePlan *plan, const HeddleKernel *kernel)
{
  const HeddleDiagram *diagram = plan->diagram;
  g_autofree char *title = heddle_kernel_values (diagram, kernel->operations, " ");
  const HeddleKernelText *text = text_of (plan, kernel);
  const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, 0);

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "values", title);
  heddle_json_int (json, "operations", kernel->operations->len);
  heddle_json_double (json, "transfer_bytes", (double) level->transfer_bytes);
  heddle_json_double (json, "dram_bytes", kernel->dram_bytes);
  heddle_json_double (json, "flops", kernel->flops);
  heddle_json_double (json, "intensity_flops_per_byte", kernel->intensity);
  heddle_json_text (json, "bound", kernel->bound);
  heddle_json_text (json, "streams", heddle_stream_kind_to_string (kernel->stream_kind));
  heddle_json_double (json, "expected_s", heddle_plan_kernel_seconds (plan, kernel));
  if (text != NULL)
    {
      heddle_json_text (json, "entry", text->entry);
      heddle_json_text (json, "family", heddle_family_to_string (text->family));
      heddle_json_text (json, "family_reason", text->family_reason);
    }
  add_labels (json, diagram, kernel);
  json_builder_end_object (json);
}

static void
add_kernels (JsonBuilder *json, const char *name, const HeddleOptimised *self, const HeddlePlan *plan)
{
  heddle_json_begin_array (json, name);
  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    add_kernel (json, self, plan, g_ptr_array_index (plan->derivation->kernels, i));
  json_builder_end_array (json);
}

static void
add_steps (JsonBuilder *json, GPtrArray *steps)
{
  heddle_json_begin_array (json, "rewrites");
  for (guint i = 0; i < steps->len; i++)
    {
      const HeddleOptimiseStep *step = g_ptr_array_index (steps, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "title", _ (step->title));
      heddle_json_int (json, "places", step->places);
      heddle_json_double (json, "before_s", step->before_s);
      heddle_json_double (json, "after_s", step->after_s);
      heddle_json_bool (json, "kept", step->kept);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_refusals (JsonBuilder *json, GPtrArray *refusals)
{
  heddle_json_begin_array (json, "refused");
  for (guint i = 0; i < refusals->len; i++)
    {
      const HeddleOptimiseRefusal *refusal = g_ptr_array_index (refusals, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "first", refusal->first);
      heddle_json_text (json, "second", refusal->second);
      heddle_json_text (json, "reason", refusal->reason);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_found (JsonBuilder *json, const HeddleOptimised *self, const HeddleOptimisedPiece *piece)
{
  g_autoptr (GPtrArray) found = heddle_optimised_find (self, piece);

  heddle_json_begin_array (json, "found");
  for (guint i = 0; i < found->len; i++)
    {
      const HeddleOptimiseFinding *finding = g_ptr_array_index (found, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "title", _ (finding->title));
      heddle_json_bool (json, "attention", finding->is_attention);
      heddle_json_text (json, "values", finding->values);
      heddle_json_int (json, "kernels_before", finding->kernels_before);
      heddle_json_double (json, "dram_bytes_before", finding->before_bytes);
      heddle_json_double (json, "dram_bytes_after", finding->after_bytes);
      heddle_json_double (json, "expected_s_before", finding->before_s);
      heddle_json_double (json, "expected_s_after", finding->after_s);
      heddle_json_text (json, "sentence", finding->sentence);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_unfused (JsonBuilder *json, const HeddleOptimisedPiece *piece)
{
  heddle_json_begin_array (json, "unfused");
  for (guint i = 0; i < piece->unfused->len; i++)
    {
      const HeddleOptimiseUnfused *unfused = g_ptr_array_index (piece->unfused, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "values", unfused->values);
      heddle_json_text (json, "reason", unfused->reason);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_piece (JsonBuilder *json, const HeddleOptimised *self, const HeddleOptimisedPiece *piece)
{
  HeddleOptimisedCost before = heddle_optimised_cost_of (piece->apart);
  HeddleOptimisedCost after = heddle_optimised_cost_of (piece->plan);

  heddle_json_begin_object (json, NULL);
  heddle_json_int (json, "times", piece->times);
  heddle_json_bool (json, "remembered", piece->remembered);
  heddle_json_int (json, "ways", piece->ways);
  heddle_json_int (json, "searched", piece->searched);
  heddle_json_text (json, "fallback", piece->fallback);
  add_unfused (json, piece);
  heddle_json_text (json, "verification", piece->verification);
  heddle_json_bool (json, "verified", g_str_has_prefix (piece->verification, "verified"));
  add_cost (json, "before", &before);
  add_cost (json, "after", &after);
  add_kernels (json, "kernels_before", self, piece->apart);
  add_kernels (json, "kernels", self, piece->plan);
  add_found (json, self, piece);
  add_steps (json, piece->steps);
  add_refusals (json, piece->refusals);
  json_builder_end_object (json);
}

/* Adds the keys of a report to an object that is open. */
static void
add_report (JsonBuilder *json, const HeddleOptimised *self)
{
  gboolean verified = TRUE;

  for (guint i = 0; i < self->pieces->len; i++)
    verified &= g_str_has_prefix (
        ((const HeddleOptimisedPiece *) g_ptr_array_index (self->pieces, i))->verification, "verified");
  heddle_json_text (json, "diagram", self->original->name);
  heddle_json_text (json, "gpu", self->machine->name);
  heddle_json_text (json, "dtype", heddle_dtype_to_string (self->plan->dtype));
  heddle_json_bool (json, "verified", verified);
  heddle_json_double (json, "difference", self->difference);
  heddle_json_text (json, "compared_at", self->compared_at);
  heddle_json_text (json, "not_compared", self->not_compared);
  add_baseline (json, "eager", &self->eager);
  add_baseline (json, "inductor", &self->inductor);
  add_cost (json, "before", &self->before);
  add_cost (json, "after", &self->after);
  heddle_json_double (json, "speedup", self->before.expected_s / self->after.expected_s);
  heddle_json_begin_array (json, "pieces");
  for (guint i = 0; i < self->pieces->len; i++)
    add_piece (json, self, g_ptr_array_index (self->pieces, i));
  json_builder_end_array (json);
}

char *
heddle_optimised_json (const HeddleOptimised *self)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  add_report (json, self);
  json_builder_end_object (json);
  return heddle_json_to_text (json);
}

static void
add_texts (JsonBuilder *json, const char *name, char **texts)
{
  heddle_json_begin_array (json, name);
  for (guint i = 0; texts[i] != NULL; i++)
    json_builder_add_string_value (json, texts[i]);
  json_builder_end_array (json);
}

static void
add_box (JsonBuilder *json, const HeddleOptimiseBox *box)
{
  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "name", box->name);
  add_texts (json, "reads", box->reads);
  add_texts (json, "makes", box->makes);
  heddle_json_int (json, "after_stage", box->stage);
  heddle_json_text (json, "reason", box->reason);
  json_builder_end_object (json);
}

static void
add_stage (JsonBuilder *json, const HeddleOptimiseStage *stage)
{
  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "folder", stage->folder);
  heddle_json_text (json, "failed", stage->why);
  if (stage->made != NULL)
    add_report (json, stage->made);
  json_builder_end_object (json);
}

char *
heddle_optimised_stages_json (const HeddleOptimisedStages *self)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  if (self->boxes->len == 0)
    return heddle_optimised_json (((const HeddleOptimiseStage *) self->stages->pdata[0])->made);
  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "diagram", self->name);
  heddle_json_begin_array (json, "boxes");
  for (guint i = 0; i < self->boxes->len; i++)
    add_box (json, g_ptr_array_index (self->boxes, i));
  json_builder_end_array (json);
  heddle_json_begin_array (json, "stages");
  for (guint i = 0; i < self->stages->len; i++)
    add_stage (json, g_ptr_array_index (self->stages, i));
  json_builder_end_array (json);
  json_builder_end_object (json);
  return heddle_json_to_text (json);
}
