/* SPDX-License-Identifier: MIT */
#include "diagram/base/error.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/kind.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/print.h"
#include "diagram/expression/solve.h"
#include "diagram/expression/tree.h"
#include "random-expr.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static double
value_of (const char *text)
{
  g_autoptr (HeddleExpr) expr = heddle_expr_literal (text);
  g_autoptr (GError) error = NULL;
  double value = NAN;

  heddle_expr_evaluate (expr, NULL, NULL, &value, &error);
  g_assert_no_error (error);
  return value;
}

static void
test_kinds (void)
{
  for (guint i = 0; i < HEDDLE_N_EXPR_KINDS; i++)
    {
      const HeddleExprKindInfo *info = heddle_expr_kind_info (i);
      HeddleExprKind kind = HEDDLE_EXPR_NUMBER;

      g_assert_cmpuint (info->kind, ==, i);
      g_assert_cmpuint (info->arity, <=, 3);
      g_assert_cmpint (
          heddle_expr_kind_from_function (info->name != NULL ? info->name : "", info->arity, &kind), ==,
          info->is_function);
      g_assert_cmpuint (kind, ==, info->is_function ? i : HEDDLE_EXPR_NUMBER);
    }
  g_assert_true (heddle_expr_kind_info (HEDDLE_EXPR_EXP)->is_special);
  g_assert_false (heddle_expr_kind_info (HEDDLE_EXPR_RELU)->is_special);
}

static void
test_trees (void)
{
  g_autoptr (HeddleExpr) a = heddle_expr_literal ("x*exp($0 - m) + index(i)");
  g_autoptr (HeddleExpr) b = heddle_expr_literal ("x * exp(($0 - m)) + index( i )");
  g_autoptr (HeddleExpr) c = heddle_expr_literal ("x*exp($1 - m) + index(i)");
  g_autoptr (HeddleExpr) negative = heddle_expr_unary (HEDDLE_EXPR_NEG, heddle_expr_number (.5));

  g_assert_true (heddle_expr_equal (a, b));
  g_assert_cmpuint (heddle_expr_hash (a), ==, heddle_expr_hash (b));
  g_assert_false (heddle_expr_equal (a, c));
  g_assert_true (heddle_expr_uses (a, HEDDLE_EXPR_VARIABLE, "m"));
  g_assert_false (heddle_expr_uses (a, HEDDLE_EXPR_VARIABLE, "i"));
  g_assert_true (heddle_expr_uses (a, HEDDLE_EXPR_INDEX, "i"));
  g_assert_true (heddle_expr_uses (a, HEDDLE_EXPR_EXP, NULL));
  g_assert_cmpuint (heddle_expr_count (a, HEDDLE_EXPR_VARIABLE), ==, 2);
  g_assert_cmpuint (
      heddle_expr_get_operand (heddle_expr_get_child (
          heddle_expr_get_child (heddle_expr_get_child (heddle_expr_get_child (c, 0), 1), 0), 0)),
      ==, 1);
  g_assert_cmpuint (heddle_expr_get_kind (negative), ==, HEDDLE_EXPR_NUMBER);
  g_assert_cmpfloat (heddle_expr_get_number (negative), ==, -.5);
}

static HeddleExpr *
replace_m (const HeddleExpr *leaf, gpointer data)
{
  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_VARIABLE || strcmp (heddle_expr_get_symbol (leaf), "m") != 0)
    return NULL;
  return heddle_expr_literal (data);
}

static void
test_substitute (void)
{
  g_autoptr (HeddleExpr) a = heddle_expr_literal ("exp(x) + m^2");
  g_autoptr (HeddleExpr) b = heddle_expr_substitute (a, replace_m, (gpointer) "a + b");
  g_autoptr (HeddleExpr) same = heddle_expr_substitute (b, replace_m, NULL);
  g_autofree char *text = heddle_expr_to_string (b, NULL, NULL);

  g_assert_cmpstr (text, ==, "exp(x) + (a + b)^2");
  g_assert_true (same == b);
  g_assert_true (heddle_expr_get_child (a, 0) == heddle_expr_get_child (b, 0));
}

