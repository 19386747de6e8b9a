/* SPDX-License-Identifier: MIT */
#include "diagram/expression/kind.h"
#include "diagram/expression/print.h"

#include <math.h>
#include "diagram/expression/private.h"

typedef struct
{
  GString *text;
  HeddleExprName name;
  gpointer data;
} Printer;

/* Appends the shortest decimal that reads back exactly, independent of the locale. */
static void
append_number (GString *text, double value)
{
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (isinf (value))
    {
      g_string_append (text, value < 0. ? "-inf" : "inf");
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (buffer, sizeof buffer, formats[i], value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  g_string_append (text, buffer);
}

static void
append_leaf (Printer *self, const HeddleExpr *leaf)
{
  g_autofree char *name = self->name != NULL ? self->name (leaf, self->data) : NULL;

  if (name != NULL)
    g_string_append (self->text, name);
  else if (leaf->kind == HEDDLE_EXPR_NUMBER)
    append_number (self->text, leaf->number);
  else if (leaf->kind == HEDDLE_EXPR_ARGUMENT)
    g_string_append_printf (self->text, "$%u", leaf->operand);
  else if (leaf->kind == HEDDLE_EXPR_INDEX)
    g_string_append_printf (self->text, "index(%s)", leaf->symbol);
  else
    g_string_append (self->text, leaf->symbol);
}

/* Returns how strongly the text of @node binds: a negative number is read as a minus and a number. */
static guint
precedence_of (const HeddleExpr *node)
{
  if (node->kind == HEDDLE_EXPR_NUMBER && signbit (node->number))
    return heddle_expr_kind_info (HEDDLE_EXPR_NEG)->precedence;
  return heddle_expr_kind_info (node->kind)->precedence;
}

static void append (Printer *self, const HeddleExpr *node, guint least);

static void
append_call (Printer *self, const HeddleExpr *node)
{
  g_string_append_printf (self->text, "%s(", heddle_expr_kind_info (node->kind)->name);
  for (guint i = 0; i < node->n_children; i++)
    {
      if (i > 0)
        g_string_append (self->text, ", ");
      append (self, node->children[i], 0);
    }
  g_string_append_c (self->text, ')');
}

static void
append_prefix (Printer *self, const HeddleExpr *node)
{
  const HeddleExprKindInfo *info = heddle_expr_kind_info (node->kind);

  g_string_append (self->text, info->name);
  if (node->kind == HEDDLE_EXPR_NOT)
    g_string_append_c (self->text, ' ');
  append (self, node->children[0], info->precedence);
}

static void
append_infix (Printer *self, const HeddleExpr *node)
{
  const HeddleExprKindInfo *info = heddle_expr_kind_info (node->kind);
  guint left = info->precedence, right = info->precedence + 1;

  if (node->kind == HEDDLE_EXPR_POW)
    {
      /* The base is a primary; the exponent may begin with a sign, and be a power. */
      left = info->precedence + 1;
      right = heddle_expr_kind_info (HEDDLE_EXPR_NEG)->precedence;
    }
  else if (info->precedence == heddle_expr_kind_info (HEDDLE_EXPR_EQ)->precedence)
    left = info->precedence + 1; /* comparisons do not chain */

  append (self, node->children[0], left);
  if (info->precedence >= heddle_expr_kind_info (HEDDLE_EXPR_MUL)->precedence)
    g_string_append (self->text, info->name);
  else
    g_string_append_printf (self->text, " %s ", info->name);
  append (self, node->children[1], right);
}

/* Appends @node, in parentheses where it binds less than @least. */
static void
append (Printer *self, const HeddleExpr *node, guint least)
{
  gboolean parentheses = precedence_of (node) < least;

  if (parentheses)
    g_string_append_c (self->text, '(');
  if (node->n_children == 0)
    append_leaf (self, node);
  else if (heddle_expr_kind_info (node->kind)->is_function)
    append_call (self, node);
  else if (node->n_children == 1)
    append_prefix (self, node);
  else
    append_infix (self, node);
  if (parentheses)
    g_string_append_c (self->text, ')');
}

char *
heddle_expr_to_string (const HeddleExpr *self, HeddleExprName name, gpointer data)
{
  Printer printer = { NULL, name, data };

  g_return_val_if_fail (self != NULL, NULL);

  printer.text = g_string_new (NULL);
  append (&printer, self, 0);
  return g_string_free (printer.text, FALSE);
}
