/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "files/picture/pdf-whole.h"

/* The length of a row of the table: ten digits of a place, five of a generation, what it is, the end of the line. */
#define ROW 20
#define END "%%EOF\n"
/* The place of the table and the end, with room for any number. */
#define LONGEST_END 40

/* Returns whether object @number begins at @place. */
static gboolean
has_object (const char *data, gsize length, guint64 number, guint64 place)
{
  g_autofree char *head = g_strdup_printf ("%" G_GUINT64_FORMAT " 0 obj", number);

  return place < length && length - place >= strlen (head) && memcmp (data + place, head, strlen (head)) == 0;
}

gboolean
heddle_pdf_is_whole (const char *data, gsize length)
{
  /* Whatever is read as a number or a word ends there at the latest. */
  const gboolean ends
      = length > strlen (END) && memcmp (data + length - strlen (END), END, strlen (END)) == 0;
  const gsize tail = MIN (length, LONGEST_END);
  const char *start = ends ? g_strrstr_len (data + length - tail, (gssize) tail, "startxref\n") : NULL;
  const guint64 place = start != NULL ? g_ascii_strtoull (start + strlen ("startxref\n"), NULL, 10) : 0;
  char *at = NULL;

  if (start == NULL || place >= length)
    return FALSE;
  if (!g_str_has_prefix (data + place, "xref\n0 "))
    return TRUE;
  guint64 n = g_ascii_strtoull (data + place + strlen ("xref\n0 "), &at, 10);

  at += *at == '\n';
  for (guint64 i = 0; i < n; i++, at += ROW)
    if (at + ROW > data + length
        || (at[ROW - 3] == 'n' && !has_object (data, length, i, g_ascii_strtoull (at, NULL, 10))))
      return FALSE;
  return TRUE;
}
