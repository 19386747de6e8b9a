/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "files/base/save.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

/* The number of links that may lead from one to the next, as for the system. */
#define MOST_LINKS 40
/* The end of a temporary file's name, and the bytes of the file's name before it: both fit in 255. */
#define TEMPORARY_END ".heddle-new"
#define MOST_OF_NAME 200

static gboolean
fail (GError **error, int code, const char *path)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), _ ("%s could not be written: %s"), name,
      g_strerror (code));
  return FALSE;
}

/* --- where to --- */

gboolean
heddle_file_is_read_only (const char *path)
{
  GStatBuf status;

  g_return_val_if_fail (path != NULL, FALSE);

  if (g_stat (path, &status) != 0)
    return FALSE;
  return g_access (path, W_OK) != 0 || (status.st_mode & 0222) == 0;
}

/* Returns the target of a link, as seen from Heddle's own folder; NULL if @path is no link. */
static char *
follow (const char *path)
{
  g_autofree char *target = g_file_read_link (path, NULL);
  g_autofree char *folder = NULL;

  if (target == NULL || g_path_is_absolute (target))
    return g_steal_pointer (&target);
  folder = g_path_get_dirname (path);
  return g_build_filename (folder, target, NULL);
}

/* Returns the file that @path, or the link at @path, refers to; it need not exist yet. Newly allocated. */
static char *
file_resolve (const char *path)
{
  char *place, *next;

  g_return_val_if_fail (path != NULL, NULL);

  place = g_strdup (path);
  for (guint i = 0; i < MOST_LINKS && (next = follow (place)) != NULL; i++)
    {
      g_free (place);
      place = next;
    }
  return place;
}

/* --- bytes --- */

static gboolean
write_all (int fd, const char *data, gsize length)
{
  while (length > 0)
    {
      gssize n = write (fd, data, MIN (length, (gsize) G_MAXINT));

      if (n < 0 && errno != EINTR)
        return FALSE;
      if (n == 0)
        {
          errno = ENOSPC;
          return FALSE;
        }
      data += MAX (n, 0);
      length -= MAX (n, 0);
    }
  return TRUE;
}

/* Writes to a pipe or a device, whose place no other file could take. One that nobody reads is an error, not
 * a wait. */
static gboolean
write_special (const char *path, const char *data, gsize length, GError **error)
{
  int fd = g_open (path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC, 0);

  if (fd < 0)
    return fail (error, errno, path);
  if (fcntl (fd, F_SETFL, 0) != 0 || !write_all (fd, data, length))
    {
      int code = errno;

      close (fd);
      return fail (error, code, path);
    }
  return close (fd) == 0 || fail (error, errno, path);
}

/* --- temporary files --- */

static char *
temporary_start (const char *place)
{
  g_autofree char *name = g_path_get_basename (place);

  return g_strdup_printf (".%.*s.", MOST_OF_NAME, name);
}

/* Removes the temporary files of earlier saves of this file that were killed. A process that still writes one
 * holds its lock. */
static void
sweep (const char *folder, const char *start)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = NULL;
      int fd;

      if (!g_str_has_prefix (name, start) || !g_str_has_suffix (name, TEMPORARY_END)
          || strlen (name) != strlen (start) + strlen ("XXXXXX" TEMPORARY_END))
        continue;
      path = g_build_filename (folder, name, NULL);
      fd = g_open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
      if (fd < 0)
        continue;
      if (flock (fd, LOCK_EX | LOCK_NB) == 0)
        g_unlink (path);
      close (fd);
    }
}

/* Returns whether the new file is not ours to write: another process that saves removed it before it was
 * locked, or is about to. Some file systems have no locks. */
static gboolean
is_swept (int fd)
{
  struct stat status;

  if (flock (fd, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK;
  return fstat (fd, &status) == 0 && status.st_nlink == 0;
}

/* Makes a new file in @folder that is locked, and returns its descriptor. Returns -1 if it failed; errno says
 * why. */
static int
make_temporary (const char *folder, const char *start, int mode, char **path)
{
  for (;;)
    {
      g_autofree char *made = g_strconcat (folder, G_DIR_SEPARATOR_S, start, "XXXXXX" TEMPORARY_END, NULL);
      int fd = g_mkstemp_full (made, O_RDWR | O_CLOEXEC, mode);

      if (fd < 0)
        return -1;
      if (!is_swept (fd))
        {
          *path = g_steal_pointer (&made);
          return fd;
        }
      g_unlink (made);
      close (fd);
    }
}

/* Keeps the permissions of a file: writing it does not change who may read and write it. The owner can only
 * be kept by a user who may give files away; a program that ran as its owner does not run as another. */
static gboolean
keep_access (int fd, const struct stat *before)
{
  const gboolean kept = fchown (fd, before->st_uid, before->st_gid) == 0;

  return fchmod (fd, before->st_mode & (kept ? 07777 : 0777)) == 0;
}

/* Makes a new name durable, which takes the folder that holds it. Some file systems cannot do so, and that is
 * no failure of saving. */
static void
sync_folder (const char *folder)
{
  int fd = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

  if (fd < 0)
    return;
  fsync (fd);
  close (fd);
}

/* Writes the bytes to a temporary file beside @place and renames it. @before is NULL for a new file. */
static gboolean
replace (const char *place, const struct stat *before, const char *data, gsize length, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (place), *start = temporary_start (place), *temporary = NULL;
  int fd, code;

  sweep (folder, start);
  fd = make_temporary (folder, start, before != NULL ? 0600 : 0666, &temporary);
  if (fd < 0)
    return fail (error, errno, place);
  if (write_all (fd, data, length) && (before == NULL || keep_access (fd, before)) && fsync (fd) == 0
      && g_rename (temporary, place) == 0)
    {
      close (fd);
      sync_folder (folder);
      return TRUE;
    }
  code = errno;
  g_unlink (temporary);
  close (fd);
  return fail (error, code, place);
}

gboolean
heddle_file_save (const char *path, const char *data, gsize length, GError **error)
{
  g_autofree char *place = NULL;
  struct stat before;
  gboolean is_new;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (data != NULL || length == 0, FALSE);

  is_new = stat (path, &before) != 0;
  if (is_new && errno != ENOENT)
    return fail (error, errno, path);
  place = file_resolve (path);
  if (is_new)
    return replace (place, NULL, data, length, error);
  if (S_ISDIR (before.st_mode))
    return fail (error, EISDIR, path);
  if (!S_ISREG (before.st_mode))
    return write_special (path, data, length, error);
  if (heddle_file_is_read_only (place))
    return fail (error, EACCES, path);
  return replace (place, &before, data, length, error);
}
