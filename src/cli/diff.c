/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/options.h"
#include "files/base/files.h"
#include "files/base/json.h"
#include "files/difference/difference.h"

static void
print_json (GPtrArray *differences)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_bool (json, "equal", differences->len == 0);
  heddle_json_begin_array (json, "differences");
  for (guint i = 0; i < differences->len; i++)
    {
      const HeddleDifference *difference = g_ptr_array_index (differences, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "kind", difference->kind);
      heddle_json_text (json, "diagram", difference->diagram);
      heddle_json_text (json, "object", difference->object);
      heddle_json_text (json, "text", difference->text);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
  heddle_json_print (json);
}

/* Prints the differences; the diagram's name goes before if there are several. */
static void
print_words (GPtrArray *differences, gboolean several)
{
  for (guint i = 0; i < differences->len; i++)
    {
      const HeddleDifference *difference = g_ptr_array_index (differences, i);

      if (several && difference->diagram != NULL)
        g_print ("%s: ", difference->diagram);
      g_print ("%s\n", difference->text);
    }
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (HeddleOptions) options = { NULL };
  g_auto (HeddleInput) one = { NULL }, other = { NULL };
  g_autoptr (GPtrArray) differences = NULL;
  HeddleExit status;

  if (!heddle_options_parse (&options, _ ("A B"), heddle_command_diff.summary, NULL, argc, argv, &status))
    return status;
  if (options.files == NULL || g_strv_length (options.files) != 2)
    return heddle_options_misused (&options, _ ("two files are needed"));
  if (!heddle_input_open (&one, &options, options.files[0], &status)
      || !heddle_input_open (&other, &options, options.files[1], &status))
    return status;
  differences = heddle_snapshot_difference (one.snapshot, other.snapshot, options.diagram);
  if (options.json)
    print_json (differences);
  else
    print_words (differences, one.snapshot->diagrams->len > 1 || other.snapshot->diagrams->len > 1);
  return differences->len == 0 ? HEDDLE_EXIT_DONE : HEDDLE_EXIT_WRONG;
}

const HeddleCommand heddle_command_diff = {
  .name = "diff",
  .summary = N_ ("Describe in words what changed between two files"),
  .run = run,
};
