/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "files/equations-reader.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* --- comments ------------------------------------------------------------------------ */

static void
add_pending (HeddleEqReader *self, const char *comment)
{
  if (comment != NULL)
    g_string_append_printf (self->pending, "%s\n", comment);
}

static const char *
take_pending (HeddleEqReader *self)
{
  const char *text = NULL;

  if (self->pending->len > 1) /* more than one empty line */
    text = heddle_eq_name (self->arena, self->pending->str, (gssize) self->pending->len - 1);
  g_string_set_size (self->pending, 0);
  return text;
}

/* Axes and the list of outputs are written in places of their own: what is said there goes to the statement after. */
static void
attach_comments (HeddleEqReader *self, HeddleEqStatement *statement, const char *trailing)
{
  if (statement->kind == HEDDLE_EQ_AXIS || statement->kind == HEDDLE_EQ_OUTPUTS)
    {
      add_pending (self, trailing);
      return;
    }
  statement->above = take_pending (self);
  statement->trailing = trailing != NULL && *trailing != '\0' ? trailing : NULL;
}

/* --- lines --------------------------------------------------------------------------- */

static gboolean
begins_block (const GArray *tokens)
{
  const HeddleEqToken *first = &g_array_index (tokens, HeddleEqToken, 0);

  return first->kind == HEDDLE_EQ_TOKEN_NAME && g_str_equal (first->text, "def");
}

static void
read_line (HeddleEqReader *self, HeddleEqLine *line, GArray *tokens, gboolean *in_block)
{
  const char *comment = NULL;
  HeddleEqStatement *statement;

  if (*in_block && (line->length == 0 || g_ascii_isspace (*line->text)))
    return;
  *in_block = FALSE;
  if (!heddle_eq_lex (self->arena, line, tokens, &comment))
    return;
  if (tokens->len == 1)
    {
      add_pending (self, comment);
      return;
    }
  if (self->statements->len >= HEDDLE_EQ_MAX_STATEMENTS)
    {
      heddle_eq_error (
          line, 1, _ ("the text is too long: it has more than %d statements"), HEDDLE_EQ_MAX_STATEMENTS);
      return;
    }
  *in_block = begins_block (tokens);
  statement = heddle_eq_parse (self->arena, line, tokens);
  if (statement == NULL)
    {
      add_pending (self, comment);
      return;
    }
  attach_comments (self, statement, comment);
  g_ptr_array_add (self->statements, statement);
}

static gboolean
is_full (const HeddleEqReader *self)
{
  return self->report.n_errors >= HEDDLE_EQ_MAX_ERRORS || self->statements->len > HEDDLE_EQ_MAX_STATEMENTS
         || self->arena->n_nodes > HEDDLE_EQ_MAX_NODES;
}

static void
read_lines (HeddleEqReader *self, const char *text, const char *end)
{
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (HeddleEqToken));
  gboolean in_block = FALSE;
  guint number = 1;

  while (text < end && !is_full (self))
    {
      const char *newline = memchr (text, '\n', (gsize) (end - text));
      const char *stop = newline != NULL ? newline : end;
      HeddleEqLine line = { &self->report, number++, text, (gsize) (stop - text), 0 };

      if (line.length > 0 && stop[-1] == '\r')
        line.length--;
      read_line (self, &line, tokens, &in_block);
      text = stop + 1;
    }
  self->diagram->comment = g_strdup (take_pending (self));
}

/* --- the text as a whole ------------------------------------------------------------- */

/* The line that @at is on, for a message about it. */
static HeddleEqLine
line_of (HeddleEqReader *self, const char *text, const char *at, guint *column)
{
  HeddleEqLine line = { &self->report, 1, text, 0, 0 };

  for (const char *p = text; p < at; p++)
    if (*p == '\n')
      {
        line.number++;
        line.text = p + 1;
      }
  line.length = (gsize) (at - line.text);
  *column = (guint) g_utf8_strlen (line.text, (gssize) line.length) + 1;
  return line;
}

void
heddle_eq_read_statements (HeddleEqReader *self, const char *text, gsize length)
{
  const char *end = text + length, *bad;
  guint column = 1;

  if (length >= strlen (BYTE_ORDER_MARK) && memcmp (text, BYTE_ORDER_MARK, strlen (BYTE_ORDER_MARK)) == 0)
    text += strlen (BYTE_ORDER_MARK);
  if (length > HEDDLE_EQ_MAX_BYTES)
    {
      HeddleEqLine line = { &self->report, 1, text, 0, 0 };
      heddle_eq_error (&line, 1, _ ("the text is larger than 16 MiB"));
    }
  else if (!g_utf8_validate (text, end - text, &bad))
    {
      HeddleEqLine line = line_of (self, text, bad, &column);
      heddle_eq_error (&line, column, _ ("the byte 0x%02X is not valid UTF-8 here"), (guchar) *bad);
    }
  else
    read_lines (self, text, end);
}
