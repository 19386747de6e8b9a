/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "files/equations/arena.h"
#include "files/equations/read.h"
#include "files/equations/lex.h"
#include "files/equations/parse.h"
#include "files/equations/private.h"
#include "files/equations/report.h"
#include "files/equations/text.h"

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

/* Attaches comments to a statement. Axes and the list of outputs are written in places of their own: their
 * comments go to the statement after. */
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
  HeddleEqStatement *statement = heddle_eq_parse (self->arena, line, tokens, &self->names);

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

/* Counts a statement, and returns whether there may be one more. */
static gboolean
count_statement (HeddleEqReader *self, HeddleEqLine *line)
{
  if (self->document->n_statements++ < HEDDLE_EQ_MAX_STATEMENTS)
    return TRUE;
  heddle_eq_error (
      line, 1, _ ("the text is too long: it has more than %d statements"), HEDDLE_EQ_MAX_STATEMENTS);
  return FALSE;
}

/* Hands the comments at the end of a definition on to what comes after it. */
static void
hand_on_comments (HeddleEqReader *self, HeddleEqDefinition *block)
{
  HeddleEqReader *after = block->parent != NULL ? &block->parent->reader : self;
  const char *rest = take_pending (&block->reader);

  if (rest != NULL)
    {
      g_autofree char *lines = g_strconcat (rest, "\n", NULL);
      g_string_prepend (after->pending, lines);
    }
}

static gsize
indent_of (const HeddleEqLine *line)
{
  gsize n = 0;

  while (n < line->length && g_ascii_isspace (line->text[n]))
    n++;
  return n;
}

/* Returns the definition that a line belongs to: the innermost one that is indented less. */
static HeddleEqDefinition *
definition_of (HeddleEqReader *self, HeddleEqDefinition *block, gsize indent)
{
  while (block != NULL && block->indent >= indent)
    {
      hand_on_comments (self, block);
      block = block->parent;
    }
  return block;
}

static HeddleEqDefinition *
begin_definition (HeddleEqReader *self, HeddleEqDefinition *parent, HeddleEqLine *line, const GArray *tokens,
    const char *comment)
{
  const char *above = take_pending (parent != NULL ? &parent->reader : self);
  HeddleEqDefinition *block = heddle_eq_add_definition (self->document, parent, line, tokens, above, comment);

  block->indent = indent_of (line);
  return block;
}

/* Reads a line. @block is the definition that the lines above belong to, or NULL. */
static void
read_line (HeddleEqReader *self, HeddleEqLine *line, GArray *tokens, HeddleEqDefinition **block)
{
  HeddleEqDefinition *definition = definition_of (self, *block, indent_of (line));
  HeddleEqReader *reader = definition != NULL ? &definition->reader : self;
  const char *comment = NULL;

  if ((definition != NULL && definition->broken) || !heddle_eq_lex (self->arena, line, tokens, &comment))
    return;
  if (tokens->len == 1)
    {
      add_pending (reader, comment);
      return;
    }
  *block = definition;
  if (!count_statement (self, line))
    return;
  if (heddle_eq_begins_definition (tokens))
    *block = begin_definition (self, definition, line, tokens, comment);
  else
    add_statement (reader, line, tokens, comment);
}

static gboolean
is_full (const HeddleEqReader *self)
{
  return self->report->n_errors >= HEDDLE_EQ_MAX_ERRORS
         || self->document->n_statements > HEDDLE_EQ_MAX_STATEMENTS
         || self->arena->n_nodes > HEDDLE_EQ_MAX_NODES;
}

static HeddleEqLine
next_line (HeddleEqReader *self, const char *text, const char *end, guint number)
{
  const char *newline = memchr (text, '\n', (gsize) (end - text));
  const char *stop = newline != NULL ? newline : end;

  return (HeddleEqLine){ self->report, number, text, (gsize) (stop - text), 0 };
}

/* A definition that lines may belong to. */
typedef struct
{
  gsize indent;
  const char *name;
} Open;

static void
note_line (HeddleEqReader *self, const HeddleEqLine *line, GArray *tokens, GArray *open)
{
  Open this = { indent_of (line), NULL };
  const char *text = line->text + this.indent;

  if (this.indent == line->length || *text == '#')
    return;
  while (open->len > 0 && g_array_index (open, Open, open->len - 1).indent >= this.indent)
    g_array_set_size (open, open->len - 1);
  if (line->length - this.indent <= 4 || strncmp (text, "def", 3) != 0 || !g_ascii_isspace (text[3])
      || open->len >= HEDDLE_EQ_MAX_DEFINITION_DEPTH)
    return;
  this.name = heddle_eq_note_definition (
      self->document, line, tokens, open->len > 0 ? g_array_index (open, Open, open->len - 1).name : NULL);
  if (this.name != NULL)
    g_array_append_val (open, this);
}

static void
note_definitions (HeddleEqReader *self, const char *text, const char *end)
{
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (HeddleEqToken));
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Open));
  HeddleEqReport silent = { NULL, NULL, 0 };

  while (text < end)
    {
      HeddleEqLine line = next_line (self, text, end, 0);

      line.report = &silent;
      text = line.text + line.length + 1;
      note_line (self, &line, tokens, open);
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

      text = line.text + line.length + 1;
      if (line.length > 0 && line.text[line.length - 1] == '\r')
        line.length--;
      if (line.length > 0)
        read_line (self, &line, tokens, &block);
    }
  definition_of (self, block, 0);
  self->diagram->comment = g_strdup (take_pending (self));
}

/* --- the text as a whole ------------------------------------------------------------- */

/* Returns the line that contains @at, for a message about it. */
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
