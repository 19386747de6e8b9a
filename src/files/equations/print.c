/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "diagram/expression/kind.h"
#include "diagram/expression/print.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/merge.h"
#include "files/equations/node.h"
#include "files/equations/print.h"

/* The binding strengths of what is written, as in the grammar. */
enum
{
  BIND_ANY = 0,
  BIND_NOT = 3,
  BIND_TERM = 6,
  BIND_UNARY = 7,
  BIND_POWER = 8,
  BIND_PRIMARY = 9,
  BIND_LIST = 5, /* an expression: no bare predicate */
};

/* The place of names: those of axes mean sizes or, in indices and predicates, indices. */
typedef struct
{
  GString *text;
  gboolean compact;
  gboolean indices;
  const HeddleEqNode *condition; /* of the `where` whose values are being printed, or NULL */
} Printer;

static void append (Printer *self, const HeddleEqNode *node, guint least);

static guint
binding (const HeddleEqNode *node)
{
  if (node->kind == HEDDLE_EQ_SUM)
    return heddle_expr_kind_info (HEDDLE_EXPR_ADD)->precedence;
  if (node->kind == HEDDLE_EQ_PRODUCT)
    return heddle_expr_kind_info (HEDDLE_EXPR_MUL)->precedence;
  return node->kind == HEDDLE_EQ_APPLY ? heddle_expr_kind_info (node->apply)->precedence : 10;
}

static void
append_number (Printer *self, double number)
{
  g_autoptr (HeddleExpr) expr = heddle_expr_number (number);
  g_autofree char *text = heddle_expr_to_string (expr, NULL, NULL);

  g_string_append (self->text, text);
}

/* --- chains -------------------------------------------------------------------------- */

static gboolean
reads_array (const HeddleEqNode *node)
{
  if (node->kind == HEDDLE_EQ_READ)
    return node->n_children > 0;
  for (guint i = 0; i < node->n_children; i++)
    if (reads_array (node->children[i]))
      return TRUE;
  return FALSE;
}

/* Returns whether two factors stand side by side, as on paper: both read arrays. Numbers and sizes take a
 * sign. */
static gboolean
side_by_side (const Printer *self, const HeddleEqNode *product, guint i)
{
  return !self->compact && !product->marks[i] && !product->marks[i - 1]
         && binding (product->children[i]) != BIND_UNARY && reads_array (product->children[i - 1])
         && reads_array (product->children[i]);
}

static void
append_sign (Printer *self, const char *sign)
{
  g_string_append_printf (self->text, self->compact ? "%s" : " %s ", sign);
}

static void
append_product (Printer *self, const HeddleEqNode *node)
{
  for (guint i = 0; i < node->n_children; i++)
    {
      guint least = binding (node->children[i]) == BIND_UNARY ? BIND_UNARY : BIND_POWER;

      if (i > 0 && side_by_side (self, node, i))
        g_string_append_c (self->text, ' ');
      else if (i > 0)
        append_sign (self, node->marks[i] ? "/" : "*");
      append (self, node->children[i], least);
    }
}

static void
append_sum (Printer *self, const HeddleEqNode *node)
{
  for (guint i = 0; i < node->n_children; i++)
    {
      if (i > 0)
        append_sign (self, node->marks[i] ? "-" : "+");
      append (self, node->children[i], BIND_TERM);
    }
}

/* --- calls --------------------------------------------------------------------------- */

static void
append_list (Printer *self, const HeddleEqNode *node, guint first, const char *separator)
{
  for (guint i = first; i < node->n_children; i++)
    {
      if (i > first)
        g_string_append (self->text, separator);
      if (self->indices && node->kind == HEDDLE_EQ_READ
          && heddle_eq_append_merge (self->text, node->children[i]))
        continue;
      append (self, node->children[i], BIND_LIST);
    }
}

static void
append_call (Printer *self, const HeddleEqNode *node)
{
  const Printer outer = *self;

  g_string_append_printf (self->text, "%s(", heddle_expr_kind_info (node->apply)->name);
  if (node->apply == HEDDLE_EXPR_WHERE)
    {
      self->indices = TRUE;
      append (self, node->children[0], BIND_ANY);
      self->indices = outer.indices;
      self->condition = node->children[0];
      g_string_append (self->text, ", ");
      append_list (self, node, 1, ", ");
      self->condition = outer.condition;
    }
  else
    append_list (self, node, 0, ", ");
  g_string_append_c (self->text, ')');
}

