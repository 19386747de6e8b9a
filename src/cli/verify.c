/* SPDX-License-Identifier: MIT */
#include <math.h>

#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/derivation.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/kernels.h"
#include "cli/options.h"
#include "cli/verify-shards.h"
#include "codegen/base/codegen.h"
#include "codegen/plan/plan.h"
#include "codegen/verify/apart.h"
#include "codegen/verify/plan.h"
#include "codegen/verify/run.h"
#include "codegen/verify/sizes.h"
#include "codegen/verify/verify.h"
#include "derive/machine/machine.h"
#include "derive/shard/layout.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "files/base/json.h"

typedef struct
{
  HeddleOptions options;
  HeddleDerivationOptions how;
  char *on, *seed;
} Verify;

static void
verify_clear (Verify *self)
{
  heddle_options_clear (&self->options);
  heddle_derivation_options_clear (&self->how);
  g_free (self->on);
  g_free (self->seed);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Verify, verify_clear)

/* --- telling ------------------------------------------------------------------------- */

/* Returns the verification that fails, or else comes nearest to failing. */
static const HeddleVerification *
worst (GPtrArray *verifications)
{
  const HeddleVerification *found = g_ptr_array_index (verifications, 0);

  for (guint i = 1; i < verifications->len; i++)
    {
      const HeddleVerification *verification = g_ptr_array_index (verifications, i);

      if (found->passed && (!verification->passed || verification->relative_error > found->relative_error))
        found = verification;
    }
  return found;
}

/* Adds what the interpreter counted, of the very kernels that are exported unless sizes were set. */
static void
counts_json (JsonBuilder *json, const HeddlePtxStats *counts)
{
  static const char *const classes[HEDDLE_PTX_N_CLASSES]
      = { "arithmetic", "special", "memory", "product", "lanes", "control", "barrier" };

  heddle_json_begin_object (json, "counts");
  heddle_json_int (
      json, "global_sectors", (gint64) (counts->global_sectors_read + counts->global_sectors_written));
  heddle_json_int (json, "global_sectors_least", (gint64) counts->global_sectors_least);
  heddle_json_int (json, "shared_accesses", (gint64) counts->shared_accesses);
  heddle_json_int (json, "bank_conflicts", (gint64) counts->bank_conflicts);
  heddle_json_int (json, "warps", (gint64) counts->warps);
  heddle_json_int (json, "warps_working", (gint64) counts->warps_working);
  heddle_json_begin_object (json, "warp_instructions");
  for (guint i = 0; i < HEDDLE_PTX_N_CLASSES; i++)
    heddle_json_int (json, classes[i], (gint64) counts->of_class[i]);
  json_builder_end_object (json);
  json_builder_end_object (json);
}

static void
members_json (JsonBuilder *json, const HeddleVerification *verification)
{
  heddle_json_text (json, "kernel", verification->kernel);
  heddle_json_text (json, "on", verification->on);
  heddle_json_text (json, "method", verification->method);
  heddle_json_double (json, "relative_error", verification->relative_error);
  heddle_json_double (json, "max_abs_error", verification->max_abs_error);
  heddle_json_double (json, "tolerance", verification->tolerance);
  heddle_json_bool (json, "passed", verification->passed);
  heddle_json_text (json, "detail", verification->detail);
  if (g_str_equal (verification->on, "model"))
    {
      heddle_json_int (json, "transfer_elements", verification->transfer_elements);
      heddle_json_int (json, "memory_elements", verification->memory_elements);
    }
  if (verification->counts != NULL)
    counts_json (json, verification->counts);
}

/* Prints the members of the worst kernel, then those of each kernel. */
static void
print_json (GPtrArray *verifications)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  if (verifications->len > 0)
    members_json (json, worst (verifications));
  heddle_json_begin_array (json, "kernels");
  for (guint i = 0; i < verifications->len; i++)
    {
      heddle_json_begin_object (json, NULL);
      members_json (json, g_ptr_array_index (verifications, i));
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
  heddle_json_print (json);
}

static void
print_counts (const HeddlePtxStats *counts)
{
  const double sectors = (double) (counts->global_sectors_read + counts->global_sectors_written);
  double all = 0;

  for (guint i = 0; i < HEDDLE_PTX_N_CLASSES; i++)
    all += (double) counts->of_class[i];
  g_print (_ ("  %.3g sectors of global memory, %.2f times the fewest; %.3g accesses of shared memory, %.3g "
              "cycles of "
              "bank conflicts; %.0f of %.0f warps worked\n"),
      sectors, sectors / (double) MAX (counts->global_sectors_least, 1), (double) counts->shared_accesses,
      (double) counts->bank_conflicts, (double) counts->warps_working, (double) counts->warps);
  g_print (_ ("  %.3g instructions of warps: %.0f %% arithmetic, %.0f %% special functions, %.0f %% memory, "
              "%.0f %% "
              "products, %.0f %% between lanes, %.0f %% control, %.0f %% barriers\n"),
      all, 100 * (double) counts->of_class[HEDDLE_PTX_ARITHMETIC] / all,
      100 * (double) counts->of_class[HEDDLE_PTX_SPECIAL] / all,
      100 * (double) counts->of_class[HEDDLE_PTX_MEMORY] / all,
      100 * (double) counts->of_class[HEDDLE_PTX_PRODUCT] / all,
      100 * (double) counts->of_class[HEDDLE_PTX_LANES] / all,
      100 * (double) counts->of_class[HEDDLE_PTX_CONTROL] / all,
      100 * (double) counts->of_class[HEDDLE_PTX_BARRIER] / all);
}

