/* SPDX-License-Identifier: MIT */
#include "diagram/expression/evaluate.h"
#include "diagram/expression/kind.h"
#include "diagram/expression/tree.h"
#include "figure/typeset/math-expr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A label longer than this is cut by the typesetter anyway. */
#define LONGEST 600

typedef struct
{
  GString *text;
  const HeddleDiagram *diagram;
  const char *const *arguments;
  guint n_arguments;
  const HeddleExpr *whole; /* what the expression is a part of */
} Printer;

static void print (Printer *self, const HeddleExpr *expr, guint precedence);

static void
print_number (Printer *self, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (isinf (value))
    {
      g_string_append (self->text, value < 0. ? "-\\infty" : "\\infty");
      return;
    }
  char *power = strchr (g_ascii_formatd (buffer, sizeof buffer, "%.6g", value), 'e');
  if (power == NULL)
    {
      g_string_append (self->text, buffer);
      return;
    }
  *power++ = '\0'; /* 2.5e+06: a power of ten */
  if (!g_str_equal (buffer, "1"))
    g_string_append_printf (self->text, "%s{\\cdot}", buffer);
  g_string_append_printf (self->text, "10^{%d}", atoi (power));
}

/* An exponent as the small fraction that it is: -0.5 is -1/2. */
static void
print_exponent (Printer *self, double value)
{
  for (int denominator = 1; denominator <= 4; denominator++)
    {
      const double numerator = value * denominator;
      if (fabs (numerator - round (numerator)) > 1e-9 || fabs (numerator) > 99.)
        continue;
      g_string_append_printf (self->text, "%d", (int) round (numerator));
      if (denominator > 1)
        g_string_append_printf (self->text, "/%d", denominator);
      return;
    }
  print_number (self, value);
}

static void
print_power (Printer *self, const HeddleExpr *base, const HeddleExpr *exponent, double constant)
{
  const gsize begin = self->text->len;

  print (self, base, 9);
  if (heddle_expr_get_kind (base) == HEDDLE_EXPR_NUMBER && strchr (self->text->str + begin, '^') != NULL)
    {
      g_string_insert_c (self->text, (gssize) begin, '('); /* a power has no second exponent */
      g_string_append_c (self->text, ')');
    }
  g_string_append (self->text, "^{");
  if (exponent == NULL)
    print_exponent (self, constant);
  else
    print (self, exponent, 0);
  g_string_append_c (self->text, '}');
}

/* The value of an expression that is a number, perhaps negated or a quotient of two. */
static gboolean
constant_value (const HeddleExpr *expr, double *value)
{
  return heddle_expr_evaluate (expr, NULL, NULL, value, NULL);
}

static void
print_leaf (Printer *self, const HeddleExpr *expr)
{
  const HeddleAxis *axis;
  gboolean bars;
  guint operand;

  switch (heddle_expr_get_kind (expr))
    {
    case HEDDLE_EXPR_NUMBER:
      print_number (self, heddle_expr_get_number (expr));
      return;
    case HEDDLE_EXPR_ARGUMENT:
      operand = heddle_expr_get_operand (expr);
      if (operand < self->n_arguments && self->arguments[operand] != NULL)
        g_string_append (self->text, self->arguments[operand]);
      else
        g_string_append (self->text, "{\\cdot}");
      return;
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
      bars = heddle_expr_get_kind (expr) == HEDDLE_EXPR_SIZE
             && heddle_expr_uses (self->whole, HEDDLE_EXPR_INDEX, heddle_expr_get_symbol (expr));
      axis = self->diagram != NULL ? heddle_diagram_get_axis (self->diagram, heddle_expr_get_symbol (expr))
                                   : NULL;
      g_string_append_printf (self->text, bars ? "|%s|" : "%s", /* the size, where the index is meant too */
          axis != NULL ? axis->name : heddle_expr_get_symbol (expr));
      return;
    default:
      g_string_append (self->text, heddle_expr_get_symbol (expr));
      return;
    }
}

static void
print_rounded (Printer *self, const HeddleExpr *expr, gboolean up)
{
  g_string_append (self->text, up ? "\\lceil " : "\\lfloor ");
  print (self, heddle_expr_get_child (expr, 0), 0);
  g_string_append (self->text, up ? "\\rceil " : "\\rfloor ");
}

