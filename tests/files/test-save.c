/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "files/base/save.h"

typedef struct
{
  char *folder, *path;
} Place;

static void
set_up (Place *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("heddle-save-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "a.ncd", NULL);
}

/* Nothing but what is expected may be left, of temporary files above all: rmdir () fails otherwise. */
static void
tear_down (Place *self, gconstpointer data)
{
  g_unlink (self->path);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
}

static void
put (const char *path, const char *text)
{
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
assert_holds (const char *path, const char *text)
{
  g_autofree char *data = NULL;

  g_assert_true (g_file_get_contents (path, &data, NULL, NULL));
  g_assert_cmpstr (data, ==, text);
}

static guint
mode_of (const char *path)
{
  GStatBuf status;

  g_assert_cmpint (g_lstat (path, &status), ==, 0);
  return status.st_mode & 07777;
}

static void
test_mode (Place *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  const mode_t mask = umask (027);

  g_assert_true (heddle_file_save (self->path, "one", 3, &error));
  g_assert_cmpint (mode_of (self->path), ==, 0640);
  umask (mask);
  g_chmod (self->path, 0600);
  g_assert_true (heddle_file_save (self->path, "two", 3, &error));
  g_assert_no_error (error);
  g_assert_cmpint (mode_of (self->path), ==, 0600);
  assert_holds (self->path, "two");
}

static void
test_read_only (Place *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  put (self->path, "old");
  g_chmod (self->path, 0444);
  g_assert_false (heddle_file_save (self->path, "new", 3, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_ACCES);
  assert_holds (self->path, "old");
}

/* A link that leads to another, relative to its own folder, and then to a file that is not there yet. */
static void
test_links (Place *self, gconstpointer data)
{
  g_autofree char *first = g_build_filename (self->folder, "first", NULL);
  g_autofree char *second = g_build_filename (self->folder, "second", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (symlink ("second", first), ==, 0);
  g_assert_cmpint (symlink ("a.ncd", second), ==, 0);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (heddle_file_save (first, i == 0 ? "one" : "two", 3, &error));
      g_assert_no_error (error);
      assert_holds (self->path, i == 0 ? "one" : "two");
      g_assert_true (g_file_test (first, G_FILE_TEST_IS_SYMLINK));
      g_assert_true (g_file_test (second, G_FILE_TEST_IS_SYMLINK));
    }
  g_unlink (self->path);
  g_unlink (second);
  g_assert_cmpint (symlink ("first", second), ==, 0);
  g_assert_false (heddle_file_save (first, "one", 3, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_LOOP);
  g_unlink (first);
  g_unlink (second);
}

/* What a killed saving left goes with the next one; what another program is writing at the moment stays. */
static void
test_sweeping (Place *self, gconstpointer data)
{
  g_autofree char *left = g_build_filename (self->folder, ".a.ncd.ab12CD.heddle-new", NULL);
  g_autofree char *used = g_build_filename (self->folder, ".a.ncd.zzzzzz.heddle-new", NULL);
  g_autofree char *other = g_build_filename (self->folder, ".b.ncd.ab12CD.heddle-new", NULL);
  int fd;

  put (left, "half");
  put (used, "half");
  put (other, "half");
  fd = g_open (used, O_RDWR, 0);
  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  g_assert_true (heddle_file_save (self->path, "one", 3, NULL));
  g_assert_false (g_file_test (left, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (used, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (other, G_FILE_TEST_EXISTS));
  close (fd);
  g_unlink (used);
  g_unlink (other);
}

/* A pipe is written to and stays one; without a reader it is refused at once. */
static void
test_pipe (Place *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  char bytes[4] = "";
  int fd;

  g_assert_cmpint (mkfifo (self->path, 0600), ==, 0);
  g_assert_false (heddle_file_save (self->path, "one", 3, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NXIO);
  fd = g_open (self->path, O_RDONLY | O_NONBLOCK, 0);
  g_assert_true (heddle_file_save (self->path, "one", 3, NULL));
  g_assert_cmpint (read (fd, bytes, sizeof bytes), ==, 3);
  g_assert_cmpstr (bytes, ==, "one");
  close (fd);
}

static void
test_folder (Place *self, gconstpointer data)
{
  g_autofree char *within = g_build_filename (self->folder, "none", "a.ncd", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (heddle_file_save (self->folder, "one", 3, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR);
  g_clear_error (&error);
  g_assert_false (heddle_file_save (within, "one", 3, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
}

#define ADD(name, test) g_test_add ("/save/" name, Place, NULL, set_up, test, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("mode", test_mode);
  ADD ("read-only", test_read_only);
  ADD ("links", test_links);
  ADD ("sweeping", test_sweeping);
  ADD ("pipe", test_pipe);
  ADD ("folder", test_folder);
  return g_test_run ();
}
