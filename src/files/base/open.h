/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The greatest size of a text, in bytes: larger than any that one of the readers takes. */
#define HEDDLE_FILE_MOST_TEXT (64 * 1024 * 1024)

/* Reads the whole of a regular file of at most @most bytes, with a 0 after it that @length does not count;
 * the caller owns @data. A folder, a pipe and a device are refused without a wait:
 * %HEDDLE_FILES_ERROR_FORMAT; a longer file is %HEDDLE_FILES_ERROR_LIMIT, also where it grows while it is
 * read. Others are of GFileError. */
gboolean heddle_file_read (const char *path, gsize most, char **data, gsize *length, GError **error);
/* Maps a regular file of any length, whose pages are only read as they are needed. The errors are as of
 * heddle_file_read(). */
GMappedFile *heddle_file_map (const char *path, GError **error);
