/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/import-onnx.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/options.h"
#include "diagram/base/dtype.h"
#include "files/base/json.h"
#include "files/ncd/write.h"
#include "files/onnx/import.h"

/* Prints how much of the file was understood: all of it, or it would not have been read. */
static void
print_coverage (const HeddleOptions *options, const HeddleInput *input, const char *output)
{
  guint n = input->diagram->operations->len;

  if (!options->json)
    {
      g_print (g_dngettext (GETTEXT_PACKAGE, "%s: %u of %u operator understood\n",
                   "%s: %u of %u operators understood\n", n),
          output, n, n);
      return;
    }
  g_autoptr (JsonBuilder) json = json_builder_new ();
  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "output", output);
  heddle_json_text (json, "diagram", input->diagram->name);
  heddle_json_int (json, "operators", n);
  heddle_json_int (json, "understood", n);
  json_builder_end_object (json);
  heddle_json_print (json);
}

static HeddleExit
import (const HeddleOptions *options, const char *path, const char *output)
{
  g_auto (HeddleInput) input = { NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  HeddleExit status;
  gsize length;

  if (!heddle_input_open (&input, options, path, &status))
    return status;
  data = heddle_ncd_write (input.snapshot, &length, &error);
  if (data == NULL)
    return heddle_input_failed (path, error);
  status = heddle_output_save (output, data, length);
  if (status == HEDDLE_EXIT_DONE)
    print_coverage (options, &input, output);
  return status;
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (HeddleOptions) options = { NULL };
  HeddleImportChoices choices = { NULL, HEDDLE_DTYPE_UNSET, FALSE };
  g_autofree char *output = NULL, *f32_name = NULL;
  g_auto (GStrv) constants = NULL;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("The document to write"), N_ ("OUT.ncd") },
    { "constant", 0, 0, G_OPTION_ARG_STRING_ARRAY, &constants,
        N_ ("Give an input of a model a value, which fixes shapes"), N_ ("NAME=FILE") },
    { "f32-as", 0, 0, G_OPTION_ARG_STRING, &f32_name,
        N_ ("Store the f32 arrays of a model in this type, such as bf16"), N_ ("TYPE") },
    { "unrolled", 0, 0, G_OPTION_ARG_NONE, &choices.unrolled,
        N_ ("Keep layers that are alike one by one, each with its own weights"), NULL },
    { NULL },
  };
  HeddleExit status;
  const char *path;

  if (!heddle_options_parse (&options, _ ("IN"), heddle_command_import.summary, entries, argc, argv, &status))
    return status;
  path = heddle_options_get_file (&options);
  if (path == NULL)
    return HEDDLE_EXIT_USAGE;
  if (output == NULL || !g_str_has_suffix (output, ".ncd"))
    return heddle_options_misused (&options, _ ("-o OUT.ncd is needed"));
  if (f32_name != NULL
      && (!heddle_dtype_from_string (f32_name, &choices.f32_as) || !heddle_dtype_is_real (choices.f32_as)))
    return heddle_options_misused (&options, _ ("--f32-as %s: expected a type of real numbers"), f32_name);
  choices.constants = constants;
  if (heddle_onnx_is (path))
    return heddle_import_onnx (&options, path, &choices, output);
  if (constants != NULL || f32_name != NULL || choices.unrolled)
    return heddle_options_misused (&options, _ ("%s is for models of ONNX"),
        constants != NULL  ? "--constant"
        : f32_name != NULL ? "--f32-as"
                           : "--unrolled");
  return import (&options, path, output);
}

const HeddleCommand heddle_command_import = {
  .name = "import",
  .summary = N_ ("Make a document of equations or of a model of ONNX"),
  .run = run,
};
