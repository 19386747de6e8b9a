/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/options.h"
#include "diagram/differentiate/differentiate.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/base/json.h"
#include "files/ncd/write.h"

static void
print_names (JsonBuilder *json, const char *key, const HeddleDiagram *diagram, const GArray *ids)
{
  heddle_json_begin_array (json, key);
  for (guint i = 0; i < ids->len; i++)
    json_builder_add_string_value (json, heddle_diagram_get_value (diagram, heddle_ids_index (ids, i))->name);
  json_builder_end_array (json);
}

static void
report (const HeddleOptions *options, const HeddleDiagram *backward, const char *output)
{
  g_autoptr (JsonBuilder) json = NULL;
  g_autoptr (GArray) inputs = NULL;

  if (!options->json)
    return;
  json = json_builder_new ();
  inputs = heddle_diagram_get_inputs (backward);
  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "output", output);
  heddle_json_text (json, "diagram", backward->name);
  print_names (json, "inputs", backward, inputs);
  print_names (json, "outputs", backward, backward->outputs);
  heddle_json_int (json, "operations", backward->operations->len);
  json_builder_end_object (json);
  heddle_json_print (json);
}

static HeddleExit
save (const HeddleOptions *options, HeddleDiagram *backward, const char *path, const char *output)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  HeddleExit status;
  gsize length;

  heddle_snapshot_add_diagram (snapshot, backward);
  data = heddle_ncd_write (snapshot, &length, &error);
  if (data == NULL)
    return heddle_input_failed (path, error);
  status = heddle_output_save (output, data, length);
  if (status == HEDDLE_EXIT_DONE)
    report (options, backward, output);
  return status;
}

/* Returns the values of --wrt, and those that follow the file: `FILE --wrt Q K V` names three. */
static GPtrArray *
collect_names (const HeddleOptions *options, char **wrt)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; wrt[i] != NULL; i++)
    g_ptr_array_add (names, wrt[i]);
  for (guint i = 1; options->files[i] != NULL; i++)
    g_ptr_array_add (names, options->files[i]);
  return names;
}

static HeddleExit
differentiate (const HeddleOptions *options, char **wrt, const char *output)
{
  const char *path = options->files[0];
  g_auto (HeddleInput) input = { NULL };
  g_autoptr (GPtrArray) names = collect_names (options, wrt);
  g_autoptr (GError) error = NULL;
  HeddleDiagram *backward;
  HeddleExit status;

  if (!heddle_input_open (&input, options, path, &status))
    return status;
  if (!heddle_input_flatten (&input, &status))
    return status;
  backward = heddle_diagram_differentiate (input.diagram, names, &error);
  if (backward == NULL)
    return heddle_input_failed (path, error);
  return save (options, backward, path, output);
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (HeddleOptions) options = { NULL };
  g_autofree char *output = NULL;
  g_auto (GStrv) wrt = NULL;
  const GOptionEntry entries[] = {
    { "wrt", 0, 0, G_OPTION_ARG_STRING_ARRAY, &wrt,
        N_ ("Differentiate by an input or a parameter (repeatable)"), N_ ("NAME") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("The document to write"), N_ ("OUT.ncd") },
    { NULL },
  };
  HeddleExit status;

  if (!heddle_options_parse (&options, _ ("FILE --wrt NAME… -o OUT.ncd"),
          heddle_command_differentiate.summary, entries, argc, argv, &status))
    return status;
  if (options.files == NULL)
    return heddle_options_misused (&options, _ ("a file is needed"));
  if (wrt == NULL)
    return heddle_options_misused (&options, _ ("--wrt NAME is needed"));
  if (output == NULL || !g_str_has_suffix (output, ".ncd"))
    return heddle_options_misused (&options, _ ("-o OUT.ncd is needed"));
  return differentiate (&options, wrt, output);
}

const HeddleCommand heddle_command_differentiate = {
  .name = "differentiate",
  .summary = N_ ("Make the backward diagram: cotangents of inputs from those of outputs"),
  .run = run,
};
