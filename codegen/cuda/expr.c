/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "codegen/base/monoid.h"
#include "codegen/base/pointwise.h"
#include "codegen/cuda/expr.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/kind.h"
#include "diagram/expression/tree.h"

/* The binding strengths of C++: what is weaker than its place is put into parentheses. */
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

static char *print (const HeddleCudaContext *context, const HeddleExpr *expr, int place);

static void
use_section (const HeddleCudaContext *context, const char *section)
{
  g_hash_table_add (context->sections, (gpointer) section);
}

/* Puts @text, which binds as strongly as @own, into its place. Takes it. */
static char *
bind (char *text, int own, int place)
{
  char *bound = own < place ? g_strdup_printf ("(%s)", text) : g_strdup (text);

  g_free (text);
  return bound;
}

/* Returns the number with the fewest digits that read back exactly. */
static char *
number_text (const HeddleCudaContext *context, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    {
      use_section (context, "inf");
      if (isnan (value))
        return g_strdup ("(INF - INF)");
      return g_strdup_printf (context->wide ? "%sdouble (INF)" : "%sINF", value > 0 ? "" : "-");
    }
  for (int n = 1; n <= 17; n++)
    {
      g_autofree char *format = g_strdup_printf ("%%.%dg", n);

      g_ascii_formatd (digits, sizeof digits, format, value);
      if (context->wide ? g_ascii_strtod (digits, NULL) == value
                        : (float) g_ascii_strtod (digits, NULL) == (float) value)
        break;
    }
  return g_strconcat (digits, strpbrk (digits, ".e") ? "" : ".0", context->wide ? "" : "f", NULL);
}

/* --- whole numbers --- */

static char *print_whole (const HeddleCudaContext *context, const HeddleExpr *expr, int place);

static char *
whole_number (double value)
{
  if (fabs (value) > 1e15 || floor (value) != value)
    return NULL;
  return g_strdup_printf (value < 0 ? "(%.0f)" : "%.0f", value);
}

/* Returns a sum or product of whole numbers. Sums need no parentheses within sums, and nothing is added for
 * an axis without a loop, whose index is 0. */
static char *
whole_operator (const HeddleCudaContext *context, const HeddleExpr *expr, int own, int place)
{
  const HeddleExprKind kind = heddle_expr_get_kind (expr);
  const HeddleExpr *left = heddle_expr_get_child (expr, 0), *right = heddle_expr_get_child (expr, 1);
  const char *sign = heddle_expr_kind_info (kind)->name;
  g_autofree char *a = print_whole (context, left, own);
  g_autofree char *b = print_whole (context, right, kind == HEDDLE_EXPR_ADD ? own : own + 1);

  if (a != NULL && b != NULL && kind == HEDDLE_EXPR_MUL && (g_str_equal (a, "0") || g_str_equal (b, "0")))
    return g_strdup ("0");
  if (b != NULL && kind == HEDDLE_EXPR_ADD && g_strcmp0 (a, "0") == 0)
    return print_whole (context, right, place);
  if (a != NULL && kind != HEDDLE_EXPR_MUL && g_strcmp0 (b, "0") == 0)
    return print_whole (context, left, place);
  return a && b ? bind (g_strdup_printf ("%s %s %s", a, sign, b), own, place) : NULL;
}

/* Returns a call of a function of the prelude with two whole numbers. */
static char *
whole_call (const HeddleCudaContext *context, const char *section, const HeddleExpr *expr)
{
  g_autofree char *a = print_whole (context, heddle_expr_get_child (expr, 0), BIND_CONDITIONAL);
  g_autofree char *b = print_whole (context, heddle_expr_get_child (expr, 1), BIND_CONDITIONAL);

  if (a == NULL || b == NULL)
    return NULL;
  use_section (context, section);
  return g_strdup_printf ("%s (%s, %s)", section, a, b);
}

/* Returns floor (a / b) or ceil (a / b) of whole numbers. */
static char *
whole_quotient (const HeddleCudaContext *context, const HeddleExpr *expr, int place)
{
  const HeddleExpr *inner = heddle_expr_get_child (expr, 0);
  gboolean up = heddle_expr_get_kind (expr) == HEDDLE_EXPR_CEIL;

  if (heddle_expr_get_kind (inner) == HEDDLE_EXPR_DIV)
    return whole_call (context, up ? "ceil_div" : "floor_div", inner);
  return print_whole (context, inner, place);
}