/* Text, and how it prints. */
static void
test_print (void)
{
  static const char *const cases[][2] = {
    { "(a*b)*c", "a*b*c" },
    { "a*(b*c)", "a*(b*c)" },
    { "a/b/c", "a/b/c" },
    { "a/(b*c)", "a/(b*c)" },
    { "a/b*c", "a/b*c" },
    { "2 x d", "2*x*d" },
    { "a - (b - c) - d", "a - (b - c) - d" },
    { "a^b^c", "a^b^c" },
    { "(a^b)^c", "(a^b)^c" },
    { "-a^2", "-a^2" },
    { "(-a)^2", "(-a)^2" },
    { "-(a*b)", "-(a*b)" },
    { "-a*b", "-a*b" },
    { "- 2", "-2" },
    { "(-2)^2", "(-2)^2" },
    { "-2^2", "-2^2" },
    { "d^-0.5", "d^-0.5" },
    { "d^(-(1/2))", "d^-(1/2)" },
    { "d^-x^2", "d^-x^2" },
    { "a - -b", "a - -b" },
    { "--a", "--a" },
    { "--2", "2" },
    { "a*-2", "a*-2" },
    { "where(a < b and not c == d or e, -inf, inf)", "where(a < b and not c == d or e, -inf, inf)" },
    { "a and (b or c)", "a and (b or c)" },
    { "(a < b) < c", "(a < b) < c" },
    { "(not a) < b", "(not a) < b" },
    { "not not a", "not not a" },
    { "not (a and b)", "not (a and b)" },
    { "max(a, b + 1) / min(c, 2)", "max(a, b + 1)/min(c, 2)" },
    { "0.1", "0.1" },
    { "1e300", "1e+300" },
    { "0.30000000000000004", "0.30000000000000004" },
    { "\\bar x_{i+1}' + \\alpha x", "\\bar x_{i+1}' + \\alpha*x" },
    { "g_q*Z.W", "g_q*Z.W" },
    { "d (x + 1)", "d*(x + 1)" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleExpr) expr = heddle_expr_parse (cases[i][0], NULL, NULL, &error);
      g_autofree char *text = expr != NULL ? heddle_expr_to_string (expr, NULL, NULL) : NULL;

      g_assert_cmpstr (text, ==, cases[i][1]);
    }
}

static void
test_print_locale (void)
{
  g_autoptr (HeddleExpr) expr = heddle_expr_number (1.5);
  g_autofree char *text = NULL;

  /* Where the comma is the decimal point; without that locale installed the test says nothing new. */
  setlocale (LC_NUMERIC, "de_DE.UTF-8");
  text = heddle_expr_to_string (expr, NULL, NULL);
  setlocale (LC_NUMERIC, "C");
  g_assert_cmpstr (text, ==, "1.5");
}

static void
test_errors (void)
{
  static const char *const cases[][2] = {
    { "", "1: expected a number, a name or “(”, found the end" },
    { "a +", "4: expected a number, a name or “(”, found the end" },
    { "a + * b", "5: expected a number, a name or “(”, found “*”" },
    { "(a", "3: expected “)”, found the end" },
    { "a)", "2: expected an operator or the end, found “)”" },
    { "a / b c", "7: a factor beside a divisor: write “*” or parentheses" },
    { "foo(a)", "1: there is no function “foo” of 1 arguments" },
    { "exp(a, b)", "1: there is no function “exp” of 2 arguments" },
    { "max(a, b, c, d)", "1: “max” has too many arguments" },
    { "a < b < c", "7: expected an operator or the end, found “<”" },
    { "1e999", "1: the number is too large" },
    { "$x", "2: expected the number of an operand, found “x”" },
    { "$99999999999999999999", "1: there are not that many operands" },
    { "size()", "6: expected the name of an axis, found “)”" },
    { "index(q", "7: expected the name of an axis, found “q”" },
    { "β + ?", "5: expected a number, a name or “(”, found “?”" },
    { "a \xff", "1: the text is not UTF-8" },
    { "and", "1: expected a number, a name or “(”, found “a”" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (heddle_expr_parse (cases[i][0], NULL, NULL, &error));
      g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_SYNTAX);
      g_assert_cmpstr (error->message, ==, cases[i][1]);
    }
}

