/* SPDX-License-Identifier: MIT */
#include "case.h"

#include <glib/gstdio.h>
#include <string.h>

#include "codegen/base/codegen.h"
#include "codegen/compile/compile.h"
#include "codegen/emit/emit.h"
#include "codegen/module/module.h"
#include "codegen/plan/plan.h"
#include "derive/derivation/place-text.h"
#include "derive/derivation/schedule-text.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/problem.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/equations/document.h"
#include "files/equations/write.h"

static void
add_label (HeddleSchedule *schedule, const HeddleDiagram *diagram, const HeddleMachine *machine,
    const char *label, GError **error)
{
  if (g_str_has_prefix (label, "again="))
    heddle_schedule_add_recompute_text (schedule, diagram, label + strlen ("again="), error);
  else if (g_str_has_prefix (label, "place="))
    heddle_schedule_add_place_text (schedule, diagram, machine, label + strlen ("place="), error);
  else
    heddle_schedule_add_label_text (schedule, diagram, machine, label, error);
}

static HeddleSchedule *
read_schedule (const HeddleDiagram *diagram, const CaseOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine
      = heddle_machine_find (options->gpu ? options->gpu : "h100-sxm", 0, &error);
  g_auto (GStrv) labels = g_strsplit (options->labels ? options->labels : "", " ", -1);
  HeddleSchedule *schedule;

  g_assert_no_error (error);
  if (options->fuse == NULL)
    return NULL;
  schedule = heddle_schedule_fuse (diagram, NULL, options->fuse, &error);
  g_assert_no_error (error);
  for (char **label = labels; *label != NULL; label++)
    if (**label != '\0')
      {
        add_label (schedule, diagram, machine, *label, &error);
        g_assert_no_error (error);
      }
  return schedule;
}

static GHashTable *
read_sizes (const char *sizes)
{
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) parts = g_strsplit (sizes ? sizes : "", " ", -1);

  for (char **part = parts; *part != NULL; part++)
    {
      char *sign = g_strrstr (*part, "=");
      gint64 size = sign ? g_ascii_strtoll (sign + 1, NULL, 10) : 0;

      if (sign != NULL)
        g_hash_table_insert (table, g_strndup (*part, sign - *part), g_memdup2 (&size, sizeof size));
    }
  return table;
}

void
case_init (Case *self, const CaseOptions *options)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GHashTable) sizes = read_sizes (options->sizes);
  g_autoptr (GError) error = NULL;
  g_autofree char *file = g_strconcat (options->name ? options->name : "test", ".eq", NULL);
  HeddleSchedule *schedule;

  self->snapshot = heddle_equations_read (options->text, -1, file, problems);
  if (self->snapshot == NULL)
    {
      g_autofree char *why = heddle_problem_to_string (g_ptr_array_index (problems, 0));

      g_error ("%s", why);
    }
  self->diagram = heddle_snapshot_get_diagram (self->snapshot, NULL);
  schedule = read_schedule (self->diagram, options);
  self->plan = heddle_plan_new (self->diagram, schedule, options->gpu, options->dtype,
      options->automatic    ? HEDDLE_FAMILY_AUTO
      : options->copies     ? HEDDLE_FAMILY_SM90_COPIES
      : options->warpgroups ? HEDDLE_FAMILY_SM90
      : options->tensor     ? HEDDLE_FAMILY_SM80
                            : HEDDLE_FAMILY_GENERAL,
      sizes, NULL, &error);
  g_assert_no_error (error);
  g_clear_pointer (&schedule, heddle_schedule_free);
}

void
case_clear (Case *self)
{
  g_clear_pointer (&self->plan, heddle_plan_free);
  g_clear_pointer (&self->snapshot, heddle_snapshot_unref);
}

HeddleSizes *
case_sizes (const Case *self, const char *sizes)
{
  g_autoptr (GHashTable) table = read_sizes (sizes);
  g_autoptr (GError) error = NULL;
  HeddleSizes *result = heddle_sizes_new (self->diagram, table, &error);

  g_assert_no_error (error);
  return result;
}

HeddleKernelText *
case_kernel (const Case *self, guint i)
{
  g_assert_cmpuint (i, <, self->plan->texts->len);
  return g_ptr_array_index (self->plan->texts, i);
}

char *
case_module (const Case *self, const char *verification, char **header)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) texts = heddle_codegen_emit_all (self->plan->diagram, self->plan->derivation,
      self->plan->sizes, self->plan->machine, self->plan->dtype, self->plan->family, verification, &error);
  g_autofree char *equations = heddle_equations_write (self->diagram);
  char *module;

  g_assert_no_error (error);
  module = heddle_codegen_module (
      self->plan->whole, texts, self->plan->sizes, self->plan->dtype, equations, header, &error);
  g_assert_no_error (error);
  return module;
}

gboolean
case_is_long (int *argc, char **argv)
{
  if (*argc < 2 || !g_str_equal (argv[*argc - 1], "--long"))
    return FALSE;
  --*argc;
  return TRUE;
}

gboolean
case_has_cuda (void)
{
  g_autofree char *nvcc = heddle_nvcc_find ();

  if (nvcc != NULL)
    return TRUE;
  g_test_skip ("there is no nvcc on this machine");
  return FALSE;
}

char *
case_run (const char *const *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process
      = g_subprocess_newv (words, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE, &error);
  char *output = NULL;

  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  if (!g_subprocess_get_successful (process))
    g_test_message ("%s", output);
  g_assert_true (g_subprocess_get_successful (process));
  return output;
}

char *
case_directory (void)
{
  g_autoptr (GError) error = NULL;
  char *directory = g_dir_make_tmp ("heddle-test-XXXXXX", &error);

  g_assert_no_error (error);
  return directory;
}

void
case_remove (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      g_unlink (path);
    }
  g_rmdir (directory);
}
