/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "files/base/visible.h"

/* Names come from files of strangers. They are shown with \uXXXX, as JSON writes it, so that they may stand
 * there too. */

/**
 * heddle_is_order:
 * @c: a character
 *
 * Returns: whether it is of C0, DEL or C1, or an embedding, override or isolate of the bidirectional algorithm (UAX #9, 2)
 */
gboolean
heddle_is_order (gunichar c)
{
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/**
 * heddle_visible_text:
 * @text: a text from anywhere, UTF-8 or not
 * @lines: whether it is of several lines: line feeds and tabs stay as they are
 *
 * Returns: (transfer full): the text without anything that a terminal obeys
 */
char *
heddle_visible_text (const char *text, gboolean lines)
{
  g_autofree char *valid = NULL;
  GString *out;

  g_return_val_if_fail (text != NULL, NULL);
  valid = g_utf8_make_valid (text, -1);
  out = g_string_sized_new (strlen (valid));
  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (heddle_is_order (c) && !(lines && (c == '\n' || c == '\t')))
        g_string_append_printf (out, "\\u%04x", c);
      else
        g_string_append_len (out, p, g_utf8_next_char (p) - p);
    }
  return g_string_free (out, FALSE);
}

/**
 * heddle_visible_markup:
 * @markup: what g_markup_escape_text () made
 *
 * Returns: (transfer full): the markup without references to control characters, nor anything that turns the direction of what follows
 */
char *
heddle_visible_markup (const char *markup)
{
  g_autofree char *shown = NULL;
  GString *out;

  g_return_val_if_fail (markup != NULL, NULL);
  shown = heddle_visible_text (markup, TRUE);
  out = g_string_sized_new (strlen (shown));
  for (const char *p = shown; *p != '\0';)
    {
      char *end = NULL;
      guint64 c = g_str_has_prefix (p, "&#x") ? g_ascii_strtoull (p + 3, &end, 16) : 0;

      if (end != NULL && *end == ';' && c > 0 && heddle_is_order ((gunichar) c))
        {
          g_string_append_printf (out, "\\u%04x", (guint) c);
          p = end + 1;
        }
      else
        g_string_append_c (out, *p++);
    }
  return g_string_free (out, FALSE);
}
