/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/machine/file.h"
#include "derive/machine/key-file.h"
#include "derive/machine/machine.h"
#include "derive/machine/sustained.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#define SUFFIX ".machine"
#define ABSTRACT_NAME "two-level"

GQuark
heddle_derive_error_quark (void)
{
  return g_quark_from_static_string ("heddle-derive-error-quark");
}

HeddleLevel *
heddle_level_new (const char *name)
{
  HeddleLevel *level = g_new0 (HeddleLevel, 1);

  level->name = g_strdup (name);
  level->parent = -1;
  level->above = -1;
  level->count = 1;
  return level;
}

static HeddleLevel *
level_copy (const HeddleLevel *self)
{
  HeddleLevel *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->title = g_strdup (self->title);
  return copy;
}

void
heddle_level_free (HeddleLevel *self)
{
  g_free (self->name);
  g_free (self->title);
  g_free (self);
}

HeddleLink *
heddle_link_new (const char *name)
{
  HeddleLink *link = g_new0 (HeddleLink, 1);

  link->name = g_strdup (name);
  return link;
}

static HeddleLink *
link_copy (const HeddleLink *self)
{
  HeddleLink *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->title = g_strdup (self->title);
  return copy;
}

static void
link_free (HeddleLink *self)
{
  g_free (self->name);
  g_free (self->title);
  g_free (self);
}

HeddleMachine *
heddle_machine_new (void)
{
  HeddleMachine *self = g_new0 (HeddleMachine, 1);

  self->levels = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_level_free);
  self->links = g_ptr_array_new_with_free_func ((GDestroyNotify) link_free);
  return self;
}

/**
 * heddle_machine_copy:
 * @self: a machine
 *
 * Returns: (transfer full): a machine that shares nothing with @self
 */
HeddleMachine *
heddle_machine_copy (const HeddleMachine *self)
{
  HeddleMachine *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = g_memdup2 (self, sizeof *self);
  copy->name = g_strdup (self->name);
  copy->title = g_strdup (self->title);
  copy->aliases = g_strdupv (self->aliases);
  copy->source = g_strdup (self->source);
  copy->measured = g_strdup (self->measured);
  copy->path = g_strdup (self->path);
  copy->arch = g_strdup (self->arch);
  heddle_sustained_own (copy->sustained);
  copy->levels = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_level_free);
  for (guint i = 0; i < self->levels->len; i++)
    g_ptr_array_add (copy->levels, level_copy (g_ptr_array_index (self->levels, i)));
  copy->links = g_ptr_array_new_with_free_func ((GDestroyNotify) link_free);
  for (guint i = 0; i < self->links->len; i++)
    g_ptr_array_add (copy->links, link_copy (g_ptr_array_index (self->links, i)));
  return copy;
}

/**
 * heddle_machine_free:
 * @self: (transfer full): a machine
 *
 * Frees the machine.
 */
void
heddle_machine_free (HeddleMachine *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->title);
  g_strfreev (self->aliases);
  g_free (self->source);
  g_free (self->measured);
  g_free (self->path);
  g_free (self->arch);
  heddle_sustained_clear (self->sustained);
  g_clear_pointer (&self->levels, g_ptr_array_unref);
  g_clear_pointer (&self->links, g_ptr_array_unref);
  g_free (self);
}

/**
 * heddle_machine_is_abstract:
 * @self: a machine
 *
 * Returns: whether its capacities are counted in elements and nothing is known of its speed
 */
gboolean
heddle_machine_is_abstract (const HeddleMachine *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->arch == NULL;
}

/**
 * heddle_machine_find_level:
 * @self: a machine
 * @name: the name of a memory level, such as "smem"
 *
 * Returns: its index in the machine's levels, or -1
 */
int
heddle_machine_find_level (const HeddleMachine *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, -1);

  for (guint i = 0; i < self->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (self->levels, i);

      if (g_str_equal (level->name, name))
        return (int) i;
    }
  return -1;
}

/**
 * heddle_machine_find_link:
 * @self: a machine
 * @name: the name of what joins GPUs, such as "node"
 *
 * Returns: its index in the machine's links, or -1
 */
int
heddle_machine_find_link (const HeddleMachine *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, -1);

  for (guint i = 0; i < self->links->len; i++)
    if (g_str_equal (((const HeddleLink *) g_ptr_array_index (self->links, i))->name, name))
      return (int) i;
  return -1;
}