static void
append_read (Printer *self, const HeddleEqNode *node)
{
  Printer indices = { self->text, TRUE, TRUE };

  g_string_append (self->text, node->name);
  if (node->n_children == 0 || node->bare)
    return;
  g_string_append_c (self->text, '[');
  append_list (&indices, node, 0, ",");
  g_string_append_c (self->text, ']');
}

static void
append_reduction (Printer *self, const HeddleEqNode *node)
{
  g_string_append_printf (self->text, "%s[", node->operation->id);
  for (guint i = 0; i < node->n_axes; i++)
    g_string_append_printf (self->text, "%s%s",
        i == 0                                        ? ""
        : node->operation->form == HEDDLE_FORM_SELECT ? ", k="
                                                      : ",",
        node->axes[i].name);
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS; i++)
    if (node->operation->options[i].name != NULL && node->options[i] != node->operation->options[i].value)
      {
        g_string_append_printf (self->text, ", %s=", node->operation->options[i].name);
        append_number (self, node->options[i]);
      }
  g_string_append (self->text, "](");
  append_list (self, node, 0, ", ");
  g_string_append_c (self->text, ')');
}

/* Appends a call: its arguments are written as on the right side, the number of times as an exponent, the axis
 * that it is scanned along in brackets. */
static void
append_invocation (Printer *self, const HeddleEqNode *node)
{
  Printer values = { self->text, FALSE, FALSE, self->condition };

  g_string_append (self->text, node->name);
  if (node->repeat != NULL)
    {
      Printer exponent = { self->text, TRUE, FALSE };
      gboolean plain = node->repeat->kind == HEDDLE_EQ_NUMBER || node->repeat->kind == HEDDLE_EQ_SIZE;

      g_string_append (self->text, plain ? "^" : "^(");
      append (&exponent, node->repeat, BIND_LIST);
      g_string_append (self->text, plain ? "" : ")");
    }
  if (node->n_axes > 0)
    g_string_append_printf (self->text, "[%s]", node->axes[0].name);
  g_string_append_c (self->text, '(');
  append_list (&values, node, 0, ", ");
  g_string_append_c (self->text, ')');
}

/* --- operators ----------------------------------------------------------------------- */

static void
append_operator (Printer *self, const HeddleEqNode *node)
{
  const HeddleExprKindInfo *info = heddle_expr_kind_info (node->apply);

  if (info->is_function)
    append_call (self, node);
  else if (node->apply == HEDDLE_EXPR_POW)
    {
      Printer exponent = { self->text, TRUE, self->indices, self->condition };

      append (self, node->children[0], BIND_PRIMARY);
      g_string_append_c (self->text, '^');
      append (&exponent, node->children[1], BIND_UNARY);
    }
  else if (info->arity == 1)
    {
      g_string_append (self->text, node->apply == HEDDLE_EXPR_NOT ? "not " : info->name);
      append (self, node->children[0], info->precedence);
    }
  else
    {
      gboolean chains = info->precedence < BIND_NOT;

      append (self, node->children[0], info->precedence + !chains);
      g_string_append_printf (self->text, " %s ", info->name);
      append (self, node->children[1], info->precedence + 1);
    }
}

static void
append_axis (Printer *self, const HeddleEqNode *node)
{
  gboolean is_index = node->kind == HEDDLE_EQ_INDEX;
  gboolean is_doubtful
      = !is_index && self->condition != NULL && heddle_eq_node_tells_index (self->condition, node->name);

  if (is_index == self->indices && !is_doubtful)
    g_string_append (self->text, node->name);
  else
    g_string_append_printf (self->text, is_index ? "index(%s)" : "size(%s)", node->name);
}

static void
append_bare (Printer *self, const HeddleEqNode *node)
{
  switch (node->kind)
    {
    case HEDDLE_EQ_NUMBER:
      append_number (self, node->number);
      break;
    case HEDDLE_EQ_NAME:
      g_string_append (self->text, node->name);
      break;
    case HEDDLE_EQ_SIZE:
    case HEDDLE_EQ_INDEX:
      append_axis (self, node);
      break;
    case HEDDLE_EQ_READ:
      append_read (self, node);
      break;
    case HEDDLE_EQ_SUM:
      append_sum (self, node);
      break;
    case HEDDLE_EQ_PRODUCT:
      append_product (self, node);
      break;
    case HEDDLE_EQ_REDUCE:
      append_reduction (self, node);
      break;
    case HEDDLE_EQ_CALL:
      append_invocation (self, node);
      break;
    default:
      append_operator (self, node);
    }
}

