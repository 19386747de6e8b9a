/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/base/error.h"
#include "diagram/expression/kind.h"
#include "diagram/expression/lex.h"
#include "diagram/expression/parse-private.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

static HeddleExpr *parse_predicate (HeddleExprParser *self);
static HeddleExpr *parse_unary (HeddleExprParser *self);

/* Combines what was read, unless it grew too deep to be walked; takes the children. */
static HeddleExpr *
combine (HeddleExprParser *self, HeddleExprKind kind, HeddleExpr **children, guint n_children)
{
  HeddleExpr *node = heddle_expr_node (kind, children, n_children);

  if (node->depth <= HEDDLE_EXPR_MAX_DEPTH)
    return node;
  heddle_expr_unref (node);
  return heddle_expr_fail (self, self->at, _ ("more than %d operations in a row"), HEDDLE_EXPR_MAX_DEPTH);
}

/* Reads what is nested within what is being read. */
static HeddleExpr *
parse_nested (HeddleExprParser *self, HeddleExpr *(*parse) (HeddleExprParser *self))
{
  HeddleExpr *inside = NULL;

  if (++self->nesting <= HEDDLE_EXPR_MAX_NESTING)
    inside = parse (self);
  else
    heddle_expr_fail (self, self->at, _ ("nested more than %d levels deep"), HEDDLE_EXPR_MAX_NESTING);
  self->nesting--;
  return inside;
}

/* --- primaries ----------------------------------------------------------------------- */

/* Returns the axis between the parentheses of size (…) or index (…): any text, for ids have characters that
 * names have not. */
static HeddleExpr *
parse_axis (HeddleExprParser *self, HeddleExprKind kind)
{
  g_autoptr (HeddleExpr) leaf = NULL;
  g_autofree char *name = NULL;
  const char *start, *end, *symbol;

  heddle_expr_skip_space (self);
  start = self->at;
  end = strpbrk (start, "()\n");
  if (end == NULL || *end != ')' || end == start)
    return heddle_expr_fail_expected (self, _ ("the name of an axis"));
  name = g_strstrip (g_strndup (start, end - start));
  symbol = name;
  if (self->symbol != NULL)
    {
      leaf = self->symbol (name, self->data);
      if (leaf == NULL || (leaf->kind != HEDDLE_EXPR_SIZE && leaf->kind != HEDDLE_EXPR_INDEX))
        return heddle_expr_fail (self, start, _ ("“%s” is not an axis"), name);
      symbol = leaf->symbol;
    }
  self->at = end + 1;
  return kind == HEDDLE_EXPR_SIZE ? heddle_expr_size (symbol) : heddle_expr_index (symbol);
}

static void
clear_children (HeddleExpr **children, guint n)
{
  for (guint i = 0; i < n; i++)
    heddle_expr_unref (children[i]);
}

static HeddleExpr *
parse_call (HeddleExprParser *self, const char *name, const char *start)
{
  HeddleExpr *children[3];
  HeddleExprKind kind;
  guint n = 0;

  do
    {
      HeddleExpr *child = NULL;

      if (n == G_N_ELEMENTS (children))
        heddle_expr_fail (self, start, _ ("“%s” has too many arguments"), name);
      else
        child = parse_nested (self, parse_predicate);
      if (child == NULL)
        {
          clear_children (children, n);
          return NULL;
        }
      children[n++] = child;
    }
  while (heddle_expr_accept (self, ","));

  if (!heddle_expr_accept (self, ")"))
    heddle_expr_fail_expected (self, _ ("“,” or “)”"));
  else if (!heddle_expr_kind_from_function (name, n, &kind))
    heddle_expr_fail (self, start, _ ("there is no function “%s” of %u arguments"), name, n);
  else
    return combine (self, kind, children, n);
  clear_children (children, n);
  return NULL;
}

static HeddleExpr *
parse_name (HeddleExprParser *self)
{
  const char *start = self->at;
  g_autofree char *name = NULL;
  HeddleExpr *leaf;

  self->at = heddle_expr_name_end (start);
  name = g_strndup (start, self->at - start);
  if (g_str_equal (name, "inf"))
    return heddle_expr_number (INFINITY);
  if (g_str_equal (name, "and") || g_str_equal (name, "or") || g_str_equal (name, "not"))
    {
      self->at = start;
      return heddle_expr_fail_expected (self, _ ("a number, a name or “(”"));
    }
  /* A product with what is in parentheses wants a sign or a space: `d (x + 1)`. */
  if (*self->at == '(')
    {
      self->at++;
      if (g_str_equal (name, "size"))
        return parse_axis (self, HEDDLE_EXPR_SIZE);
      if (g_str_equal (name, "index"))
        return parse_axis (self, HEDDLE_EXPR_INDEX);
      return parse_call (self, name, start);
    }
  leaf = self->symbol != NULL ? self->symbol (name, self->data) : heddle_expr_variable (name);
  return leaf != NULL ? leaf : heddle_expr_fail (self, start, _ ("unknown name “%s”"), name);
}

static HeddleExpr *
parse_parentheses (HeddleExprParser *self)
{
  HeddleExpr *inside;

  self->at++;
  inside = parse_nested (self, parse_predicate);
  if (inside == NULL || heddle_expr_accept (self, ")"))
    return inside;
  heddle_expr_unref (inside);
  return heddle_expr_fail_expected (self, _ ("“)”"));
}

/* Returns whether a factor may begin here, beside the one before. */
static gboolean
at_primary (HeddleExprParser *self)
{
  heddle_expr_skip_space (self);
  if (g_ascii_isdigit (*self->at) || *self->at == '(' || *self->at == '$')
    return TRUE;
  return heddle_expr_name_end (self->at) != self->at && !heddle_expr_peek_word (self, "and")
         && !heddle_expr_peek_word (self, "or");
}

