/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Replaces the content of @path by @data: the one way in which Heddle writes a file. Readers see the whole of
 * the old file or of the new one, also after a power cut. Of a file that is there the permissions and, where
 * the system allows it, the owner stay; a symbolic link stays one, and its target is written; a pipe or a
 * device is written to. FALSE comes with a GFileError, and the file is as before: %G_FILE_ERROR_ACCES where
 * the file is read-only. */
gboolean heddle_file_save (const char *path, const char *data, gsize length, GError **error);
/* Returns whether the file exists and must not be written: by its permissions, even where root could write
 * it, or by the file system's. */
gboolean heddle_file_is_read_only (const char *path);
