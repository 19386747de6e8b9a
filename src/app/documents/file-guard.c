/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "app/documents/file-guard.h"

char *
heddle_file_digest (const char *path)
{
  g_autofree char *data = NULL;
  gsize length;

  if (!g_file_get_contents (path, &data, &length, NULL))
    return NULL;
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) data, length);
}

/* Saving puts a new file in the old one's place, which the folder alone would allow: what the file says counts too. */
gboolean
heddle_file_is_read_only (const char *path)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    return FALSE;
  return g_access (path, W_OK) != 0 || (status.st_mode & 0222) == 0;
}

char *
heddle_file_resolve (const char *path)
{
  char *resolved = realpath (path, NULL);
  char *copy = g_strdup (resolved != NULL ? resolved : path);

  free (resolved);
  return copy;
}

int
heddle_file_lock (const char *path, gboolean *in_use)
{
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);

  *in_use = FALSE;
  if (fd < 0)
    return -1;
  if (flock (fd, LOCK_EX | LOCK_NB) == 0)
    return fd;
  *in_use = errno == EWOULDBLOCK;
  close (fd);
  return -1;
}
