/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/output.h"
#include "files/base/json.h"
#include "files/equations/write.h"

static HeddleExit
run (int argc, char **argv)
{
  g_auto (HeddleOptions) options = { NULL };
  g_auto (HeddleInput) input = { NULL };
  g_autofree char *text = NULL;
  HeddleExit status;
  const char *path;

  if (!heddle_options_parse (
          &options, _ ("FILE"), heddle_command_equations.summary, NULL, argc, argv, &status))
    return status;
  path = heddle_options_get_file (&options);
  if (path == NULL)
    return HEDDLE_EXIT_USAGE;
  if (!heddle_input_open (&input, &options, path, &status))
    return status;
  text = heddle_equations_write_snapshot (input.snapshot, input.diagram);
  if (options.json)
    {
      g_autoptr (JsonBuilder) json = json_builder_new ();

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "diagram", input.diagram->name);
      heddle_json_text (json, "equations", text);
      json_builder_end_object (json);
      heddle_json_print (json);
    }
  else if (isatty (STDOUT_FILENO))
    g_print ("%s", text);
  else
    heddle_output_print (text); /* the text that is read again is the same */
  return HEDDLE_EXIT_DONE;
}

const HeddleCommand heddle_command_equations = {
  .name = "equations",
  .summary = N_ ("Print a diagram as equations"),
  .run = run,
};
