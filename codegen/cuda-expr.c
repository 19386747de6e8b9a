/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <math.h>
#include <string.h>

#include "codegen/cuda-expr.h"

/* Binding strengths of C++: what is weaker than its place is put into parentheses. */
enum
{
  BIND_CONDITIONAL = 1,
  BIND_OR,
  BIND_AND,
  BIND_EQUALITY,
  BIND_RELATION,
  BIND_SUM,
  BIND_PRODUCT,
  BIND_UNARY,
  BIND_PRIMARY
};

typedef struct
{
  HeddleExprKind kind;
  const char *text;
  int binding;
} OperatorRow;

static const OperatorRow operators[] = {
  { HEDDLE_EXPR_ADD, "+", BIND_SUM },
  { HEDDLE_EXPR_SUB, "-", BIND_SUM },
  { HEDDLE_EXPR_MUL, "*", BIND_PRODUCT },
  { HEDDLE_EXPR_DIV, "/", BIND_PRODUCT },
  { HEDDLE_EXPR_LT, "<", BIND_RELATION },
  { HEDDLE_EXPR_LE, "<=", BIND_RELATION },
  { HEDDLE_EXPR_GT, ">", BIND_RELATION },
  { HEDDLE_EXPR_GE, ">=", BIND_RELATION },
  { HEDDLE_EXPR_EQ, "==", BIND_EQUALITY },
  { HEDDLE_EXPR_NE, "!=", BIND_EQUALITY },
  { HEDDLE_EXPR_AND, "&&", BIND_AND },
  { HEDDLE_EXPR_OR, "||", BIND_OR },
};

/* Functions: the name for float and for double, and the prelude section that defines it. */
static const struct
{
  HeddleExprKind kind;
  const char *narrow, *wide, *section;
} functions[] = {
  { HEDDLE_EXPR_EXP, "expf", "exp", NULL },
  { HEDDLE_EXPR_LOG, "logf", "log", NULL },
  { HEDDLE_EXPR_SQRT, "sqrtf", "sqrt", NULL },
  { HEDDLE_EXPR_RSQRT, "rsqrtf", "rsqrt", NULL },
  { HEDDLE_EXPR_SIN, "sinf", "sin", NULL },
  { HEDDLE_EXPR_COS, "cosf", "cos", NULL },
  { HEDDLE_EXPR_TANH, "tanhf", "tanh", NULL },
  { HEDDLE_EXPR_ERF, "erff", "erf", NULL },
  { HEDDLE_EXPR_ABS, "fabsf", "fabs", NULL },
  { HEDDLE_EXPR_FLOOR, "floorf", "floor", NULL },
  { HEDDLE_EXPR_CEIL, "ceilf", "ceil", NULL },
  { HEDDLE_EXPR_POW, "powf", "pow", NULL },
  { HEDDLE_EXPR_SIGMOID, "sigmoid", "sigmoid", "sigmoid" },
  { HEDDLE_EXPR_RELU, "relu", "relu", "relu" },
  { HEDDLE_EXPR_GELU, "gelu", "gelu", "gelu" },
  { HEDDLE_EXPR_MIN, "minimum", "minimum", "minimum" },
  { HEDDLE_EXPR_MAX, "maximum", "maximum", "maximum" },
  { HEDDLE_EXPR_MOD, "modulo", "modulo", "modulo" },
};

static char *print (const HeddleCudaContext *context, const HeddleExpr *expr, int place);

static void
use_section (const HeddleCudaContext *context, const char *section)
{
  if (section != NULL)
    g_hash_table_add (context->sections, (gpointer) section);
}

static char *
number_text (const HeddleCudaContext *context, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (isinf (value))
    {
      use_section (context, "inf");
      return g_strdup (value > 0 ? "INF" : "-INF");
    }
  for (int n = 1; n <= 17; n++)
    {
      g_autofree char *format = g_strdup_printf ("%%.%dg", n);

      g_ascii_formatd (digits, sizeof digits, format, value);
      if (context->wide ? g_ascii_strtod (digits, NULL) == value
                        : (float) g_ascii_strtod (digits, NULL) == (float) value)
        break;
    }
  return g_strconcat (digits, strpbrk (digits, ".en") ? "" : ".0", context->wide ? "" : "f", NULL);
}

/* --- whole numbers --- */

