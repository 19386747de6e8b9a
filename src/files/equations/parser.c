/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "files/equations/nest.h"
#include "files/equations/node.h"
#include "files/equations/parser.h"
#include "files/equations/report.h"

/* --- tokens -------------------------------------------------------------------------- */

const HeddleEqToken *
heddle_eq_peek (const HeddleEqParser *self)
{
  return &self->tokens[self->at];
}

gboolean
heddle_eq_at (const HeddleEqParser *self, const char *sign)
{
  const HeddleEqToken *token = heddle_eq_peek (self);

  return token->kind == HEDDLE_EQ_TOKEN_SIGN && g_str_equal (token->text, sign);
}

gboolean
heddle_eq_at_word (const HeddleEqParser *self, const char *word)
{
  const HeddleEqToken *token = heddle_eq_peek (self);

  return token->kind == HEDDLE_EQ_TOKEN_NAME && g_str_equal (token->text, word);
}

gboolean
heddle_eq_accept (HeddleEqParser *self, const char *sign)
{
  if (!heddle_eq_at (self, sign))
    return FALSE;
  self->at++;
  return TRUE;
}

gpointer
heddle_eq_expected (HeddleEqParser *self, const char *what)
{
  const HeddleEqToken *token = heddle_eq_peek (self);

  if (token->kind == HEDDLE_EQ_TOKEN_END)
    heddle_eq_error (self->line, token->column, _ ("expected %s, found the end of the line"), what);
  else
    heddle_eq_error (self->line, token->column, _ ("expected %s, found “%s”"), what, token->text);
  return NULL;
}

gboolean
heddle_eq_need (HeddleEqParser *self, const char *sign)
{
  g_autofree char *quoted = NULL;

  if (heddle_eq_accept (self, sign))
    return TRUE;
  quoted = g_strdup_printf ("“%s”", sign);
  heddle_eq_expected (self, quoted);
  return FALSE;
}

const HeddleEqToken *
heddle_eq_need_name (HeddleEqParser *self, const char *what)
{
  const HeddleEqToken *token = heddle_eq_peek (self);

  if (token->kind != HEDDLE_EQ_TOKEN_NAME)
    return heddle_eq_expected (self, what);
  self->at++;
  return token;
}

const char *
heddle_eq_parser_definition (const HeddleEqParser *self, const char *name)
{
  return heddle_eq_find_definition (self->names, name);
}

/* --- limits -------------------------------------------------------------------------- */

HeddleEqNode *
heddle_eq_parser_checked (HeddleEqParser *self, HeddleEqNode *node)
{
  if (node->depth > HEDDLE_EQ_MAX_DEPTH)
    {
      heddle_eq_error (self->line, node->column, _ ("the expression is more than %d operations long"),
          HEDDLE_EQ_MAX_DEPTH);
      return NULL;
    }
  if (self->arena->n_nodes > HEDDLE_EQ_MAX_NODES)
    {
      heddle_eq_error (self->line, node->column, _ ("the text is too long: it has more than %d terms"),
          HEDDLE_EQ_MAX_NODES);
      return NULL;
    }
  return node;
}

HeddleEqNode *
heddle_eq_parse_nested (HeddleEqParser *self, HeddleEqNode *(*parse) (HeddleEqParser *) )
{
  HeddleEqNode *node = NULL;

  if (++self->nesting <= HEDDLE_EQ_MAX_NESTING)
    node = parse (self);
  else
    heddle_eq_error (self->line, heddle_eq_peek (self)->column, _ ("nested more than %d levels deep"),
        HEDDLE_EQ_MAX_NESTING);
  self->nesting--;
  return node;
}

HeddleEqNode *
heddle_eq_parser_apply (
    HeddleEqParser *self, HeddleExprKind kind, guint column, HeddleEqNode *const *children, guint n)
{
  for (guint i = 0; i < n; i++)
    if (children[i] == NULL)
      return NULL;
  return heddle_eq_parser_checked (self, heddle_eq_apply (self->arena, kind, column, children, n));
}