/* Returns the expression in whole numbers; %NULL if it is not made of whole numbers alone. */
static char *
print_whole (const HeddleCudaContext *context, const HeddleExpr *expr, int place)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  g_autofree char *a = NULL;

  switch (kind)
    {
    case HEDDLE_EXPR_NUMBER:
      return whole_number (heddle_expr_get_number (expr));
    case HEDDLE_EXPR_SIZE:
      return g_strdup (heddle_names_axis (context->names, heddle_expr_get_symbol (expr)));
    case HEDDLE_EXPR_ARGUMENT:
      if (context->whole_argument == NULL)
        return NULL;
      a = g_strdup (context->whole_argument (heddle_expr_get_operand (expr), context->data));
      return a != NULL ? bind (g_strdup (a), BIND_UNARY, place) : NULL;
    case HEDDLE_EXPR_INDEX:
      a = g_strdup (context->index (heddle_expr_get_symbol (expr), context->data));
      return bind (g_strdup (a), strchr (a, ' ') ? BIND_SUM : BIND_PRIMARY, place);
    case HEDDLE_EXPR_NEG:
      a = print_whole (context, heddle_expr_get_child (expr, 0), BIND_PRIMARY);
      return a ? bind (g_strdup_printf ("-%s", a), BIND_UNARY, place) : NULL;
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_SUB:
      return whole_operator (context, expr, BIND_SUM, place);
    case HEDDLE_EXPR_MUL:
      return whole_operator (context, expr, BIND_PRODUCT, place);
    case HEDDLE_EXPR_MOD:
      return whole_call (context, "floor_mod", expr);
    case HEDDLE_EXPR_FLOOR:
    case HEDDLE_EXPR_CEIL:
      return whole_quotient (context, expr, place);
    default:
      return NULL;
    }
}

/* Returns an index as a whole number; one that is computed with fractions is rounded down. */
char *
heddle_cuda_whole (const HeddleCudaContext *context, const HeddleExpr *expr)
{
  char *whole = print_whole (context, expr, BIND_CONDITIONAL);
  HeddleCudaContext wide = *context;
  g_autofree char *real = NULL;

  if (whole != NULL)
    return whole;
  wide.wide = TRUE;
  wide.coarse = FALSE;
  wide.shared = NULL;
  real = print (&wide, expr, BIND_CONDITIONAL);
  return g_strdup_printf ("(long long) floor (%s)", real);
}

/* --- conditions --- */

static gboolean
is_predicate (HeddleExprKind kind)
{
  return (kind >= HEDDLE_EXPR_LT && kind <= HEDDLE_EXPR_OR) || kind == HEDDLE_EXPR_NOT;
}

static const OperatorRow *
find_operator (HeddleExprKind kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (operators[i].kind == kind)
      return &operators[i];
  return NULL;
}

/* Returns a comparison. Comparisons of whole numbers stay whole: a float has no room for large indices. */
static char *
print_comparison (const HeddleCudaContext *context, const HeddleExpr *expr, const OperatorRow *row)
{
  const HeddleExpr *left = heddle_expr_get_child (expr, 0), *right = heddle_expr_get_child (expr, 1);
  g_autofree char *a = print_whole (context, left, BIND_SUM), *b = print_whole (context, right, BIND_SUM);

  if (a == NULL || b == NULL)
    {
      g_free (a);
      g_free (b);
      a = print (context, left, BIND_SUM);
      b = print (context, right, BIND_SUM);
    }
  return g_strdup_printf ("%s %s %s", a, row->text, b);
}

static char *
print_condition (const HeddleCudaContext *context, const HeddleExpr *expr, int place)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  const OperatorRow *row = find_operator (kind);
  g_autofree char *a = NULL, *b = NULL;

  if (kind == HEDDLE_EXPR_NOT)
    {
      a = print_condition (context, heddle_expr_get_child (expr, 0), BIND_UNARY);
      return bind (g_strdup_printf ("!%s", a), BIND_UNARY, place);
    }
  if (!is_predicate (kind))
    {
      a = print (context, expr, BIND_SUM);
      return bind (g_strdup_printf ("%s != 0", a), BIND_EQUALITY, place);
    }
  if (row->binding == BIND_EQUALITY || row->binding == BIND_RELATION)
    return bind (print_comparison (context, expr, row), row->binding, place);
  /* compilers warn of a && within || without parentheses */
  a = print_condition (context, heddle_expr_get_child (expr, 0),
      heddle_expr_get_kind (heddle_expr_get_child (expr, 0)) == kind ? row->binding : BIND_EQUALITY);
  b = print_condition (context, heddle_expr_get_child (expr, 1), BIND_EQUALITY);
  return bind (g_strdup_printf ("%s %s %s", a, row->text, b), row->binding, place);
}