static char *
print_whole (const HeddleCudaContext *context, const HeddleExpr *expr, int place)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  g_autofree char *a = NULL, *b = NULL;

  switch (kind)
    {
    case HEDDLE_EXPR_NUMBER:
      if (fabs (heddle_expr_get_number (expr)) > 1e15
          || floor (heddle_expr_get_number (expr)) != heddle_expr_get_number (expr))
        return NULL;
      return g_strdup_printf (
          heddle_expr_get_number (expr) < 0 ? "(%.0f)" : "%.0f", heddle_expr_get_number (expr));
    case HEDDLE_EXPR_SIZE:
      return g_strdup (heddle_names_axis (context->names, heddle_expr_get_symbol (expr)));
    case HEDDLE_EXPR_INDEX:
      return g_strdup_printf ("(%s)", context->index (heddle_expr_get_symbol (expr), context->data));
    case HEDDLE_EXPR_NEG:
      a = print_whole (context, heddle_expr_get_child (expr, 0), BIND_UNARY);
      return a ? g_strdup_printf ("(-%s)", a) : NULL;
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_SUB:
    case HEDDLE_EXPR_MUL:
      {
        int own = kind == HEDDLE_EXPR_MUL ? BIND_PRODUCT : BIND_SUM;

        a = print_whole (context, heddle_expr_get_child (expr, 0), own);
        b = print_whole (context, heddle_expr_get_child (expr, 1), own + 1);
        if (a == NULL || b == NULL)
          return NULL;
        return g_strdup_printf (
            own < place ? "(%s %s %s)" : "%s %s %s", a, heddle_expr_kind_info (kind)->name, b);
      }
    default:
      return NULL;
    }
}

char *
heddle_cuda_whole (const HeddleCudaContext *context, const HeddleExpr *expr)
{
  return print_whole (context, expr, BIND_CONDITIONAL);
}

/* --- the computing type --- */

static char *
real (const HeddleCudaContext *context, char *whole)
{
  char *text = g_strdup_printf ("%s (%s)", context->wide ? "double" : "float", whole);

  g_free (whole);
  return text;
}

/* Comparisons of whole numbers stay whole: a float has no room for large indices. */
static char *
print_comparison (const HeddleCudaContext *context, const HeddleExpr *expr, const OperatorRow *row)
{
  g_autofree char *a = print_whole (context, heddle_expr_get_child (expr, 0), row->binding + 1);
  g_autofree char *b = print_whole (context, heddle_expr_get_child (expr, 1), row->binding + 1);

  if (a != NULL && b != NULL)
    return g_strdup_printf ("%s %s %s", a, row->text, b);
  g_free (a);
  g_free (b);
  a = print (context, heddle_expr_get_child (expr, 0), row->binding + 1);
  b = print (context, heddle_expr_get_child (expr, 1), row->binding + 1);
  return g_strdup_printf ("%s %s %s", a, row->text, b);
}

static gboolean
is_predicate (HeddleExprKind kind)
{
  return (kind >= HEDDLE_EXPR_LT && kind <= HEDDLE_EXPR_OR) || kind == HEDDLE_EXPR_NOT;
}

static char *
print_condition (const HeddleCudaContext *context, const HeddleExpr *expr, int place)
{
  g_autofree char *text = print (context, expr, place);

  if (is_predicate (heddle_expr_get_kind (expr)))
    return g_steal_pointer (&text);
  return g_strdup_printf ("(%s) != 0", text);
}

static char *
print_operator (const HeddleCudaContext *context, const HeddleExpr *expr, const OperatorRow *row, int place)
{
  g_autofree char *a = NULL, *b = NULL, *text = NULL;

  if (row->binding == BIND_EQUALITY || row->binding == BIND_RELATION)
    text = print_comparison (context, expr, row);
  else if (row->binding == BIND_AND || row->binding == BIND_OR)
    {
      a = print_condition (context, heddle_expr_get_child (expr, 0), row->binding);
      b = print_condition (context, heddle_expr_get_child (expr, 1), row->binding + 1);
      text = g_strdup_printf ("%s %s %s", a, row->text, b);
    }
  else
    {
      a = print (context, heddle_expr_get_child (expr, 0), row->binding);
      b = print (context, heddle_expr_get_child (expr, 1), row->binding + 1);
      text = g_strdup_printf ("%s %s %s", a, row->text, b);
    }
  return row->binding < place ? g_strdup_printf ("(%s)", text) : g_steal_pointer (&text);
}

