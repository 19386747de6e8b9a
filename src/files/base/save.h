/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Puts @data in the place of what @path holds: the one way in which Heddle writes a file. Whoever looks sees the whole of the
 * old file or of the new one, also after a power cut. Of a file that is there the permissions and, where the system allows it,
 * the owner stay; a symbolic link stays one, and its target is written; a pipe or a device is written to. FALSE comes with a
 * GFileError, and the file is as before: %G_FILE_ERROR_ACCES where the file is read-only. */
gboolean heddle_file_save (const char *path, const char *data, gsize length, GError **error);
/* Whether the file is there and is not to be written: by its permissions, even where root could, or by the system's. */
gboolean heddle_file_is_read_only (const char *path);
/* The file itself where @path is a link to it, which need not be there yet; newly allocated. */
char *heddle_file_resolve (const char *path);

G_END_DECLS
