/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/derivation.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/options.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/program/pseudocode.h"
#include "files/base/json.h"

/* Returns the pseudocode of a kernel or, if it has no loop program, why it has none. */
static char *
pseudocode_of (const HeddleDerived *derived, const HeddleKernel *kernel, const HeddleInput *input)
{
  if (kernel->opaque_reason != NULL)
    return g_strdup_printf (_ ("# %s has no loop program: %s\n"), kernel->title, kernel->opaque_reason);
  return heddle_loop_program_to_pseudocode (
      kernel->program, heddle_derivation_sizes (derived->derivation, kernel, input->sizes), NULL);
}

static void
print_json (const HeddleDerived *derived, const HeddleInput *input)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "diagram", input->diagram->name);
  heddle_json_begin_array (json, "kernels");
  for (guint i = 0; i < derived->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derived->derivation->kernels, i);
      g_autofree char *text = pseudocode_of (derived, kernel, input);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "kernel", kernel->name);
      heddle_json_text (json, "pseudocode", text);
      heddle_json_text (json, "not_generated_because", kernel->opaque_reason);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
  heddle_json_print (json);
}

static void
print_text (const HeddleDerived *derived, const HeddleInput *input)
{
  for (guint i = 0; i < derived->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derived->derivation->kernels, i);
      g_autofree char *text = pseudocode_of (derived, kernel, input);

      g_print ("%s%s%s", i > 0 ? "\n" : "", text, g_str_has_suffix (text, "\n") ? "" : "\n");
    }
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (HeddleOptions) options = { NULL };
  g_auto (HeddleDerivationOptions) how = { NULL };
  g_auto (HeddleInput) input = { NULL };
  g_auto (HeddleDerived) derived = { NULL };
  const GOptionEntry entries[] = {
    HEDDLE_DERIVATION_ENTRIES (how),
    { "suggest", 0, 0, G_OPTION_ARG_NONE, &how.suggest, N_ ("Add the best labels to those given"), NULL },
    { NULL },
  };
  HeddleExit status;
  const char *path;

  if (!heddle_options_parse (
          &options, _ ("FILE"), heddle_command_pseudocode.summary, entries, argc, argv, &status))
    return status;
  path = heddle_options_get_file (&options);
  if (path == NULL)
    return HEDDLE_EXIT_USAGE;
  if (!heddle_input_open (&input, &options, path, &status)
      || !heddle_derived_new (&derived, &how, &options, &input, &status))
    return status;
  heddle_derived_print_refusals (&derived, &input);
  if (derived.derivation->illegal)
    return HEDDLE_EXIT_WRONG;
  if (options.json)
    print_json (&derived, &input);
  else
    print_text (&derived, &input);
  return HEDDLE_EXIT_DONE;
}

const HeddleCommand heddle_command_pseudocode = {
  .name = "pseudocode",
  .summary = N_ ("Print the loop program of each kernel"),
  .run = run,
};