static char *
print_call (const HeddleCudaContext *context, const HeddleExpr *expr)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  g_autoptr (GString) text = g_string_new (NULL);
  guint row = 0;

  while (row < G_N_ELEMENTS (functions) && functions[row].kind != kind)
    row++;
  g_assert (row < G_N_ELEMENTS (functions));
  use_section (context, functions[row].section);
  g_string_printf (text, "%s (", context->wide ? functions[row].wide : functions[row].narrow);
  for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
    {
      g_autofree char *child = print (context, heddle_expr_get_child (expr, i), BIND_CONDITIONAL);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", child);
    }
  g_string_append_c (text, ')');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
print_where (const HeddleCudaContext *context, const HeddleExpr *expr, int place)
{
  g_autofree char *condition = print_condition (context, heddle_expr_get_child (expr, 0), BIND_OR);
  g_autofree char *a = print (context, heddle_expr_get_child (expr, 1), BIND_OR);
  g_autofree char *b = print (context, heddle_expr_get_child (expr, 2), BIND_CONDITIONAL);

  return g_strdup_printf (place > BIND_CONDITIONAL ? "(%s ? %s : %s)" : "%s ? %s : %s", condition, a, b);
}

/* Whole powers 2 and 1/2 have forms of their own; x^-0.5 is a reciprocal root. */
static char *
print_power (const HeddleCudaContext *context, const HeddleExpr *expr)
{
  const HeddleExpr *exponent = heddle_expr_get_child (expr, 1);
  g_autofree char *base = print (context, heddle_expr_get_child (expr, 0), BIND_CONDITIONAL);
  double power = NAN;

  heddle_expr_evaluate (exponent, NULL, NULL, &power, NULL);
  if (power == 2 && heddle_expr_get_kind (heddle_expr_get_child (expr, 0)) == HEDDLE_EXPR_ARGUMENT)
    return g_strdup_printf ("(%s * %s)", base, base);
  if (power == 0.5)
    return g_strdup_printf ("%s (%s)", context->wide ? "sqrt" : "sqrtf", base);
  if (power == -0.5)
    return g_strdup_printf ("%s (%s)", context->wide ? "rsqrt" : "rsqrtf", base);
  return print_call (context, expr);
}

static char *
print (const HeddleCudaContext *context, const HeddleExpr *expr, int place)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  g_autofree char *child = NULL;

  switch (kind)
    {
    case HEDDLE_EXPR_NUMBER:
      return number_text (context, heddle_expr_get_number (expr));
    case HEDDLE_EXPR_ARGUMENT:
      return g_strdup (context->argument (heddle_expr_get_operand (expr), context->data));
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
      return real (context, print_whole (context, expr, BIND_CONDITIONAL));
    case HEDDLE_EXPR_NEG:
      child = print (context, heddle_expr_get_child (expr, 0), BIND_UNARY);
      return g_strdup_printf (*child == '-' || place > BIND_UNARY ? "(-(%s))" : "-%s", child);
    case HEDDLE_EXPR_NOT:
      child = print_condition (context, heddle_expr_get_child (expr, 0), BIND_CONDITIONAL);
      return g_strdup_printf ("!(%s)", child);
    case HEDDLE_EXPR_WHERE:
      return print_where (context, expr, place);
    case HEDDLE_EXPR_POW:
      return print_power (context, expr);
    case HEDDLE_EXPR_SILU:
      use_section (context, "sigmoid");
      child = print (context, heddle_expr_get_child (expr, 0), BIND_UNARY);
      return g_strdup_printf ("(%s * sigmoid (%s))", child, child);
    default:
      break;
    }
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (operators[i].kind == kind)
      return print_operator (context, expr, &operators[i], place);
  return print_call (context, expr);
}

char *
heddle_cuda_expr (const HeddleCudaContext *context, const HeddleExpr *expr)
{
  return print (context, expr, BIND_CONDITIONAL);
}

char *
heddle_cuda_unit (const HeddleCudaContext *context, HeddleMonoid monoid)
{
  return number_text (context, heddle_monoid_unit (monoid));
}

char *
heddle_cuda_combine (const HeddleCudaContext *context, HeddleMonoid monoid, const char *a, const char *b)
{
  HeddleExprKind kind = heddle_monoid_kind (monoid);

  if (kind == HEDDLE_EXPR_ADD || kind == HEDDLE_EXPR_MUL)
    return g_strdup_printf ("%s %s %s", a, heddle_expr_kind_info (kind)->name, b);
  use_section (context, kind == HEDDLE_EXPR_MAX ? "maximum" : "minimum");
  return g_strdup_printf ("%s (%s, %s)", kind == HEDDLE_EXPR_MAX ? "maximum" : "minimum", a, b);
}
