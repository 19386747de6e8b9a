/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/derivation.h"
#include "cli/input.h"
#include "cli/kernels.h"
#include "cli/options.h"
#include "codegen/base/codegen.h"
#include "codegen/plan/plan.h"
#include "codegen/verify/bench.h"
#include "files/measure/bench-result.h"

#define DEFAULT_LAUNCHES 50
#define MOST_LAUNCHES 100000

typedef struct
{
  HeddleOptions options;
  HeddleDerivationOptions how;
  char *on;
  int launches;
} Bench;

static void
bench_clear (Bench *self)
{
  heddle_options_clear (&self->options);
  heddle_derivation_options_clear (&self->how);
  g_free (self->on);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Bench, bench_clear)

static void
print_row (const HeddleTiming *timing)
{
  g_print ("%-20s %12.2f %12.2f %12.2f %12.2f\n", timing->kernel, timing->median_s * 1e6,
      timing->least_s * 1e6, timing->most_s * 1e6, timing->expected_s * 1e6);
}

static void
print_table (const HeddlePlan *plan, const HeddleBench *bench)
{
  g_print (
      _ ("%s; µs of each kernel, %u launches, arrays in %u sets past the L2; expected: the model of %s\n"),
      bench->gpu, bench->launches, bench->sets, plan->machine->title);
  g_print (
      "%-20s %12s %12s %12s %12s\n", _ ("kernel"), _ ("median"), _ ("least"), _ ("most"), _ ("expected"));
  for (guint i = 0; i < bench->timings->len; i++)
    print_row (g_ptr_array_index (bench->timings, i));
  if (bench->timings->len > 1)
    print_row (&bench->total);
}

static HeddleExit
bench (const Bench *self, const char *path)
{
  g_auto (HeddleInput) input = { NULL };
  g_autoptr (HeddlePlan) plan = NULL;
  g_autoptr (HeddleBench) result = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;
  HeddleExit status;

  if (!heddle_input_open (&input, &self->options, path, &status))
    return status;
  plan = heddle_kernels_plan (&self->how, &self->options, &input, &status);
  if (plan == NULL)
    return status;
  result = heddle_plan_bench (plan, self->launches, NULL, &error);
  if (result == NULL)
    return heddle_input_failed (path, error);
  json = self->options.json ? heddle_bench_write (plan, result) : NULL;
  if (json != NULL)
    g_print ("%s\n", json);
  else
    print_table (plan, result);
  return HEDDLE_EXIT_DONE;
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (Bench) self = { .launches = DEFAULT_LAUNCHES };
  const GOptionEntry entries[] = {
    HEDDLE_DERIVATION_ENTRIES (self.how),
    HEDDLE_FAMILY_ENTRY (self.how.family),
    { "on", 0, 0, G_OPTION_ARG_STRING, &self.on, N_ ("gpu: the GPU of this machine (the only choice)"),
        N_ ("WHERE") },
    { "repeat", 0, 0, G_OPTION_ARG_INT, &self.launches, N_ ("Launches of each kernel (default: 50)"),
        N_ ("N") },
    { NULL },
  };
  HeddleExit status;
  const char *path;

  if (!heddle_options_parse (
          &self.options, _ ("FILE"), heddle_command_bench.summary, entries, argc, argv, &status))
    return status;
  path = heddle_options_get_file (&self.options);
  if (path == NULL)
    return HEDDLE_EXIT_USAGE;
  if (self.on != NULL && !g_str_equal (self.on, "gpu"))
    return heddle_options_misused (
        &self.options, _ ("--on %s: kernels are timed only on a GPU, --on gpu"), self.on);
  if (self.launches > MOST_LAUNCHES)
    return heddle_options_misused (
        &self.options, _ ("--repeat %d: expected 1 to %d"), self.launches, MOST_LAUNCHES);
  return bench (&self, path);
}

const HeddleCommand heddle_command_bench = {
  .name = "bench",
  .summary = N_ ("Time the kernels on the GPU of this machine"),
  .run = run,
};
