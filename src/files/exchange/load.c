/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "files/base/files.h"
#include "files/base/open.h"
#include "files/equations/document.h"
#include "files/exchange/load.h"
#include "files/ncd/read.h"
#include "files/picture/pdf-read.h"
#include "files/picture/svg-read.h"
#include "files/picture/tikz-read.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* Skips white space, so that the content tells what kind of file it is. */
static const char *
skip_space (const char *data, const char *end)
{
  if ((gsize) (end - data) >= strlen (BYTE_ORDER_MARK)
      && memcmp (data, BYTE_ORDER_MARK, strlen (BYTE_ORDER_MARK)) == 0)
    data += strlen (BYTE_ORDER_MARK);
  while (data < end && g_ascii_isspace (*data))
    data++;
  return data;
}

/* Returns whether the file lost its content: an empty text is a document without equations, but an empty file
 * of another kind is none. */
static gboolean
is_emptied (const char *path, const char *start, const char *end)
{
  return start == end && (g_str_has_suffix (path, ".ncd") || g_str_has_suffix (path, ".svg"));
}

/**
 * heddle_file_load:
 * @path: a file of any kind that holds a document: `.ncd`, `.eq`, `.svg`, `.pdf` or `.tex` with its source
 * @problems: (element-type HeddleProblem): what was found in the file is added
 * @error: return location for a #GFileError or a %HEDDLE_FILES_ERROR
 *
 * Content decides what the file is: what begins with `<` is XML, what Heddle wrote for TeX is known by its first words or its
 * source, and anything else is equations. An `.ncd` or `.svg` with nothing in it is %HEDDLE_FILES_ERROR_FORMAT.
 *
 * Returns: (transfer full): the snapshot; %NULL with @error set. %HEDDLE_FILES_ERROR_PARSE: see @problems
 */
HeddleSnapshot *
heddle_file_load (const char *path, GPtrArray *problems, GError **error)
{
  g_autofree char *data = NULL;
  HeddleSnapshot *snapshot;
  const char *start;
  gsize length;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (problems != NULL, NULL);

  if (!heddle_file_read (path, HEDDLE_FILE_MOST_TEXT, &data, &length, error))
    return NULL;
  start = skip_space (data, data + length);
  if (is_emptied (path, start, data + length))
    {
      g_autofree char *name = g_filename_display_name (path);

      g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT, _ ("%s is empty"), name);
      return NULL;
    }
  if (heddle_svg_is (start, data + length - start))
    snapshot = heddle_svg_read (data, length, path, problems);
  else if (heddle_pdf_is (start, (gsize) (data + length - start)))
    snapshot = heddle_pdf_read (start, (gsize) (data + length - start), path, problems);
  else if (heddle_tikz_is (start, (gsize) (data + length - start)))
    snapshot = heddle_tikz_read (start, (gsize) (data + length - start), path, problems);
  else if (start < data + length && *start == '<')
    snapshot = heddle_ncd_read (data, length, path, problems);
  else
    snapshot = heddle_equations_read (data, (gssize) length, path, problems);
  if (snapshot == NULL)
    g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_PARSE, _ ("%s has errors"), path);
  return snapshot;
}
