/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cli/input.h"
#include "cli/json.h"
#include "diagram/edit.h"
#include "diagram/rewrite.h"

static HeddleExit
list_rules (void)
{
  guint n;
  const HeddleRewriteRule *rules = heddle_rewrite_table (&n);

  for (guint i = 0; i < n; i++)
    g_print ("%-22s %s\n", rules[i].name, _ (rules[i].title));
  return HEDDLE_EXIT_DONE;
}

static gboolean
check_rules (const HeddleOptions *options, HeddleExit *status)
{
  for (guint i = 1; options->files[i] != NULL; i++)
    if (heddle_rewrite_rule (options->files[i]) == NULL)
      {
        *status = heddle_options_misused (
            options, _ ("“%s” is no rule; heddle rewrite --list tells them"), options->files[i]);
        return FALSE;
      }
  return TRUE;
}

static void
print_counts (const HeddleOptions *options, const guint *counts)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_begin_array (json, "rules");
  for (guint i = 1; options->files[i] != NULL; i++)
    {
      if (!options->json)
        g_print ("%s: %u\n", options->files[i], counts[i]);
      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "rule", options->files[i]);
      heddle_json_int (json, "places", counts[i]);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
  if (options->json)
    heddle_json_print (json);
}

static HeddleExit
rewrite (const HeddleOptions *options, const char *output)
{
  g_auto (HeddleInput) input = { NULL };
  g_autofree guint *counts = g_new0 (guint, g_strv_length (options->files));
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  HeddleDiagram *rewritten;
  HeddleExit status;
  gsize length;

  if (!heddle_input_open (&input, options, options->files[0], &status))
    return status;
  rewritten = heddle_diagram_copy (input.diagram);
  for (guint i = 1; options->files[i] != NULL; i++)
    counts[i] = heddle_diagram_rewrite (rewritten, heddle_rewrite_rule (options->files[i]));
  heddle_edit_replace_diagram (input.snapshot, input.diagram, rewritten);
  data = heddle_ncd_write (input.snapshot, &length, &error);
  if (data == NULL)
    return heddle_input_failed (input.path, error);
  status = heddle_output_save (output, data, length);
  if (status == HEDDLE_EXIT_DONE)
    print_counts (options, counts);
  return status;
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (HeddleOptions) options = { NULL };
  g_autofree char *output = NULL;
  gboolean list = FALSE;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("The document to write"), N_ ("OUT.ncd") },
    { "list", 0, 0, G_OPTION_ARG_NONE, &list, N_ ("List the rules"), NULL },
    { NULL },
  };
  HeddleExit status;

  if (!heddle_options_parse (
          &options, _ ("FILE RULE…"), heddle_command_rewrite.summary, entries, argc, argv, &status))
    return status;
  if (list)
    return list_rules ();
  if (options.files == NULL || g_strv_length (options.files) < 2)
    return heddle_options_misused (&options, _ ("a file and a rule are needed"));
  if (output == NULL || !g_str_has_suffix (output, ".ncd"))
    return heddle_options_misused (&options, _ ("-o OUT.ncd is needed"));
  return check_rules (&options, &status) ? rewrite (&options, output) : status;
}

const HeddleCommand heddle_command_rewrite = {
  .name = "rewrite",
  .summary = N_ ("Change a diagram by rules that keep its meaning"),
  .run = run,
};