static char *
repeat (const char *before, const char *middle, const char *after, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (text, before);
  g_string_append (text, middle);
  for (guint i = 0; i < n; i++)
    g_string_append (text, after);
  return g_string_free (text, FALSE);
}

static void
test_depth (void)
{
  static const char *const forms[][3] = { { "(", "a", ")" }, { "-", "a", "" }, { "not ", "a", "" },
    { "a^", "a", "" }, { "exp(", "a", ")" }, { "where(a, ", "a", ", a)" } };

  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *good = repeat (forms[i][0], forms[i][1], forms[i][2], 400);
      g_autofree char *bad = repeat (forms[i][0], forms[i][1], forms[i][2], 100000);
      g_autoptr (HeddleExpr) expr = heddle_expr_literal (good);
      g_autoptr (GError) error = NULL;

      g_assert_nonnull (expr);
      g_assert_null (heddle_expr_parse (bad, NULL, NULL, &error));
      g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_SYNTAX);
      g_assert_nonnull (strstr (error->message, "nested more than 500 levels deep"));
    }
}

static void
test_long_chains (void)
{
  static const char *const signs[] = { "+ a ", "a ", "/ a ", "or a ", "and a " };

  for (gsize i = 0; i < G_N_ELEMENTS (signs); i++)
    {
      g_autofree char *good = repeat ("", "a ", signs[i], 1000);
      g_autofree char *bad = repeat ("", "a ", signs[i], 200000);
      g_autoptr (HeddleExpr) expr = heddle_expr_literal (good);
      g_autoptr (GError) error = NULL;

      g_assert_cmpuint (heddle_expr_count (expr, HEDDLE_EXPR_VARIABLE), ==, 1001);
      g_assert_null (heddle_expr_parse (bad, NULL, NULL, &error));
      g_assert_nonnull (strstr (error->message, "more than 5000 operations in a row"));
    }
}

static HeddleExpr *
known_axis (const char *name, gpointer data)
{
  return strlen (name) == 1 ? heddle_expr_size (name) : NULL;
}

static void
test_symbols (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleExpr) expr = heddle_expr_parse ("q*size(d) + index(q)", known_axis, NULL, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = heddle_expr_to_string (expr, NULL, NULL);
  g_assert_cmpstr (text, ==, "q*d + index(q)");
  g_assert_true (heddle_expr_uses (expr, HEDDLE_EXPR_SIZE, "d"));

  g_assert_null (heddle_expr_parse ("q + zz", known_axis, NULL, &error));
  g_assert_cmpstr (error->message, ==, "5: unknown name “zz”");
  g_clear_error (&error);
  g_assert_null (heddle_expr_parse ("index(zz)", known_axis, NULL, &error));
  g_assert_cmpstr (error->message, ==, "7: “zz” is not an axis");
}

/* Printing and parsing are inverse on all trees. */
static void
test_round_trip (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20241204);

  for (guint i = 0; i < 3000; i++)
    {
      g_autoptr (HeddleExpr) expr = random_expr (random, 1 + i % 7);
      g_autofree char *text = heddle_expr_to_string (expr, NULL, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleExpr) again = heddle_expr_parse (text, NULL, NULL, &error);

      g_assert_no_error (error);
      if (!heddle_expr_equal (expr, again))
        g_error ("“%s” reads back as another expression", text);
    }
}

