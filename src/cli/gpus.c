/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/json.h"
#include "cli/options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "files/base/json.h"

static void
machine_json (JsonBuilder *json, const HeddleMachine *machine)
{
  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "name", machine->name);
  heddle_json_text (json, "title", machine->title);
  heddle_json_begin_array (json, "aliases");
  for (guint i = 0; machine->aliases != NULL && machine->aliases[i] != NULL; i++)
    json_builder_add_string_value (json, machine->aliases[i]);
  json_builder_end_array (json);
  heddle_json_text (json, "arch", machine->arch);
  heddle_json_bool (json, "comparison_only", machine->comparison_only);
  heddle_json_begin_array (json, "levels");
  for (guint i = 0; i < machine->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (machine->levels, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "name", level->name);
      if (level->above >= 0)
        heddle_json_text (json, "above",
            ((const HeddleLevel *) g_ptr_array_index (machine->levels, (guint) level->above))->name);
      heddle_json_int (json, "capacity_bytes", level->capacity_bytes);
      heddle_json_double (json, "bandwidth_bytes_per_s", level->bandwidth);
      heddle_json_int (json, "count", level->count);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  heddle_json_begin_array (json, "links");
  for (guint i = 0; i < machine->links->len; i++)
    {
      const HeddleLink *link = g_ptr_array_index (machine->links, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "name", link->name);
      heddle_json_int (json, "count", link->count);
      heddle_json_double (json, "bandwidth_bytes_per_s", link->bandwidth);
      heddle_json_double (json, "latency_s", link->latency);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  heddle_json_text (json, "source", machine->source);
  heddle_json_text (json, "measured", machine->measured);
  json_builder_end_object (json);
}

static void
print_json (GPtrArray *machines)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_begin_array (json, "gpus");
  for (guint i = 0; i < machines->len; i++)
    machine_json (json, g_ptr_array_index (machines, i));
  json_builder_end_array (json);
  json_builder_end_object (json);
  heddle_json_print (json);
}

static void
print_machine (const HeddleMachine *machine)
{
  g_autofree char *aliases = machine->aliases != NULL ? g_strjoinv (", ", machine->aliases) : NULL;
  gboolean has_aliases = aliases != NULL && *aliases != '\0';

  g_print ("%-14s %-24s %-8s %s%s%s%s\n", machine->name, machine->title,
      machine->arch != NULL ? machine->arch : "-", has_aliases ? _ ("also ") : "", has_aliases ? aliases : "",
      has_aliases && machine->comparison_only ? "; " : "",
      machine->comparison_only ? _ ("for comparison only") : "");
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (HeddleOptions) options = { NULL };
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) machines = NULL;
  HeddleExit status;

  if (!heddle_options_parse (&options, NULL, heddle_command_gpus.summary, NULL, argc, argv, &status))
    return status;
  if (options.files != NULL)
    return heddle_options_misused (&options, _ ("no file is needed"));
  machines = heddle_machines_load (problems);
  for (guint i = 0; i < problems->len; i++)
    g_printerr (_ ("error: %s\n"), (const char *) g_ptr_array_index (problems, i));
  if (options.json)
    print_json (machines);
  else
    for (guint i = 0; i < machines->len; i++)
      print_machine (g_ptr_array_index (machines, i));
  return problems->len > 0 ? HEDDLE_EXIT_WRONG : HEDDLE_EXIT_DONE;
}

const HeddleCommand heddle_command_gpus = {
  .name = "gpus",
  .summary = N_ ("List the machines that are known"),
  .run = run,
};
