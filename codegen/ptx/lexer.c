/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "codegen/ptx/lexer.h"
#include "codegen/ptx/ptx.h"

/* Sets an error that begins with the line; returns FALSE so that a caller can return it. */
gboolean
ptx_lexer_fail (PtxLexer *self, guint line, int code, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (self->error, HEDDLE_PTX_ERROR, code, _ ("PTX line %u: %s"), line, message);
  return FALSE;
}

/* Fails over the current token, which is not what the grammar wants here. */
gboolean
ptx_lexer_unexpected (PtxLexer *self, const char *wanted)
{
  if (self->token.kind == PTX_TOKEN_END)
    return ptx_lexer_fail (
        self, self->token.line, HEDDLE_PTX_ERROR_SYNTAX, _ ("the text ends where %s should stand"), wanted);
  int length = (int) MIN (self->token.length, 60);
  return ptx_lexer_fail (self, self->token.line, HEDDLE_PTX_ERROR_SYNTAX, _ ("“%.*s” where %s should stand"),
      length, self->token.start, wanted);
}

static gboolean
is_word_character (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/* Returns the end of the comment that begins at @p; NULL if it never ends. */
static const char *
comment_end (PtxLexer *self, const char *p)
{
  gsize left = self->end - p;
  if (p[1] == '/')
    {
      const char *end = memchr (p, '\n', left);
      return end != NULL ? end : self->end;
    }
  for (p += 2; p + 1 < self->end; p++)
    {
      self->line += *p == '\n';
      if (p[0] == '*' && p[1] == '/')
        return p + 2;
    }
  return NULL;
}

static gboolean
skip_blank (PtxLexer *self)
{
  const char *p = self->position;
  while (p < self->end)
    {
      if (g_ascii_isspace (*p))
        self->line += *p++ == '\n';
      else if (*p == '/' && p + 1 < self->end && (p[1] == '/' || p[1] == '*'))
        {
          p = comment_end (self, p);
          if (p == NULL)
            return ptx_lexer_fail (
                self, self->line, HEDDLE_PTX_ERROR_SYNTAX, _ ("a comment that never ends"));
        }
      else
        break;
    }
  self->position = p;
  return TRUE;
}

/* Returns the end of the word at @p; “::” belongs to it if another word character follows (.shared::cta). */
static const char *
word_end (const PtxLexer *self, const char *p)
{
  while (p < self->end)
    if (is_word_character (*p))
      p++;
    else if (self->end - p > 2 && p[0] == ':' && p[1] == ':' && is_word_character (p[2]))
      p += 2;
    else
      break;
  return p;
}

static gboolean
read_string (PtxLexer *self, const char *p)
{
  const char *end = p + 1;
  while (end < self->end && *end != '"' && *end != '\n')
    end++;
  if (end == self->end || *end != '"')
    return ptx_lexer_fail (self, self->line, HEDDLE_PTX_ERROR_SYNTAX, _ ("a string that never ends"));
  self->token.kind = PTX_TOKEN_STRING;
  self->position = end + 1;
  return TRUE;
}

/* Moves to the next token. */
gboolean
ptx_lexer_next (PtxLexer *self)
{
  if (!skip_blank (self))
    return FALSE;
  const char *p = self->position;
  self->token = (PtxToken){ PTX_TOKEN_END, p, 0, self->line };
  if (p == self->end)
    return TRUE;
  if (*p == '"')
    {
      if (!read_string (self, p))
        return FALSE;
    }
  else if (is_word_character (*p))
    {
      self->token.kind = PTX_TOKEN_WORD;
      self->position = word_end (self, p);
    }
  else if (strchr (",;{}[]():|!@+-=<>", *p) != NULL && *p != '\0')
    {
      self->token.kind = (guint) *p;
      self->position = p + 1;
    }
  else
    return ptx_lexer_fail (self, self->line, HEDDLE_PTX_ERROR_SYNTAX,
        _ ("a character (byte 0x%02x) that PTX does not use"), (guchar) *p);
  self->token.length = self->position - p;
  return TRUE;
}

/* Starts at the beginning of @text, which has to outlive the lexer. */
gboolean
ptx_lexer_init (PtxLexer *self, const char *text, gsize length, GError **error)
{
  *self = (PtxLexer){ .text = text, .position = text, .end = text + length, .line = 1, .error = error };
  return ptx_lexer_next (self);
}

/* Leaves the line of the current token: the debug directives have no other end. */
gboolean
ptx_lexer_skip_line (PtxLexer *self)
{
  const char *p = self->token.start;
  const char *end = memchr (p, '\n', self->end - p);
  self->position = end != NULL ? end : self->end;
  self->line = self->token.line;
  return ptx_lexer_next (self);
}

/* Takes a token of @kind, or fails. */
gboolean
ptx_lexer_expect (PtxLexer *self, guint kind)
{
  if (self->token.kind == kind)
    return ptx_lexer_next (self);
  char mark[] = { '"', (char) kind, '"', '\0' };
  return ptx_lexer_unexpected (self, kind == PTX_TOKEN_WORD ? _ ("a word") : mark);
}

/* Takes a token of @kind if there is one. */
gboolean
ptx_lexer_accept (PtxLexer *self, guint kind, gboolean *accepted)
{
  *accepted = self->token.kind == kind;
  return !*accepted || ptx_lexer_next (self);
}

/* Returns whether the current token is the word @word. */
gboolean
ptx_lexer_is (const PtxLexer *self, const char *word)
{
  gsize length = strlen (word);
  return self->token.kind == PTX_TOKEN_WORD && self->token.length == length
         && memcmp (self->token.start, word, length) == 0;
}

/* Returns a copy of the current token. */
char *
ptx_lexer_word (const PtxLexer *self)
{
  return g_strndup (self->token.start, self->token.length);
}

/* Takes a word of whatever meaning. */
gboolean
ptx_lexer_take_word (PtxLexer *self, char **word)
{
  if (self->token.kind != PTX_TOKEN_WORD)
    return ptx_lexer_unexpected (self, _ ("a word"));
  *word = ptx_lexer_word (self);
  return ptx_lexer_next (self);
}

/* Takes an unsigned integer of at most @most. */
gboolean
ptx_lexer_take_number (PtxLexer *self, guint64 most, guint64 *number)
{
  g_autofree char *word = ptx_lexer_word (self);
  if (self->token.kind != PTX_TOKEN_WORD || !g_ascii_isdigit (word[0]))
    return ptx_lexer_unexpected (self, _ ("a number"));
  char *end = NULL;
  guint64 value = g_ascii_strtoull (word, &end, 0);
  if (*end == 'U')
    end++;
  if (*end != '\0')
    return ptx_lexer_unexpected (self, _ ("a number"));
  if (value > most)
    return ptx_lexer_fail (self, self->token.line, HEDDLE_PTX_ERROR_LIMIT,
        _ ("%s is more than the %" PRIu64 " allowed here"), word, most);
  *number = value;
  return ptx_lexer_next (self);
}
