/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "files/equations-private.h"

/* Recursive descent over the tokens of a line. Every function gives NULL, the error reported, where it cannot read on. */

static HeddleEqNode *parse_predicate (HeddleEqParser *self);
static HeddleEqNode *parse_unary (HeddleEqParser *self);

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

static gboolean
at_word (const HeddleEqParser *self, const char *word)
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

/* --- limits -------------------------------------------------------------------------- */

/* The node, unless it grew past what later stages can walk. */
static HeddleEqNode *
checked (HeddleEqParser *self, HeddleEqNode *node)
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

static HeddleEqNode *
parse_nested (HeddleEqParser *self, HeddleEqNode *(*parse) (HeddleEqParser *) )
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

static HeddleEqNode *
apply (HeddleEqParser *self, HeddleExprKind kind, guint column, HeddleEqNode *const *children, guint n)
{
  for (guint i = 0; i < n; i++)
    if (children[i] == NULL)
      return NULL;
  return checked (self, heddle_eq_apply (self->arena, kind, column, children, n));
}

/* --- lists of nodes ------------------------------------------------------------------ */

static HeddleEqNode *
chain (HeddleEqParser *self, HeddleEqKind kind, GPtrArray *parts, GByteArray *marks)
{
  HeddleEqNode *node, *first = g_ptr_array_index (parts, 0);

  if (parts->len == 1)
    return first;
  node = heddle_eq_node (self->arena, kind, first->column, (HeddleEqNode *const *) parts->pdata, parts->len);
  for (guint i = 0; i < parts->len; i++)
    node->marks[i] = marks->data[i];
  return checked (self, node);
}

/* Known to the language, not to this version. */
static gpointer
later (HeddleEqParser *self, guint column, const char *what)
{
  heddle_eq_error (self->line, column,
      _ ("%s is not supported yet by this version, which knows contractions, elementwise functions, "
         "reductions, norms and affine reads"),
      what);
  return NULL;
}

/* `[(h k)]` merges axes. */
static gboolean
at_merge (const HeddleEqParser *self, const char *closing)
{
  const HeddleEqToken *token = heddle_eq_peek (self);

  return g_str_equal (closing, "]") && heddle_eq_at (self, "(") && token[1].kind == HEDDLE_EQ_TOKEN_NAME
         && token[2].kind == HEDDLE_EQ_TOKEN_NAME;
}

/* Comma-separated expressions up to the closing sign. */
static gboolean
parse_list (HeddleEqParser *self, GPtrArray *list, const char *closing)
{
  do
    {
      HeddleEqNode *node = NULL;

      if (at_merge (self, closing))
        later (self, heddle_eq_peek (self)->column, _ ("merging or splitting axes"));
      else
        node = parse_nested (self, heddle_eq_parse_expression);
      if (node == NULL)
        return FALSE;
      g_ptr_array_add (list, node);
    }
  while (heddle_eq_accept (self, ","));
  if (heddle_eq_accept (self, closing))
    return TRUE;
  heddle_eq_expected (
      self, g_str_equal (closing, ")") ? _ ("an operator, “,” or “)”") : _ ("an operator, “,” or “]”"));
  return FALSE;
}

/* --- calls --------------------------------------------------------------------------- */

/* What the language has and this version has not. */
static gboolean
is_later (const char *name)
{
  static const char *const later[] = { "concat", "argmax", "cumsum", "topk", NULL };

  return g_strv_contains (later, name);
}

static gboolean
is_function (const char *name)
{
  HeddleExprKind kind;

  for (guint arity = 1; arity <= 3; arity++)
    if (heddle_expr_kind_from_function (name, arity, &kind))
      return TRUE;
  return FALSE;
}

static const HeddleOperationKind *
reduction (const char *name)
{
  const HeddleOperationKind *kind = heddle_operation_kind (name);

  return kind != NULL && (kind->form == HEDDLE_FORM_REDUCE || kind->form == HEDDLE_FORM_NORMALISE) ? kind
                                                                                                   : NULL;
}

gboolean
heddle_eq_is_reserved (const char *name)
{
  static const char *const words[]
      = { "and", "or", "not", "inf", "axis", "param", "shared", "def", "size", "index", NULL };

  return g_strv_contains (words, name) || is_later (name) || is_function (name) || reduction (name) != NULL;
}

/* size (q), index (q) */
static HeddleEqNode *
parse_axis_call (HeddleEqParser *self, const HeddleEqToken *token)
{
  const HeddleEqToken *axis;

  self->at++;
  axis = heddle_eq_need_name (self, _ ("the name of an axis"));
  if (axis == NULL || !heddle_eq_need (self, ")"))
    return NULL;
  return heddle_eq_leaf (self->arena, g_str_equal (token->text, "size") ? HEDDLE_EQ_SIZE : HEDDLE_EQ_INDEX,
      axis->column, axis->text);
}

