/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes @data to a temporary file beside @path and renames it, so that nothing half-written is left. FALSE means
 * that @error is set, of GFileError. */
gboolean heddle_file_save (const char *path, const char *data, gsize length, GError **error);

G_END_DECLS
