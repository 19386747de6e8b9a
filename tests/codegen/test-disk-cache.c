/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include "codegen/base/codegen.h"
#include "codegen/compile/compilation.h"
#include "codegen/compile/disk-cache.h"

static char *folder;

static char *
path_of (const char *key)
{
  return g_build_filename (folder, key, NULL);
}

static HeddleCompilation *
make (const char *ptx)
{
  HeddleCompilation *self = g_new0 (HeddleCompilation, 1);

  self->compiler = g_strdup ("NVRTC 13.0");
  self->milliseconds = 12.5;
  self->ptx = g_strdup (ptx);
  self->cubin = g_bytes_new ("\177ELF\0rest", 9);
  self->log = g_strdup ("Used 40 registers, 16 bytes spill stores");
  return self;
}

static void
put (const char *key, const char *ptx)
{
  g_autoptr (HeddleCompilation) compilation = make (ptx);

  heddle_disk_cache_put (key, compilation);
}

static void
test_again (void)
{
  g_autoptr (HeddleCompilation) given = make (".version 8.0"), found = NULL,
                                none = heddle_disk_cache_get ("none");
  g_autofree char *path = path_of ("again");
  GStatBuf info;

  g_assert_null (none);
  heddle_disk_cache_put ("again", given);
  found = heddle_disk_cache_get ("again");
  g_assert_nonnull (found);
  g_assert_cmpstr (found->ptx, ==, given->ptx);
  g_assert_true (g_bytes_equal (found->cubin, given->cubin));
  g_assert_cmpstr (found->log, ==, given->log);
  g_assert_cmpstr (found->compiler, ==, given->compiler);
  g_assert_cmpfloat (found->milliseconds, ==, 12.5);
  g_assert_cmpint (found->registers, ==, 40);
  g_assert_cmpint (found->spill_bytes, ==, 16);
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  g_assert_cmpint (g_stat (folder, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);
}

/* Whatever a file has in it, what comes out is the kernel that was put in, or nothing. */
static void
test_damaged (void)
{
  g_autofree char *path = path_of ("damaged"), *whole = NULL;
  gsize length;

  put ("damaged", ".version 8.0 // something long enough to be packed");
  g_assert_true (g_file_get_contents (path, &whole, &length, NULL));
  for (gsize i = 0; i < length; i++)
    {
      g_autofree char *other = g_memdup2 (whole, length);
      g_autoptr (HeddleCompilation) shorter = NULL, changed = NULL;

      g_assert_true (g_file_set_contents (path, whole, (gssize) i, NULL));
      shorter = heddle_disk_cache_get ("damaged");
      g_assert_null (shorter);
      other[i] ^= 0x10;
      g_assert_true (g_file_set_contents (path, other, (gssize) length, NULL));
      changed = heddle_disk_cache_get ("damaged");
      if (changed != NULL) /* in what gzip says of the file's time and system */
        g_assert_cmpstr (changed->ptx, ==, ".version 8.0 // something long enough to be packed");
    }
}

static void
test_strange (void)
{
  g_autofree char *path = path_of ("strange"), *elsewhere = path_of ("elsewhere");
  g_autoptr (HeddleCompilation) linked = NULL, shared = NULL, folder_of_all = NULL;

  put ("strange", ".version 8.0");
  g_assert_cmpint (g_rename (path, elsewhere), ==, 0);
  g_assert_cmpint (symlink (elsewhere, path), ==, 0);
  linked = heddle_disk_cache_get ("strange");
  g_assert_null (linked);
  g_assert_cmpint (g_chmod (elsewhere, 0666), ==, 0);
  shared = heddle_disk_cache_get ("elsewhere");
  g_assert_null (shared);
  g_assert_cmpint (g_chmod (elsewhere, 0600), ==, 0);
  g_assert_cmpint (g_chmod (folder, 0777), ==, 0);
  folder_of_all = heddle_disk_cache_get ("elsewhere");
  g_assert_null (folder_of_all);
  put ("elsewhere", ".version 9.0");
  g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
}

static void
test_none (void)
{
  g_autoptr (HeddleCompilation) found = NULL;
  g_autofree char *path = path_of ("none");

  g_setenv ("HEDDLE_COMPILE_CACHE", "none", TRUE);
  put ("none", ".version 8.0");
  g_setenv ("HEDDLE_COMPILE_CACHE", "/dev/null/nowhere", TRUE);
  put ("none", ".version 8.0");
  found = heddle_disk_cache_get ("none");
  g_assert_null (found);
  g_setenv ("HEDDLE_COMPILE_CACHE", folder, TRUE);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Those that were not asked for longest go. */
static void
test_sweep (void)
{
  static const char *const names[] = { "first", "second", "third" };
  gint64 bytes = 0;

  heddle_disk_cache_sweep (folder, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = path_of (names[i]);
      struct utimbuf times = { 1000 + i, 1000 + i };
      GStatBuf info;

      put (names[i], ".version 8.0");
      g_assert_cmpint (g_stat (path, &info), ==, 0);
      g_assert_cmpint (g_utime (path, &times), ==, 0);
      bytes += info.st_size;
    }
  heddle_compilation_free (heddle_disk_cache_get ("first"));
  heddle_disk_cache_sweep (folder, bytes - 1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (HeddleCompilation) found = heddle_disk_cache_get (names[i]);

      g_assert_true ((found != NULL) == (i != 1));
    }
}

/* Another build of a compiler is another path, or another size or time. */
static void
test_build (void)
{
  g_autofree char *path = path_of ("compiler"), *none = heddle_disk_cache_build_of (path), *one = NULL,
                  *again = NULL, *other = NULL;

  g_assert_null (none);
  g_assert_true (g_file_set_contents (path, "a", 1, NULL));
  one = heddle_disk_cache_build_of (path);
  again = heddle_disk_cache_build_of (path);
  g_assert_cmpstr (one, ==, again);
  g_assert_true (g_file_set_contents (path, "ab", 2, NULL));
  other = heddle_disk_cache_build_of (path);
  g_assert_cmpstr (one, !=, other);
}

int
main (int argc, char **argv)
{
  g_autofree char *scratch = g_dir_make_tmp ("heddle-test-XXXXXX", NULL);
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_build_filename (scratch, "compiled", NULL);
  g_setenv ("HEDDLE_COMPILE_CACHE", folder, TRUE);
  g_test_add_func ("/disk-cache/again", test_again);
  g_test_add_func ("/disk-cache/damaged", test_damaged);
  g_test_add_func ("/disk-cache/strange", test_strange);
  g_test_add_func ("/disk-cache/none", test_none);
  g_test_add_func ("/disk-cache/sweep", test_sweep);
  g_test_add_func ("/disk-cache/build", test_build);
  status = g_test_run ();
  heddle_disk_cache_sweep (folder, 0);
  g_rmdir (folder);
  g_rmdir (scratch);
  g_free (folder);
  return status;
}
