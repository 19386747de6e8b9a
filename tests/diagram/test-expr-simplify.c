/* SPDX-License-Identifier: MIT */
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/print.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/tidy.h"
#include "diagram/expression/tree.h"
#include "random-expr.h"

#include <math.h>
#include <string.h>

static char *
simplified (const char *text)
{
  g_autoptr (HeddleExpr) expr = heddle_expr_literal (text);
  g_autoptr (HeddleExpr) simple = heddle_expr_simplify (expr);

  return heddle_expr_to_string (simple, NULL, NULL);
}

static void
test_cases (void)
{
  static const char *const cases[][2] = {
    { "0", "0" },
    { "1 + 2*3", "7" },
    { "q - q", "0" },
    { "q + q*2 - 3", "3*q - 3" },
    { "q*d + x*d*ceil(q/g_q) + q*d + ceil(q/g_q)*x*d", "2*q*d + 2*x*d*ceil(q/g_q)" },
    { "ceil(q/g)*q + q", "q + q*ceil(q/g)" },
    { "(a + b)^2 - a^2 - b^2", "2*a*b" },
    { "(a + b)*(a - b)", "a^2 - b^2" },
    { "a*b/c/a", "b/c" },
    { "4*x*q*d^2/M", "4*x*q*d^2/M" },
    { "2*a*b*c*M^-0.5 + a*c", "2*a*b*c*M^-0.5 + a*c" },
    { "M^0.5*M^0.5", "M" },
    { "(2*q)^0.5", "(2*q)^0.5" },
    { "q/3 + q/6", "q/2" },
    { "1/3 + 1/6", "1/2" },
    { "0.5*q + 0.5*q", "q" },
    { "-q*d - 1", "-q*d - 1" },
    { "-(q^2)", "-q^2" },
    { "-1/q", "-1/q" },
    { "1/(2*q*d)", "1/(2*q*d)" },
    { "(a + b)/(c + d)", "a/(c + d) + b/(c + d)" },
    { "(a + b)/(b + a)", "1" },
    { "(a + b)/c", "a/c + b/c" },
    { "ceil(q*2)", "2*q" },
    { "ceil(ceil(q/g)*g)", "g*ceil(q/g)" },
    { "ceil(7/2) + floor(7/2)", "7" },
    { "ceil((q + q)/(g + g))", "ceil(q/g)" },
    { "floor((q - d)/g)", "floor((q - d)/g)" },
    { "ceil(q/2 + d/3 - 1)", "ceil((3*q + 2*d - 6)/6)" },
    { "floor(a/(b*c) + d/b^2)", "floor((a*b + d*c)/(b^2*c))" },
    { "floor(a/b - d/b) - floor((a - d)/b)", "0" },
    { "floor(q^0.5/d + 1)", "floor((q^0.5 + d)/d)" },
    { "max(q, 1) + min(1, d)", "q + 1" },
    { "max(q, q) + min(q + d, d + q)", "2*q + d" },
    { "min(inf, q)", "q" },
    { "max(q - d, 1)", "max(q - d, 1)" },
    { "where(1 < 2, q + q, 0)", "2*q" },
    { "where(q < 2, q, q)", "q" },
    { "exp(a + a)*exp(2*a)", "exp(2*a)^2" },
    { "mod(q, 2)*q^2/q", "mod(q, 2)*q" },
    { "2^q*2^q", "(2^q)^2" },
    { "q^0 + 0*d", "1" },
    { "0/q", "0" },
    { "1/0", "1/0" },
    { "sqrt(4)*q^1", "2*q" },
    { "relu(q) + abs(d)", "q + d" },
    { "$0*2 + $0", "3*$0" },
    { "1e308*10 - 1e308*10", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = simplified (cases[i][0]);

      if (cases[i][1] != NULL)
        g_assert_cmpstr (text, ==, cases[i][1]);
      else
        g_assert_nonnull (text);
    }
}

typedef struct
{
  double values[4];
} Point;

static gboolean
at_point (const HeddleExpr *leaf, double *value, gpointer data)
{
  *value = ((Point *) data)->values[heddle_expr_get_symbol (leaf)[0] - 'a'];
  return TRUE;
}

/* How large the parts may get, against which rounding errors are measured; infinite where a part has no finite value. */
static double
magnitude (const HeddleExpr *self, Point *point)
{
  double value, greatest;

  heddle_expr_evaluate (self, at_point, point, &value, NULL);
  greatest = isfinite (value) ? fabs (value) : INFINITY;
  for (guint i = 0; i < heddle_expr_get_n_children (self); i++)
    greatest = MAX (greatest, magnitude (heddle_expr_get_child (self, i), point));
  return greatest;
}

/* Floor and ceil jump where rounding errors decide: those of inexact quotients are left out. */
static gboolean
has_delicate_rounding (const HeddleExpr *self, Point *point)
{
  HeddleExprKind kind = heddle_expr_get_kind (self);
  double value;

  if (kind == HEDDLE_EXPR_CEIL || kind == HEDDLE_EXPR_FLOOR)
    {
      heddle_expr_evaluate (heddle_expr_get_child (self, 0), at_point, point, &value, NULL);
      if (fabs (value - rint (value)) < 1e-9 * MAX (1., magnitude (heddle_expr_get_child (self, 0), point))
          && heddle_expr_count (self, HEDDLE_EXPR_DIV) + heddle_expr_count (self, HEDDLE_EXPR_POW) > 0)
        return TRUE;
    }
  for (guint i = 0; i < heddle_expr_get_n_children (self); i++)
    if (has_delicate_rounding (heddle_expr_get_child (self, i), point))
      return TRUE;
  return FALSE;
}

static void
test_keeps_value (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  guint compared = 0;

  for (guint i = 0; i < 3000; i++)
    {
      g_autoptr (HeddleExpr) expr = random_cost (random, 1 + i % 6);
      g_autoptr (HeddleExpr) simple = heddle_expr_simplify (expr);

      for (guint j = 0; j < 3; j++)
        {
          Point point;
          double expected, value, scale;

          for (guint k = 0; k < G_N_ELEMENTS (point.values); k++)
            point.values[k] = g_rand_int_range (random, 1, 20);
          scale = magnitude (expr, &point);
          heddle_expr_evaluate (expr, at_point, &point, &expected, NULL);
          heddle_expr_evaluate (simple, at_point, &point, &value, NULL);
          if (!isfinite (scale) || has_delicate_rounding (expr, &point))
            continue;
          compared++;
          if (!(fabs (value - expected) <= 1e-9 * MAX (1., scale)))
            {
              g_autofree char *before = heddle_expr_to_string (expr, NULL, NULL);
              g_autofree char *after = heddle_expr_to_string (simple, NULL, NULL);

              g_error ("%s = %.17g became %s = %.17g", before, expected, after, value);
            }
        }
    }
  g_assert_cmpuint (compared, >, 4000);
}

static void
test_fixed_point (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (guint i = 0; i < 2000; i++)
    {
      g_autoptr (HeddleExpr) expr = random_cost (random, 1 + i % 5);
      g_autoptr (HeddleExpr) once = heddle_expr_simplify (expr);
      g_autoptr (HeddleExpr) twice = heddle_expr_simplify (once);
      g_autofree char *a = heddle_expr_to_string (once, NULL, NULL);
      g_autofree char *b = heddle_expr_to_string (twice, NULL, NULL);

      g_assert_cmpstr (b, ==, a);
    }
}

/* Products of many sums stay products. */
static void
test_bounded (void)
{
  g_autoptr (GString) text = g_string_new ("1");
  g_autoptr (HeddleExpr) expr = NULL;
  g_autoptr (HeddleExpr) simple = NULL;

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (text, "*(x_%u + y_%u + 1)", i, i);
  expr = heddle_expr_literal (text->str);
  simple = heddle_expr_simplify (expr);
  g_assert_cmpuint (heddle_expr_count (simple, HEDDLE_EXPR_VARIABLE), <, 5000);

  g_string_assign (text, "(a + b + c + d)^1000");
  g_clear_pointer (&expr, heddle_expr_unref);
  g_clear_pointer (&simple, heddle_expr_unref);
  expr = heddle_expr_literal (text->str);
  simple = heddle_expr_simplify (expr);
  g_assert_true (heddle_expr_equal (simple, expr));
}

static void
test_difference_is_zero (void)
{
  g_autofree char *text = simplified ("x*q*(d + 1) + ceil(q/g)*d - (d*ceil(q/g) + q*x + d*q*x)");

  g_assert_cmpstr (text, ==, "0");
}

/* --- tidying ---------------------------------------------------------------------------------------- */

static void
test_tidy_cases (void)
{
  static const char *const cases[][2] = {
    { "0 + $0*1", "$0" },
    { "where(1 < 2, $0, $1)", "$0" },
    { "$0 + 2*3", "$0 + 6" },
    /* What an array has may be infinite or NaN: 0 times it is not 0. */
    { "0*$0", "0*$0" },
    { "m*0 + $0", "m*0 + $0" },
    { "0*exp(index(q))", "0*exp(index(q))" },
    { "0/$0", "0/$0" },
    /* Indices and sizes are finite, and predicates 0 or 1. */
    { "0*index(q) + $0", "$0" },
    { "$0 + ceil(index(q)/1 - size(q)*-3)*0", "$0" },
    { "0*($0 < $1)", "0" },
    { "0*where($0 < $1, index(q), 2)", "0" },
    { "0*where(index(q) < 2, $0, 2)", "0*where(index(q) < 2, $0, 2)" },
    { "0/size(q)", "0" },
    { "0/index(q)", "0/index(q)" },
    { "0*mod(3, size(q))", "0" },
    { "0*mod(3, index(q))", "0*mod(3, index(q))" },
    { "0*(1e300*1e200)", "0/0" },
    { "0*(1e300*index(q)*1e300)", "0*(1e+300*index(q)*1e+300)" },
    /* NaN has no other spelling. */
    { "0/0", "0/0" },
    { "inf - inf + $0", "0/0 + $0" },
    { "sqrt(-1)", "0/0" },
    { "where(0/0, $0, $1)", "where(0/0, $0, $1)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HeddleExpr) expr = heddle_expr_literal (cases[i][0]);
      g_autoptr (HeddleExpr) tidy = heddle_expr_tidy (expr);
      g_autofree char *text = heddle_expr_to_string (tidy, NULL, NULL);

      g_assert_cmpstr (text, ==, cases[i][1]);
    }
}

/* Whether a 0 that is less than 0 would be told from one that is not. */
static gboolean
tells_signs (const HeddleExpr *self)
{
  return heddle_expr_count (self, HEDDLE_EXPR_DIV) + heddle_expr_count (self, HEDDLE_EXPR_POW)
             + heddle_expr_count (self, HEDDLE_EXPR_RSQRT)
         > 0;
}

static HeddleExpr *
make_plain (const HeddleExpr *leaf, gpointer data)
{
  const char *name
      = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_VARIABLE ? heddle_expr_get_symbol (leaf) : NULL;

  if (name == NULL || name[0] > 'b')
    return NULL;
  return heddle_expr_number (name[0] == 'a' ? 0. : 1.);
}

/* The values of an array are anything, indices are whole. */
static gboolean
any_value (const HeddleExpr *leaf, double *value, gpointer data)
{
  static const double values[] = { 0., 1., -2.5, INFINITY, -INFINITY, NAN };
  guint seed = heddle_expr_hash (leaf) / 7 + GPOINTER_TO_UINT (data);

  *value = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX ? seed % 5 : values[seed % G_N_ELEMENTS (values)];
  return TRUE;
}

static void
test_tidy_keeps_value (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (13);
  guint changed = 0;

  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (HeddleExpr) raw = random_expr (random, 1 + i % 5);
      g_autoptr (HeddleExpr) expr = heddle_expr_substitute (raw, make_plain, NULL);
      g_autoptr (HeddleExpr) tidy = heddle_expr_tidy (expr);

      changed += !heddle_expr_equal (expr, tidy);
      for (guint j = 0; j < 12 && !tells_signs (expr); j++)
        {
          double expected, value;

          heddle_expr_evaluate (expr, any_value, GUINT_TO_POINTER (j), &expected, NULL);
          heddle_expr_evaluate (tidy, any_value, GUINT_TO_POINTER (j), &value, NULL);
          if (value != expected && !(isnan (value) && isnan (expected)))
            {
              g_autofree char *before = heddle_expr_to_string (expr, NULL, NULL);
              g_autofree char *after = heddle_expr_to_string (tidy, NULL, NULL);

              g_error ("%s = %g became %s = %g", before, expected, after, value);
            }
        }
    }
  g_assert_cmpuint (changed, >, 2000);
}

/* Terms left out are taken to be next to finite ones. */
static void
test_vanishes (void)
{
  g_autoptr (HeddleExpr) expr = heddle_expr_literal ("$0*exp($1)/$2 + 0*$1");

  g_assert_true (heddle_expr_vanishes_with (expr, 0));
  g_assert_false (heddle_expr_vanishes_with (expr, 1));
  g_assert_false (heddle_expr_vanishes_with (expr, 2));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/expr-simplify/cases", test_cases);
  g_test_add_func ("/expr-simplify/keeps-value", test_keeps_value);
  g_test_add_func ("/expr-simplify/fixed-point", test_fixed_point);
  g_test_add_func ("/expr-simplify/bounded", test_bounded);
  g_test_add_func ("/expr-simplify/difference-is-zero", test_difference_is_zero);
  g_test_add_func ("/expr-tidy/cases", test_tidy_cases);
  g_test_add_func ("/expr-tidy/keeps-value", test_tidy_keeps_value);
  g_test_add_func ("/expr-tidy/vanishes", test_vanishes);
  return g_test_run ();
}
