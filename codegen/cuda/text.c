/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdarg.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "codegen/cuda/text.h"
#include "diagram/base/quote.h"

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
  g_autofree char *quoted = comment != NULL ? heddle_quote_comment (comment) : NULL, *whole = text;

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

void
heddle_cuda_print_constant (
    HeddleCudaKernel *self, const HeddleCudaText *body, const char *name, gint64 value)
{
  if (heddle_cuda_text_uses (body, name))
    heddle_cuda_line (
        self, "constexpr %s %s = %" G_GINT64_FORMAT ";", value > G_MAXINT ? "long long" : "int", name, value);
}