static HeddleEqNode *
parse_function (HeddleEqParser *self, const HeddleEqToken *token)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  HeddleExprKind kind;

  self->at++;
  if (g_str_equal (token->text, "where"))
    {
      HeddleEqNode *predicate = parse_nested (self, parse_predicate);

      if (predicate == NULL || !heddle_eq_need (self, ","))
        return NULL;
      g_ptr_array_add (list, predicate);
    }
  if (!parse_list (self, list, ")"))
    return NULL;
  if (heddle_expr_kind_from_function (token->text, list->len, &kind))
    return apply (self, kind, token->column, (HeddleEqNode *const *) list->pdata, list->len);
  heddle_eq_error (self->line, token->column,
      g_dngettext (GETTEXT_PACKAGE, "the function %s does not take %u argument",
          "the function %s does not take %u arguments", list->len),
      token->text, list->len);
  return NULL;
}

static double
constant_value (HeddleEqParser *self, const HeddleEqNode *node)
{
  HeddleEqNames none = { NULL, NULL, NULL };
  g_autoptr (HeddleExpr) expr = heddle_eq_size (&none, self->line, node);
  double value = NAN;

  if (expr != NULL)
    heddle_expr_evaluate (expr, NULL, NULL, &value, NULL);
  return value;
}

static gboolean
parse_option (HeddleEqParser *self, const HeddleEqToken *name, HeddleEqNode *node)
{
  HeddleEqNode *value;
  guint i = 0;

  while (i < HEDDLE_MAX_OPTIONS && g_strcmp0 (node->operation->options[i].name, name->text) != 0)
    i++;
  if (i == HEDDLE_MAX_OPTIONS)
    {
      heddle_eq_error (
          self->line, name->column, _ ("%s has no option “%s”"), node->operation->id, name->text);
      return FALSE;
    }
  self->at++;
  value = parse_nested (self, heddle_eq_parse_expression);
  if (value == NULL)
    return FALSE;
  node->options[i] = constant_value (self, value);
  if (isfinite (node->options[i]))
    return TRUE;
  if (self->line->n_errors == 0)
    heddle_eq_error (self->line, value->column, _ ("an option is a finite number"));
  return FALSE;
}

/* The axes and options of a reduction, up to its closing bracket. */
static gboolean
parse_reduction_axes (HeddleEqParser *self, HeddleEqNode *node)
{
  g_autoptr (GArray) axes = g_array_new (FALSE, FALSE, sizeof (HeddleEqIndex));

  do
    {
      const HeddleEqToken *name = heddle_eq_need_name (self, _ ("the name of an axis"));
      HeddleEqIndex index;

      if (name == NULL)
        return FALSE;
      if (heddle_eq_at (self, "="))
        {
          if (!parse_option (self, name, node))
            return FALSE;
          continue;
        }
      index = (HeddleEqIndex){ name->text, name->column };
      g_array_append_val (axes, index);
    }
  while (heddle_eq_accept (self, ","));
  if (axes->len == 0)
    return heddle_eq_expected (self, _ ("the name of an axis")) != NULL;
  node->n_axes = axes->len;
  node->axes = heddle_eq_alloc (self->arena, axes->len * sizeof (HeddleEqIndex));
  for (guint i = 0; i < axes->len; i++)
    node->axes[i] = g_array_index (axes, HeddleEqIndex, i);
  return heddle_eq_need (self, "]");
}

static HeddleEqNode *
parse_reduction (HeddleEqParser *self, const HeddleEqToken *token, const HeddleOperationKind *kind)
{
  HeddleEqNode *none = heddle_eq_number (self->arena, token->column, 0.);
  HeddleEqNode *node = heddle_eq_reduce (self->arena, kind, token->column, none);

  self->at++;
  if (!parse_reduction_axes (self, node) || !heddle_eq_need (self, "("))
    return NULL;
  node->children[0] = parse_nested (self, heddle_eq_parse_expression);
  if (node->children[0] == NULL)
    return NULL;
  if (!heddle_eq_accept (self, ")"))
    return heddle_eq_expected (self, _ ("an operator or “)”"));
  node->depth = node->children[0]->depth + 1;
  return checked (self, node);
}

/* --- primaries ----------------------------------------------------------------------- */

static HeddleEqNode *
parse_read (HeddleEqParser *self, const HeddleEqToken *token)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  HeddleEqNode *node;

  self->at++;
  if (heddle_eq_accept (self, "]")) /* a scalar, written out */
    return heddle_eq_leaf (self->arena, HEDDLE_EQ_READ, token->column, token->text);
  if (!parse_list (self, list, "]"))
    return NULL;
  node = heddle_eq_node (
      self->arena, HEDDLE_EQ_READ, token->column, (HeddleEqNode *const *) list->pdata, list->len);
  node->name = token->text;
  return checked (self, node);
}

