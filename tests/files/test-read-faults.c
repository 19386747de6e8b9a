/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "files/base/files.h"
#include "files/base/open.h"

/* What reading asks of the system goes through this program first: any of the calls can fail, be interrupted, bring little, or find that another process
 * has written meanwhile. Afterwards there is all that the file holds, or nothing and the reason. */

static gboolean armed;
static guint n_calls, at; /* which call has the fault; from 1 on */
static int code; /* of the fault */
static gsize most_read = G_MAXINT; /* by one call */
static const char *grows; /* the file that gets longer with each call; or NULL */

static void
grow (void)
{
  FILE *file = g_fopen (grows, "ab");

  g_assert_nonnull (file);
  g_assert_cmpint (fputs ("more", file), >=, 0);
  g_assert_cmpint (fclose (file), ==, 0);
}

ssize_t
read (int fd, void *data, size_t length)
{
  if (!armed)
    return syscall (SYS_read, fd, data, length);
  if (++n_calls == at)
    {
      errno = code;
      return -1;
    }
  if (grows != NULL)
    grow ();
  return syscall (SYS_read, fd, data, MIN (length, most_read));
}

/* --- what is read --- */

/* Longer than what is asked for at once. */
#define LENGTH 150000

typedef struct
{
  char *folder, *path, *text;
} Place;

static void
set_up (Place *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("heddle-reading-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "a.ncd", NULL);
  self->text = g_malloc (LENGTH + 1);
  for (guint i = 0; i < LENGTH; i++)
    self->text[i] = (char) ('a' + i % 23);
  self->text[LENGTH] = '\0';
  g_assert_true (g_file_set_contents (self->path, self->text, LENGTH, NULL));
  most_read = G_MAXINT;
}

static void
tear_down (Place *self, gconstpointer data)
{
  armed = FALSE;
  grows = NULL;
  g_unlink (self->path);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
  g_free (self->text);
}

static char *
load (const Place *self, guint call, gsize most, gsize *length, GError **error)
{
  char *data = NULL;
  gboolean good;

  n_calls = 0;
  at = call;
  armed = TRUE;
  good = heddle_file_read (self->path, most, &data, length, error);
  armed = FALSE;
  g_assert_true (good == (data != NULL));
  return data;
}

static void
assert_whole (const Place *self, guint call)
{
  g_autoptr (GError) error = NULL;
  gsize length = 0;
  g_autofree char *data = load (self, call, HEDDLE_FILE_MOST_TEXT, &length, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (data, length, self->text, LENGTH);
  g_assert_cmpint (data[length], ==, '\0');
}

static void
test_failing (Place *self, gconstpointer data)
{
  guint last;

  assert_whole (self, 0);
  last = n_calls;
  g_assert_cmpuint (last, >=, 3);
  code = EIO;
  for (guint i = 1; i <= last; i++)
    {
      g_autoptr (GError) error = NULL;
      gsize length = 0;

      g_assert_null (load (self, i, HEDDLE_FILE_MOST_TEXT, &length, &error));
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_IO);
      g_assert_nonnull (strstr (error->message, self->path));
    }
  assert_whole (self, last + 1);
}

/* Another program's signal is no failure. */
static void
test_interrupted (Place *self, gconstpointer data)
{
  code = EINTR;
  for (guint i = 1; i <= 4; i++)
    assert_whole (self, i);
}

static void
test_little (Place *self, gconstpointer data)
{
  most_read = 777;
  assert_whole (self, 0);
  g_assert_cmpuint (n_calls, >=, LENGTH / 777);
}

/* It was short enough when it was opened. */
static void
test_growing (Place *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gsize length = 0;

  grows = self->path;
  g_assert_null (load (self, 0, LENGTH, &length, &error));
  g_assert_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT);
}

#define ADD(name, test) g_test_add ("/read-faults/" name, Place, NULL, set_up, test, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("failing", test_failing);
  ADD ("interrupted", test_interrupted);
  ADD ("little", test_little);
  ADD ("growing", test_growing);
  return g_test_run ();
}