void
heddle_machine_take_above (HeddleMachine *self, const HeddleMachine *from)
{
  g_return_if_fail (self != NULL && from != NULL);

  for (guint i = 0; i < from->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (from->levels, i);
      const HeddleLevel *below
          = level->above >= 0 ? g_ptr_array_index (from->levels, (guint) level->above) : NULL;
      int above = below != NULL ? heddle_machine_find_level (self, below->name) : -1;

      if (above < 0 || heddle_machine_find_level (self, level->name) >= 0)
        continue;
      g_ptr_array_add (self->levels, level_copy (level));
      ((HeddleLevel *) g_ptr_array_index (self->levels, self->levels->len - 1))->above = above;
    }
  for (guint i = 0; i < from->links->len; i++)
    if (heddle_machine_find_link (self, ((HeddleLink *) g_ptr_array_index (from->links, i))->name) < 0)
      g_ptr_array_add (self->links, link_copy (g_ptr_array_index (from->links, i)));
}

static int
first_labelled (const HeddleMachine *self)
{
  for (guint i = 0; i < self->levels->len; i++)
    if (((HeddleLevel *) g_ptr_array_index (self->levels, i))->labels)
      return (int) i;
  return -1;
}

/**
 * heddle_machine_insert_cluster:
 * @self: a machine, changed
 * @n: how many of the memories that take labels are one cluster
 *
 * What the groups of a cluster pass to one another need not be read again from the level above: an inserted level of N times the
 * memory. Its bandwidth is not known.
 *
 * Returns: whether the machine has so many
 */
gboolean
heddle_machine_insert_cluster (HeddleMachine *self, guint n)
{
  int at = self != NULL ? first_labelled (self) : -1;
  HeddleLevel *inner, *cluster;

  g_return_val_if_fail (self != NULL && at >= 0 && n > 0, FALSE);

  inner = g_ptr_array_index (self->levels, (guint) at);
  if (n > inner->count)
    return FALSE;
  cluster = heddle_level_new ("cluster");
  cluster->title = g_strdup_printf (_ ("cluster of %u"), n);
  cluster->parent = inner->parent;
  cluster->count = inner->count / n;
  cluster->capacity_bytes = cluster->total_bytes = inner->capacity_bytes * n;
  for (guint i = 0; i < self->levels->len; i++)
    {
      HeddleLevel *level = g_ptr_array_index (self->levels, i);

      level->parent += level->parent >= at ? 1 : 0;
      level->above += level->above >= at ? 1 : 0;
    }
  inner->parent = at;
  g_ptr_array_insert (self->levels, at, cluster);
  return TRUE;
}

/* Where the data of a program installed as this one is would be: beside its folder, whatever the prefix. */
static char *
beside_program (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *bin = program != NULL ? g_path_get_dirname (program) : NULL;

  return bin != NULL ? g_build_filename (bin, "..", "share", "heddle", NULL) : NULL;
}

/**
 * heddle_data_directory:
 *
 * Returns: (transfer none): the directory of the shipped data: `$HEDDLE_DATADIR`, else the installed one beside the program,
 *   else the source tree's where it was built and not installed
 */
const char *
heddle_data_directory (void)
{
  static char *directory = NULL;

  if (g_once_init_enter (&directory))
    {
      const char *given = g_getenv ("HEDDLE_DATADIR");
      g_autofree char *beside = beside_program ();
      const char *found = HEDDLE_DATADIR;

      if (given != NULL && given[0] != '\0')
        found = given;
      else if (beside != NULL && g_file_test (beside, G_FILE_TEST_IS_DIR))
        found = beside;
      else if (g_file_test (HEDDLE_SOURCE_DATADIR, G_FILE_TEST_IS_DIR))
        found = HEDDLE_SOURCE_DATADIR;
      g_once_init_leave (&directory, g_strdup (found));
    }
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

/**
 * heddle_machines_load:
 * @problems: (nullable) (element-type utf8): what is wrong with files that could not be read is added here
 *
 * Reads every machine of the data directory, then of the user's own (`heddle/hardware` in the user's data directory).
 *
 * Returns: (transfer full) (element-type HeddleMachine): the machines
 */
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

/* %NULL: no machine has that name. */
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

/**
 * heddle_machine_find:
 * @name: a machine's name or one of its aliases, or a machine file, whose name ends in ".machine"
 * @memory_elements: for the abstract machine, how many elements its lower level holds; 0: as its file says
 *
 * Returns: (transfer full): the machine; or %NULL with %HEDDLE_DERIVE_ERROR_MACHINE
 */
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
