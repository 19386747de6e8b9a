/* SPDX-License-Identifier: MIT */
#include "config.h"
#include <string.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include "files/base/save.h"

/**
 * heddle_file_save:
 * @path: where to
 * @data: the bytes
 * @length: how many
 * @error: return location for a #GFileError
 *
 * Writes a temporary file beside @path and renames it: whoever looks sees the whole of the old file or of the new one.
 *
 * Returns: whether it was written
 */
gboolean
heddle_file_save (const char *path, const char *data, gsize length, GError **error)
{
  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (data != NULL, FALSE);

  return g_file_set_contents_full (
      path, data, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0666, error);
}
