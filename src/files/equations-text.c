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

static void
add_statement (HeddleEqReader *self, HeddleEqLine *line, const GArray *tokens, const char *comment)
{
  HeddleEqStatement *statement = heddle_eq_parse (self->arena, line, tokens, self->document->callees);

  if (statement == NULL)
    {
      add_pending (self, comment);
      return;
    }
  attach_comments (self, statement, comment);
  if (statement->places != NULL)
    g_ptr_array_add (self->statements, g_steal_pointer (&statement->places));
  g_ptr_array_add (self->statements, statement);
  if (statement->others == NULL)
    return;
  g_ptr_array_set_free_func (statement->others, NULL);
  g_ptr_array_extend (self->statements, statement->others, NULL, NULL);
}

/* Whether there may be one more statement. */
static gboolean
count_statement (HeddleEqReader *self, HeddleEqLine *line)
{
  if (self->document->n_statements++ < HEDDLE_EQ_MAX_STATEMENTS)
    return TRUE;
  heddle_eq_error (
      line, 1, _ ("the text is too long: it has more than %d statements"), HEDDLE_EQ_MAX_STATEMENTS);
  return FALSE;
}

static void
begin_definition (HeddleEqReader *self, HeddleEqLine *line, const GArray *tokens, const char *comment,
    HeddleEqDefinition **block)
{
  const char *above = take_pending (self);

  *block = heddle_eq_add_definition (self->document, line, tokens, above, comment);
}

/* Lines that begin with a space belong to the definition above. */
static void
read_line (HeddleEqReader *self, HeddleEqLine *line, GArray *tokens, HeddleEqDefinition **block)
{
  gboolean indented = line->length > 0 && g_ascii_isspace (*line->text);
  HeddleEqReader *reader = indented && *block != NULL ? &(*block)->reader : self;
  const char *comment = NULL;

  if (line->length == 0 || (reader != self && (*block)->broken))
    return;
  if (!heddle_eq_lex (self->arena, line, tokens, &comment))
    return;
  if (tokens->len == 1)
    {
      add_pending (reader, comment);
      return;
    }
  if (!indented)
    *block = NULL;
  if (!count_statement (self, line))
    return;
  if (!heddle_eq_begins_definition (tokens))
    add_statement (reader, line, tokens, comment);
  else if (reader == self)
    begin_definition (self, line, tokens, comment, block);
  else
    heddle_eq_error (
        line, 1, _ ("a definition stands on its own: expected “def” at the beginning of a line"));
}

static gboolean
is_full (const HeddleEqReader *self)
{
  return self->report->n_errors >= HEDDLE_EQ_MAX_ERRORS
         || self->document->n_statements > HEDDLE_EQ_MAX_STATEMENTS
         || self->arena->n_nodes > HEDDLE_EQ_MAX_NODES;
}

/* What is said at the end of a definition goes to what comes after it. */
static void
hand_on_comments (HeddleEqReader *self, HeddleEqDefinition *block)
{
  const char *rest = block != NULL ? take_pending (&block->reader) : NULL;

  if (rest != NULL)
    {
      g_autofree char *lines = g_strconcat (rest, "\n", NULL);
      g_string_prepend (self->pending, lines);
    }
}

static HeddleEqLine
next_line (HeddleEqReader *self, const char *text, const char *end, guint number)
{
  const char *newline = memchr (text, '\n', (gsize) (end - text));
  const char *stop = newline != NULL ? newline : end;

  return (HeddleEqLine){ self->report, number, text, (gsize) (stop - text), 0 };
}

static void
note_definitions (HeddleEqReader *self, const char *text, const char *end)
{
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (HeddleEqToken));
  HeddleEqReport silent = { NULL, NULL, 0 };

  while (text < end)
    {
      HeddleEqLine line = next_line (self, text, end, 0);

      line.report = &silent;
      text = line.text + line.length + 1;
      if (line.length > 4 && strncmp (line.text, "def", 3) == 0 && g_ascii_isspace (line.text[3]))
        heddle_eq_note_definition (self->document, &line, tokens);
    }
}

static void
read_lines (HeddleEqReader *self, const char *text, const char *end)
{
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (HeddleEqToken));
  HeddleEqDefinition *block = NULL;
  guint number = 1;

  note_definitions (self, text, end);
  while (text < end && !is_full (self))
    {
      HeddleEqLine line = next_line (self, text, end, number++);
      HeddleEqDefinition *before = block;

      text = line.text + line.length + 1;
      if (line.length > 0 && line.text[line.length - 1] == '\r')
        line.length--;
      if (line.length > 0 && !g_ascii_isspace (*line.text))
        hand_on_comments (self, before);
      read_line (self, &line, tokens, &block);
    }
  hand_on_comments (self, block);
  self->diagram->comment = g_strdup (take_pending (self));
}

/* --- the text as a whole ------------------------------------------------------------- */

/* The line that @at is on, for a message about it. */
static HeddleEqLine
line_of (HeddleEqReader *self, const char *text, const char *at, guint *column)
{
  HeddleEqLine line = { self->report, 1, text, 0, 0 };

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
heddle_eq_read_text (HeddleEqReader *self, const char *text, gsize length)
{
  const char *end = text + length, *bad;
  guint column = 1;

  if (length >= strlen (BYTE_ORDER_MARK) && memcmp (text, BYTE_ORDER_MARK, strlen (BYTE_ORDER_MARK)) == 0)
    text += strlen (BYTE_ORDER_MARK);
  if (length > HEDDLE_EQ_MAX_BYTES)
    {
      HeddleEqLine line = { self->report, 1, text, 0, 0 };
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
