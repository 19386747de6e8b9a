/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "diagram/expression/kind.h"
#include "files/equations/call.h"
#include "files/equations/expression.h"
#include "files/equations/node.h"
#include "files/equations/parser.h"
#include "files/equations/private.h"
#include "files/equations/report.h"

static HeddleEqNode *parse_unary (HeddleEqParser *self);

static HeddleEqNode *
chain (HeddleEqParser *self, HeddleEqKind kind, GPtrArray *parts, GByteArray *marks)
{
  HeddleEqNode *node, *first = g_ptr_array_index (parts, 0);

  if (parts->len == 1)
    return first;
  node = heddle_eq_node (self->arena, kind, first->column, (HeddleEqNode *const *) parts->pdata, parts->len);
  for (guint i = 0; i < parts->len; i++)
    node->marks[i] = marks->data[i];
  return heddle_eq_parser_checked (self, node);
}

/* --- operators ----------------------------------------------------------------------- */

static HeddleEqNode *
parse_power (HeddleEqParser *self)
{
  HeddleEqNode *base = heddle_eq_parse_primary (self);
  guint column = heddle_eq_peek (self)->column;

  if (base == NULL || !heddle_eq_accept (self, "^"))
    return base;
  /* The exponent may begin with signs and be a power itself. */
  return heddle_eq_parser_apply (self, HEDDLE_EXPR_POW, column,
      (HeddleEqNode *[]){ base, heddle_eq_parse_nested (self, parse_unary) }, 2);
}

static HeddleEqNode *
parse_unary (HeddleEqParser *self)
{
  guint column = heddle_eq_peek (self)->column;

  if (!heddle_eq_accept (self, "-"))
    return parse_power (self);
  return heddle_eq_parser_apply (
      self, HEDDLE_EXPR_NEG, column, (HeddleEqNode *[]){ heddle_eq_parse_nested (self, parse_unary) }, 1);
}

static gboolean
at_factor (const HeddleEqParser *self)
{
  HeddleEqTokenKind kind = heddle_eq_peek (self)->kind;

  return kind == HEDDLE_EQ_TOKEN_NUMBER || heddle_eq_at (self, "(")
         || (kind == HEDDLE_EQ_TOKEN_NAME && !heddle_eq_at_word (self, "and")
             && !heddle_eq_at_word (self, "or") && !heddle_eq_at_word (self, "not"));
}

static HeddleEqNode *
parse_product (HeddleEqParser *self)
{
  g_autoptr (GPtrArray) factors = g_ptr_array_new ();
  g_autoptr (GByteArray) marks = g_byte_array_new ();
  HeddleEqNode *factor = parse_unary (self);
  guint8 mark = 0;

  while (factor != NULL)
    {
      g_ptr_array_add (factors, factor);
      g_byte_array_append (marks, &mark, 1);
      if (heddle_eq_at (self, "*") || heddle_eq_at (self, "/"))
        {
          mark = heddle_eq_at (self, "/");
          self->at++;
          factor = parse_unary (self);
        }
      else if (!at_factor (self))
        return chain (self, HEDDLE_EQ_PRODUCT, factors, marks);
      else if (mark)
        {
          heddle_eq_error (self->line, heddle_eq_peek (self)->column,
              _ ("a factor set beside a divisor can be read in two ways: expected A / (B C) or A / B * C"));
          return NULL;
        }
      else
        factor = parse_power (self);
    }
  return NULL;
}

HeddleEqNode *
heddle_eq_parse_expression (HeddleEqParser *self)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new ();
  g_autoptr (GByteArray) marks = g_byte_array_new ();
  guint8 mark = 0;

  for (;;)
    {
      HeddleEqNode *term = parse_product (self);

      if (term == NULL)
        return NULL;
      g_ptr_array_add (terms, term);
      g_byte_array_append (marks, &mark, 1);
      mark = heddle_eq_at (self, "-");
      if (!heddle_eq_accept (self, "+") && !heddle_eq_accept (self, "-"))
        return chain (self, HEDDLE_EQ_SUM, terms, marks);
    }
}

/* --- predicates ---------------------------------------------------------------------- */

static HeddleEqNode *
parse_comparison (HeddleEqParser *self)
{
  static const HeddleExprKind kinds[]
      = { HEDDLE_EXPR_LE, HEDDLE_EXPR_GE, HEDDLE_EXPR_EQ, HEDDLE_EXPR_NE, HEDDLE_EXPR_LT, HEDDLE_EXPR_GT };
  HeddleEqNode *left = heddle_eq_parse_expression (self);
  guint column = heddle_eq_peek (self)->column;

  for (gsize i = 0; left != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (heddle_eq_accept (self, heddle_expr_kind_info (kinds[i])->name))
      return heddle_eq_parser_apply (
          self, kinds[i], column, (HeddleEqNode *[]){ left, heddle_eq_parse_expression (self) }, 2);
  return left;
}

static HeddleEqNode *
parse_not (HeddleEqParser *self)
{
  guint column = heddle_eq_peek (self)->column;

  if (!heddle_eq_at_word (self, "not"))
    return parse_comparison (self);
  self->at++;
  return heddle_eq_parser_apply (
      self, HEDDLE_EXPR_NOT, column, (HeddleEqNode *[]){ heddle_eq_parse_nested (self, parse_not) }, 1);
}

static HeddleEqNode *
parse_logic (HeddleEqParser *self, HeddleExprKind kind, HeddleEqNode *(*parse) (HeddleEqParser *) )
{
  HeddleEqNode *left = parse (self);

  while (left != NULL && heddle_eq_at_word (self, heddle_expr_kind_info (kind)->name))
    {
      guint column = heddle_eq_peek (self)->column;

      self->at++;
      left = heddle_eq_parser_apply (self, kind, column, (HeddleEqNode *[]){ left, parse (self) }, 2);
    }
  return left;
}

static HeddleEqNode *
parse_conjunction (HeddleEqParser *self)
{
  return parse_logic (self, HEDDLE_EXPR_AND, parse_not);
}

HeddleEqNode *
heddle_eq_parse_predicate (HeddleEqParser *self)
{
  return parse_logic (self, HEDDLE_EXPR_OR, parse_conjunction);
}