static void
test_functions (void)
{
  g_assert_cmpfloat (value_of ("2^3^2"), ==, 512.);
  g_assert_cmpfloat (value_of ("-3^2"), ==, -9.);
  g_assert_cmpfloat (value_of ("7 - 2 - 1"), ==, 4.);
  g_assert_cmpfloat (value_of ("12/2/3"), ==, 2.);
  g_assert_cmpfloat (value_of ("1/0"), ==, INFINITY);
  g_assert_true (isnan (value_of ("0/0")));
  g_assert_true (isnan (value_of ("max(0/0, 1)")));
  g_assert_true (isnan (value_of ("min(1, 0/0)")));
  g_assert_cmpfloat (value_of ("max(1, 2) - min(1, 2)"), ==, 1.);
  g_assert_cmpfloat (value_of ("mod(-1, 3)"), ==, 2.);
  g_assert_cmpfloat (value_of ("mod(7, -3)"), ==, -2.);
  g_assert_cmpfloat (value_of ("mod(6, 3)"), ==, 0.);
  g_assert_cmpfloat (value_of ("relu(-2) + relu(3)"), ==, 3.);
  g_assert_cmpfloat (value_of ("abs(-2) + floor(-0.5) + ceil(0.5)"), ==, 2.);
  g_assert_cmpfloat_with_epsilon (value_of ("gelu(1)"), 0.841344746068543, 1e-15);
  g_assert_cmpfloat_with_epsilon (value_of ("gelu(-10)"), -7.61985302416e-23, 1e-33);
  g_assert_cmpfloat (value_of ("gelu(-inf)"), ==, 0.);
  g_assert_cmpfloat_with_epsilon (value_of ("silu(2)"), 1.7615941559557649, 1e-15);
  g_assert_cmpfloat (value_of ("silu(-inf)"), ==, 0.);
  g_assert_cmpfloat_with_epsilon (value_of ("sigmoid(-40)"), 4.248354255291589e-18, 1e-32);
  g_assert_cmpfloat_with_epsilon (value_of ("sigmoid(40)"), 1., 1e-15);
  g_assert_cmpfloat_with_epsilon (value_of ("erf(0.5)"), 0.5204998778130465, 1e-15);
  g_assert_cmpfloat (value_of ("rsqrt(4)"), ==, .5);
  g_assert_cmpfloat (value_of ("exp(-inf)"), ==, 0.);
  g_assert_cmpfloat_with_epsilon (
      value_of ("log(2) + sin(1) + cos(1) + tanh(1) + sqrt(2)"), 4.250728189564842, 1e-14);
}

static void
test_predicates (void)
{
  g_assert_cmpfloat (value_of ("1 < 2 and 2 <= 2 and 3 > 2 and 2 >= 2 and 1 == 1 and 1 != 2"), ==, 1.);
  g_assert_cmpfloat (value_of ("2 < 1 or 2 > 2 or 1 == 2 or 1 != 1"), ==, 0.);
  g_assert_cmpfloat (value_of ("not 0 and not not 5"), ==, 1.);
  g_assert_cmpfloat (value_of ("where(1 < 2, 3, 4) + where(2 < 1, 3, 4)"), ==, 7.);
  g_assert_cmpfloat (value_of ("where(1 == 1, 0, -inf - -inf)"), ==, 0.);
}