static void
print_table (GPtrArray *verifications)
{
  for (guint i = 0; i < verifications->len; i++)
    {
      const HeddleVerification *verification = g_ptr_array_index (verifications, i);

      g_print (_ ("%s: %s on %s (%s): relative error %.3g, largest %.3g, tolerance %.3g\n"),
          verification->kernel, verification->passed ? _ ("passed") : _ ("FAILED"), verification->on,
          verification->method, verification->relative_error, verification->max_abs_error,
          verification->tolerance);
      if (verification->detail != NULL)
        g_print ("  %s\n", verification->detail);
      if (verification->counts != NULL)
        print_counts (verification->counts);
    }
}

/* --- the work ------------------------------------------------------------------------ */

static void
print_sizes (const HeddleDiagram *diagram, const HeddleSizes *sizes)
{
  g_print (_ ("verified at"));
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      g_print (" %s=%" G_GINT64_FORMAT, axis->name, heddle_sizes_get (sizes, axis->id));
    }
  g_print ("\n");
}

static HeddleExit
print_results (const Verify *self, GPtrArray *verifications)
{
  HeddleExit status = HEDDLE_EXIT_DONE;

  for (guint i = 0; i < verifications->len; i++)
    if (!((const HeddleVerification *) g_ptr_array_index (verifications, i))->passed)
      status = HEDDLE_EXIT_WRONG;
  if (self->options.json)
    print_json (verifications);
  else if (verifications->len == 0)
    g_print (_ ("there is nothing to compute\n"));
  else
    print_table (verifications);
  return status;
}

/* Prints the error and returns the status; if there is no GPU, it says that there is another way. */
static HeddleExit
failed (const HeddleInput *input, HeddleVerifyOn on, const GError *error)
{
  const HeddleExit status = heddle_input_failed (input->path, error);

  if (on == HEDDLE_VERIFY_GPU && status == HEDDLE_EXIT_MISSING)
    g_printerr (_ ("--on cpu interprets the kernels without a GPU\n"));
  return status;
}

/* Verifies a plan. The sizes of --set are used as they are; the document's own may be large, so that the
 * kernels are checked at small ones: those that their constants allow, unless only loop programs run. */
static HeddleExit
verify_plan (const Verify *self, HeddleInput *input, const HeddlePlan *plan, HeddleVerifyOn on, guint64 seed)
{
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GPtrArray) verifications = NULL;
  g_autoptr (GError) error = NULL;

  if (self->options.set != NULL)
    sizes = heddle_sizes_ref (plan->sizes);
  else if (on == HEDDLE_VERIFY_MODEL)
    sizes = heddle_derivation_small_sizes (plan->diagram, plan->derivation, plan->sizes);
  if (sizes != NULL)
    verifications = heddle_plan_verify (plan, sizes, on, seed, NULL, &error);
  else
    verifications = heddle_plan_verify_small (plan, on, seed, &sizes, &error);
  if (verifications == NULL)
    return failed (input, on, error);
  if (!self->options.json && sizes != NULL)
    print_sizes (plan->diagram, sizes);
  return print_results (self, verifications);
}

/* Verifies the loop programs alone: for the abstract machine, and where no kernels can be made of them. */
static HeddleExit
verify_model (Verify *self, HeddleInput *input, guint64 seed)
{
  g_auto (HeddleDerived) derived = { NULL };
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GPtrArray) verifications = NULL;
  g_autoptr (GError) error = NULL;
  HeddleExit status = HEDDLE_EXIT_DONE;

  self->how.suggest = TRUE;
  if (!heddle_derived_new (&derived, &self->how, &self->options, input, &status))
    return status;
  heddle_derived_print_refusals (&derived, input);
  if (derived.derivation->illegal)
    return HEDDLE_EXIT_WRONG;
  sizes = self->options.set != NULL || heddle_machine_is_abstract (derived.machine)
              ? heddle_sizes_ref (input->sizes)
              : heddle_derivation_small_sizes (input->diagram, derived.derivation, input->sizes);
  verifications = heddle_verify (input->diagram, derived.derivation, sizes, derived.machine, derived.dtype,
      HEDDLE_VERIFY_MODEL, seed, &error);
  if (verifications == NULL)
    return heddle_input_failed (input->path, error);
  if (!self->options.json)
    print_sizes (input->diagram, sizes);
  return print_results (self, verifications);
}