/* --- the computing type --- */

static const char *
type_name (const HeddleCudaContext *context)
{
  return context->wide ? "double" : "float";
}

static char *
print_operator (const HeddleCudaContext *context, const HeddleExpr *expr, const OperatorRow *row, int place)
{
  g_autofree char *a = print (context, heddle_expr_get_child (expr, 0), row->binding);
  g_autofree char *b = print (context, heddle_expr_get_child (expr, 1), row->binding + 1);

  return bind (g_strdup_printf ("%s %s %s", a, row->text, b), row->binding, place);
}

/* Returns whether the value of an expression is the same at many points. */
static gboolean
is_shared (const HeddleCudaContext *context, const HeddleExpr *expr)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);

  if (kind == HEDDLE_EXPR_INDEX)
    return FALSE;
  if (kind == HEDDLE_EXPR_ARGUMENT)
    return context->shared != NULL && context->shared (heddle_expr_get_operand (expr), context->data);
  for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
    if (!is_shared (context, heddle_expr_get_child (expr, i)))
      return FALSE;
  return TRUE;
}

static gboolean
is_one (const HeddleExpr *expr)
{
  return heddle_expr_get_kind (expr) == HEDDLE_EXPR_NUMBER && heddle_expr_get_number (expr) == 1;
}

/* Returns whether a quotient is, or is a product with, a reciprocal of something that is the same at many
 * points. */
static gboolean
has_reciprocal (const HeddleCudaContext *context, const HeddleExpr *expr)
{
  const HeddleExpr *dividend = heddle_expr_get_child (expr, 0);

  return (context->coarse || context->shared != NULL) && is_shared (context, heddle_expr_get_child (expr, 1))
         && (is_one (dividend) || !is_shared (context, dividend));
}

/* Returns the reciprocal by the compiler's own function, since an instruction of the prelude is executed each
 * time. */
static char *
print_reciprocal (const HeddleCudaContext *context, const HeddleExpr *divisor)
{
  g_autofree char *text = print (context, divisor, BIND_CONDITIONAL);

  if (context->coarse && heddle_expr_uses (divisor, HEDDLE_EXPR_ARGUMENT, NULL))
    return g_strdup_printf ("__fdividef (1.0f, %s)", text);
  return g_strdup_printf ("(1.0f / (%s))", text);
}

static char *
print_quotient (const HeddleCudaContext *context, const HeddleExpr *expr, int place)
{
  const HeddleExpr *dividend = heddle_expr_get_child (expr, 0), *divisor = heddle_expr_get_child (expr, 1);
  gboolean inverse = has_reciprocal (context, expr);
  g_autofree char *a = print (context, dividend, inverse ? BIND_PRODUCT : BIND_CONDITIONAL);
  g_autofree char *b
      = inverse ? print_reciprocal (context, divisor) : print (context, divisor, BIND_CONDITIONAL);

  if (inverse && is_one (dividend))
    return g_steal_pointer (&b);
  if (inverse)
    return bind (g_strdup_printf ("%s * %s", a, b), BIND_PRODUCT, place);
  use_section (context, "coarse quotient");
  return g_strdup_printf ("coarse_quotient (%s, %s)", a, b);
}

/* Returns the name of the function in the computing type, and records the sections that it needs. */
static const char *
function_name (const HeddleCudaContext *context, HeddleExprKind kind)
{
  const HeddlePointwise *row = heddle_pointwise_get (kind);
  gboolean coarse = context->coarse && row->coarse != NULL;
  const char *const *sections = coarse          ? row->coarse_sections
                                : context->wide ? row->wide_sections
                                                : row->sections;
  guint n = coarse ? G_N_ELEMENTS (row->coarse_sections) : G_N_ELEMENTS (row->sections);

  for (guint i = 0; i < n && sections[i] != NULL; i++)
    use_section (context, sections[i]);
  return coarse ? row->coarse : context->wide ? row->wide : row->narrow;
}

