/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/options.h"
#include "diagram/edit/replace.h"
#include "diagram/graph/diagram.h"
#include "diagram/rewrite/rewrite.h"
#include "files/base/json.h"
#include "files/equations/plan.h"
#include "files/ncd/write.h"

typedef struct
{
  const HeddleOptions *options;
  const char *at, *output;
  GPtrArray *names; /* of the rules to follow, in order; not owned */
} Rewrite;

/* --- where rules go ------------------------------------------------------------------ */

/* Returns the labels, each once, of the values whose statements the operations belong to. */
static GPtrArray *
labels_of (const HeddleDiagram *diagram, const GArray *operations)
{
  GPtrArray *labels = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < operations->len; i++)
    {
      const char *value = heddle_diagram_statement_of (diagram, heddle_ids_index (operations, i));
      char *label = heddle_diagram_value_label (diagram, value);

      if (g_ptr_array_find_with_equal_func (labels, label, g_str_equal, NULL))
        g_free (label);
      else
        g_ptr_array_add (labels, label);
    }
  return labels;
}

/* Prints a rule with the places where it can be followed; if @diagram is %NULL, without places. */
static void
list_rule (const HeddleRewriteRule *rule, const HeddleDiagram *diagram, gboolean in_json, JsonBuilder *json)
{
  gboolean all = TRUE;
  g_autoptr (GArray) places
      = diagram != NULL ? heddle_diagram_rewrite_places (diagram, rule, &all) : heddle_ids_new ();
  g_autoptr (GPtrArray) labels = labels_of (diagram, places);

  if (!in_json)
    g_print ("%-22s %s\n", rule->name, _ (rule->title));
  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "rule", rule->name);
  heddle_json_text (json, "title", _ (rule->title));
  heddle_json_begin_array (json, "at");
  for (guint i = 0; i < labels->len; i++)
    {
      json_builder_add_string_value (json, g_ptr_array_index (labels, i));
      if (!in_json)
        g_print ("%s%s", i == 0 ? "    " : ", ", (char *) g_ptr_array_index (labels, i));
    }
  if (!in_json && labels->len > 0)
    g_print ("%s\n", all ? "" : _ (" and perhaps further ones, which were not tried"));
  json_builder_end_array (json);
  heddle_json_bool (json, "all", all);
  json_builder_end_object (json);
}

static HeddleExit
list_rules (const HeddleOptions *options)
{
  g_auto (HeddleInput) input = { NULL };
  g_autoptr (JsonBuilder) json = json_builder_new ();
  HeddleExit status;
  guint n;
  const HeddleRewriteRule *rules = heddle_rewrite_table (&n);

  if (options->files != NULL && !heddle_input_open (&input, options, options->files[0], &status))
    return status;
  heddle_json_begin_object (json, NULL);
  heddle_json_begin_array (json, "rules");
  for (guint i = 0; i < n; i++)
    list_rule (&rules[i], input.diagram, options->json, json);
  json_builder_end_array (json);
  json_builder_end_object (json);
  if (options->json)
    heddle_json_print (json);
  return HEDDLE_EXIT_DONE;
}

/* --- following them ------------------------------------------------------------------ */

static gboolean
check_rules (const Rewrite *self, HeddleExit *status)
{
  for (guint i = 0; i < self->names->len; i++)
    if (heddle_rewrite_rule (g_ptr_array_index (self->names, i)) == NULL)
      {
        *status = heddle_options_misused (self->options, _ ("“%s” is not a rule; see heddle rewrite --list"),
            (char *) g_ptr_array_index (self->names, i));
        return FALSE;
      }
  return TRUE;
}

static void
print_counts (const Rewrite *self, const guint *counts)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_begin_array (json, "rules");
  for (guint i = 0; i < self->names->len; i++)
    {
      const char *name = g_ptr_array_index (self->names, i);

      if (!self->options->json)
        g_print ("%s: %u\n", name, counts[i]);
      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "rule", name);
      heddle_json_int (json, "places", counts[i]);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
  if (self->options->json)
    heddle_json_print (json);
}