static void
test_unknown (void)
{
  g_autoptr (HeddleExpr) expr = heddle_expr_literal ("2 + index(q)");
  g_autoptr (GError) error = NULL;
  double value;

  g_assert_false (heddle_expr_evaluate (expr, NULL, NULL, &value, &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_UNKNOWN_SYMBOL);
  g_assert_cmpstr (error->message, ==, "unknown symbol “index(q)”");
}

/* Any leaf has a value that depends on what it is. */
static gboolean
value_of_leaf (const HeddleExpr *leaf, double *value, gpointer data)
{
  *value = (int) (heddle_expr_hash (leaf) % 97) / 8. - 3.;
  return TRUE;
}

static void
test_programs (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (42);

  for (guint i = 0; i < 1000; i++)
    {
      g_autoptr (HeddleExpr) expr = random_expr (random, 1 + i % 8);
      g_autoptr (HeddleExprProgram) program = heddle_expr_compile (expr);
      guint n = heddle_expr_program_get_n_slots (program);
      g_autofree double *slots = g_new (double, n + 1);
      double expected, value;

      for (guint slot = 0; slot < n; slot++)
        value_of_leaf (heddle_expr_program_get_slot (program, slot), &slots[slot], NULL);
      g_assert_true (heddle_expr_evaluate (expr, value_of_leaf, NULL, &expected, NULL));
      value = heddle_expr_program_run (program, slots);
      g_assert_true (value == expected || (isnan (value) && isnan (expected)));
    }
}

static void
test_program_slots (void)
{
  g_autoptr (HeddleExpr) expr = heddle_expr_literal ("$1*x + $0*x + index(x)");
  g_autoptr (HeddleExprProgram) program = heddle_expr_compile (expr);
  double slots[] = { 2., 3., 5., 7. };

  g_assert_cmpuint (heddle_expr_program_get_n_slots (program), ==, 4);
  g_assert_cmpuint (heddle_expr_get_operand (heddle_expr_program_get_slot (program, 0)), ==, 1);
  g_assert_cmpfloat (heddle_expr_program_run (program, slots), ==, 2. * 3. + 5. * 3. + 7.);
}

/* A value that needs more places than the small stack has. */
static void
test_program_deep (void)
{
  g_autofree char *text = repeat ("1 + (", "x", ")", 200);
  g_autoptr (HeddleExpr) expr = heddle_expr_literal (text);
  g_autoptr (HeddleExprProgram) program = heddle_expr_compile (expr);
  double x = .5;

  g_assert_cmpfloat (heddle_expr_program_run (program, &x), ==, 200.5);
}

/* "text is index(x)" solved for index(y). */
static void
assert_solved (const char *text, const char *solution, const char *condition)
{
  g_autoptr (HeddleExpr) expr = heddle_expr_literal (text);
  g_autoptr (HeddleExpr) value = heddle_expr_index (g_intern_static_string ("x"));
  HeddleExpr *found = NULL, *where = NULL;
  gboolean solved = heddle_expr_solve (expr, g_intern_static_string ("y"), value, &found, &where);
  g_autofree char *found_text = found != NULL ? heddle_expr_to_string (found, NULL, NULL) : NULL;
  g_autofree char *where_text = where != NULL ? heddle_expr_to_string (where, NULL, NULL) : NULL;

  g_assert_true (solved == (solution != NULL));
  g_assert_cmpstr (found_text, ==, solution);
  g_assert_cmpstr (where_text, ==, condition);
  g_clear_pointer (&found, heddle_expr_unref);
  g_clear_pointer (&where, heddle_expr_unref);
}

static void
test_solve (void)
{
  assert_solved ("index(y)", "index(x)", NULL);
  assert_solved ("index(y) + index(w) - 1", "index(x) - index(w) + 1", NULL);
  assert_solved ("3 - index(y)", "3 - index(x)", NULL);
  assert_solved (
      "2*index(y) + index(w)", "floor((index(x) - index(w))/2)", "mod(index(x) - index(w), 2) == 0");
  assert_solved ("5 - 3*index(y)", "floor((5 - index(x))/3)", "mod(5 - index(x), 3) == 0");
  assert_solved ("index(w) + 1", NULL, NULL);
  assert_solved ("index(y)*index(w)", NULL, NULL);
  assert_solved ("index(y)*index(y)", NULL, NULL);
  assert_solved ("floor(index(y)/2)", NULL, NULL);
  assert_solved ("index(y)/2", NULL, NULL);
  assert_solved ("index(y) + $1", NULL, NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/expr/kinds", test_kinds);
  g_test_add_func ("/expr/trees", test_trees);
  g_test_add_func ("/expr/substitute", test_substitute);
  g_test_add_func ("/expr/print", test_print);
  g_test_add_func ("/expr/print-locale", test_print_locale);
  g_test_add_func ("/expr/errors", test_errors);
  g_test_add_func ("/expr/depth", test_depth);
  g_test_add_func ("/expr/long-chains", test_long_chains);
  g_test_add_func ("/expr/symbols", test_symbols);
  g_test_add_func ("/expr/round-trip", test_round_trip);
  g_test_add_func ("/expr/functions", test_functions);
  g_test_add_func ("/expr/predicates", test_predicates);
  g_test_add_func ("/expr/unknown", test_unknown);
  g_test_add_func ("/expr/programs", test_programs);
  g_test_add_func ("/expr/program-slots", test_program_slots);
  g_test_add_func ("/expr/program-deep", test_program_deep);
  g_test_add_func ("/expr/solve", test_solve);
  return g_test_run ();
}
