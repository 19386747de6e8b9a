/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/array.h"

/* Reads an array of NumPy's format 1.0, 2.0 or 3.0 (transfer full): floating-point numbers of 2, 4 and 8 bytes,
 * bfloat16, whole numbers and truth values, of either byte order, in the order of C or Fortran. NULL means that
 * @error is set: of GFileError, HEDDLE_FILES_ERROR_FORMAT or HEDDLE_DIAGRAM_ERROR_LIMIT. Arrays of objects are
 * refused, since reading them would run code. */
HeddleArray *heddle_npy_read (const char *path, GError **error);
/* Writes an array as 8-byte floating-point numbers in the order of C, NumPy's format 1.0. FALSE means that
 * @error is set, of GFileError. */
gboolean heddle_npy_write (const char *path, const HeddleArray *array, GError **error);
