/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "app/documents/file-guard.h"
#include "files/base/open.h"

char *
heddle_file_digest (const char *path)
{
  g_autofree char *data = NULL;
  gsize length;

  if (!heddle_file_read (path, HEDDLE_FILE_MOST_TEXT, &data, &length, NULL))
    return NULL;
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) data, length);
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
