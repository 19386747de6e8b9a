/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/options.h"
#include "diagram/base/problem.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "files/base/json.h"
#include "files/exchange/load.h"

/* Returns the set of the messages of problems, which own them. */
static GHashTable *
messages_of (GPtrArray *problems)
{
  GHashTable *reported = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < problems->len; i++)
    g_hash_table_add (reported, ((HeddleProblem *) g_ptr_array_index (problems, i))->message);
  return reported;
}

/* Adds the problems that reading did not report already; those of a text with their places. */
static void
add_problems (GPtrArray *problems, const HeddleSnapshot *snapshot, const char *path)
{
  g_autoptr (GPtrArray) found = heddle_check_snapshot (snapshot);
  g_autoptr (GHashTable) reported = messages_of (problems);

  if (snapshot->read_only)
    g_ptr_array_add (found, heddle_problem_new (HEDDLE_SEVERITY_WARNING, NULL, "%s", heddle_input_newer ()));
  while (found->len > 0)
    {
      HeddleProblem *problem = g_ptr_array_steal_index (found, 0);

      if (g_hash_table_contains (reported, problem->message))
        {
          heddle_problem_free (problem);
          continue;
        }
      if (problem->file == NULL)
        problem->file = g_strdup (path);
      g_hash_table_add (reported, problem->message);
      g_ptr_array_add (problems, problem);
    }
}

static guint
count (GPtrArray *problems, HeddleSeverity severity)
{
  guint n = 0;

  for (guint i = 0; i < problems->len; i++)
    n += ((HeddleProblem *) g_ptr_array_index (problems, i))->severity == severity;
  return n;
}

static void
print_json (const char *path, GPtrArray *problems)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "file", path);
  heddle_json_begin_array (json, "problems");
  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "severity", problem->severity == HEDDLE_SEVERITY_ERROR ? "error" : "warning");
      heddle_json_text (json, "diagram", problem->diagram_id);
      heddle_json_text (json, "object", problem->object_id);
      heddle_json_int (json, "line", problem->line);
      heddle_json_int (json, "column", problem->column);
      heddle_json_text (json, "message", problem->message);
      heddle_json_text (json, "remedy", problem->remedy);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  heddle_json_int (json, "errors", count (problems, HEDDLE_SEVERITY_ERROR));
  heddle_json_int (json, "warnings", count (problems, HEDDLE_SEVERITY_WARNING));
  json_builder_end_object (json);
  heddle_json_print (json);
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (HeddleOptions) options = { NULL };
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  HeddleExit status;
  const char *path;

  if (!heddle_options_parse (&options, _ ("FILE"), heddle_command_check.summary, NULL, argc, argv, &status))
    return status;
  path = heddle_options_get_file (&options);
  if (path == NULL)
    return HEDDLE_EXIT_USAGE;
  snapshot = heddle_file_load (path, problems, &error);
  if (snapshot == NULL && problems->len == 0)
    return heddle_input_failed (path, error);
  if (snapshot != NULL)
    add_problems (problems, snapshot, path);
  heddle_input_print_problems (problems, TRUE);
  if (options.json)
    print_json (path, problems);
  return heddle_problems_have_errors (problems) ? HEDDLE_EXIT_WRONG : HEDDLE_EXIT_DONE;
}

const HeddleCommand heddle_command_check = {
  .name = "check",
  .summary = N_ ("List every problem of a file: alignment of axes, types, sizes, labels"),
  .run = run,
};
