/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "codegen/plan/derive.h"
#include "codegen/plan/groups.h"
#include "codegen/plan/tiles.h"
#include "derive/cost/clock.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "derive/program/memory-layout.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/operation-table.h"

static const char *
axis_name (const HeddleDiagram *diagram, const char *id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (diagram, id);

  return axis ? axis->name : "?";
}

static void
set_opaque (const HeddleKernel *kernel, GError **error)
{
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_PROGRAM,
      _ ("no kernel “%s” can be made: %s; remove it, with its result as an input, to make the "
         "others"),
      kernel->title, kernel->opaque_reason);
}

gboolean
heddle_plan_check_derivation (
    const HeddleDiagram *diagram, const HeddlePlan *plan, const HeddleDerivation *derivation, GError **error)
{
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      if (kernel->refusals->len > 0)
        {
          const HeddleRefusal *refusal = g_ptr_array_index (kernel->refusals, 0);

          g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_ILLEGAL, "%s:%s: %s %s",
              axis_name (diagram, refusal->axis), heddle_label_kind_to_string (refusal->kind),
              refusal->reason, refusal->remedy ? refusal->remedy : "");
          return FALSE;
        }
      if (kernel->opaque_reason != NULL)
        {
          set_opaque (kernel, error);
          return FALSE;
        }
      if (kernel->program == NULL || (!kernel->fits && !heddle_plan_has_tiles (plan, diagram, kernel)))
        {
          const char *name = kernel->program ? kernel->program->name : diagram->name;

          g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_CAPACITY,
              _ ("kernel “%s” does not fit into shared memory: group or stream one more axis, or fuse less"),
              name);
          return FALSE;
        }
    }
  return TRUE;
}

static HeddleDerivation *
derive_with_tiles (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleRegion *region,
    const HeddlePlan *plan, GCancellable *cancellable, GError **error)
{
  HeddleDeriveOptions options = { .machine = plan->machine,
    .dtype = plan->dtype,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .suggest = TRUE,
    .plain = TRUE,
    .region = region != NULL ? region->id : NULL,
    .search_cache = plan->search_cache,
    .product_shares = heddle_plan_shares_of (plan) };
  HeddleSchedule *chosen = NULL;
  HeddleDerivation *derivation = heddle_derive (diagram, schedule, plan->sizes, &options, cancellable, error);

  if (derivation != NULL)
    chosen = heddle_plan_choose_tiles (plan, diagram, schedule, derivation);
  if (chosen == NULL)
    return derivation;
  heddle_derivation_free (derivation);
  options.suggest = FALSE;
  derivation = heddle_derive (diagram, chosen, plan->sizes, &options, cancellable, error);
  heddle_schedule_free (chosen);
  return derivation;
}

HeddleDerivation *
heddle_plan_derive (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleRegion *region,
    const HeddlePlan *plan, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleDerivation) derivation
      = derive_with_tiles (diagram, schedule, region, plan, cancellable, error);

  if (derivation == NULL || !heddle_plan_check_derivation (diagram, plan, derivation, error))
    return NULL;
  return g_steal_pointer (&derivation);
}

HeddleDerivation *
heddle_plan_derive_apart (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddlePlan *plan, GCancellable *cancellable, GError **error)
{
  gboolean own = schedule != NULL && schedule->regions->len > 0;
  HeddleSchedule *apart = heddle_schedule_fuse (diagram, schedule, own ? "file" : "none", NULL);
  HeddleDerivation *derivation = derive_with_tiles (diagram, apart, NULL, plan, cancellable, error);

  heddle_schedule_free (apart);
  for (guint i = 0; derivation != NULL && i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      if (kernel->program != NULL)
        continue;
      set_opaque (kernel, error);
      g_clear_pointer (&derivation, heddle_derivation_free);
    }
  return derivation;
}

/* Returns the seconds that merging the parts of a split axis takes: states of 4 bytes are written and read
 * again, by a kernel of their own, which must fit. */
