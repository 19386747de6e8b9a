/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "cli/input.h"
#include "codegen/base/codegen.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/problem.h"
#include "diagram/base/quote.h"
#include "diagram/check/check.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/snapshot.h"
#include "diagram/flatten/flatten.h"
#include "diagram/graph/calls.h"
#include "files/base/files.h"
#include "files/base/save.h"
#include "files/exchange/load.h"

HeddleExit
heddle_input_failed (const char *path, const GError *error)
{
  g_printerr (_ ("%s: error: %s\n"), path, error->message);
  return g_error_matches (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_MISSING) ? HEDDLE_EXIT_MISSING
                                                                                     : HEDDLE_EXIT_WRONG;
}

HeddleExit
heddle_input_unread (const char *path, const GError *error)
{
  g_autofree char *message = heddle_quote_visible (error->message, FALSE);

  g_printerr (_ ("%s: error: %s\n"), path, message);
  return HEDDLE_EXIT_WRONG;
}

void
heddle_input_print_problems (GPtrArray *problems, gboolean all)
{
  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);
      g_autofree char *text = heddle_problem_to_string (problem);

      /* Warnings, such as of things that nothing reads, are for `heddle check`. */
      if (all || problem->severity == HEDDLE_SEVERITY_ERROR || problem->object_id == NULL)
        g_printerr ("%s", text);
    }
}

const char *
heddle_input_newer (void)
{
  return _ ("the document was written by a newer version of Heddle: parts that this version does not know "
            "are ignored");
}

/* Returns the way in which a file is read that is no document; NULL if it is none of those. */
static const char *
way_of (const char *path)
{
  if (g_str_has_suffix (path, ".py"))
    return _ ("a module of PyTorch is imported by: python3 -m heddle_torch FILE.py:NAME -o OUT.ncd");
  if (g_str_has_suffix (path, ".onnx"))
    return _ ("a model is imported first: heddle import FILE.onnx -o OUT.ncd");
  if (g_str_has_suffix (path, ".pt") || g_str_has_suffix (path, ".pth") || g_str_has_suffix (path, ".pt2"))
    return _ ("a file of numbers is not a model: import the module that uses them, in Python, with: python3 "
              "-m heddle_torch");
  return NULL;
}

/* Moves the problems of commands that no label can set out of @problems into a new array. */
static GPtrArray *
steal_spelling (GPtrArray *problems)
{
  GPtrArray *spelling = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);

  for (guint i = problems->len; i-- > 0;)
    if (((HeddleProblem *) problems->pdata[i])->of_spelling)
      g_ptr_array_insert (spelling, 0, g_ptr_array_steal_index (problems, i));
  return spelling;
}

static gboolean
load (HeddleInput *self)
{
  const char *way = way_of (self->path);
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;

  if (way != NULL)
    {
      g_printerr (_ ("%s: error: %s\n"), self->path, way);
      return FALSE;
    }
  self->snapshot = heddle_file_load (self->path, problems, &error);
  heddle_input_print_problems (problems, FALSE);
  self->spelling = steal_spelling (problems);
  if (self->snapshot == NULL && !g_error_matches (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_PARSE))
    heddle_input_failed (self->path, error);
  if (self->snapshot != NULL && self->snapshot->read_only)
    g_printerr (_ ("%s: warning: %s\n"), self->path, heddle_input_newer ());
  return self->snapshot != NULL;
}

static gboolean
find_diagram (HeddleInput *self, const HeddleOptions *options)
{
  self->diagram = heddle_snapshot_get_diagram (self->snapshot, options->diagram);
  if (self->diagram != NULL)
    return TRUE;
  if (options->diagram != NULL)
    g_printerr (_ ("%s: error: there is no diagram “%s”\n"), self->path, options->diagram);
  else
    g_printerr (_ ("%s: error: there is no diagram\n"), self->path);
  return FALSE;
}

/* Returns whether the problem is of the diagram, or of a definition if the diagram calls any. */
static gboolean
concerns (const HeddleInput *self, const char *diagram_id)
{
  return diagram_id == self->diagram->id || heddle_diagram_has_calls (self->diagram);
}

