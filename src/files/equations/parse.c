/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/dtype.h"
#include "files/equations/expression.h"
#include "files/equations/merge.h"
#include "files/equations/parse.h"
#include "files/equations/report.h"
#include "files/equations/topk.h"
#include "files/equations/words.h"

void
heddle_eq_statement_free (HeddleEqStatement *self)
{
  g_array_unref (self->slots);
  g_clear_pointer (&self->others, g_ptr_array_unref);
  g_clear_pointer (&self->places, heddle_eq_statement_free);
  g_free (self);
}

HeddleEqStatement *
heddle_eq_statement_new (HeddleEqLine *line)
{
  HeddleEqStatement *self = g_new0 (HeddleEqStatement, 1);

  self->line = *line;
  self->slots = g_array_new (FALSE, FALSE, sizeof (HeddleEqSlot));
  return self;
}

static gboolean
is_word (const HeddleEqParser *parser, const char *word)
{
  const HeddleEqToken *token = heddle_eq_peek (parser);

  return token->kind == HEDDLE_EQ_TOKEN_NAME && g_str_equal (token->text, word)
         && token[1].kind == HEDDLE_EQ_TOKEN_NAME;
}

gboolean
heddle_eq_check_name (HeddleEqParser *parser, const HeddleEqToken *name)
{
  if (heddle_eq_parser_definition (parser, name->text) != NULL)
    {
      heddle_eq_error (
          parser->line, name->column, _ ("“%s” is a definition: expected another name"), name->text);
      return FALSE;
    }
  if (!heddle_eq_is_reserved (name->text))
    return TRUE;
  heddle_eq_error (
      parser->line, name->column, _ ("“%s” is a keyword of the language: expected another name"), name->text);
  return FALSE;
}

/* Parses NAME [= size]. */
static gboolean
parse_plain_slot (HeddleEqParser *parser, HeddleEqSlot *slot)
{
  const HeddleEqToken *name = heddle_eq_need_name (parser, _ ("the name of an axis"));

  if (name == NULL || !heddle_eq_check_name (parser, name))
    return FALSE;
  slot->name = name->text;
  slot->column = name->column;
  if (!heddle_eq_accept (parser, "="))
    return TRUE;
  slot->size = heddle_eq_parse_expression (parser);
  return slot->size != NULL;
}

/* Parses NAME [= size] or, on the left of a statement, (NAME NAME …). */
static gboolean
parse_slot (HeddleEqParser *parser, HeddleEqStatement *self)
{
  HeddleEqSlot slot = { NULL };

  if (self->kind == HEDDLE_EQ_ASSIGN && heddle_eq_at (parser, "("))
    {
      if (!heddle_eq_parse_merged_slot (parser, &slot))
        return FALSE;
    }
  else if (!parse_plain_slot (parser, &slot))
    return FALSE;
  for (guint i = 0; i < self->slots->len; i++)
    if (g_array_index (self->slots, HeddleEqSlot, i).name == slot.name)
      {
        heddle_eq_error (parser->line, slot.column,
            _ ("%s occurs twice: an array's axes have different names"), slot.name);
        return FALSE;
      }
  if (self->slots->len == HEDDLE_EQ_MAX_INDICES)
    {
      heddle_eq_error (parser->line, slot.column, _ ("an array has at most %d axes"), HEDDLE_EQ_MAX_INDICES);
      return FALSE;
    }
  g_array_append_val (self->slots, slot);
  return TRUE;
}

gboolean
heddle_eq_parse_slots (HeddleEqParser *parser, HeddleEqStatement *self)
{
  if (!heddle_eq_accept (parser, "[") || heddle_eq_accept (parser, "]"))
    return TRUE;
  do
    if (!parse_slot (parser, self))
      return FALSE;
  while (heddle_eq_accept (parser, ","));
  if (heddle_eq_accept (parser, "]"))
    return TRUE;
  heddle_eq_expected (parser, _ ("“,” or “]”"));
  return FALSE;
}

gboolean
heddle_eq_need_end (HeddleEqParser *parser, const char *what)
{
  if (heddle_eq_peek (parser)->kind == HEDDLE_EQ_TOKEN_END)
    return TRUE;
  heddle_eq_expected (parser, what);
  return FALSE;
}

/* Parses axis NAME = size. */
static gboolean
parse_axis (HeddleEqParser *parser, HeddleEqStatement *self)
{
  self->kind = HEDDLE_EQ_AXIS;
  parser->at++;
  if (!parse_slot (parser, self))
    return FALSE;
  if (g_array_index (self->slots, HeddleEqSlot, 0).size == NULL)
    return heddle_eq_need (parser, "=");
  return heddle_eq_need_end (parser, _ ("an operator or the end of the line"));
}

/* Parses : [DTYPE] [[slots]]. */
static gboolean
parse_declaration (HeddleEqParser *parser, HeddleEqStatement *self)
{
  const HeddleEqToken *dtype = heddle_eq_peek (parser);

  self->kind = HEDDLE_EQ_DECLARE;
  if (dtype->kind == HEDDLE_EQ_TOKEN_NAME)
    {
      if (!heddle_dtype_from_string (dtype->text, &self->dtype))
        {
          heddle_eq_error (parser->line, dtype->column,
              _ ("“%s” is not a data type: expected f64, f32, tf32, f16, bf16, e4m3, e5m2, i64, i32 or bool"),
              dtype->text);
          return FALSE;
        }
      parser->at++;
    }
  if (!heddle_eq_parse_slots (parser, self))
    return FALSE;
  return heddle_eq_need_end (parser, _ ("“[” and axes, or the end of the line"));
}

