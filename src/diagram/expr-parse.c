/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/error.h"
#include "diagram/expr-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* A recursive-descent parser over UTF-8 text. Every function skips the white space before what it reads, and gives NULL with the
 * error set where it cannot read it. */
typedef struct
{
  const char *text;
  const char *at;
  HeddleExprSymbol symbol;
  gpointer data;
  guint nesting;
  GError **error;
} Parser;

static HeddleExpr *parse_predicate (Parser *self);
static HeddleExpr *parse_unary (Parser *self);

G_GNUC_PRINTF (3, 4)
static HeddleExpr *
fail (Parser *self, const char *at, const char *format, ...)
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

static HeddleExpr *
fail_expected (Parser *self, const char *what)
{
  g_autofree char *found = NULL;

  if (*self->at == '\0')
    return fail (self, self->at, _ ("expected %s, found the end"), what);
  found = g_utf8_substring (self->at, 0, 1);
  return fail (self, self->at, _ ("expected %s, found “%s”"), what, found);
}

/* Combines what was read, unless it grew too deep to be walked; takes the children. */
static HeddleExpr *
combine (Parser *self, HeddleExprKind kind, HeddleExpr **children, guint n_children)
{
  HeddleExpr *node = heddle_expr_node (kind, children, n_children);

  if (node->depth <= HEDDLE_EXPR_MAX_DEPTH)
    return node;
  heddle_expr_unref (node);
  return fail (self, self->at, _ ("more than %d operations in a row"), HEDDLE_EXPR_MAX_DEPTH);
}

/* Reads what is nested within what is being read. */
static HeddleExpr *
parse_nested (Parser *self, HeddleExpr *(*parse) (Parser *self))
{
  HeddleExpr *inside = NULL;

  if (++self->nesting <= HEDDLE_EXPR_MAX_NESTING)
    inside = parse (self);
  else
    fail (self, self->at, _ ("nested more than %d levels deep"), HEDDLE_EXPR_MAX_NESTING);
  self->nesting--;
  return inside;
}

/* --- tokens -------------------------------------------------------------------------- */

static void
skip_space (Parser *self)
{
  while (g_ascii_isspace (*self->at))
    self->at++;
}

static gboolean
accept (Parser *self, const char *sign)
{
  skip_space (self);
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

/* `\bar x` is one name, `\alpha x` two. */
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

/* The end of the subscript that begins at the underscore @at; NULL: it is none. */
static const char *
skip_subscript (const char *at)
{
  const char *end;

  if (at[1] != '{')
    return g_unichar_isalnum (g_utf8_get_char (at + 1)) ? skip_alnum (at + 1) : NULL;
  end = strpbrk (at + 2, "}\n");
  return end != NULL && *end == '}' ? end + 1 : NULL;
}

/* The end of an accent and letters; NULL: there is none. */
static const char *
skip_word (const char *at)
{
  const char *letter = skip_accent (at);

  letter += *letter == '\\';
  return is_letter (letter) ? skip_alnum (letter) : NULL;
}

/* The end of what is joined by the dot @at, a number perhaps between; NULL: it joins nothing. */
static const char *
skip_joined (const char *at)
{
  const char *digits = at + 1 + strspn (at + 1, "0123456789");

  return skip_word (digits > at + 1 && *digits == '.' ? digits + 1 : at + 1);
}

/* The end of the name that begins at @at, or @at itself where none does. A dot joins the name of a call's result and that of
 * something within what is called, with a number between where it is called several times. */
static const char *
name_end (const char *at)
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

/* Whether the next token is the word @word; reads it if so. */
static gboolean
accept_word (Parser *self, const char *word)
{
  gsize length = strlen (word);

  skip_space (self);
  if (!g_str_has_prefix (self->at, word) || name_end (self->at) != self->at + length)
    return FALSE;
  self->at += length;
  return TRUE;
}

static gboolean
peek_word (Parser *self, const char *word)
{
  const char *at = self->at;
  gboolean found = accept_word (self, word);

  self->at = at;
  return found;
}

/* --- primaries ----------------------------------------------------------------------- */

static HeddleExpr *
parse_number (Parser *self)
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
    return fail (self, start, _ ("the number is too large"));
  self->at = end;
  return heddle_expr_number (value);
}

static HeddleExpr *
parse_argument (Parser *self)
{
  const char *start = self->at++;
  guint64 operand;
  char *end;

  if (!g_ascii_isdigit (*self->at))
    return fail_expected (self, _ ("the number of an operand"));
  operand = g_ascii_strtoull (self->at, &end, 10);
  if (operand > G_MAXUINT16)
    return fail (self, start, _ ("there are no so many operands"));
  self->at = end;
  return heddle_expr_argument (operand);
}

