/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/compare-report.h"
#include "cli/derivation.h"
#include "cli/input.h"
#include "cli/options.h"
#include "codegen/plan/suggest.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/report/comparison.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"

typedef struct
{
  HeddleOptions options;
  HeddleDerivationOptions how;
  char **gpus;
  gboolean keep_labels;
} Compare;

static void
compare_clear (Compare *self)
{
  heddle_options_clear (&self->options);
  heddle_derivation_options_clear (&self->how);
  g_clear_pointer (&self->gpus, g_strfreev);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Compare, compare_clear)

/* --- one machine, one type ------------------------------------------------------------ */

static HeddleComparison *
compare_on (Compare *self, const HeddleInput *input, const char *gpu, HeddleDtype dtype, HeddleExit *status)
{
  const HeddleDtype declared = heddle_derivation_dtype (&self->options, input);
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleComparison) comparison = NULL;
  HeddleMachine *machine = heddle_machine_find (gpu, 0, &error);
  HeddleSchedule *schedule = NULL;

  if (machine == NULL)
    {
      *status = heddle_input_failed (input->path, error);
      return NULL;
    }
  schedule = heddle_derivation_schedule (&self->how, &self->options, input, machine, NULL, status);
  if (schedule == NULL)
    {
      heddle_machine_free (machine);
      return NULL;
    }
  /* Operations that cannot be one kernel are one each, unless it was asked for. */
  comparison = heddle_comparison_new (input->diagram, schedule, input->sizes, machine, dtype, declared,
      heddle_plan_suggest, self->how.fuse == NULL, NULL, &error);
  if (comparison != NULL && heddle_comparison_find_crossings (comparison, input->sizes, declared, &error))
    return g_steal_pointer (&comparison);
  *status = heddle_input_failed (input->path, error);
  return NULL;
}

/* --- the command --------------------------------------------------------------------- */

static HeddleExit
compare (Compare *self, const char *path)
{
  g_auto (HeddleInput) input = { NULL };
  g_autoptr (GPtrArray) comparisons
      = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_comparison_free);
  char **dtypes = self->options.dtype_names;
  guint n_dtypes = dtypes != NULL ? g_strv_length (dtypes) : 0;
  HeddleExit status;

  if (!heddle_input_open (&input, &self->options, path, &status) || !heddle_input_resolve (&input, &status))
    return status;
  for (char **gpu = self->gpus; *gpu != NULL; gpu++)
    for (guint i = 0; i < MAX (n_dtypes, 1); i++)
      {
        HeddleDtype dtype = HEDDLE_DTYPE_UNSET;
        HeddleComparison *comparison;

        if (n_dtypes > 0)
          heddle_dtype_from_string (dtypes[i], &dtype);
        comparison = compare_on (self, &input, *gpu, dtype, &status);
        if (comparison == NULL)
          return status;
        g_ptr_array_add (comparisons, comparison);
        if (comparison->derivation->illegal)
          {
            HeddleDerived refused = { .derivation = comparison->derivation };

            heddle_derived_print_refusals (&refused, &input);
            return HEDDLE_EXIT_WRONG;
          }
      }
  if (self->options.json)
    heddle_comparisons_print_json (comparisons, &input);
  else
    heddle_comparisons_print_table (comparisons, &input);
  return HEDDLE_EXIT_DONE;
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (Compare) self = { { NULL } };
  const GOptionEntry entries[] = {
    { "gpu", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self.gpus, N_ ("A machine (several times: side by side)"),
        N_ ("NAME") },
    { "fuse", 0, 0, G_OPTION_ARG_STRING, &self.how.fuse,
        N_ ("What to fuse: all, none, file, or values such as S,P,O"), N_ ("WHAT") },
    { "label", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self.how.labels,
        N_ ("Keep a label on every machine: [REGION/]AXIS:group|stream|divisor|order@LEVEL=N"),
        N_ ("LABEL") },
    { "keep-labels", 0, 0, G_OPTION_ARG_NONE, &self.keep_labels,
        N_ ("Keep the file's tiles rather than find each machine's best"), NULL },
    { NULL },
  };
  HeddleExit status;
  const char *path;

  if (!heddle_options_parse (
          &self.options, _ ("FILE"), heddle_command_compare.summary, entries, argc, argv, &status))
    return status;
  path = heddle_options_get_file (&self.options);
  if (path == NULL)
    return HEDDLE_EXIT_USAGE;
  if (self.gpus == NULL)
    return heddle_options_misused (&self.options, _ ("--gpu NAME is needed, once or more"));
  self.how.fresh = !self.keep_labels;
  return compare (&self, path);
}

const HeddleCommand heddle_command_compare = {
  .name = "compare",
  .summary
  = N_ ("Price a diagram on several machines and in several types, and show what would move the bound"),
  .run = run,
};
