/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/base/error.h"
#include "diagram/expression/lex.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

HeddleExpr *
heddle_expr_fail (HeddleExprParser *self, const char *at, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (self->error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_SYNTAX, "%ld: %s",
      g_utf8_pointer_to_offset (self->text, at) + 1, message);
  return NULL;
}

HeddleExpr *
heddle_expr_fail_expected (HeddleExprParser *self, const char *what)
{
  g_autofree char *found = NULL;

  if (*self->at == '\0')
    return heddle_expr_fail (self, self->at, _ ("expected %s, found the end"), what);
  found = g_utf8_substring (self->at, 0, 1);
  return heddle_expr_fail (self, self->at, _ ("expected %s, found “%s”"), what, found);
}

void
heddle_expr_skip_space (HeddleExprParser *self)
{
  while (g_ascii_isspace (*self->at))
    self->at++;
}

gboolean
heddle_expr_accept (HeddleExprParser *self, const char *sign)
{
  heddle_expr_skip_space (self);
  if (!g_str_has_prefix (self->at, sign))
    return FALSE;
  self->at += strlen (sign);
  return TRUE;
}

static gboolean
is_letter (const char *at)
{
  return g_unichar_isalpha (g_utf8_get_char (at));
}

static const char *
skip_alnum (const char *at)
{
  while (g_unichar_isalnum (g_utf8_get_char (at)))
    at = g_utf8_next_char (at);
  return at;
}

/* Skips an accent and its space: `\bar x` is one name, `\alpha x` two. */
static const char *
skip_accent (const char *at)
{
  static const char *const accents[] = { "\\bar ", "\\hat ", "\\tilde ", "\\vec ", "\\dot ", "\\ddot ",
    "\\overline ", "\\mathbf ", "\\mathrm ", "\\mathcal ", "\\mathbb ", "\\boldsymbol " };

  for (gsize i = 0; i < G_N_ELEMENTS (accents); i++)
    if (g_str_has_prefix (at, accents[i]))
      return at + strlen (accents[i]);
  return at;
}

/* Returns the end of the subscript that begins at the underscore @at; NULL if it is none. */
static const char *
skip_subscript (const char *at)
{
  const char *end;

  if (at[1] != '{')
    return g_unichar_isalnum (g_utf8_get_char (at + 1)) ? skip_alnum (at + 1) : NULL;
  end = strpbrk (at + 2, "}\n");
  return end != NULL && *end == '}' ? end + 1 : NULL;
}

/* Returns the end of an accent and letters; NULL if there is none. */
static const char *
skip_word (const char *at)
{
  const char *letter = skip_accent (at);

  letter += *letter == '\\';
  return is_letter (letter) ? skip_alnum (letter) : NULL;
}

/* Returns the end of what is joined by the dot @at, with perhaps a number between; NULL if it joins
 * nothing. */
static const char *
skip_joined (const char *at)
{
  const char *digits = at + 1 + strspn (at + 1, "0123456789");

  return skip_word (digits > at + 1 && *digits == '.' ? digits + 1 : at + 1);
}

const char *
heddle_expr_name_end (const char *at)
{
  const char *end = skip_word (at);

  if (end == NULL)
    return at;
  for (;;)
    {
      const char *next = NULL;

      if (*end == '_')
        next = skip_subscript (end);
      else if (*end == '.')
        next = skip_joined (end);
      else if (*end == '\'')
        next = end + 1;
      if (next == NULL)
        return end;
      end = next;
    }
}

gboolean
heddle_expr_accept_word (HeddleExprParser *self, const char *word)
{
  gsize length = strlen (word);

  heddle_expr_skip_space (self);
  if (!g_str_has_prefix (self->at, word) || heddle_expr_name_end (self->at) != self->at + length)
    return FALSE;
  self->at += length;
  return TRUE;
}

gboolean
heddle_expr_peek_word (HeddleExprParser *self, const char *word)
{
  const char *at = self->at;
  gboolean found = heddle_expr_accept_word (self, word);

  self->at = at;
  return found;
}

HeddleExpr *
heddle_expr_parse_number (HeddleExprParser *self)
{
  const char *start = self->at, *end = start;
  g_autofree char *digits = NULL;
  double value;

  while (g_ascii_isdigit (*end))
    end++;
  if (end[0] == '.' && g_ascii_isdigit (end[1]))
    for (end++; g_ascii_isdigit (*end);)
      end++;
  if (g_ascii_tolower (end[0]) == 'e'
      && (g_ascii_isdigit (end[1])
          || (strchr ("+-", end[1]) != NULL && end[1] != '\0' && g_ascii_isdigit (end[2]))))
    for (end += 2; g_ascii_isdigit (*end);)
      end++;

  digits = g_strndup (start, end - start);
  value = g_ascii_strtod (digits, NULL);
  if (isinf (value))
    return heddle_expr_fail (self, start, _ ("the number is too large"));
  self->at = end;
  return heddle_expr_number (value);
}

HeddleExpr *
heddle_expr_parse_argument (HeddleExprParser *self)
{
  const char *start = self->at++;
  guint64 operand;
  char *end;

  if (!g_ascii_isdigit (*self->at))
    return heddle_expr_fail_expected (self, _ ("the number of an operand"));
  operand = g_ascii_strtoull (self->at, &end, 10);
  if (operand > G_MAXUINT16)
    return heddle_expr_fail (self, start, _ ("there are not that many operands"));
  self->at = end;
  return heddle_expr_argument (operand);
}
