/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cli/compare-report.h"

/* How far from a machine's own a figure is followed. */
#define MOST_FACTOR 64.
/* Beyond this many candidates of a search the labels found are kept while a machine's figures are changed. */
#define MAX_CANDIDATES 20000

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

/* Every array of real numbers in that type. */
static HeddleDiagram *
diagram_in_type (const HeddleDiagram *diagram, HeddleDtype dtype)
{
  HeddleDiagram *copy = heddle_diagram_copy (diagram);

  for (guint i = 0; dtype != HEDDLE_DTYPE_UNSET && i < copy->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (copy->values, i);

      if (heddle_dtype_is_real (value->dtype))
        heddle_diagram_edit_value (copy, value->id)->dtype = dtype;
    }
  return copy;
}

static HeddleComparison *
comparison_new (
    Compare *self, const HeddleInput *input, const char *gpu, HeddleDtype dtype, HeddleExit *status)
{
  HeddleComparison *comparison = g_new0 (HeddleComparison, 1);
  g_autoptr (GError) error = NULL;

  comparison->dtype = dtype;
  comparison->diagram = diagram_in_type (input->diagram, dtype);
  comparison->machine = heddle_machine_find (gpu, 0, &error);
  if (comparison->machine != NULL)
    comparison->schedule
        = heddle_derivation_schedule (&self->how, &self->options, input, comparison->machine, NULL, status);
  else
    *status = heddle_input_failed (input->path, error);
  if (comparison->schedule != NULL)
    return comparison;
  heddle_comparison_free (comparison);
  return NULL;
}

/* What a search found, as labels given. */
static void
keep_labels (HeddleComparison *self)
{
  HeddleSchedule *schedule = heddle_schedule_copy (self->schedule);

  for (guint i = 0; i < self->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (self->derivation->kernels, i);
      HeddleRegion *region
          = kernel->region_id != NULL ? heddle_schedule_get_region (schedule, kernel->region_id) : NULL;

      if (region == NULL)
        {
          region = heddle_schedule_add_region (schedule);
          g_array_append_vals (region->operations, kernel->operations->data, kernel->operations->len);
        }
      g_ptr_array_set_size (region->labels, 0);
      for (guint k = 0; k < kernel->labels->len; k++)
        g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (kernel->labels, k)));
    }
  heddle_schedule_free (self->schedule);
  self->schedule = schedule;
}

/* Operations that cannot be one kernel are one each, unless it was asked for. */
static gboolean
derive_on (Compare *self, const HeddleInput *input, HeddleComparison *comparison, HeddleDeriveOptions *how,
    GError **error)
{
  g_autoptr (GError) reason = NULL;

  comparison->derivation
      = heddle_derive (comparison->diagram, comparison->schedule, input->sizes, how, NULL, &reason);
  if (comparison->derivation == NULL && self->how.fuse == NULL
      && (g_error_matches (reason, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION)
          || g_error_matches (reason, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_PROGRAM)))
    {
      g_clear_error (&reason);
      g_clear_pointer (&comparison->schedule, heddle_schedule_free);
      comparison->schedule = heddle_schedule_fuse (input->diagram, NULL, "none", &reason);
      comparison->derivation
          = heddle_derive (comparison->diagram, comparison->schedule, input->sizes, how, NULL, &reason);
    }
  if (comparison->derivation == NULL)
    g_propagate_error (error, g_steal_pointer (&reason));
  return comparison->derivation != NULL;
}

static HeddleComparison *
compare_on (Compare *self, const HeddleInput *input, const char *gpu, HeddleDtype dtype, HeddleExit *status)
{
  HeddleComparison *comparison = comparison_new (self, input, gpu, dtype, status);
  g_autoptr (GError) error = NULL;
  HeddleDeriveOptions how = { .objective = HEDDLE_OBJECTIVE_TIME, .stages = 1, .suggest = TRUE };

  if (comparison == NULL)
    return NULL;
  how.machine = comparison->machine;
  how.dtype = dtype != HEDDLE_DTYPE_UNSET ? dtype : heddle_derivation_dtype (&self->options, input);
  if (derive_on (self, input, comparison, &how, &error))
    {
      if (comparison->derivation->candidates > MAX_CANDIDATES)
        {
          keep_labels (comparison);
          how.suggest = FALSE;
        }
      comparison->crossings = heddle_codesign_new (
          comparison->diagram, comparison->schedule, input->sizes, &how, MOST_FACTOR, &error);
    }
  if (comparison->crossings != NULL)
    return comparison;
  *status = heddle_input_failed (input->path, error);
  heddle_comparison_free (comparison);
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
        N_ ("What runs as one kernel: all, none, file, or values such as S,P,O"), N_ ("WHAT") },
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
  = N_ ("Price a diagram on several machines and in several types, and tell what would move the bound"),
  .run = run,
};