static void
print_call (Printer *self, const HeddleExpr *expr, const char *name)
{
  g_string_append_printf (self->text, "\\mathrm{%s}(", name);
  for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
    {
      if (i > 0)
        g_string_append (self->text, ",\\,");
      print (self, heddle_expr_get_child (expr, i), 0);
    }
  g_string_append_c (self->text, ')');
}

static const char *
operator_sign (HeddleExprKind kind)
{
  switch (kind)
    {
    case HEDDLE_EXPR_ADD:
      return " + ";
    case HEDDLE_EXPR_SUB:
      return " - ";
    case HEDDLE_EXPR_MUL:
      return "\\,";
    case HEDDLE_EXPR_DIV:
      return "/";
    case HEDDLE_EXPR_LT:
      return " < ";
    case HEDDLE_EXPR_LE:
      return " {\\le} ";
    case HEDDLE_EXPR_GT:
      return " > ";
    case HEDDLE_EXPR_GE:
      return " {\\ge} ";
    case HEDDLE_EXPR_EQ:
      return " = ";
    case HEDDLE_EXPR_NE:
      return " {\\ne} ";
    case HEDDLE_EXPR_AND:
      return " {\\wedge} ";
    default:
      return " {\\vee} ";
    }
}

static void
print_operator (Printer *self, const HeddleExpr *expr, guint precedence, const HeddleExprKindInfo *info)
{
  const gboolean parentheses = info->precedence < precedence;

  if (parentheses)
    g_string_append_c (self->text, '(');
  if (info->arity == 1)
    {
      g_string_append (self->text, info->kind == HEDDLE_EXPR_NOT ? "\\neg " : "-");
      print (self, heddle_expr_get_child (expr, 0), info->precedence);
    }
  else
    {
      const char *sign = operator_sign (info->kind);
      print (self, heddle_expr_get_child (expr, 0), info->precedence);
      const gsize before = self->text->len;
      g_string_append (self->text, sign);
      print (self, heddle_expr_get_child (expr, 1), info->precedence + 1);
      if (info->kind == HEDDLE_EXPR_MUL && self->text->str[before + strlen (sign)] == '|')
        g_string_erase (self->text, before, strlen (sign)); /* bars stand apart by themselves */
    }
  if (parentheses)
    g_string_append_c (self->text, ')');
}

static void
print (Printer *self, const HeddleExpr *expr, guint precedence)
{
  const HeddleExprKind kind = heddle_expr_get_kind (expr);
  const HeddleExprKindInfo *info = heddle_expr_kind_info (kind);
  double constant;

  if (self->text->len > LONGEST)
    return;
  if (info->arity == 0)
    print_leaf (self, expr);
  else if (kind == HEDDLE_EXPR_SQRT || kind == HEDDLE_EXPR_RSQRT)
    print_power (self, heddle_expr_get_child (expr, 0), NULL, kind == HEDDLE_EXPR_SQRT ? 0.5 : -0.5);
  else if (kind == HEDDLE_EXPR_POW && constant_value (heddle_expr_get_child (expr, 1), &constant))
    print_power (self, heddle_expr_get_child (expr, 0), NULL, constant);
  else if (kind == HEDDLE_EXPR_POW)
    print_power (self, heddle_expr_get_child (expr, 0), heddle_expr_get_child (expr, 1), 0.);
  else if (kind == HEDDLE_EXPR_CEIL || kind == HEDDLE_EXPR_FLOOR)
    print_rounded (self, expr, kind == HEDDLE_EXPR_CEIL);
  else if (info->is_function || info->arity > 2)
    print_call (self, expr, info->name);
  else
    print_operator (self, expr, precedence, info);
}

/* Returns the same for a part of @whole, with a source for each ARGUMENT; an entry that is NULL, or
 * missing, is a dot. */
char *
heddle_math_from_part (const HeddleExpr *expr, const HeddleExpr *whole, const HeddleDiagram *diagram,
    const char *const *arguments, guint n_arguments)
{
  Printer self = { g_string_new (NULL), diagram, arguments, n_arguments, whole };

  print (&self, expr, 0);
  return g_string_free (self.text, FALSE);
}

char *
heddle_math_from_expr (const HeddleExpr *expr, const HeddleDiagram *diagram)
{
  g_return_val_if_fail (expr != NULL, NULL);

  return heddle_math_from_part (expr, expr, diagram, NULL, 0);
}
