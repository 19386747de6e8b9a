/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "files/equations/arena.h"
#include "files/equations/lex.h"
#include "files/equations/report.h"

typedef struct
{
  HeddleEqArena *arena;
  HeddleEqLine *line;
  GArray *tokens;
  const char *at, *end;
  guint column;
} Lexer;

static gunichar
peek (const Lexer *self)
{
  return self->at < self->end ? g_utf8_get_char (self->at) : 0;
}

static gunichar
char_at (const Lexer *self, const char *at)
{
  return at < self->end ? g_utf8_get_char (at) : 0;
}

static void
add (Lexer *self, HeddleEqTokenKind kind, const char *end, double number)
{
  HeddleEqToken token = { kind, NULL, number, self->column };

  token.text = heddle_eq_name (self->arena, self->at, end - self->at);
  g_array_append_val (self->tokens, token);
  self->column += (guint) g_utf8_strlen (self->at, end - self->at);
  self->at = end;
}

/* --- numbers ------------------------------------------------------------------------- */

static const char *
skip_digits (const Lexer *self, const char *at)
{
  while (at < self->end && g_ascii_isdigit (*at))
    at++;
  return at;
}

static gboolean
is_digit (const Lexer *self, const char *at)
{
  return at < self->end && g_ascii_isdigit (*at);
}

static const char *
skip_exponent (const Lexer *self, const char *at)
{
  const char *digits = at + 1;

  if (at >= self->end || (*at != 'e' && *at != 'E'))
    return at;
  if (digits < self->end && (*digits == '+' || *digits == '-'))
    digits++;
  return is_digit (self, digits) ? skip_digits (self, digits) : at;
}

static gboolean
lex_number (Lexer *self)
{
  const char *end = skip_digits (self, self->at);
  g_autofree char *digits = NULL;
  double number;

  if (end < self->end && *end == '.')
    end = skip_digits (self, end + 1);
  end = skip_exponent (self, end);
  digits = g_strndup (self->at, (gsize) (end - self->at));
  number = g_ascii_strtod (digits, NULL);
  if (isinf (number))
    {
      heddle_eq_error (self->line, self->column, _ ("the number is too large; infinity is written inf"));
      return FALSE;
    }
  add (self, HEDDLE_EQ_TOKEN_NUMBER, end, number);
  return TRUE;
}

/* --- names --------------------------------------------------------------------------- */

static const char *
skip_alnum (const Lexer *self, const char *at)
{
  while (at < self->end && g_unichar_isalnum (g_utf8_get_char (at)))
    at = g_utf8_next_char (at);
  return at;
}

/* Skips an accent: `\bar x` is one name, `\alpha x` two side by side, since `\bar` stands on a letter and
 * `\alpha` is one. */
static const char *
skip_accent (const Lexer *self, const char *at)
{
  static const char *const accents[] = { "\\bar", "\\hat", "\\tilde", "\\vec", "\\dot", "\\ddot", "\\check",
    "\\overline", "\\underline", "\\mathbf", "\\mathrm", "\\mathit", "\\mathcal", "\\mathbb", "\\mathsf",
    "\\mathfrak", "\\boldsymbol" };

  for (gsize i = 0; i < G_N_ELEMENTS (accents); i++)
    {
      gsize length = strlen (accents[i]);
      const char *after = at + length;

      if (after >= self->end || strncmp (at, accents[i], length) != 0 || *after != ' ')
        continue;
      while (after < self->end && *after == ' ')
        after++;
      if (char_at (self, after) == '\\' || g_unichar_isalpha (char_at (self, after)))
        return after;
    }
  return at;
}

/* Returns the end of `{ … }`, with braces within braces closed. */
static const char *
skip_braces (const Lexer *self, const char *at)
{
  int depth = 0;

  for (; at < self->end; at++)
    {
      depth += (*at == '{') - (*at == '}');
      if (depth == 0)
        return at + 1;
    }
  return NULL;
}

/* Returns the end of the subscript that begins at the underscore @at; @at itself if there is none. */
static const char *
skip_subscript (const Lexer *self, const char *at)
{
  gboolean braces = char_at (self, at + 1) == '{';
  const char *end = braces ? skip_braces (self, at + 1) : skip_alnum (self, at + 1);

  return end != NULL && end > at + 1 ? end : at;
}

/* Returns the end of a name without dots that begins at @at; @at itself if there is none. */
static const char *
part_end (const Lexer *self, const char *at)
{
  const char *end = skip_accent (self, at);

  if (char_at (self, end) == '\\')
    end++;
  if (!g_unichar_isalpha (char_at (self, end)))
    return at;
  end = skip_alnum (self, end);
  if (char_at (self, end) == '_')
    end = skip_subscript (self, end);
  while (char_at (self, end) == '\'')
    end++;
  return end;
}

/* Returns the end of a name. Dots join the name of a call's result and those of things within what is called,
 * with a number between if that is repeated. */
