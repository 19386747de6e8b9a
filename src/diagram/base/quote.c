/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <string.h>

#include "diagram/base/quote.h"

/* --- what a terminal obeys ---------------------------------------------------------- */

gboolean
heddle_is_order (gunichar c)
{
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

char *
heddle_quote_visible (const char *text, gboolean lines)
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

/* --- code --------------------------------------------------------------------------- */

/* Returns whether a character ends a line, or shows what follows in another order than it stands: a comment
 * that reads as code, or code as a comment (CVE-2021-42574). */
static gboolean
is_unfit (gunichar c)
{
  return heddle_is_order (c) || c == 0x2028 || c == 0x2029 || c == 0x061c || c == 0x200e || c == 0x200f;
}

/* Returns @text, made valid, with a space for each character that is unfit for code. */
static char *
on_one_line (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *line = g_string_sized_new (strlen (valid));

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (line, is_unfit (c) ? ' ' : c);
    }
  return g_string_free (line, FALSE);
}

char *
heddle_quote_comment (const char *text)
{
  g_autofree char *line = g_strchomp (on_one_line (text));

  if (g_str_has_suffix (line, "\\") || g_str_has_suffix (line, "\?\?/"))
    return g_strconcat (line, ".", NULL);
  return g_steal_pointer (&line);
}

/* The characters that listings and names often have, with a spelling that is easy to read. */
static const struct
{
  gunichar sign;
  const char *text;
} spellings[] = { { 0x2190, "<-" }, { 0x2192, "->" }, { 0x2032, "'" }, { 0x00d7, "x" }, { 0x2026, "..." },
  { 0x2019, "'" }, { 0x201c, "\"" }, { 0x201d, "\"" }, { 0x2264, "<=" }, { 0x2265, ">=" } };

static void
append_ascii (GString *out, gunichar c)
{
  if (c < 0x80)
    {
      g_string_append_c (out, (char) c);
      return;
    }
  if (c >= 0x2080 && c <= 0x2089) /* the digits of a subscript */
    {
      g_string_append_printf (out, "_%c", '0' + (char) (c - 0x2080));
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (spellings); i++)
    if (spellings[i].sign == c)
      {
        g_string_append (out, spellings[i].text);
        return;
      }
  g_string_append_printf (out, c > 0xffff ? "\\U%08x" : "\\u%04x", c);
}

char *
heddle_quote_ascii (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *out = g_string_sized_new (strlen (valid));

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    append_ascii (out, g_utf8_get_char (p));
  return g_string_free (out, FALSE);
}

/* Appends a character of UTF-8, or a byte that is of none, as octal escapes. */
static void
append_octal (GString *out, const char *from, const char *end)
{
  for (; from < end; from++)
    g_string_append_printf (out, "\\%03o", (guchar) *from);
}

char *
heddle_quote_c (const char *text, const char *also)
{
  static const char named[] = "\b\f\n\r\t\v\\\"", letters[] = "bfnrtv\\\"";
  GString *out = g_string_sized_new (strlen (text));

  for (const char *p = text, *next; *p != '\0'; p = next)
    {
      gunichar c = g_utf8_get_char_validated (p, -1);
      const char *name = c < 0x80 ? strchr (named, (int) c) : NULL;

      next = c < 0x110000 ? g_utf8_next_char (p) : p + 1;
      if (name != NULL)
        g_string_append_printf (out, "\\%c", letters[name - named]);
      else if (c >= 0x110000 || is_unfit (c) || (c < 0x80 && strchr (also, (int) c) != NULL))
        append_octal (out, p, next);
      else
        g_string_append_len (out, p, next - p);
    }
  return g_string_free (out, FALSE);
}

char *
heddle_quote_python (const char *text)
{
  g_autofree char *line = on_one_line (text);
  GString *out = g_string_new ("\"");

  for (const char *p = line; *p != '\0'; p++)
    {
      if (*p == '"' || *p == '\\')
        g_string_append_c (out, '\\');
      g_string_append_c (out, *p);
    }
  g_string_append_c (out, '"');
  return g_string_free (out, FALSE);
}

/* --- pages -------------------------------------------------------------------------- */

/* Returns whether XML 1.0 can contain the character, written out or as a reference (its production 2, Char). */
static gboolean
is_xml (gunichar c)
{
  return (c >= 0x20 && c != 0xfffe && c != 0xffff) || c == '\n' || c == '\t' || c == '\r';
}

char *
heddle_quote_xml (const char *text, gboolean attribute)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *out = g_string_sized_new (strlen (valid));

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == '&')
        g_string_append (out, "&amp;");
      else if (c == '<')
        g_string_append (out, "&lt;");
      else if (c == '>')
        g_string_append (out, "&gt;");
      else if (c == '"' && attribute)
        g_string_append (out, "&quot;");
      else if (c == '\r' || (attribute && (c == '\n' || c == '\t')))
        g_string_append_printf (out, "&#%u;", c);
      else if (!is_xml (c))
        g_string_append (out, "\357\277\275");
      else
        g_string_append_len (out, p, g_utf8_next_char (p) - p);
    }
  return g_string_free (out, FALSE);
}

char *
heddle_quote_html (const char *format, va_list arguments)
{
  g_autofree char *escaped = g_markup_vprintf_escaped (format, arguments);
  g_autofree char *shown = heddle_quote_visible (escaped, TRUE);
  GString *out = g_string_sized_new (strlen (shown));

  /* GLib makes references of control characters, which a page would obey again. */
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