static char *
print_call (const HeddleCudaContext *context, const HeddleExpr *expr)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert (heddle_pointwise_get (heddle_expr_get_kind (expr)) != NULL);
  g_string_printf (text, "%s (", function_name (context, heddle_expr_get_kind (expr)));
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

  return bind (g_strdup_printf ("%s ? %s : %s", condition, a, b), BIND_CONDITIONAL, place);
}

/* Returns a power. Squares, cubes and roots have forms of their own. */
static char *
print_power (const HeddleCudaContext *context, const HeddleExpr *expr)
{
  g_autofree char *base = print (context, heddle_expr_get_child (expr, 0), BIND_CONDITIONAL);
  double power = NAN;

  heddle_expr_evaluate (heddle_expr_get_child (expr, 1), NULL, NULL, &power, NULL);
  if (power == 2 || power == 3)
    {
      const char *function = power == 2 ? "square" : "cube";

      use_section (context, function);
      return g_strdup_printf ("%s (%s)", function, base);
    }
  if (power == 0.5)
    return g_strdup_printf ("%s (%s)", function_name (context, HEDDLE_EXPR_SQRT), base);
  if (power == -0.5)
    return g_strdup_printf ("%s (%s)", context->wide ? "rsqrt" : "rsqrtf", base);
  return print_call (context, expr);
}

static char *
print_negative (const HeddleCudaContext *context, const HeddleExpr *expr, int place)
{
  g_autofree char *child = print (context, heddle_expr_get_child (expr, 0), BIND_UNARY);

  return bind (g_strdup_printf (*child == '-' ? "-(%s)" : "-%s", child), BIND_UNARY, place);
}

static char *
print (const HeddleCudaContext *context, const HeddleExpr *expr, int place)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  const OperatorRow *row = find_operator (kind);
  g_autofree char *text = NULL;

  if (is_predicate (kind))
    {
      text = print_condition (context, expr, BIND_CONDITIONAL);
      return g_strdup_printf ("%s (%s)", type_name (context), text);
    }
  if (kind == HEDDLE_EXPR_DIV && (context->coarse || has_reciprocal (context, expr)))
    return print_quotient (context, expr, place);
  if (row != NULL)
    return print_operator (context, expr, row, place);
  switch (kind)
    {
    case HEDDLE_EXPR_NUMBER:
      return number_text (context, heddle_expr_get_number (expr));
    case HEDDLE_EXPR_ARGUMENT:
      return g_strdup (context->argument (heddle_expr_get_operand (expr), context->data));
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
      text = print_whole (context, expr, BIND_CONDITIONAL);
      return g_strdup_printf ("%s (%s)", type_name (context), text);
    case HEDDLE_EXPR_NEG:
      return print_negative (context, expr, place);
    case HEDDLE_EXPR_WHERE:
      return print_where (context, expr, place);
    case HEDDLE_EXPR_POW:
      return print_power (context, expr);
    default:
      return print_call (context, expr);
    }
}

char *
heddle_cuda_expr (const HeddleCudaContext *context, const HeddleExpr *expr)
{
  return print (context, expr, BIND_CONDITIONAL);
}

char *
heddle_cuda_condition (const HeddleCudaContext *context, const HeddleExpr *expr)
{
  return print_condition (context, expr, BIND_OR);
}

char *
heddle_cuda_factor (const HeddleCudaContext *context, const HeddleExpr *expr)
{
  return print (context, expr, BIND_PRODUCT);
}

char *
heddle_cuda_unit (const HeddleCudaContext *context, HeddleMonoid monoid)
{
  return number_text (context, heddle_monoid_unit (monoid));
}

char *
heddle_cuda_combine (const HeddleCudaContext *context, HeddleMonoid monoid, const char *a, const char *b)
{
  const HeddleDeviceMonoid *row = heddle_device_monoid (monoid);

  if (row->sign != NULL)
    return g_strdup_printf ("%s %s %s", a, row->sign, b);
  use_section (context, row->function);
  return g_strdup_printf ("%s (%s, %s)", row->function, a, b);
}

char *
heddle_cuda_accumulate (const HeddleCudaContext *context, HeddleMonoid monoid, const char *value)
{
  const HeddleDeviceMonoid *row = heddle_device_monoid (monoid);
  g_autofree char *combined = NULL;

  if (row->sign != NULL)
    return g_strdup_printf ("acc %s= %s", row->sign, value);
  combined = heddle_cuda_combine (context, monoid, "acc", value);
  return g_strdup_printf ("acc = %s", combined);
}
