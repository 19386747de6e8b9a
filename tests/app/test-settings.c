/* SPDX-License-Identifier: MIT */

/* Settings where no schema is installed, or that of another version: each in a process of its own, as they are opened once. */

#include "config.h"

#include <glib/gstdio.h>

#include "app/widgets/settings.h"

static const char old_schema[]
    = "<schemalist><schema id='" HEDDLE_APPLICATION_ID "' path='/io/github/heddle/Heddle/'>"
      "<key name='gpu' type='s'><default>'a100-80-sxm'</default></key></schema></schemalist>";

/* The schemas of @folder are those that are installed. */
static void
install (const char *folder)
{
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_setenv ("XDG_DATA_DIRS", folder, TRUE);
  g_setenv ("GSETTINGS_SCHEMA_DIR", folder, TRUE);
}

static void
check_settings (void)
{
  g_autofree char *gpu = heddle_settings_dup_string ("gpu", "?");
  g_autofree char *dtype = heddle_settings_dup_string ("dtype", "?");
  g_autofree char *chosen = NULL;

  g_assert_nonnull (heddle_settings_get ());
  g_assert_cmpstr (gpu, ==, "h100-sxm");
  g_assert_cmpstr (dtype, ==, "f16");
  heddle_settings_set_string ("gpu", "l4");
  chosen = heddle_settings_dup_string ("gpu", "?");
  g_assert_cmpstr (chosen, ==, "l4");
}

static void
test_not_installed (void)
{
  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }
  install ("/nonexistent");
  check_settings ();
}

static void
test_another_version (void)
{
  g_autofree char *folder = NULL, *file = NULL, *compiled = NULL;
  const char *command[] = { "glib-compile-schemas", NULL, NULL };

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }
  folder = g_dir_make_tmp ("heddle-XXXXXX", NULL);
  file = g_build_filename (folder, HEDDLE_APPLICATION_ID ".gschema.xml", NULL);
  compiled = g_build_filename (folder, "gschemas.compiled", NULL);
  command[1] = folder;
  g_assert_true (g_file_set_contents (file, old_schema, -1, NULL));
  g_assert_true (
      g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
  g_assert_true (g_file_test (compiled, G_FILE_TEST_EXISTS));
  install (folder);
  check_settings ();
  g_unlink (file);
  g_unlink (compiled);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settings/not-installed", test_not_installed);
  g_test_add_func ("/settings/another-version", test_another_version);
  return g_test_run ();
}
