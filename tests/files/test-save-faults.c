/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "files/base/save.h"

/* What saving asks of the system goes through this program first: any of the calls can fail, or be the last that the process makes. Afterwards a file
 * holds what it held or what was saved, all of it, and nothing lies beside it. */

static gboolean armed, killing;
static guint n_calls, at; /* which call has the fault; from 1 on */
static int code; /* of the fault */
static gsize most_written = G_MAXINT; /* by one call */

static gboolean
has_fault (void)
{
  if (!armed || ++n_calls != at)
    return FALSE;
  if (killing)
    raise (SIGKILL);
  errno = code;
  return TRUE;
}

ssize_t
write (int fd, const void *data, size_t length)
{
  if (!armed)
    return syscall (SYS_write, fd, data, length);
  return has_fault () ? -1 : syscall (SYS_write, fd, data, MIN (length, most_written));
}

int
fsync (int fd)
{
  return has_fault () ? -1 : (int) syscall (SYS_fsync, fd);
}

int
rename (const char *from, const char *to)
{
  return has_fault () ? -1 : (int) syscall (SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int
fchmod (int fd, mode_t mode)
{
  return has_fault () ? -1 : (int) syscall (SYS_fchmod, fd, mode);
}

int
fchown (int fd, uid_t owner, gid_t group)
{
  return has_fault () ? -1 : (int) syscall (SYS_fchown, fd, owner, group);
}

/* What another saving does between the making of a file and its lock: it takes the lock, and removes the file. */
static gboolean sweeping;

static int
sweep_first (int fd)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", fd), *path = g_file_read_link (link, NULL);

  sweeping = FALSE;
  g_unlink (path);
  errno = EWOULDBLOCK;
  return -1;
}

int
flock (int fd, int operation)
{
  if (sweeping)
    return sweep_first (fd);
  return has_fault () ? -1 : (int) syscall (SYS_flock, fd, operation);
}

/* --- what is saved --- */

/* Longer than a page, and each its own. */
#define LENGTH 9000

static char *
text_of (char letter)
{
  return g_strnfill (LENGTH, letter);
}

typedef struct
{
  char *folder, *path, *old, *new;
} Place;

static void
set_up (Place *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("heddle-faults-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "a.ncd", NULL);
  self->old = text_of ('o');
  self->new = text_of ('n');
  most_written = 1000;
}

/* Nothing may be left beside the file: rmdir () fails otherwise. */
static void
tear_down (Place *self, gconstpointer data)
{
  armed = FALSE;
  g_unlink (self->path);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
  g_free (self->old);
  g_free (self->new);
}

/* The file of before; none where @is_new. */
static void
put_old (const Place *self, gboolean is_new)
{
  g_unlink (self->path);
  if (is_new)
    return;
  g_assert_true (g_file_set_contents (self->path, self->old, LENGTH, NULL));
  g_chmod (self->path, 0600);
}

static gboolean
holds (const Place *self, const char *text)
{
  g_autofree char *data = NULL;
  gsize length;

  return g_file_get_contents (self->path, &data, &length, NULL) && length == LENGTH
         && memcmp (data, text, LENGTH) == 0;
}

/* In one look: what is there may be another text a moment later. */
static gboolean
holds_either (const Place *self)
{
  g_autofree char *data = NULL;
  gsize length;

  return g_file_get_contents (self->path, &data, &length, NULL) && length == LENGTH
         && (memcmp (data, self->old, LENGTH) == 0 || memcmp (data, self->new, LENGTH) == 0);
}

static guint
count_files (const Place *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
assert_private (const Place *self)
{
  GStatBuf status;

  g_assert_cmpint (g_stat (self->path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 07777, ==, 0600);
}

static gboolean
save (const Place *self, guint call, GError **error)
{
  gboolean saved;

  n_calls = 0;
  at = call;
  armed = TRUE;
  saved = heddle_file_save (self->path, self->new, LENGTH, error);
  armed = FALSE;
  return saved;
}

/* --- a call that fails --- */

static void
check_failing (const Place *self, guint call, gboolean is_new)
{
  g_autoptr (GError) error = NULL;
  gboolean saved;

  put_old (self, is_new);
  saved = save (self, call, &error);
  g_assert_true (saved == (error == NULL));
  if (saved)
    g_assert_true (holds (self, self->new));
  else if (is_new)
    g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
  else
    g_assert_true (holds (self, self->old));
  g_assert_cmpuint (count_files (self), ==, saved || !is_new ? 1 : 0);
  if (!is_new)
    assert_private (self);
}

/* Each of the calls in turn, and one more, which has none: writes, fsync and rename among them. */
static void
test_failing (Place *self, gconstpointer data)
{
  const gboolean is_new = GPOINTER_TO_INT (data);
  guint last;

  put_old (self, is_new);
  g_assert_true (save (self, 0, NULL));
  last = n_calls;
  g_assert_cmpuint (last, >=, LENGTH / 1000 + 3);
  code = ENOSPC;
  for (guint i = 1; i <= last + 1; i++)
    check_failing (self, i, is_new);
  code = EIO;
  for (guint i = 1; i <= last + 1; i++)
    check_failing (self, i, is_new);
}

/* Another program's signal is no failure. */
static void
test_interrupted (Place *self, gconstpointer data)
{
  put_old (self, FALSE);
  code = EINTR;
  g_assert_true (save (self, 5, NULL));
  g_assert_true (holds (self, self->new));
}

static void
test_swept (Place *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  put_old (self, FALSE);
  sweeping = TRUE;
  g_assert_true (save (self, 0, &error));
  g_assert_no_error (error);
  g_assert_true (holds (self, self->new));
}

/* A system that takes nothing, without saying why, is not asked for ever. */
static void
test_nothing_taken (Place *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  put_old (self, FALSE);
  most_written = 0;
  g_assert_false (save (self, 0, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
  g_assert_true (holds (self, self->old));
}

/* --- the end of the process --- */

static void
check_killed (const Place *self, guint call)
{
  int status;
  pid_t child;

  put_old (self, FALSE);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      killing = TRUE;
      save (self, call, NULL);
      _exit (0);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (holds_either (self));
  assert_private (self);
  g_assert_true (save (self, 0, NULL));
  g_assert_true (holds (self, self->new));
  g_assert_cmpuint (count_files (self), ==, 1);
}

/* Whatever call is the last: the next saving puts all in order. */
static void
test_killed (Place *self, gconstpointer data)
{
  put_old (self, FALSE);
  g_assert_true (save (self, 0, NULL));
  for (guint i = n_calls + 1; i > 0; i--)
    check_killed (self, i);
}

/* --- a disk that is full --- */

static void
test_full (Place *self, gconstpointer data)
{
  struct rlimit before, small;
  g_autoptr (GError) error = NULL;
  gboolean saved;

  put_old (self, FALSE);
  most_written = G_MAXINT;
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  small = before;
  small.rlim_cur = LENGTH / 2;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  saved = heddle_file_save (self->path, self->new, LENGTH, &error);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_false (saved);
  g_assert_nonnull (error);
  g_assert_true (holds (self, self->old));
  g_clear_error (&error);
  g_assert_false (heddle_file_save ("/dev/full", self->new, LENGTH, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
}

/* --- two who write at once --- */

#define SAVINGS 200

static pid_t
start_writer (const Place *self, const char *text)
{
  pid_t child = fork ();

  g_assert_cmpint (child, >=, 0);
  if (child != 0)
    return child;
  for (guint i = 0; i < SAVINGS; i++)
    if (!heddle_file_save (self->path, text, LENGTH, NULL))
      _exit (1);
  _exit (0);
}

/* Whoever reads meanwhile finds one text or the other. */
static void
test_two_writers (Place *self, gconstpointer data)
{
  pid_t first, second;
  int status = 0, other = 0;
  gboolean one_ended = FALSE;

  put_old (self, FALSE);
  first = start_writer (self, self->old);
  second = start_writer (self, self->new);
  while (!one_ended)
    {
      g_assert_true (holds_either (self));
      one_ended = waitpid (first, &status, WNOHANG) == first;
    }
  g_assert_cmpint (waitpid (second, &other, 0), ==, second);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  g_assert_true (WIFEXITED (other) && WEXITSTATUS (other) == 0);
  g_assert_true (holds_either (self));
  g_assert_cmpuint (count_files (self), ==, 1);
}

#define ADD(name, data, test) g_test_add ("/save-faults/" name, Place, data, set_up, test, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("failing/new", GINT_TO_POINTER (TRUE), test_failing);
  ADD ("failing/old", GINT_TO_POINTER (FALSE), test_failing);
  ADD ("interrupted", NULL, test_interrupted);
  ADD ("swept", NULL, test_swept);
  ADD ("nothing-taken", NULL, test_nothing_taken);
  ADD ("killed", NULL, test_killed);
  ADD ("full", NULL, test_full);
  ADD ("two-writers", NULL, test_two_writers);
  return g_test_run ();
}
