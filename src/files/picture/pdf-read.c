/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "files/ncd/read.h"
#include "files/picture/pdf-read.h"
#include "files/picture/picture.h"

/* Strings are written as ISO 32000-1, 7.3.4 and 7.9.2.2 have them: "(text)" with backslashes, or
 * "<hexadecimal>"; in UTF-16 where they begin with its mark. */

#define KEYWORDS "/Keywords"
#define UTF16_MARK "\xfe\xff"

gboolean
heddle_pdf_is (const char *data, gsize length)
{
  return length >= 5 && memcmp (data, "%PDF-", 5) == 0;
}

/* Returns the last keywords: a PDF that was saved again has the newest at its end. */
static const char *
find_keywords (const char *data, gsize length)
{
  const char *found = NULL, *end = data + length;

  for (const char *at = data; at < end && (at = memchr (at, '/', (gsize) (end - at))) != NULL; at++)
    if ((gsize) (end - at) > strlen (KEYWORDS) && memcmp (at, KEYWORDS, strlen (KEYWORDS)) == 0)
      found = at + strlen (KEYWORDS);
  while (found != NULL && found < end && g_ascii_isspace (*found))
    found++;
  return found;
}

static void
take_hexadecimal (const char *at, const char *end, GString *bytes)
{
  int high = -1;

  for (; at < end && *at != '>'; at++)
    {
      const int digit = g_ascii_xdigit_value (*at);

      if (digit < 0)
        continue;
      if (high >= 0)
        g_string_append_c (bytes, (char) (high << 4 | digit));
      high = high >= 0 ? -1 : digit;
    }
}

/* Takes what follows a backslash, and returns where it ends. */
static const char *
take_escape (const char *at, const char *end, GString *bytes)
{
  static const char letters[] = "nrtbf", meant[] = "\n\r\t\b\f";
  const char *letter = *at != '\0' ? strchr (letters, *at) : NULL;
  guint octal = 0, n = 0;

  while (n < 3 && at + n < end && at[n] >= '0' && at[n] <= '7')
    octal = octal * 8 + (guint) (at[n++] - '0');
  if (n > 0)
    g_string_append_c (bytes, (char) octal);
  else if (letter != NULL)
    g_string_append_c (bytes, meant[letter - letters]);
  else if (*at != '\n') /* the end of a line is left out */
    g_string_append_c (bytes, *at);
  return at + MAX (n, 1);
}

static void
take_literal (const char *at, const char *end, GString *bytes)
{
  guint depth = 1;

  while (at < end)
    {
      if (*at == '\\' && at + 1 < end)
        {
          at = take_escape (at + 1, end, bytes);
          continue;
        }
      depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
      if (depth == 0)
        return;
      g_string_append_c (bytes, *at++);
    }
}

static char *
decode (const GString *bytes)
{
  if (bytes->len >= 2 && memcmp (bytes->str, UTF16_MARK, 2) == 0)
    return g_convert (bytes->str + 2, (gssize) bytes->len - 2, "UTF-8", "UTF-16BE", NULL, NULL, NULL);
  return g_utf8_make_valid (bytes->str, (gssize) bytes->len);
}

static char *
take_source (const char *data, gsize length)
{
  const char *at = find_keywords (data, length), *end = data + length;
  g_autoptr (GString) bytes = g_string_new (NULL);

  if (at == NULL || at >= end)
    return NULL;
  if (*at == '<')
    take_hexadecimal (at + 1, end, bytes);
  else if (*at == '(')
    take_literal (at + 1, end, bytes);
  g_autofree char *text = decode (bytes);
  return text != NULL && strstr (text, HEDDLE_NCD_NAMESPACE) != NULL ? g_steal_pointer (&text) : NULL;
}

HeddleSnapshot *
heddle_pdf_read (const char *data, gsize length, const char *file_name, GPtrArray *problems)
{
  g_autofree char *source = take_source (data, length);

  if (source != NULL)
    return heddle_ncd_read (source, strlen (source), file_name, problems);
  heddle_picture_report_bare (problems, file_name);
  return NULL;
}
