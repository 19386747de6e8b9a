/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "files/ncd/read.h"
#include "files/picture/picture.h"
#include "files/picture/tikz-read.h"
#include "files/picture/tikz-source.h"

/* Returns the mark at the beginning of a line; NULL if there is none. */
static const char *
find_mark (const char *data, gsize length)
{
  const char *mark = g_strstr_len (data, (gssize) length, "\n" HEDDLE_TIKZ_SOURCE_START);

  return mark != NULL ? mark + 1 : NULL;
}

static gboolean
begins (const char *data, gsize length, const char *text)
{
  return length >= strlen (text) && memcmp (data, text, strlen (text)) == 0;
}

gboolean
heddle_tikz_is (const char *data, gsize length)
{
  return begins (data, length, HEDDLE_TIKZ_FIGURE) || begins (data, length, HEDDLE_TIKZ_DOCUMENT)
         || find_mark (data, length) != NULL;
}

/* Returns the next line without its end, which may be that of another system. */
static char *
take_line (const char **at, const char *end)
{
  const char *stop = memchr (*at, '\n', (gsize) (end - *at));
  char *line = g_strndup (*at, (gsize) ((stop != NULL ? stop : end) - *at));

  *at = stop != NULL ? stop + 1 : end;
  if (g_str_has_suffix (line, "\r"))
    line[strlen (line) - 1] = '\0';
  return line;
}

/* Returns the lines of the source, joined again, and the hash that stands before them. */
static char *
take_source (const char *at, const char *end, char **hash)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *mark = take_line (&at, end);

  *hash = g_strdup (mark + strlen (HEDDLE_TIKZ_SOURCE_START));
  while (at < end && begins (at, (gsize) (end - at), HEDDLE_TIKZ_SOURCE_LINE))
    {
      at += strlen (HEDDLE_TIKZ_SOURCE_LINE);
      g_ptr_array_add (lines, take_line (&at, end));
    }
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (char **) lines->pdata);
}

HeddleSnapshot *
heddle_tikz_read (const char *data, gsize length, const char *file_name, GPtrArray *problems)
{
  const char *mark = find_mark (data, length);
  g_autofree char *hash = NULL, *source = NULL, *computed = NULL;

  if (mark == NULL)
    {
      heddle_picture_report_bare (problems, file_name);
      return NULL;
    }
  source = take_source (mark, data + length, &hash);
  computed = heddle_picture_hash (data, (gsize) (mark - data), source);
  if (strcmp (hash, computed) != 0)
    heddle_picture_report_stale (problems, file_name);
  return heddle_ncd_read (source, strlen (source), file_name, problems);
}