static HeddleEqNode *
parse_name (HeddleEqParser *self)
{
  const HeddleEqToken *token = heddle_eq_peek (self);
  const HeddleOperationKind *kind = reduction (token->text);

  self->at++;
  if (g_str_equal (token->text, "inf"))
    return heddle_eq_number (self->arena, token->column, INFINITY);
  if (is_later (token->text) || g_str_equal (token->text, "shared"))
    return later (self, token->column, token->text);
  if (kind != NULL && heddle_eq_at (self, "["))
    return parse_reduction (self, token, kind);
  if (heddle_eq_at (self, "(") && (g_str_equal (token->text, "size") || g_str_equal (token->text, "index")))
    return parse_axis_call (self, token);
  if (heddle_eq_at (self, "(") && is_function (token->text))
    return parse_function (self, token);
  if (kind != NULL)
    return heddle_eq_expected (self, _ ("the axes to reduce over, as in sum[k](…)"));
  if (heddle_eq_is_reserved (token->text))
    return heddle_eq_expected (self, _ ("“(” and arguments"));
  if (heddle_eq_at (self, "["))
    return parse_read (self, token);
  return checked (self, heddle_eq_leaf (self->arena, HEDDLE_EQ_NAME, token->column, token->text));
}

static HeddleEqNode *
parse_parentheses (HeddleEqParser *self)
{
  HeddleEqNode *node;

  self->at++;
  node = parse_nested (self, parse_predicate);
  if (node == NULL)
    return NULL;
  if (!heddle_eq_accept (self, ")"))
    return heddle_eq_expected (self, _ ("an operator or “)”"));
  node->parenthesised = TRUE;
  return node;
}

static HeddleEqNode *
parse_primary (HeddleEqParser *self)
{
  const HeddleEqToken *token = heddle_eq_peek (self);

  if (token->kind == HEDDLE_EQ_TOKEN_NUMBER)
    {
      self->at++;
      return checked (self, heddle_eq_number (self->arena, token->column, token->number));
    }
  if (token->kind == HEDDLE_EQ_TOKEN_NAME && !at_word (self, "and") && !at_word (self, "or")
      && !at_word (self, "not"))
    return parse_name (self);
  if (heddle_eq_at (self, "("))
    return parse_parentheses (self);
  return heddle_eq_expected (self, _ ("a number, a name or “(”"));
}

/* --- operators ----------------------------------------------------------------------- */

static HeddleEqNode *
parse_power (HeddleEqParser *self)
{
  HeddleEqNode *base = parse_primary (self);
  guint column = heddle_eq_peek (self)->column;

  if (base == NULL || !heddle_eq_accept (self, "^"))
    return base;
  /* The exponent may begin with signs and be a power itself. */
  return apply (
      self, HEDDLE_EXPR_POW, column, (HeddleEqNode *[]){ base, parse_nested (self, parse_unary) }, 2);
}

static HeddleEqNode *
parse_unary (HeddleEqParser *self)
{
  guint column = heddle_eq_peek (self)->column;

  if (!heddle_eq_accept (self, "-"))
    return parse_power (self);
  return apply (self, HEDDLE_EXPR_NEG, column, (HeddleEqNode *[]){ parse_nested (self, parse_unary) }, 1);
}

static gboolean
at_factor (const HeddleEqParser *self)
{
  HeddleEqTokenKind kind = heddle_eq_peek (self)->kind;

  return kind == HEDDLE_EQ_TOKEN_NUMBER || heddle_eq_at (self, "(")
         || (kind == HEDDLE_EQ_TOKEN_NAME && !at_word (self, "and") && !at_word (self, "or")
             && !at_word (self, "not"));
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
      return apply (self, kinds[i], column, (HeddleEqNode *[]){ left, heddle_eq_parse_expression (self) }, 2);
  return left;
}

static HeddleEqNode *
parse_not (HeddleEqParser *self)
{
  guint column = heddle_eq_peek (self)->column;

  if (!at_word (self, "not"))
    return parse_comparison (self);
  self->at++;
  return apply (self, HEDDLE_EXPR_NOT, column, (HeddleEqNode *[]){ parse_nested (self, parse_not) }, 1);
}

static HeddleEqNode *
parse_logic (HeddleEqParser *self, HeddleExprKind kind, HeddleEqNode *(*parse) (HeddleEqParser *) )
{
  HeddleEqNode *left = parse (self);

  while (left != NULL && at_word (self, heddle_expr_kind_info (kind)->name))
    {
      guint column = heddle_eq_peek (self)->column;

      self->at++;
      left = apply (self, kind, column, (HeddleEqNode *[]){ left, parse (self) }, 2);
    }
  return left;
}

static HeddleEqNode *
parse_conjunction (HeddleEqParser *self)
{
  return parse_logic (self, HEDDLE_EXPR_AND, parse_not);
}

/* Where the grammar wants a predicate, and in parentheses. */
static HeddleEqNode *
parse_predicate (HeddleEqParser *self)
{
  return parse_logic (self, HEDDLE_EXPR_OR, parse_conjunction);
}