/* Appends a node, in parentheses if it binds less than what is around it demands, or if they mean
 * something. */
static void
append (Printer *self, const HeddleEqNode *node, guint least)
{
  gboolean parentheses = binding (node) < least || (node->kind == HEDDLE_EQ_READ && node->parenthesised);

  if (parentheses)
    g_string_append_c (self->text, '(');
  append_bare (self, node);
  if (parentheses)
    g_string_append_c (self->text, ')');
}

char *
heddle_eq_node_to_string (const HeddleEqNode *node, gboolean compact)
{
  Printer self = { g_string_new (NULL), compact, FALSE };

  append (&self, node, BIND_LIST);
  return g_string_free (self.text, FALSE);
}

/* --- from scalar expressions --------------------------------------------------------- */

static HeddleEqNode *
node_from_number (const HeddleEqTranslation *self, double number)
{
  HeddleEqNode *node = heddle_eq_number (self->arena, 0, fabs (number));

  return signbit (number) ? heddle_eq_apply (self->arena, HEDDLE_EXPR_NEG, 0, &node, 1) : node;
}

static HeddleEqNode *
node_from_axis (const HeddleEqTranslation *self, HeddleEqKind kind, const char *id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, id);

  return heddle_eq_leaf (self->arena, kind, 0, axis != NULL && axis->name != NULL ? axis->name : id);
}

/* Returns a chain as nodes: it leans to the left, with its last link on top. */
static HeddleEqNode *
node_from_chain (const HeddleEqTranslation *self, const HeddleExpr *expr, HeddleEqKind kind,
    HeddleExprKind plain, HeddleExprKind marked)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  const HeddleExpr *at = expr;
  HeddleEqNode *node;
  guint n;

  for (; heddle_expr_get_kind (at) == plain || heddle_expr_get_kind (at) == marked;
       at = heddle_expr_get_child (at, 0))
    g_ptr_array_add (parts, heddle_eq_node_from_expr (self, heddle_expr_get_child (at, 1)));
  g_ptr_array_add (parts, heddle_eq_node_from_expr (self, at));
  n = parts->len;
  for (guint i = 0; i < n / 2; i++)
    {
      gpointer last = parts->pdata[n - 1 - i];
      parts->pdata[n - 1 - i] = parts->pdata[i];
      parts->pdata[i] = last;
    }
  node = heddle_eq_node (self->arena, kind, 0, (HeddleEqNode *const *) parts->pdata, n);
  for (at = expr; n-- > 1; at = heddle_expr_get_child (at, 0))
    node->marks[n] = heddle_expr_get_kind (at) == marked;
  return node;
}

HeddleEqNode *
heddle_eq_node_from_expr (const HeddleEqTranslation *self, const HeddleExpr *expr)
{
  HeddleEqNode *children[3];

  switch (heddle_expr_get_kind (expr))
    {
    case HEDDLE_EXPR_NUMBER:
      return node_from_number (self, heddle_expr_get_number (expr));
    case HEDDLE_EXPR_ARGUMENT:
      return self->argument (heddle_expr_get_operand (expr), self->data);
    case HEDDLE_EXPR_SIZE:
      return node_from_axis (self, HEDDLE_EQ_SIZE, heddle_expr_get_symbol (expr));
    case HEDDLE_EXPR_INDEX:
      return node_from_axis (self, HEDDLE_EQ_INDEX, heddle_expr_get_symbol (expr));
    case HEDDLE_EXPR_VARIABLE:
      return heddle_eq_leaf (self->arena, HEDDLE_EQ_NAME, 0, heddle_expr_get_symbol (expr));
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_SUB:
      return node_from_chain (self, expr, HEDDLE_EQ_SUM, HEDDLE_EXPR_ADD, HEDDLE_EXPR_SUB);
    case HEDDLE_EXPR_MUL:
    case HEDDLE_EXPR_DIV:
      return node_from_chain (self, expr, HEDDLE_EQ_PRODUCT, HEDDLE_EXPR_MUL, HEDDLE_EXPR_DIV);
    default:
      for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
        children[i] = heddle_eq_node_from_expr (self, heddle_expr_get_child (expr, i));
      return heddle_eq_apply (
          self->arena, heddle_expr_get_kind (expr), 0, children, heddle_expr_get_n_children (expr));
    }
}