/* Applies a rule once, at the first operation of the statement at which it can be followed. */
static guint
follow_at (HeddleDiagram *diagram, const HeddleRewriteRule *rule, const char *name)
{
  const HeddleValue *value = heddle_equations_find_value (diagram, name);
  g_autoptr (GPtrArray) operations = NULL;

  if (value == NULL || heddle_diagram_get_producer (diagram, value->id) == NULL)
    return 0;
  operations = heddle_diagram_statement_operations (diagram, value->id);
  for (guint i = 0; i < operations->len; i++)
    if (heddle_diagram_rewrite_at (
            diagram, rule, ((const HeddleOperation *) g_ptr_array_index (operations, i))->id))
      return 1;
  return 0;
}

static gboolean
check_place (const Rewrite *self, const HeddleInput *input)
{
  if (self->at == NULL || heddle_equations_find_value (input->diagram, self->at) != NULL)
    return TRUE;
  g_printerr (_ ("%s: error: --at %s: there is no array “%s”\n"), input->path, self->at, self->at);
  return FALSE;
}

static HeddleExit
rewrite (const Rewrite *self)
{
  g_auto (HeddleInput) input = { NULL };
  g_autofree guint *counts = g_new0 (guint, self->names->len);
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  HeddleDiagram *rewritten;
  HeddleExit status;
  gsize length;

  if (!heddle_input_open (&input, self->options, self->options->files[0], &status))
    return status;
  if (!check_place (self, &input))
    return HEDDLE_EXIT_WRONG;
  rewritten = heddle_diagram_copy (input.diagram);
  for (guint i = 0; i < self->names->len; i++)
    {
      const HeddleRewriteRule *rule = heddle_rewrite_rule (g_ptr_array_index (self->names, i));

      counts[i] = self->at != NULL ? follow_at (rewritten, rule, self->at)
                                   : heddle_diagram_rewrite (rewritten, rule);
    }
  heddle_edit_replace_diagram (input.snapshot, input.diagram, rewritten);
  data = heddle_ncd_write (input.snapshot, &length, &error);
  if (data == NULL)
    return heddle_input_failed (input.path, error);
  status = heddle_output_save (self->output, data, length);
  if (status == HEDDLE_EXIT_DONE)
    print_counts (self, counts);
  return status;
}

/* Collects the rules, which are given after the file and by --rule. */
static GPtrArray *
collect_rules (const HeddleOptions *options, char **rules)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 1; options->files != NULL && options->files[0] != NULL && options->files[i] != NULL; i++)
    g_ptr_array_add (names, options->files[i]);
  for (guint i = 0; rules != NULL && rules[i] != NULL; i++)
    g_ptr_array_add (names, rules[i]);
  return names;
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (HeddleOptions) options = { NULL };
  g_autofree char *output = NULL, *at = NULL;
  g_auto (GStrv) rules = NULL;
  g_autoptr (GPtrArray) names = NULL;
  gboolean list = FALSE;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("The document to write"), N_ ("OUT.ncd") },
    { "rule", 0, 0, G_OPTION_ARG_STRING_ARRAY, &rules, N_ ("A rule to follow (repeatable)"), N_ ("RULE") },
    { "at", 0, 0, G_OPTION_ARG_STRING, &at, N_ ("Apply rules once, where this array is made"), N_ ("NAME") },
    { "list", 0, 0, G_OPTION_ARG_NONE, &list,
        N_ ("List the rules, and where in the file they can be applied"), NULL },
    { NULL },
  };
  HeddleExit status;

  if (!heddle_options_parse (
          &options, _ ("FILE RULE…"), heddle_command_rewrite.summary, entries, argc, argv, &status))
    return status;
  if (list)
    return list_rules (&options);
  names = collect_rules (&options, rules);
  if (options.files == NULL || names->len == 0)
    return heddle_options_misused (&options, _ ("a file and a rule are needed"));
  if (output == NULL || !g_str_has_suffix (output, ".ncd"))
    return heddle_options_misused (&options, _ ("-o OUT.ncd is needed"));
  Rewrite self = { &options, at, output, names };
  return check_rules (&self, &status) ? rewrite (&self) : status;
}

const HeddleCommand heddle_command_rewrite = {
  .name = "rewrite",
  .summary = N_ ("Change a diagram by rules that keep its meaning"),
  .run = run,
};
