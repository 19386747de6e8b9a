/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdarg.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "codegen/cuda/kernel.h"
#include "codegen/cuda/text.h"

HeddleCudaText *
heddle_cuda_text_new (void)
{
  HeddleCudaText *self = g_new (HeddleCudaText, 1);

  self->text = g_string_new (NULL);
  self->operations = g_ptr_array_new ();
  return self;
}

void
heddle_cuda_text_free (HeddleCudaText *self)
{
  g_string_free (self->text, TRUE);
  g_ptr_array_unref (self->operations);
  g_free (self);
}

guint
heddle_cuda_text_n_lines (const HeddleCudaText *self)
{
  return self->operations->len;
}

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

static gboolean
line_uses (const char *line, const char *end, const char *identifier)
{
  gsize length = strlen (identifier);
  const char *comment = g_strstr_len (line, end - line, "//");

  end = comment != NULL ? comment : end;
  for (const char *p = line; (p = g_strstr_len (p, end - p, identifier)) != NULL; p += length)
    if ((p == line || !is_word (p[-1])) && !is_word (p[length]))
      return TRUE;
  return FALSE;
}

gboolean
heddle_cuda_text_uses (const HeddleCudaText *self, const char *identifier)
{
  const char *line = self->text->str;

  while (*line != '\0')
    {
      const char *end = strchr (line, '\n');

      if (line_uses (line, end, identifier))
        return TRUE;
      line = end + 1;
    }
  return FALSE;
}

/* Returns a line with the text of its comment quoted, as it may contain names and titles from files. Takes
 * @text. */
static char *
quote_remark (char *text)
{
  const char *comment = strstr (text, "//");
  g_autofree char *quoted = comment != NULL ? heddle_cuda_comment (comment) : NULL, *whole = text;

  return quoted != NULL ? g_strdup_printf ("%.*s%s", (int) (comment - text), text, quoted)
                        : g_steal_pointer (&whole);
}

void
heddle_cuda_line (HeddleCudaKernel *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = quote_remark (g_strdup_vprintf (format, arguments));
  va_end (arguments);
  for (guint i = 0; i < self->depth && *text != '\0'; i++)
    g_string_append (self->out->text, "  ");
  g_string_append_printf (self->out->text, "%s\n", text);
  g_ptr_array_add (self->out->operations, (gpointer) self->operation);
}

HeddleCudaText *
heddle_cuda_begin (HeddleCudaKernel *self)
{
  HeddleCudaText *before = self->out;

  self->out = heddle_cuda_text_new ();
  return before;
}

HeddleCudaText *
heddle_cuda_end (HeddleCudaKernel *self, HeddleCudaText *before)
{
  HeddleCudaText *text = self->out;

  self->out = before;
  return text;
}

void
heddle_cuda_append (HeddleCudaKernel *self, HeddleCudaText *text)
{
  g_string_append (self->out->text, text->text->str);
  for (guint i = 0; i < text->operations->len; i++)
    g_ptr_array_add (self->out->operations, g_ptr_array_index (text->operations, i));
  heddle_cuda_text_free (text);
}

/* The width that generated lines do not exceed if they can be broken. */
#define WIDTH 100

char *
heddle_cuda_wrap (const char *head, GPtrArray *items, const char *separator, const char *tail)
{
  g_autoptr (GString) text = g_string_new (head);
  gsize indent = strspn (head, " ") + 4, line = 0;

  for (guint i = 0; i < items->len; i++)
    {
      const char *item = g_ptr_array_index (items, i);
      const char *after = i + 1 < items->len ? separator : tail;

      if (i > 0 && text->len - line + strlen (item) + strlen (after) > WIDTH)
        {
          while (text->str[text->len - 1] == ' ')
            g_string_truncate (text, text->len - 1);
          g_string_append_c (text, '\n');
          line = text->len;
          g_string_append_printf (text, "%*s", (int) indent, "");
        }
      g_string_append_printf (text, "%s%s", item, after);
    }
  if (items->len == 0)
    g_string_append (text, tail);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Ends a line, or shows what follows in another order than it stands: a comment that reads as code, or code
 * as a comment (CVE-2021-42574). */
static gboolean
is_unfit (gunichar c)
{
  return g_unichar_iscntrl (c) || c == 0x2028 || c == 0x2029 || c == 0x061c || c == 0x200e || c == 0x200f
         || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

char *
heddle_cuda_comment (const char *text)
{
  GString *line = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (line, is_unfit (c) ? ' ' : c);
    }
  g_strchomp (line->str);
  line->len = strlen (line->str);
  if (g_str_has_suffix (line->str, "\\") || g_str_has_suffix (line->str, "\?\?/"))
    g_string_append_c (line, '.');
  return g_string_free (line, FALSE);
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
heddle_cuda_ascii (const char *text)
{
  GString *out = g_string_sized_new (strlen (text));

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    append_ascii (out, g_utf8_get_char (p));
  return g_string_free (out, FALSE);
}

void
heddle_cuda_print_constant (
    HeddleCudaKernel *self, const HeddleCudaText *body, const char *name, gint64 value)
{
  if (heddle_cuda_text_uses (body, name))
    heddle_cuda_line (
        self, "constexpr %s %s = %" G_GINT64_FORMAT ";", value > G_MAXINT ? "long long" : "int", name, value);
}