static double
merging_seconds (const HeddlePlan *plan, const HeddleKernel *kernel)
{
  const HeddleLoopProgram *program = kernel->program, *combine = program != NULL ? program->combine : NULL;
  const HeddleMachine *machine = plan->machine;
  int global = heddle_machine_find_level (machine, "gmem"),
      shared = heddle_machine_find_level (machine, "smem");
  g_autoptr (HeddleSizes) sizes = NULL;
  double bytes = 0;

  if (combine == NULL || global < 0 || shared < 0)
    return 0;
  sizes = heddle_loop_program_own_sizes (program, plan->sizes);
  if (heddle_loop_program_shared_bytes (combine, sizes)
      > ((const HeddleLevel *) g_ptr_array_index (machine->levels, shared))->capacity_bytes)
    return HEDDLE_PLAN_NEVER;
  for (guint i = 0; i < combine->inputs->len; i++)
    bytes += 4.
             * (double) heddle_sizes_elements (
                 sizes, heddle_diagram_get_value (combine->diagram, heddle_ids_index (combine->inputs, i)));
  return heddle_clock_rate (machine, HEDDLE_SUSTAINED_LAUNCH)
         + 2 * bytes / ((const HeddleLevel *) g_ptr_array_index (machine->levels, global))->bandwidth;
}

double
heddle_plan_seconds_of (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  double seconds = heddle_plan_tile_seconds (plan, diagram, kernel);
  double launch = heddle_clock_rate (plan->machine, HEDDLE_SUSTAINED_LAUNCH), merging;

  if (seconds == 0 && !kernel->fits)
    return HEDDLE_PLAN_NEVER;
  merging = merging_seconds (plan, kernel);
  if (merging >= HEDDLE_PLAN_NEVER)
    return HEDDLE_PLAN_NEVER;
  return seconds == 0 ? kernel->expected_s : seconds + launch + merging;
}

double
heddle_plan_price_of (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  if (kernel->tensor_flops > 0 && heddle_plan_has_tiles (plan, diagram, kernel))
    return kernel->expected_s;
  return heddle_plan_seconds_of (plan, diagram, kernel);
}

double
heddle_plan_seconds (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation)
{
  double seconds = 0;

  for (guint i = 0; derivation != NULL && i < derivation->kernels->len; i++)
    seconds += heddle_plan_seconds_of (plan, diagram, g_ptr_array_index (derivation->kernels, i));
  return derivation != NULL ? seconds : INFINITY;
}

gboolean
heddle_plan_is_bound (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation)
{
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      if (kernel->tensor_flops > 0 && !heddle_plan_has_tiles (plan, diagram, kernel))
        return FALSE;
    }
  return TRUE;
}

/* Returns the floating-point operations if each product is computed once. */
static double
least_flops (const HeddlePlan *plan, const HeddleDiagram *diagram)
{
  double flops = 0;

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      double terms = 2; /* a multiplication and an addition */

      if (operation->kind->form != HEDDLE_FORM_CONTRACT)
        continue;
      terms *= (double) heddle_sizes_elements (
          plan->sizes, heddle_diagram_get_value (diagram, operation->result));
      for (guint k = 0; k < operation->axes->len; k++)
        terms *= (double) heddle_sizes_get (plan->sizes, heddle_ids_index (operation->axes, k));
      flops += terms;
    }
  return flops;
}

/* The factor on the work of each product once up to which products do not count as repeated. */
#define REPEATED 1.1

gboolean
heddle_plan_repeats_products (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation)
{
  double flops = 0;

  for (guint i = 0; i < derivation->kernels->len; i++)
    flops += ((const HeddleKernel *) g_ptr_array_index (derivation->kernels, i))->tensor_flops;
  return flops > REPEATED * least_flops (plan, diagram);
}

HeddlePlan
heddle_plan_of_options (const HeddleSizes *sizes, const HeddleDeriveOptions *options)
{
  return (HeddlePlan){ .machine = (HeddleMachine *) options->machine,
    .sizes = (HeddleSizes *) sizes,
    .dtype = options->dtype != HEDDLE_DTYPE_UNSET ? options->dtype : HEDDLE_DTYPE_F16,
    .family = HEDDLE_FAMILY_AUTO,
    .by_units = options->product_shares == heddle_plan_unit_shares,
    .search_cache = options->search_cache };
}

double
heddle_plan_price (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    const HeddleDerivation *derivation)
{
  const HeddlePlan plan = heddle_plan_of_options (sizes, options);
  double seconds = 0;

  if (derivation == NULL || derivation->illegal)
    return INFINITY;
  for (guint i = 0; i < derivation->kernels->len; i++)
    seconds += heddle_plan_price_of (
        &plan, heddle_derivation_diagram (derivation, diagram), g_ptr_array_index (derivation->kernels, i));
  return seconds;
}