static const char *
name_end (const Lexer *self)
{
  const char *end = part_end (self, self->at);

  while (end > self->at && char_at (self, end) == '.')
    {
      const char *digits = skip_digits (self, end + 1);
      const char *part = digits > end + 1 && char_at (self, digits) == '.' ? digits + 1 : end + 1;
      const char *next = part_end (self, part);

      if (next == part)
        break;
      end = next;
    }
  return end;
}

/* Reads a name. It has one space after an accent, however many there are in the text, so that a name has one
 * spelling. */
static void
lex_name (Lexer *self, const char *end)
{
  const char *rest = skip_accent (self, self->at);
  HeddleEqToken *token;

  if (rest == self->at)
    {
      add (self, HEDDLE_EQ_TOKEN_NAME, end, 0.);
      return;
    }
  g_autofree char *accent = g_strndup (self->at, (gsize) (strchr (self->at, ' ') - self->at));
  g_autofree char *letter = g_strndup (rest, (gsize) (end - rest));
  g_autofree char *name = g_strconcat (accent, " ", letter, NULL);
  add (self, HEDDLE_EQ_TOKEN_NAME, end, 0.);
  token = &g_array_index (self->tokens, HeddleEqToken, self->tokens->len - 1);
  token->text = heddle_eq_name (self->arena, name, -1);
}

/* --- the line ------------------------------------------------------------------------ */

static gboolean
lex_sign (Lexer *self)
{
  static const char *const signs[] = { "->", "<=", ">=", "==", "!=", "-", "+", "*", "/", "^", "(", ")", "[",
    "]", ",", ":", "=", "<", ">", ";" };

  for (gsize i = 0; i < G_N_ELEMENTS (signs); i++)
    {
      gsize length = strlen (signs[i]);

      if ((gsize) (self->end - self->at) >= length && strncmp (self->at, signs[i], length) == 0)
        {
          add (self, HEDDLE_EQ_TOKEN_SIGN, self->at + length, 0.);
          return TRUE;
        }
    }
  g_autofree char *found = g_strndup (self->at, (gsize) (g_utf8_next_char (self->at) - self->at));
  heddle_eq_error (self->line, self->column, _ ("“%s” has no meaning here"), found);
  return FALSE;
}

static gboolean
lex_token (Lexer *self)
{
  const char *end;

  if (g_ascii_isdigit (*self->at) || (*self->at == '.' && is_digit (self, self->at + 1)))
    return lex_number (self);
  end = name_end (self);
  if (end == self->at)
    return lex_sign (self);
  lex_name (self, end);
  return TRUE;
}

/* Returns whether a character may stand in a text: not one that no editor shows and that no other file of
 * ours may contain. */
gboolean
heddle_eq_may_stand_in_text (gunichar c)
{
  return (c >= 0x20 || c == '\t') && c != 0x7f && (c & 0xfffe) != 0xfffe;
}

static gboolean
check_characters (HeddleEqLine *line)
{
  guint column = 1;

  for (const char *at = line->text; at < line->text + line->length; at = g_utf8_next_char (at), column++)
    {
      gunichar c = g_utf8_get_char (at);

      if (!heddle_eq_may_stand_in_text (c))
        {
          heddle_eq_error (line, column, _ ("the control character U+%04X has no place in a text"), c);
          return FALSE;
        }
    }
  return TRUE;
}

static const char *
comment_text (Lexer *self)
{
  const char *start = self->at + 1, *end = self->end;

  if (start < end && *start == ' ')
    start++;
  while (end > start && g_ascii_isspace (end[-1]))
    end--;
  return heddle_eq_name (self->arena, start, end - start);
}

gboolean
heddle_eq_lex (HeddleEqArena *arena, HeddleEqLine *line, GArray *tokens, const char **comment)
{
  Lexer self = { arena, line, tokens, line->text, line->text + line->length, 1 };

  *comment = NULL;
  g_array_set_size (tokens, 0);
  if (!check_characters (line))
    return FALSE;
  while (self.at < self.end && *self.at != '#')
    {
      if (g_unichar_isspace (peek (&self)))
        {
          self.at = g_utf8_next_char (self.at);
          self.column++;
        }
      else if (tokens->len >= HEDDLE_EQ_MAX_NODES)
        {
          heddle_eq_error (line, self.column, _ ("the line is too long: it has more than %d words and signs"),
              HEDDLE_EQ_MAX_NODES);
          return FALSE;
        }
      else if (!lex_token (&self))
        return FALSE;
    }
  if (self.at < self.end)
    *comment = comment_text (&self);
  self.end = self.at;
  add (&self, HEDDLE_EQ_TOKEN_END, self.at, 0.);
  return TRUE;
}

gboolean
heddle_eq_is_label (const char *name)
{
  return name[0] == 't' && name[1] != '\0' && name[1] != '0'
         && strspn (name + 1, "0123456789") == strlen (name + 1);
}
