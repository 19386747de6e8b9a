/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "diagram/expression/expr.h"
#include "diagram/expression/kind.h"
#include "files/equations/expression.h"
#include "files/equations/node.h"
#include "files/equations/report.h"
#include "diagram/expression/evaluate.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/arena.h"
#include "files/equations/merge.h"
#include "files/equations/scope.h"
#include "files/equations/words.h"

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

static HeddleEqNode *eq_parse_primary (HeddleEqParser *self);

/* --- operators ----------------------------------------------------------------------- */

static HeddleEqNode *
parse_power (HeddleEqParser *self)
{
  HeddleEqNode *base = eq_parse_primary (self);
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

/* Reads an expression where the grammar wants a predicate, and in parentheses. NULL means that an error was
 * reported. */
static HeddleEqNode *
eq_parse_predicate (HeddleEqParser *self)
{
  return parse_logic (self, HEDDLE_EXPR_OR, parse_conjunction);
}

/* Returns whether the next tokens merge axes, as `[(h k)]` does. */
static gboolean
at_merge (const HeddleEqParser *self, const char *closing)
{
  const HeddleEqToken *token = heddle_eq_peek (self);

  return g_str_equal (closing, "]") && heddle_eq_at (self, "(") && token[1].kind == HEDDLE_EQ_TOKEN_NAME
         && token[2].kind == HEDDLE_EQ_TOKEN_NAME;
}

/* Appends expressions separated by commas to @list, up to the sign @closing, which is read too. FALSE means
 * that an error was reported. */
static gboolean
eq_parse_list (HeddleEqParser *self, GPtrArray *list, const char *closing)
{
  do
    {
      HeddleEqNode *node = NULL;

      if (at_merge (self, closing))
        node = heddle_eq_parse_merged_index (self);
      else
        node = heddle_eq_parse_nested (self, heddle_eq_parse_expression);
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

/* Parses size (q) and index (q). */
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
      HeddleEqNode *predicate = heddle_eq_parse_nested (self, eq_parse_predicate);

      if (predicate == NULL || !heddle_eq_need (self, ","))
        return NULL;
      g_ptr_array_add (list, predicate);
    }
  if (!eq_parse_list (self, list, ")"))
    return NULL;
  if (heddle_expr_kind_from_function (token->text, list->len, &kind))
    return heddle_eq_parser_apply (self, kind, token->column, (HeddleEqNode *const *) list->pdata, list->len);
  heddle_eq_error (self->line, token->column,
      g_dngettext (GETTEXT_PACKAGE, "the function %s does not take %u argument",
          "the function %s does not take %u arguments", list->len),
      token->text, list->len);
  return NULL;
}

static double
constant_value (HeddleEqParser *self, const HeddleEqNode *node)
{
  HeddleEqNames none = { NULL };
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
  value = heddle_eq_parse_nested (self, heddle_eq_parse_expression);
  if (value == NULL)
    return FALSE;
  node->options[i] = constant_value (self, value);
  if (isfinite (node->options[i]))
    return TRUE;
  if (self->line->n_errors == 0)
    heddle_eq_error (self->line, value->column, _ ("an option is a finite number"));
  return FALSE;
}

/* Parses the axes and options of a heddle_eq_reduction, up to its closing bracket. */
static gboolean
parse_reduction_axes (HeddleEqParser *self, HeddleEqNode *node)
{
  g_autoptr (GArray) axes = g_array_new (FALSE, FALSE, sizeof (HeddleEqIndex));

  if (heddle_eq_at (self, "]") && g_str_equal (node->operation->id, "sum"))
    return heddle_eq_need (self, "]"); /* a contraction may be over no axes: an outer product */
  do
    {
      const HeddleEqToken *name = heddle_eq_need_name (self, _ ("the name of an axis"));
      HeddleEqIndex index;

      if (name == NULL)
        return FALSE;
      if (heddle_eq_at (self, "=") && node->operation->form == HEDDLE_FORM_SELECT
          && g_str_equal (name->text, "k"))
        { /* k = the axis along which they come in order */
          self->at++;
          name = heddle_eq_need_name (self, _ ("the name of an axis"));
          if (name == NULL)
            return FALSE;
        }
      else if (heddle_eq_at (self, "="))
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

/* Checks the number of axes and arrays that an operation takes. */
static gboolean
check_counts (HeddleEqParser *self, const HeddleEqNode *node)
{
  const HeddleOperationKind *kind = node->operation;
  guint n_axes = kind->form == HEDDLE_FORM_SELECT ? 2 : 1;

  if (kind->form != HEDDLE_FORM_REDUCE && kind->form != HEDDLE_FORM_NORMALISE && node->n_axes != n_axes)
    heddle_eq_error (self->line, node->column,
        n_axes == 1
            ? _ ("%s works along one axis: expected %s[t](…)")
            : _ ("%s needs the axis to choose from and the axis of the chosen: expected %s[e, k=s](…)"),
        kind->id, kind->id);
  else if (node->n_children < kind->min_operands
           || (kind->max_operands > 0 && node->n_children > kind->max_operands))
    heddle_eq_error (self->line, node->column,
        g_dngettext (
            GETTEXT_PACKAGE, "%s does not take %u array", "%s does not take %u arrays", node->n_children),
        kind->id, node->n_children);
  else
    return TRUE;
  return FALSE;
}

static HeddleEqNode *
parse_reduction (HeddleEqParser *self, const HeddleEqToken *token, const HeddleOperationKind *kind)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  HeddleEqNode *head = heddle_eq_reduce_all (self->arena, kind, token->column, NULL, 0);
  HeddleEqNode *node;

  self->at++;
  if (!parse_reduction_axes (self, head) || !heddle_eq_need (self, "(") || !eq_parse_list (self, list, ")"))
    return NULL;
  node = heddle_eq_reduce_all (
      self->arena, kind, token->column, (HeddleEqNode *const *) list->pdata, list->len);
  node->n_axes = head->n_axes;
  node->axes = head->axes;
  memcpy (node->options, head->options, sizeof node->options);
  return check_counts (self, node) ? heddle_eq_parser_checked (self, node) : NULL;
}

HeddleEqNode *
heddle_eq_parse_choice (HeddleEqParser *self)
{
  const HeddleEqToken *token = heddle_eq_peek (self);

  self->at++;
  if (!heddle_eq_at (self, "["))
    return heddle_eq_expected (self, _ ("the axes, as in topk[e, k=s](…)"));
  return parse_reduction (self, token, heddle_operation_kind ("argtopk"));
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
  if (!eq_parse_list (self, list, "]"))
    return NULL;
  node = heddle_eq_node (
      self->arena, HEDDLE_EQ_READ, token->column, (HeddleEqNode *const *) list->pdata, list->len);
  node->name = token->text;
  return heddle_eq_parser_checked (self, node);
}

/* Parses ^ NUMBER, ^ NAME or ^ (size), if there is one. */
static gboolean
parse_repeat (HeddleEqParser *self, HeddleEqNode **repeat)
{
  const HeddleEqToken *token;

  if (!heddle_eq_accept (self, "^"))
    return TRUE;
  token = heddle_eq_peek (self);
  if (token->kind == HEDDLE_EQ_TOKEN_NUMBER)
    *repeat = heddle_eq_number (self->arena, token->column, token->number);
  else if (token->kind == HEDDLE_EQ_TOKEN_NAME)
    *repeat = heddle_eq_leaf (self->arena, HEDDLE_EQ_NAME, token->column, token->text);
  else if (heddle_eq_at (self, "("))
    return (*repeat = eq_parse_primary (self)) != NULL;
  else
    return heddle_eq_expected (self, _ ("how often: a number or the name of an axis")) != NULL;
  self->at++;
  return TRUE;
}

/* Parses [ NAME ], the axis that a call is scanned along, if there is one. */
static gboolean
parse_scan (HeddleEqParser *self, HeddleEqIndex *axis)
{
  const HeddleEqToken *name;

  if (!heddle_eq_accept (self, "["))
    return TRUE;
  name = heddle_eq_need_name (self, _ ("the name of the axis that the definition is scanned along"));
  if (name == NULL)
    return FALSE;
  *axis = (HeddleEqIndex){ name->text, name->column };
  return heddle_eq_need (self, "]");
}

/* Reads what follows a definition's name, @token, as a call. NULL means that an error was reported. */
static HeddleEqNode *
eq_parse_invocation (HeddleEqParser *self, const HeddleEqToken *token)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  HeddleEqNode *repeat = NULL, *node;
  HeddleEqIndex axis = { NULL };

  if (!parse_repeat (self, &repeat) || !parse_scan (self, &axis))
    return NULL;
  if (repeat != NULL && axis.name != NULL)
    {
      heddle_eq_error (self->line, axis.column,
          _ ("a call is repeated, as in %s^2(…), or scanned, as in %s[%s](…), but not both"), token->text,
          token->text, axis.name);
      return NULL;
    }
  if (!heddle_eq_accept (self, "("))
    return heddle_eq_expected (self, _ ("“(” and the arguments of the definition"));
  if (!heddle_eq_accept (self, ")") && !eq_parse_list (self, arguments, ")"))
    return NULL;
  node = heddle_eq_node (
      self->arena, HEDDLE_EQ_CALL, token->column, (HeddleEqNode *const *) arguments->pdata, arguments->len);
  node->name = heddle_eq_parser_definition (self, token->text);
  node->repeat = repeat;
  if (axis.name != NULL)
    {
      node->n_axes = 1;
      node->axes = heddle_eq_alloc (self->arena, sizeof axis);
      node->axes[0] = axis;
    }
  return heddle_eq_parser_checked (self, node);
}

static HeddleEqNode *
parse_name (HeddleEqParser *self)
{
  const HeddleEqToken *token = heddle_eq_peek (self);
  const HeddleOperationKind *kind = heddle_eq_reduction (token->text);

  self->at++;
  if (g_str_equal (token->text, "inf"))
    return heddle_eq_number (self->arena, token->column, INFINITY);
  if (heddle_eq_is_later (token->text))
    {
      heddle_eq_error (self->line, token->column,
          _ ("topk gives values and places: expected V[b,s], I[b,s] = topk[e, k=s](G[b,e]), or argtopk for "
             "the "
             "places alone"));
      return NULL;
    }
  if (heddle_eq_parser_definition (self, token->text) != NULL)
    return eq_parse_invocation (self, token);
  if (kind != NULL && heddle_eq_at (self, "["))
    return parse_reduction (self, token, kind);
  if (heddle_eq_at (self, "(") && (g_str_equal (token->text, "size") || g_str_equal (token->text, "index")))
    return parse_axis_call (self, token);
  if (heddle_eq_at (self, "(") && heddle_eq_is_function (token->text))
    return parse_function (self, token);
  if (kind != NULL)
    return heddle_eq_expected (self, _ ("the axes to reduce over, as in sum[k](…)"));
  if (heddle_eq_is_reserved (token->text))
    return heddle_eq_expected (self, _ ("“(” and arguments"));
  if (heddle_eq_at (self, "["))
    return parse_read (self, token);
  return heddle_eq_parser_checked (
      self, heddle_eq_leaf (self->arena, HEDDLE_EQ_NAME, token->column, token->text));
}

static HeddleEqNode *
parse_parentheses (HeddleEqParser *self)
{
  HeddleEqNode *node;

  self->at++;
  node = heddle_eq_parse_nested (self, eq_parse_predicate);
  if (node == NULL)
    return NULL;
  if (!heddle_eq_accept (self, ")"))
    return heddle_eq_expected (self, _ ("an operator or “)”"));
  node->parenthesised = TRUE;
  return node;
}

/* Reads a number, a name, a read, a call or an expression in parentheses. NULL means that an error was
 * reported. */
static HeddleEqNode *
eq_parse_primary (HeddleEqParser *self)
{
  const HeddleEqToken *token = heddle_eq_peek (self);

  if (token->kind == HEDDLE_EQ_TOKEN_NUMBER)
    {
      self->at++;
      return heddle_eq_parser_checked (self, heddle_eq_number (self->arena, token->column, token->number));
    }
  if (token->kind == HEDDLE_EQ_TOKEN_NAME && !heddle_eq_at_word (self, "and")
      && !heddle_eq_at_word (self, "or") && !heddle_eq_at_word (self, "not"))
    return parse_name (self);
  if (heddle_eq_at (self, "("))
    return parse_parentheses (self);
  return heddle_eq_expected (self, _ ("a number, a name or “(”"));
}