/* The axis between the parentheses of size (…) or index (…): any text, for ids have characters that names have not. */
static HeddleExpr *
parse_axis (Parser *self, HeddleExprKind kind)
{
  g_autoptr (HeddleExpr) leaf = NULL;
  g_autofree char *name = NULL;
  const char *start, *end, *symbol;

  skip_space (self);
  start = self->at;
  end = strpbrk (start, "()\n");
  if (end == NULL || *end != ')' || end == start)
    return fail_expected (self, _ ("the name of an axis"));
  name = g_strstrip (g_strndup (start, end - start));
  symbol = name;
  if (self->symbol != NULL)
    {
      leaf = self->symbol (name, self->data);
      if (leaf == NULL || (leaf->kind != HEDDLE_EXPR_SIZE && leaf->kind != HEDDLE_EXPR_INDEX))
        return fail (self, start, _ ("“%s” is no axis"), name);
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
parse_call (Parser *self, const char *name, const char *start)
{
  HeddleExpr *children[3];
  HeddleExprKind kind;
  guint n = 0;

  do
    {
      HeddleExpr *child = NULL;

      if (n == G_N_ELEMENTS (children))
        fail (self, start, _ ("“%s” has too many arguments"), name);
      else
        child = parse_nested (self, parse_predicate);
      if (child == NULL)
        {
          clear_children (children, n);
          return NULL;
        }
      children[n++] = child;
    }
  while (accept (self, ","));

  if (!accept (self, ")"))
    fail_expected (self, _ ("“,” or “)”"));
  else if (!heddle_expr_kind_from_function (name, n, &kind))
    fail (self, start, _ ("there is no function “%s” of %u arguments"), name, n);
  else
    return combine (self, kind, children, n);
  clear_children (children, n);
  return NULL;
}

static HeddleExpr *
parse_name (Parser *self)
{
  const char *start = self->at;
  g_autofree char *name = NULL;
  HeddleExpr *leaf;

  self->at = name_end (start);
  name = g_strndup (start, self->at - start);
  if (g_str_equal (name, "inf"))
    return heddle_expr_number (INFINITY);
  if (g_str_equal (name, "and") || g_str_equal (name, "or") || g_str_equal (name, "not"))
    {
      self->at = start;
      return fail_expected (self, _ ("a number, a name or “(”"));
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
  return leaf != NULL ? leaf : fail (self, start, _ ("unknown name “%s”"), name);
}

static HeddleExpr *
parse_parentheses (Parser *self)
{
  HeddleExpr *inside;

  self->at++;
  inside = parse_nested (self, parse_predicate);
  if (inside == NULL || accept (self, ")"))
    return inside;
  heddle_expr_unref (inside);
  return fail_expected (self, _ ("“)”"));
}

/* Whether a factor may begin here, beside the one before. */
static gboolean
at_primary (Parser *self)
{
  skip_space (self);
  if (g_ascii_isdigit (*self->at) || *self->at == '(' || *self->at == '$')
    return TRUE;
  return name_end (self->at) != self->at && !peek_word (self, "and") && !peek_word (self, "or");
}

static HeddleExpr *
parse_primary (Parser *self)
{
  skip_space (self);
  if (g_ascii_isdigit (*self->at))
    return parse_number (self);
  if (*self->at == '$')
    return parse_argument (self);
  if (*self->at == '(')
    return parse_parentheses (self);
  if (name_end (self->at) != self->at)
    return parse_name (self);
  return fail_expected (self, _ ("a number, a name or “(”"));
}

/* --- operators ----------------------------------------------------------------------- */

static HeddleExpr *
combine_two (Parser *self, HeddleExprKind kind, HeddleExpr *left, HeddleExpr *right)
{
  if (right != NULL)
    return combine (self, kind, (HeddleExpr *[]){ left, right }, 2);
  heddle_expr_unref (left);
  return NULL;
}

static HeddleExpr *
parse_power (Parser *self)
{
  HeddleExpr *base = parse_primary (self);

  if (base == NULL || !accept (self, "^"))
    return base;
  /* The exponent: signs and a power, the same as what a product begins with. */
  return combine_two (self, HEDDLE_EXPR_POW, base, parse_nested (self, parse_unary));
}

static HeddleExpr *
parse_unary (Parser *self)
{
  HeddleExpr *inside;

  if (!accept (self, "-"))
    return parse_power (self);
  inside = parse_nested (self, parse_unary);
  return inside != NULL ? combine (self, HEDDLE_EXPR_NEG, &inside, 1) : NULL;
}

static HeddleExpr *
parse_product (Parser *self)
{
  HeddleExpr *left = parse_unary (self);
  gboolean divided = FALSE;

  while (left != NULL)
    {
      if (accept (self, "*"))
        left = combine_two (self, HEDDLE_EXPR_MUL, left, parse_unary (self));
      else if (accept (self, "/"))
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
          return fail (self, self->at, _ ("a factor beside a divisor: write “*” or parentheses"));
        }
      else
        left = combine_two (self, HEDDLE_EXPR_MUL, left, parse_power (self));
      divided = FALSE;
    }
  return left;
}

static HeddleExpr *
parse_sum (Parser *self)
{
  HeddleExpr *left = parse_product (self);

  while (left != NULL)
    if (accept (self, "+"))
      left = combine_two (self, HEDDLE_EXPR_ADD, left, parse_product (self));
    else if (accept (self, "-"))
      left = combine_two (self, HEDDLE_EXPR_SUB, left, parse_product (self));
    else
      break;
  return left;
}

static HeddleExpr *
parse_comparison (Parser *self)
{
  /* Those that begin with others first. */
  static const HeddleExprKind kinds[]
      = { HEDDLE_EXPR_LE, HEDDLE_EXPR_GE, HEDDLE_EXPR_EQ, HEDDLE_EXPR_NE, HEDDLE_EXPR_LT, HEDDLE_EXPR_GT };
  HeddleExpr *left = parse_sum (self);

  if (left == NULL)
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (accept (self, heddle_expr_kind_info (kinds[i])->name))
      return combine_two (self, kinds[i], left, parse_sum (self));
  return left;
}

static HeddleExpr *
parse_not (Parser *self)
{
  HeddleExpr *inside;

  if (!accept_word (self, "not"))
    return parse_comparison (self);
  inside = parse_nested (self, parse_not);
  return inside != NULL ? combine (self, HEDDLE_EXPR_NOT, &inside, 1) : NULL;
}

static HeddleExpr *
parse_conjunction (Parser *self)
{
  HeddleExpr *left = parse_not (self);

  while (left != NULL && accept_word (self, "and"))
    left = combine_two (self, HEDDLE_EXPR_AND, left, parse_not (self));
  return left;
}

static HeddleExpr *
parse_predicate (Parser *self)
{
  HeddleExpr *left = parse_conjunction (self);

  while (left != NULL && accept_word (self, "or"))
    left = combine_two (self, HEDDLE_EXPR_OR, left, parse_conjunction (self));
  return left;
}

/**
 * heddle_expr_parse:
 * @text: the text of a scalar expression
 * @symbol: (nullable) (scope call): turns a bare name into a leaf, or gives %NULL where it knows none; %NULL: every bare name is a variable
 * @data: passed to @symbol
 * @error: return location for %HEDDLE_DIAGRAM_ERROR_SYNTAX, whose message begins with the column (in characters, from 1) and ": "
 *
 * Reads the scalar part of the language of equations: numbers, `inf`, names, operators and functions, comparisons with `and`, `or` and `not`, `$0` for the
 * value of operand 0, `size(q)` and `index(q)`, and factors set side by side. A minus before a number is part of the number.
 *
 * Returns: (transfer full): the expression, or %NULL with @error set
 */
HeddleExpr *
heddle_expr_parse (const char *text, HeddleExprSymbol symbol, gpointer data, GError **error)
{
  Parser self = { text, text, symbol, data, 0, error };
  HeddleExpr *result;

  g_return_val_if_fail (text != NULL, NULL);

  if (!g_utf8_validate (text, -1, NULL))
    {
      g_set_error (
          error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_SYNTAX, "1: %s", _ ("the text is not UTF-8"));
      return NULL;
    }
  result = parse_predicate (&self);
  skip_space (&self);
  if (result == NULL || *self.at == '\0')
    return result;
  heddle_expr_unref (result);
  return fail_expected (&self, _ ("an operator or the end"));
}

/**
 * heddle_expr_literal:
 * @text: the text of an expression that the program itself contains
 *
 * Returns: (transfer full): the expression; bare names are variables. Aborts when @text cannot be read.
 */
HeddleExpr *
heddle_expr_literal (const char *text)
{
  g_autoptr (GError) error = NULL;
  HeddleExpr *result = heddle_expr_parse (text, NULL, NULL, &error);

  if (result == NULL)
    g_error ("cannot read “%s”: %s", text, error->message);
  return result;
}