/* Verifies what several GPUs do. */
static HeddleExit
verify_shards (const Verify *self, HeddleInput *input, const HeddleSchedule *schedule,
    const HeddleMachine *machine, HeddleVerifyOn on, guint64 seed)
{
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GPtrArray) verifications = NULL;
  g_autoptr (GError) error = NULL;
  HeddleFamily family;
  HeddleExit status;

  if (!heddle_kernels_family (&self->options, self->how.family, &family))
    return HEDDLE_EXIT_USAGE;
  if (!heddle_input_resolve (input, &status))
    return status;
  verifications
      = heddle_verify_shards (input, schedule, machine, heddle_derivation_dtype (&self->options, input),
          self->options.set != NULL, on == HEDDLE_VERIFY_CPU, family, seed, &sizes, &error);
  if (verifications == NULL)
    return heddle_input_failed (input->path, error);
  if (!self->options.json)
    print_sizes (input->diagram, sizes);
  return print_results (self, verifications);
}

/* Returns the schedule if it groups axes above GMEM; NULL without an error if it does not. */
static HeddleSchedule *
sharded_schedule (const Verify *self, HeddleInput *input, const HeddleMachine *machine, HeddleExit *status)
{
  HeddleSchedule *schedule;

  *status = HEDDLE_EXIT_DONE;
  if (machine->links->len == 0 || !heddle_input_flatten (input, status))
    return NULL;
  schedule = heddle_derivation_schedule (&self->how, &self->options, input, machine, NULL, status);
  if (schedule != NULL && !heddle_schedule_is_sharded (schedule, machine))
    g_clear_pointer (&schedule, heddle_schedule_free);
  return schedule;
}

static HeddleExit
verify (Verify *self, const char *path, HeddleVerifyOn on, guint64 seed)
{
  HeddleSchedule *sharded;
  g_auto (HeddleInput) input = { NULL };
  g_autoptr (HeddleMachine) machine = NULL;
  g_autoptr (HeddlePlan) plan = NULL;
  g_autoptr (GError) error = NULL;
  HeddleExit status;

  if (!heddle_input_open (&input, &self->options, path, &status))
    return status;
  machine = heddle_derivation_machine (&self->how, &input, &status);
  if (machine == NULL)
    return status;
  sharded = on != HEDDLE_VERIFY_GPU ? sharded_schedule (self, &input, machine, &status) : NULL;
  if (sharded != NULL)
    {
      status = verify_shards (self, &input, sharded, machine, on, seed);
      heddle_schedule_free (sharded);
      return status;
    }
  if (on != HEDDLE_VERIFY_GPU && machine->links->len > 0 && status != HEDDLE_EXIT_DONE)
    return status;
  if (on == HEDDLE_VERIFY_MODEL && heddle_machine_is_abstract (machine))
    return verify_model (self, &input, seed);
  plan = heddle_kernels_try_plan (&self->how, &self->options, &input, &status, &error);
  if (plan != NULL)
    return verify_plan (self, &input, plan, on, seed);
  if (on == HEDDLE_VERIFY_MODEL && error != NULL)
    return verify_model (self, &input, seed);
  return error != NULL ? heddle_input_failed (input.path, error) : status;
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (Verify) self = { { NULL } };
  const GOptionEntry entries[] = {
    HEDDLE_DERIVATION_ENTRIES (self.how),
    HEDDLE_FAMILY_ENTRY (self.how.family),
    { "on", 0, 0, G_OPTION_ARG_STRING, &self.on,
        N_ ("model: the loop program runs; cpu: the kernel's PTX is interpreted; gpu: the kernel runs"),
        N_ ("WHERE") },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &self.seed, N_ ("Seed of the random inputs (default: 1)"),
        N_ ("N") },
    { NULL },
  };
  HeddleVerifyOn on = HEDDLE_VERIFY_MODEL;
  guint64 seed = 1;
  HeddleExit status;
  const char *path;

  if (!heddle_options_parse (
          &self.options, _ ("FILE"), heddle_command_verify.summary, entries, argc, argv, &status))
    return status;
  path = heddle_options_get_file (&self.options);
  if (path == NULL)
    return HEDDLE_EXIT_USAGE;
  if (self.seed != NULL && !g_ascii_string_to_unsigned (self.seed, 10, 0, G_MAXUINT64, &seed, NULL))
    return heddle_options_misused (&self.options, _ ("--seed %s: expected a whole number"), self.seed);
  if (g_strcmp0 (self.on, "gpu") == 0)
    on = HEDDLE_VERIFY_GPU;
  else if (g_strcmp0 (self.on, "cpu") == 0)
    on = HEDDLE_VERIFY_CPU;
  else if (g_strcmp0 (self.on, "model") != 0)
    return heddle_options_misused (&self.options, _ ("--on model, --on cpu or --on gpu is needed"));
  return verify (&self, path, on, seed);
}

const HeddleCommand heddle_command_verify = {
  .name = "verify",
  .summary = N_ ("Compare the kernels with the reference evaluator"),
  .run = run,
};
