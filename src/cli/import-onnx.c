/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cli/import-onnx.h"
#include "cli/input.h"
#include "cli/json.h"
#include "diagram/base/array.h"
#include "diagram/base/problem.h"
#include "diagram/base/quote.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/base/files.h"
#include "files/base/json.h"
#include "files/ncd/write.h"
#include "files/onnx/import.h"
#include "files/onnx/onnx.h"
#include "files/onnx/tensor-file.h"

/* The number of lines that are printed of what was not understood; --json has all of it. */
#define MOST_LISTED 40

static GHashTable *
read_constants (const HeddleOptions *options, const char *path, char **constants, HeddleExit *status)
{
  g_autoptr (GHashTable) arrays
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);

  for (guint i = 0; constants != NULL && constants[i] != NULL; i++)
    {
      const char *file;
      g_autofree char *name = heddle_options_split (constants[i], &file);
      g_autoptr (GError) error = NULL;
      HeddleArray *array;

      if (name == NULL)
        {
          *status = heddle_options_misused (options, _ ("--constant %s: expected NAME=FILE"), constants[i]);
          return NULL;
        }
      array = heddle_array_load (file, &error);
      if (array == NULL)
        {
          *status = heddle_input_unread (path, error);
          return NULL;
        }
      g_hash_table_insert (arrays, g_steal_pointer (&name), array);
    }
  return g_steal_pointer (&arrays);
}

static GHashTable *
read_sizes (const HeddleOptions *options, HeddleExit *status)
{
  g_autoptr (GHashTable) sizes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; options->set != NULL && options->set[i] != NULL; i++)
    {
      const char *text;
      g_autofree char *name = heddle_options_split (options->set[i], &text);
      gint64 size;

      if (name == NULL || !g_ascii_string_to_signed (text, 10, 1, G_MAXINT64, &size, NULL))
        {
          *status = heddle_options_misused (options,
              _ ("--set %s: expected AXIS=SIZE, the size a whole number of at least 1"), options->set[i]);
          return NULL;
        }
      g_hash_table_insert (sizes, g_steal_pointer (&name), g_memdup2 (&size, sizeof size));
    }
  return g_steal_pointer (&sizes);
}

/* Checks the imported document. It must have no errors: one that has some is a fault of the importer, and is
 * reported as such. */
static gboolean
check_made (const HeddleSnapshot *snapshot, GError **error)
{
  g_autoptr (GPtrArray) problems = heddle_check_snapshot (snapshot);

  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);

      if (problem->severity != HEDDLE_SEVERITY_ERROR)
        continue;
      g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT,
          _ ("the model was misunderstood, and nothing is written: %s"), problem->message);
      return FALSE;
    }
  return TRUE;
}

static void
print_report (const char *output, const HeddleOnnxReport *report)
{
  g_print (g_dngettext (GETTEXT_PACKAGE, "%s: %u of %u operator understood\n",
               "%s: %u of %u operators understood\n", report->n_operators),
      output, report->n_understood, report->n_operators);
  for (guint i = 0; i < MIN (report->opaque->len, MOST_LISTED); i++)
    {
      const HeddleOnnxOpaque *opaque = g_ptr_array_index (report->opaque, i);
      g_autofree char *node = heddle_quote_visible (opaque->node, FALSE);
      g_autofree char *op = heddle_quote_visible (opaque->op, FALSE);
      g_autofree char *why = heddle_quote_visible (opaque->why, FALSE);

      g_print (_ ("  a box: %s (%s): %s\n"), op, node, why);
    }
  if (report->opaque->len > MOST_LISTED)
    g_print (_ ("  and %u more (--json lists all)\n"), report->opaque->len - MOST_LISTED);
  for (guint i = 0; i < report->assumed->len; i++)
    {
      g_autofree char *assumed = heddle_quote_visible (g_ptr_array_index (report->assumed, i), FALSE);

      g_print (_ ("  assumed: %s (--set gives another size)\n"), assumed);
    }
}

static void
text_array (JsonBuilder *json, const char *name, GPtrArray *texts)
{
  heddle_json_begin_array (json, name);
  for (guint i = 0; i < texts->len; i++)
    json_builder_add_string_value (json, g_ptr_array_index (texts, i));
  json_builder_end_array (json);
}

static void
print_json (const char *output, const HeddleSnapshot *snapshot, const HeddleOnnxReport *report)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "output", output);
  heddle_json_text (json, "diagram", ((HeddleDiagram *) g_ptr_array_index (snapshot->diagrams, 0))->name);
  heddle_json_int (json, "operators", report->n_operators);
  heddle_json_int (json, "understood", report->n_understood);
  heddle_json_begin_array (json, "opaque");
  for (guint i = 0; i < report->opaque->len; i++)
    {
      const HeddleOnnxOpaque *opaque = g_ptr_array_index (report->opaque, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "node", opaque->node);
      heddle_json_text (json, "operator", opaque->op);
      heddle_json_text (json, "reason", opaque->why);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  text_array (json, "wanted", report->wanted);
  text_array (json, "assumed", report->assumed);
  json_builder_end_object (json);
  heddle_json_print (json);
}

HeddleExit
heddle_import_onnx (
    const HeddleOptions *options, const char *path, const HeddleImportChoices *choices, const char *output)
{
  g_auto (HeddleOnnxReport) report = { 0 };
  g_autoptr (HeddleSnapshot) snapshot = NULL;
  g_autoptr (GHashTable) arrays = NULL;
  g_autoptr (GHashTable) sizes = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  HeddleExit status = HEDDLE_EXIT_DONE;
  gsize length;

  arrays = read_constants (options, path, choices->constants, &status);
  sizes = arrays != NULL ? read_sizes (options, &status) : NULL;
  if (sizes == NULL)
    return status;
  snapshot = heddle_onnx_import (path, arrays, sizes, choices->unrolled, &report, &error);
  if (snapshot != NULL && choices->f32_as != HEDDLE_DTYPE_UNSET)
    heddle_snapshot_retype (snapshot, HEDDLE_DTYPE_F32, choices->f32_as);
  data = snapshot != NULL && check_made (snapshot, &error) ? heddle_ncd_write (snapshot, &length, &error)
                                                           : NULL;
  if (data == NULL)
    return heddle_input_unread (path, error);
  status = heddle_output_save (output, data, length);
  if (status != HEDDLE_EXIT_DONE)
    return status;
  for (guint i = 0; i < report.unused->len; i++)
    {
      g_autofree char *name = heddle_quote_visible (g_ptr_array_index (report.unused, i), FALSE);

      g_printerr (_ ("%s: warning: --set %s: the model leaves no size of that name open\n"), path, name);
    }
  if (options->json)
    print_json (output, snapshot, &report);
  else
    print_report (output, &report);
  return status;
}
