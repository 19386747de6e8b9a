/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

/* Returns the document of a file, .ncd, .eq or .svg with its source, which are distinguished by its content
 * (transfer full). What is wrong in it is added to @problems. NULL means that @error is set, of GFileError or
 * HEDDLE_FILES_ERROR; for HEDDLE_FILES_ERROR_PARSE see @problems, and an .ncd or .svg with nothing in it is
 * HEDDLE_FILES_ERROR_FORMAT. */
HeddleSnapshot *heddle_file_load (const char *path, GPtrArray *problems, GError **error);
