/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "cli/accounting.h"
#include "cli/command.h"
#include "cli/derivation.h"
#include "cli/derive-json.h"
#include "cli/derive-report.h"
#include "cli/input.h"
#include "cli/options.h"
#include "codegen/plan/suggestion.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "files/ncd/write.h"

/* --- --apply ------------------------------------------------------------------------- */

static HeddleExit
apply (const HeddleDerived *derived, const HeddleInput *input, const char *output)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_copy (input->snapshot);
  HeddleSchedule *schedule = heddle_snapshot_get_schedule (snapshot, input->diagram);
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  guint place;
  gsize length;

  if (g_ptr_array_find (snapshot->schedules, schedule, &place))
    {
      g_ptr_array_remove_index (snapshot->schedules, place);
      g_ptr_array_insert (snapshot->schedules, (int) place,
          heddle_plan_applied (
              input->diagram, derived->schedule, derived->derivation, derived->machine, derived->dtype));
    }
  data = heddle_ncd_write (snapshot, &length, &error);
  if (data == NULL)
    return heddle_input_failed (input->path, error);
  return heddle_output_save (output, data, length);
}

/* --- the command --------------------------------------------------------------------- */

/* The quantities that are counted beside the price, as asked for. */
typedef struct
{
  char **names, **counts;
} Accountings;

static HeddleExit
derive (const HeddleDerivationOptions *how, const HeddleOptions *options, const char *path,
    const char *output, const Accountings *counted)
{
  g_auto (HeddleInput) input = { NULL };
  g_auto (HeddleDerived) derived = { NULL };
  g_autoptr (GPtrArray) accountings = NULL;
  HeddleExit status;

  if (!heddle_input_open (&input, options, path, &status)
      || !heddle_derived_new (&derived, how, options, &input, &status))
    return status;
  if (derived.derivation->illegal)
    accountings = g_ptr_array_new ();
  else if (!heddle_accountings_new (
               &accountings, counted->names, counted->counts, options, &derived, &input, &status))
    return status;
  heddle_derived_print_refusals (&derived, &input);
  if (options->json)
    heddle_derived_print_json (&derived, &input, accountings);
  else
    {
      heddle_derived_print_table (&derived, &input);
      heddle_accountings_print (accountings);
    }
  if (derived.derivation->illegal)
    return HEDDLE_EXIT_WRONG;
  return output != NULL ? apply (&derived, &input, output) : HEDDLE_EXIT_DONE;
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (HeddleOptions) options = { NULL };
  g_auto (HeddleDerivationOptions) how = { NULL };
  g_autofree char *output = NULL;
  Accountings counted = { NULL, NULL };
  const GOptionEntry entries[] = {
    HEDDLE_DERIVATION_ENTRIES (how),
    { "columns", 0, 0, G_OPTION_ARG_STRING, &how.columns,
        N_ ("Arrays that count as held: all live ones (default), or the operands"), N_ ("WHICH") },
    { "stages", 0, 0, G_OPTION_ARG_INT, &how.stages, N_ ("Buffers for each streamed array, for overlap"),
        N_ ("N") },
    { "objective", 0, 0, G_OPTION_ARG_STRING, &how.objective,
        N_ ("What to minimise: time (default) or transfers"), N_ ("WHAT") },
    { "accounting", 0, 0, G_OPTION_ARG_STRING_ARRAY, &counted.names,
        N_ ("Count as an accounting does: its name or file (may be given several times)"), N_ ("NAME") },
    { "count", 0, 0, G_OPTION_ARG_STRING_ARRAY, &counted.counts,
        N_ ("Take another number for a quantity of the accounting"), N_ ("NAME=NUMBER") },
    { "divisors", 0, 0, G_OPTION_ARG_STRING, &how.divisors,
        N_ ("Tiles in multiples that the machine asks for: some of mma,copies,lines,warps"), N_ ("WHICH") },
    { "budget", 0, 0, G_OPTION_ARG_INT64, &how.budget,
        N_ ("Bytes of global memory that may be held at a time"), N_ ("BYTES") },
    { "hierarchy", 0, 0, G_OPTION_ARG_NONE, &how.hierarchy,
        N_ ("Show for every memory level the least that crosses into it, and its time"), NULL },
    { "cluster", 0, 0, G_OPTION_ARG_INT, &how.cluster,
        N_ ("Join the memories of N groups to a level between them and the next"), N_ ("N") },
    { "suggest", 0, 0, G_OPTION_ARG_NONE, &how.suggest, N_ ("Add the best labels to those given"), NULL },
    { "apply", 0, 0, G_OPTION_ARG_NONE, &how.applied, N_ ("Write a document with the derivation"), NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("The document to write"), N_ ("OUT.ncd") },
    { NULL },
  };
  HeddleExit status;
  const char *path;

  if (!heddle_options_parse (
          &options, _ ("FILE"), heddle_command_derive.summary, entries, argc, argv, &status))
    return status;
  path = heddle_options_get_file (&options);
  if (path == NULL)
    return HEDDLE_EXIT_USAGE;
  if (how.applied != (output != NULL) || (output != NULL && !g_str_has_suffix (output, ".ncd")))
    return heddle_options_misused (&options, _ ("--apply and -o OUT.ncd go together"));
  status = derive (&how, &options, path, output, &counted);
  g_strfreev (counted.names);
  g_strfreev (counted.counts);
  return status;
}

const HeddleCommand heddle_command_derive = {
  .name = "derive",
  .summary = N_ ("Price a diagram on a machine: transfers, memory, time"),
  .run = run,
};