/* Checks the diagram: commands that work on one rely on its having no errors. */
static gboolean
check_diagram (HeddleInput *self)
{
  g_autoptr (GPtrArray) problems = heddle_check_snapshot (self->snapshot);
  gboolean good = TRUE;

  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);
      g_autofree char *text = NULL;

      if (!concerns (self, problem->diagram_id))
        continue;
      if (problem->severity != HEDDLE_SEVERITY_ERROR || heddle_check_is_open_size (self->diagram, problem))
        continue;
      text = heddle_problem_to_string (problem);
      g_printerr ("%s: %s", self->path, text);
      good = FALSE;
    }
  return good;
}

static gboolean
read_size (HeddleInput *self, const HeddleOptions *options, const char *argument, HeddleExit *status)
{
  const char *text;
  g_autofree char *name = heddle_options_split (argument, &text);
  gint64 size;

  if (name == NULL || !g_ascii_string_to_signed (text, 10, 1, G_MAXINT64, &size, NULL))
    {
      *status = heddle_options_misused (
          options, _ ("--set %s: expected AXIS=SIZE, the size a whole number of at least 1"), argument);
      return FALSE;
    }
  /* an axis of something that is called is known once the calls are taken apart */
  if (heddle_diagram_find_axis (self->diagram, name) == NULL && !heddle_diagram_has_calls (self->diagram))
    {
      g_printerr (_ ("%s: error: --set %s: there is no axis “%s”\n"), self->path, argument, name);
      *status = HEDDLE_EXIT_WRONG;
      return FALSE;
    }
  g_hash_table_insert (self->overrides, g_steal_pointer (&name), g_memdup2 (&size, sizeof size));
  return TRUE;
}

gboolean
heddle_input_open (HeddleInput *self, const HeddleOptions *options, const char *path, HeddleExit *status)
{
  *self = (HeddleInput){ path };
  *status = HEDDLE_EXIT_WRONG;
  if (!load (self) || !find_diagram (self, options) || !check_diagram (self))
    return FALSE;
  self->overrides = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; options->set != NULL && options->set[i] != NULL; i++)
    if (!read_size (self, options, options->set[i], status))
      return FALSE;
  *status = HEDDLE_EXIT_DONE;
  return TRUE;
}

static gboolean
has_overridden_axes (HeddleInput *self)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, self->overrides);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (heddle_diagram_find_axis (self->diagram, name) == NULL)
      {
        g_printerr (
            _ ("%s: error: --set %s: there is no axis “%s”\n"), self->path, (char *) name, (char *) name);
        return FALSE;
      }
  return TRUE;
}

gboolean
heddle_input_flatten (HeddleInput *self, HeddleExit *status)
{
  const char *id = self->diagram->id;
  g_autoptr (GError) error = NULL;
  HeddleSnapshot *flat;

  if (!heddle_diagram_has_calls (self->diagram))
    return TRUE;
  flat = heddle_snapshot_flatten (self->snapshot, self->diagram, self->overrides, NULL, &error);
  if (flat == NULL)
    {
      *status = heddle_input_failed (self->path, error);
      return FALSE;
    }
  heddle_snapshot_unref (self->snapshot);
  self->snapshot = flat;
  self->diagram = heddle_snapshot_get_diagram_by_id (flat, id);
  *status = HEDDLE_EXIT_WRONG;
  return has_overridden_axes (self);
}

gboolean
heddle_input_resolve (HeddleInput *self, HeddleExit *status)
{
  g_autoptr (GError) error = NULL;

  if (!heddle_input_flatten (self, status))
    return FALSE;
  self->sizes = heddle_sizes_new (self->diagram, self->overrides, &error);
  if (self->sizes == NULL)
    *status = heddle_input_failed (self->path, error);
  return self->sizes != NULL;
}

void
heddle_input_clear (HeddleInput *self)
{
  g_clear_pointer (&self->snapshot, heddle_snapshot_unref);
  g_clear_pointer (&self->overrides, g_hash_table_unref);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_clear_pointer (&self->spelling, g_ptr_array_unref);
}

HeddleExit
heddle_output_save (const char *path, const char *data, gsize length)
{
  g_autoptr (GError) error = NULL;

  if (heddle_file_save (path, data, length, &error))
    return HEDDLE_EXIT_DONE;
  return heddle_input_failed (path, error);
}