static HeddleExpr *
parse_primary (HeddleExprParser *self)
{
  heddle_expr_skip_space (self);
  if (g_ascii_isdigit (*self->at))
    return heddle_expr_parse_number (self);
  if (*self->at == '$')
    return heddle_expr_parse_argument (self);
  if (*self->at == '(')
    return parse_parentheses (self);
  if (heddle_expr_name_end (self->at) != self->at)
    return parse_name (self);
  return heddle_expr_fail_expected (self, _ ("a number, a name or “(”"));
}

/* --- operators ----------------------------------------------------------------------- */

static HeddleExpr *
combine_two (HeddleExprParser *self, HeddleExprKind kind, HeddleExpr *left, HeddleExpr *right)
{
  if (right != NULL)
    return combine (self, kind, (HeddleExpr *[]){ left, right }, 2);
  heddle_expr_unref (left);
  return NULL;
}

static HeddleExpr *
parse_power (HeddleExprParser *self)
{
  HeddleExpr *base = parse_primary (self);

  if (base == NULL || !heddle_expr_accept (self, "^"))
    return base;
  /* The exponent: signs and a power, the same as what a product begins with. */
  return combine_two (self, HEDDLE_EXPR_POW, base, parse_nested (self, parse_unary));
}

static HeddleExpr *
parse_unary (HeddleExprParser *self)
{
  HeddleExpr *inside;

  if (!heddle_expr_accept (self, "-"))
    return parse_power (self);
  inside = parse_nested (self, parse_unary);
  return inside != NULL ? combine (self, HEDDLE_EXPR_NEG, &inside, 1) : NULL;
}

static HeddleExpr *
parse_product (HeddleExprParser *self)
{
  HeddleExpr *left = parse_unary (self);
  gboolean divided = FALSE;

  while (left != NULL)
    {
      if (heddle_expr_accept (self, "*"))
        left = combine_two (self, HEDDLE_EXPR_MUL, left, parse_unary (self));
      else if (heddle_expr_accept (self, "/"))
        {
          left = combine_two (self, HEDDLE_EXPR_DIV, left, parse_unary (self));
          divided = TRUE;
          continue;
        }
      else if (!at_primary (self))
        break;
      else if (divided)
        {
          heddle_expr_unref (left);
          return heddle_expr_fail (self, self->at, _ ("a factor beside a divisor: write “*” or parentheses"));
        }
      else
        left = combine_two (self, HEDDLE_EXPR_MUL, left, parse_power (self));
      divided = FALSE;
    }
  return left;
}

static HeddleExpr *
parse_sum (HeddleExprParser *self)
{
  HeddleExpr *left = parse_product (self);

  while (left != NULL)
    if (heddle_expr_accept (self, "+"))
      left = combine_two (self, HEDDLE_EXPR_ADD, left, parse_product (self));
    else if (heddle_expr_accept (self, "-"))
      left = combine_two (self, HEDDLE_EXPR_SUB, left, parse_product (self));
    else
      break;
  return left;
}

static HeddleExpr *
parse_comparison (HeddleExprParser *self)
{
  /* Signs that begin with other signs come first. */
  static const HeddleExprKind kinds[]
      = { HEDDLE_EXPR_LE, HEDDLE_EXPR_GE, HEDDLE_EXPR_EQ, HEDDLE_EXPR_NE, HEDDLE_EXPR_LT, HEDDLE_EXPR_GT };
  HeddleExpr *left = parse_sum (self);

  if (left == NULL)
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (heddle_expr_accept (self, heddle_expr_kind_info (kinds[i])->name))
      return combine_two (self, kinds[i], left, parse_sum (self));
  return left;
}

static HeddleExpr *
parse_not (HeddleExprParser *self)
{
  HeddleExpr *inside;

  if (!heddle_expr_accept_word (self, "not"))
    return parse_comparison (self);
  inside = parse_nested (self, parse_not);
  return inside != NULL ? combine (self, HEDDLE_EXPR_NOT, &inside, 1) : NULL;
}

static HeddleExpr *
parse_conjunction (HeddleExprParser *self)
{
  HeddleExpr *left = parse_not (self);

  while (left != NULL && heddle_expr_accept_word (self, "and"))
    left = combine_two (self, HEDDLE_EXPR_AND, left, parse_not (self));
  return left;
}

static HeddleExpr *
parse_predicate (HeddleExprParser *self)
{
  HeddleExpr *left = parse_conjunction (self);

  while (left != NULL && heddle_expr_accept_word (self, "or"))
    left = combine_two (self, HEDDLE_EXPR_OR, left, parse_conjunction (self));
  return left;
}

HeddleExpr *
heddle_expr_parse (const char *text, HeddleExprSymbol symbol, gpointer data, GError **error)
{
  HeddleExprParser self = { text, text, symbol, data, 0, error };
  HeddleExpr *result;

  g_return_val_if_fail (text != NULL, NULL);

  if (!g_utf8_validate (text, -1, NULL))
    {
      g_set_error (
          error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_SYNTAX, "1: %s", _ ("the text is not UTF-8"));
      return NULL;
    }
  result = parse_predicate (&self);
  heddle_expr_skip_space (&self);
  if (result == NULL || *self.at == '\0')
    return result;
  heddle_expr_unref (result);
  return heddle_expr_fail_expected (&self, _ ("an operator or the end"));
}

HeddleExpr *
heddle_expr_literal (const char *text)
{
  g_autoptr (GError) error = NULL;
  HeddleExpr *result = heddle_expr_parse (text, NULL, NULL, &error);

  if (result == NULL)
    g_error ("cannot read “%s”: %s", text, error->message);
  return result;
}
