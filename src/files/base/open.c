/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "files/base/open.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "files/base/files.h"

/* The number of bytes that are asked of the system at once. */
#define STEP (64 * 1024)

static int
fail (GError **error, int code, const char *path)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), _ ("%s could not be read: %s"), name,
      g_strerror (code));
  return -1;
}

static gboolean
too_large (GError **error, const char *path, gsize most)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT, _ ("%s is larger than %d MiB"), name,
      (int) (most >> 20));
  return FALSE;
}

/* Opens a file without waiting, and examines it when it is open: what the name meant before does not count.
 * Returns -1 with an error. */
static int
open_regular (const char *path, struct stat *status, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  int fd = g_open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);

  if (fd < 0)
    return fail (error, errno, path);
  if (fstat (fd, status) == 0 && S_ISREG (status->st_mode))
    return fd;
  g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT,
      S_ISDIR (status->st_mode) ? _ ("%s is a folder") : _ ("%s is not a regular file"), name);
  close (fd);
  return -1;
}

/* Reads until the end, or until there is more than @most. Returns FALSE if it failed; errno says why. */
static gboolean
read_all (int fd, gsize most, GByteArray *bytes)
{
  while (bytes->len <= most)
    {
      const guint before = bytes->len;
      gssize n;

      g_byte_array_set_size (bytes, before + MIN (most + 1 - before, (gsize) STEP));
      n = read (fd, bytes->data + before, bytes->len - before);
      g_byte_array_set_size (bytes, before + MAX (n, 0));
      if (n == 0)
        return TRUE;
      if (n < 0 && errno != EINTR)
        return FALSE;
    }
  return TRUE;
}

gboolean
heddle_file_read (const char *path, gsize most, char **data, gsize *length, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  struct stat status;
  gboolean good;
  int fd;

  g_return_val_if_fail (path != NULL && data != NULL && length != NULL && most < G_MAXINT, FALSE);

  fd = open_regular (path, &status, error);
  if (fd < 0)
    return FALSE;
  good = status.st_size > (goffset) most || read_all (fd, most, bytes);
  if (!good)
    fail (error, errno, path);
  close (fd);
  if (!good)
    return FALSE;
  if (status.st_size > (goffset) most || bytes->len > most)
    return too_large (error, path, most);
  *length = bytes->len;
  g_byte_array_append (bytes, (const guint8 *) "", 1);
  *data = (char *) g_byte_array_free (g_steal_pointer (&bytes), FALSE);
  return TRUE;
}

GMappedFile *
heddle_file_map (const char *path, GError **error)
{
  GMappedFile *file;
  struct stat status;
  int fd;

  g_return_val_if_fail (path != NULL, NULL);

  fd = open_regular (path, &status, error);
  if (fd < 0)
    return NULL;
  file = g_mapped_file_new_from_fd (fd, FALSE, error);
  close (fd);
  return file;
}
