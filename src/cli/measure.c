/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>
#include <string.h>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/watch.h"
#include "codegen/base/codegen.h"
#include "files/base/json.h"
#include "files/measure/measure.h"

#define DEFAULT_LAUNCHES 20
#define MOST_LAUNCHES 10000

typedef struct
{
  HeddleOptions options;
  char *on, *like, *name, *output;
  int launches;
} Measure;

static void
measure_clear (Measure *self)
{
  heddle_options_clear (&self->options);
  g_free (self->on);
  g_free (self->like);
  g_free (self->name);
  g_free (self->output);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Measure, measure_clear)

static void
row_json (JsonBuilder *json, const HeddleMeasurement *row)
{
  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "rate", row->id);
  heddle_json_text (json, "formula", row->formula);
  heddle_json_text (json, "unit", row->unit);
  heddle_json_double (json, "amount", row->amount);
  heddle_json_double (json, "median_s", row->seconds);
  heddle_json_double (json, "per_s", row->rate);
  heddle_json_double (json, "expected_per_s", row->expected);
  heddle_json_text (json, "failure", row->failure);
  json_builder_end_object (json);
}

static void
print_json (const HeddleMeasured *made, int launches)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "name", made->machine->name);
  heddle_json_text (json, "gpu", made->machine->title);
  heddle_json_text (json, "driver", made->driver);
  heddle_json_text (json, "measured", made->machine->measured);
  heddle_json_int (json, "launches", launches);
  heddle_json_begin_array (json, "rates");
  for (guint i = 0; i < made->rows->len; i++)
    row_json (json, g_ptr_array_index (made->rows, i));
  json_builder_end_array (json);
  json_builder_end_object (json);
  heddle_json_print (json);
}

static void
print_table (const HeddleMeasured *made, int launches, const char *path)
{
  g_print (
      _ ("%s, driver of %s; %d launches of each kernel\n"), made->machine->title, made->driver, launches);
  for (guint i = 0; i < made->rows->len; i++)
    {
      const HeddleMeasurement *row = g_ptr_array_index (made->rows, i);

      if (row->failure != NULL)
        g_print (_ ("%-20s not measured: %s\n"), row->title, row->failure);
      else
        g_print (_ ("%-20s %10.4g %s/s in launches of %.4g µs; by its driver’s figures %.4g\n"), row->title,
            row->rate, row->unit, row->seconds * 1e6, row->expected);
    }
  g_print ("%s\n", path);
}

static void
print_progress (double fraction, const char *what, gpointer data)
{
  g_printerr ("[%3.0f %%] %s\n", fraction * 100, what);
}

static HeddleExit
failed (const GError *error)
{
  g_printerr (_ ("error: %s\n"), error->message);
  return g_error_matches (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_MISSING) ? HEDDLE_EXIT_MISSING
                                                                                     : HEDDLE_EXIT_WRONG;
}

static HeddleExit
measure (const Measure *self, GCancellable *cancellable)
{
  const HeddleMeasureOptions how = { self->like, self->name, (guint) self->launches };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMeasured) made
      = heddle_measure (&how, self->options.json ? NULL : print_progress, NULL, cancellable, &error);
  g_autofree char *own = NULL;
  const char *path = self->output;
  HeddleExit status;

  if (made == NULL)
    return failed (error);
  if (path == NULL)
    path = own = heddle_measured_own_path (made);
  status = heddle_output_save (path, made->text, strlen (made->text));
  if (status != HEDDLE_EXIT_DONE)
    return status;
  if (self->options.json)
    print_json (made, self->launches);
  else
    print_table (made, self->launches, path);
  return HEDDLE_EXIT_DONE;
}

/* Returns whether the text can be the name of a machine file. */
static gboolean
is_name (const char *name)
{
  for (const char *p = name; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr (".-_", *p) == NULL)
      return FALSE;
  return *name != '\0';
}

static gboolean
check_options (const Measure *self, HeddleExit *status)
{
  if (self->options.files != NULL)
    *status = heddle_options_misused (&self->options, _ ("no file is needed"));
  else if (self->on != NULL && !g_str_equal (self->on, "gpu"))
    *status = heddle_options_misused (
        &self->options, _ ("--on %s: kernels are timed only on a GPU, --on gpu"), self->on);
  else if (self->launches > MOST_LAUNCHES)
    *status = heddle_options_misused (
        &self->options, _ ("--repeat %d: expected 1 to %d"), self->launches, MOST_LAUNCHES);
  else if (self->name != NULL && !is_name (self->name))
    *status = heddle_options_misused (
        &self->options, _ ("--name %s: a name has letters, digits, “.”, “-” and “_”"), self->name);
  else if (self->output != NULL && !g_str_has_suffix (self->output, ".machine"))
    *status
        = heddle_options_misused (&self->options, _ ("-o %s: a machine file ends in .machine"), self->output);
  else
    return TRUE;
  return FALSE;
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (Measure) self = { .launches = DEFAULT_LAUNCHES };
  const GOptionEntry entries[] = {
    { "on", 0, 0, G_OPTION_ARG_STRING, &self.on, N_ ("gpu: the GPU of this machine (the only choice)"),
        N_ ("WHERE") },
    { "gpu", 0, 0, G_OPTION_ARG_STRING, &self.like,
        N_ ("A known machine like it, for what is not measured: other data types, levels above GMEM"),
        N_ ("NAME") },
    { "name", 0, 0, G_OPTION_ARG_STRING, &self.name, N_ ("Name of the machine (default: that of the GPU)"),
        N_ ("NAME") },
    { "repeat", 0, 0, G_OPTION_ARG_INT, &self.launches, N_ ("Launches of each kernel (default: 20)"),
        N_ ("N") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self.output,
        N_ ("The machine file to write (default: among the user’s own, which heddle gpus lists)"),
        N_ ("OUT.machine") },
    { NULL },
  };
  HeddleWatch watch;
  HeddleExit status;

  if (!heddle_options_parse (
          &self.options, NULL, heddle_command_measure.summary, entries, argc, argv, &status)
      || !check_options (&self, &status))
    return status;
  heddle_watch_begin (&watch);
  status = measure (&self, watch.cancellable);
  heddle_watch_end (&watch);
  return status;
}

const HeddleCommand heddle_command_measure = {
  .name = "measure",
  .summary = N_ ("Measure the GPU of this machine, for a machine file of its own"),
  .run = run,
};
