/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "derive/machine/file.h"
#include "derive/machine/find.h"
#include "derive/machine/key-file.h"

#define SUFFIX ".machine"

#define ABSTRACT_NAME "two-level"

/* The places where the data of a program may be, relative to its folder: as installed, whatever the prefix,
 * in an environment of Python, or in the source tree that it was built in. */
static const char *const beside[] = { "../share/heddle", "../heddle", "../../data" };

/* Returns whether the folder holds a folder of machines, which distinguishes it from any other folder of that
 * name. */
static gboolean
has_data (const char *directory)
{
  g_autofree char *machines = g_build_filename (directory, "hardware", NULL);

  return g_file_test (machines, G_FILE_TEST_IS_DIR);
}

static char *
beside_program (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *bin = program != NULL ? g_path_get_dirname (program) : NULL;

  for (guint i = 0; bin != NULL && i < G_N_ELEMENTS (beside); i++)
    {
      g_autofree char *directory = g_build_filename (bin, beside[i], NULL);

      if (has_data (directory))
        return g_steal_pointer (&directory);
    }
  return NULL;
}

static char *
find_data (void)
{
  const char *given = g_getenv ("HEDDLE_DATADIR");
  char *found;

  if (given != NULL && given[0] != '\0')
    return g_strdup (given);
  found = beside_program ();
  return found != NULL ? found : g_strdup (HEDDLE_DATADIR);
}

/**
 * heddle_data_directory:
 *
 * Returns: (transfer none): the directory of the shipped data: `$HEDDLE_DATADIR`, else the installed one beside the program,
 *   else the source tree's where it was built in a folder of it and not installed, else that of the prefix
 */
const char *
heddle_data_directory (void)
{
  static char *directory = NULL;

  if (g_once_init_enter (&directory))
    g_once_init_leave (&directory, find_data ());
  return directory;
}

static gboolean
answers_to (const HeddleMachine *self, const char *name)
{
  return g_str_equal (self->name, name)
         || (self->aliases != NULL && g_strv_contains ((const char *const *) self->aliases, name));
}

static HeddleMachine *
find_in (GPtrArray *machines, const char *name)
{
  for (guint i = 0; i < machines->len; i++)
    if (answers_to (g_ptr_array_index (machines, i), name))
      return g_ptr_array_index (machines, i);
  return NULL;
}

static void
load_directory (GPtrArray *machines, const char *directory, GPtrArray *problems)
{
  g_autoptr (GPtrArray) paths = heddle_key_files_in (directory, SUFFIX);

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (GError) error = NULL;
      const char *path = g_ptr_array_index (paths, i);
      g_autoptr (HeddleMachine) machine = heddle_machine_load_file (path, &error);

      if (machine != NULL && find_in (machines, machine->name) != NULL)
        g_set_error (&error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE,
            _ ("%s: there is a machine named “%s” already"), path, machine->name);
      if (error == NULL)
        g_ptr_array_add (machines, g_steal_pointer (&machine));
      else if (problems != NULL)
        g_ptr_array_add (problems, g_strdup (error->message));
    }
}

GPtrArray *
heddle_machines_load (GPtrArray *problems)
{
  GPtrArray *machines = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_machine_free);
  g_autofree char *shipped = g_build_filename (heddle_data_directory (), "hardware", NULL);
  g_autofree char *own = g_build_filename (g_get_user_data_dir (), "heddle", "hardware", NULL);

  load_directory (machines, shipped, problems);
  load_directory (machines, own, problems);
  return machines;
}

static void
set_abstract_capacity (HeddleMachine *machine, gint64 elements)
{
  for (guint i = 0; i < machine->levels->len; i++)
    {
      HeddleLevel *level = g_ptr_array_index (machine->levels, i);

      if (level->labels)
        level->capacity_bytes = elements;
    }
}

const char *
heddle_machine_reference (const HeddleMachine *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->path != NULL ? self->path : self->name;
}

static HeddleMachine *
load_asked_for (const char *path, GError **error)
{
  HeddleMachine *machine = heddle_machine_load_file (path, error);

  if (machine != NULL)
    machine->path = g_strdup (path);
  return machine;
}

static void
report_unknown (GPtrArray *machines, const char *name, GPtrArray *problems, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; i < machines->len; i++)
    g_string_append_printf (
        known, "%s%s", i > 0 ? ", " : "", ((HeddleMachine *) g_ptr_array_index (machines, i))->name);
  if (problems->len > 0)
    g_string_append_printf (known, " (%s)", (char *) g_ptr_array_index (problems, 0));
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE,
      _ ("there is no machine named “%s”; known: %s"), name, known->str);
}

/* Returns a copy of the machine of that name; %NULL with an error if there is none. */
static HeddleMachine *
find_known (const char *name, GError **error)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) machines = heddle_machines_load (problems);
  const HeddleMachine *machine = find_in (machines, name);

  if (machine == NULL)
    report_unknown (machines, name, problems, error);
  return machine != NULL ? heddle_machine_copy (machine) : NULL;
}

HeddleMachine *
heddle_machine_find (const char *name, gint64 memory_elements, GError **error)
{
  HeddleMachine *machine;

  g_return_val_if_fail (name != NULL && memory_elements >= 0, NULL);

  if (g_str_has_suffix (name, SUFFIX))
    machine = load_asked_for (name, error);
  else
    machine = find_known (name, error);
  if (machine == NULL)
    return NULL;
  if (memory_elements > 0 && !heddle_machine_is_abstract (machine))
    {
      g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE,
          _ ("the memory of “%s” is given by its hardware; only “%s” takes another"), name, ABSTRACT_NAME);
      heddle_machine_free (machine);
      return NULL;
    }
  if (memory_elements > 0)
    set_abstract_capacity (machine, memory_elements);
  return machine;
}