static gboolean
parse_outputs (HeddleEqParser *parser, HeddleEqStatement *self)
{
  self->kind = HEDDLE_EQ_OUTPUTS;
  do
    {
      const HeddleEqToken *name = heddle_eq_need_name (parser, _ ("the name of an array"));
      HeddleEqSlot slot = { NULL };

      if (name == NULL)
        return FALSE;
      slot = (HeddleEqSlot){ name->text, name->column, NULL };
      g_array_append_val (self->slots, slot);
    }
  while (heddle_eq_accept (parser, ","));
  return heddle_eq_need_end (parser, _ ("“,” or the end of the line"));
}

/* Parses NAME [slots] after a comma on the left. */
static gboolean
parse_other (HeddleEqParser *parser, HeddleEqStatement *self)
{
  const HeddleEqToken *name = heddle_eq_need_name (parser, _ ("the name of an array"));
  HeddleEqStatement *other;

  if (name == NULL || !heddle_eq_check_name (parser, name))
    return FALSE;
  other = heddle_eq_statement_new (parser->line);
  other->kind = HEDDLE_EQ_ASSIGN;
  other->is_other = TRUE;
  other->name = name->text;
  other->column = name->column;
  if (self->others == NULL)
    self->others = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_eq_statement_free);
  g_ptr_array_add (self->others, other);
  return heddle_eq_parse_slots (parser, other);
}

/* Parses ["shared"] expression. */
static gboolean
parse_right (HeddleEqParser *parser, HeddleEqStatement *self)
{
  const HeddleEqToken *shared = heddle_eq_at_word (parser, "shared") ? heddle_eq_peek (parser) : NULL;

  if (self->others != NULL && self->others->len == 1 && heddle_eq_at_word (parser, "topk"))
    return heddle_eq_parse_topk (parser, self);
  parser->at += shared != NULL;
  self->expression = heddle_eq_parse_expression (parser);
  if (self->expression == NULL)
    return FALSE;
  if (self->expression->kind == HEDDLE_EQ_CALL)
    self->expression->shared = shared != NULL;
  else if (shared != NULL)
    heddle_eq_error (
        parser->line, shared->column, _ ("“shared” stands before a call, as in Z[x,m] = shared block^6(X)"));
  else
    return TRUE;
  return self->expression->kind == HEDDLE_EQ_CALL;
}

/* Parses {, NAME [slots]} = expression. */
static gboolean
parse_assignment (HeddleEqParser *parser, HeddleEqStatement *self)
{
  self->kind = HEDDLE_EQ_ASSIGN;
  self->broken = TRUE;
  while (heddle_eq_accept (parser, ","))
    if (!parse_other (parser, self))
      return FALSE;
  if (!heddle_eq_accept (parser, "="))
    return heddle_eq_expected (parser, self->slots->len > 0 ? _ ("“=”") : _ ("“=”, “:” or “[”")) != NULL;
  if (!parse_right (parser, self))
    return FALSE;
  self->broken = !heddle_eq_need_end (parser, _ ("an operator or the end of the line"));
  return !self->broken;
}

static gboolean
parse_named (HeddleEqParser *parser, HeddleEqStatement *self)
{
  const HeddleEqToken *name;

  if (is_word (parser, "param"))
    {
      self->parameter = TRUE;
      parser->at++;
    }
  name = heddle_eq_need_name (
      parser, _ ("a statement: NAME : type[axes], NAME[axes] = expression, axis NAME = size or -> NAME"));
  if (name == NULL || !heddle_eq_check_name (parser, name))
    return FALSE;
  self->name = name->text;
  self->column = name->column;
  if (heddle_eq_accept (parser, ":"))
    return parse_declaration (parser, self);
  if (self->parameter)
    return heddle_eq_expected (parser, _ ("“:” and the parameter's type")) != NULL;
  self->kind = HEDDLE_EQ_ASSIGN;
  self->broken = TRUE;
  return heddle_eq_parse_slots (parser, self) && parse_assignment (parser, self);
}

static gboolean
parse_statement (HeddleEqParser *parser, HeddleEqStatement *self)
{
  if (is_word (parser, "axis"))
    return parse_axis (parser, self);
  if (heddle_eq_accept (parser, "->"))
    return parse_outputs (parser, self);
  return parse_named (parser, self);
}

/* Parses a statement. One that cannot be read to its end is returned as far as it is known, marked as broken,
 * so that what reads its result is not an error too. Returns NULL if nothing is known. */
HeddleEqStatement *
heddle_eq_parse (HeddleEqArena *arena, HeddleEqLine *line, const GArray *tokens, const HeddleEqNames *names)
{
  HeddleEqStatement *self = heddle_eq_statement_new (line);
  HeddleEqParser parser = { arena, line, (const HeddleEqToken *) tokens->data, 0, 0, names };
  gboolean read = parse_statement (&parser, self);

  self->line = *line;
  self->broken |= !read;
  if (self->places != NULL)
    {
      self->places->line = *line;
      self->places->broken = self->broken;
    }
  for (guint i = 0; self->others != NULL && i < self->others->len; i++)
    {
      HeddleEqStatement *other = g_ptr_array_index (self->others, i);

      other->line = *line;
      other->broken = self->broken;
    }
  if (read)
    return self;
  if (self->name != NULL)
    return self;
  heddle_eq_statement_free (self);
  return NULL;
}
