/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/base/names.h"
#include "codegen/cuda/expr.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* A diagram of two axes q and x, at whose point q_0 + i_q, i_x the arguments are a, b, c. */
typedef struct
{
  HeddleDiagram *diagram;
  HeddleNames *names;
  GHashTable *sections;
  HeddleCudaContext context;
} Fixture;

static const char *
argument (guint i, gpointer data)
{
  static const char *const names[] = { "a", "b", "c" };

  return names[i];
}

static const char *
index_of (const char *axis, gpointer data)
{
  return axis == g_intern_string ("a.q") ? "q_0 + i_q" : axis == g_intern_string ("a.x") ? "i_x" : "0";
}

static void
fixture_init (Fixture *self, gboolean wide)
{
  self->diagram = heddle_diagram_new ("test");
  heddle_diagram_add_axis (self->diagram, NULL, "q", heddle_expr_number (64));
  heddle_diagram_add_axis (self->diagram, NULL, "x", heddle_expr_number (32));
  self->names = heddle_names_new (self->diagram, NULL);
  self->sections = g_hash_table_new (g_str_hash, g_str_equal);
  self->context = (HeddleCudaContext){ self->names, wide, argument, index_of, NULL, self->sections };
}

static void
fixture_clear (Fixture *self)
{
  heddle_names_free (self->names);
  heddle_diagram_free (self->diagram);
  g_hash_table_unref (self->sections);
}

static HeddleExpr *
symbol (const char *name, gpointer data)
{
  return g_str_equal (name, "q")   ? heddle_expr_size (g_intern_string ("a.q"))
         : g_str_equal (name, "x") ? heddle_expr_size (g_intern_string ("a.x"))
         : g_str_equal (name, "i") ? heddle_expr_index (g_intern_string ("a.q"))
         : g_str_equal (name, "j") ? heddle_expr_index (g_intern_string ("a.x"))
         : g_str_equal (name, "k") ? heddle_expr_index (g_intern_string ("a.one")) /* not gone through */
                                   : NULL;
}

static HeddleExpr *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  HeddleExpr *expr = heddle_expr_parse (text, symbol, NULL, &error);

  g_assert_no_error (error);
  return expr;
}

static const struct
{
  const char *text, *narrow, *wide; /* wide NULL: the same */
} rows[] = {
  /* precedence */
  { "$0 + $1 * $2", "a + b * c", NULL },
  { "($0 + $1) * $2", "(a + b) * c", NULL },
  { "$0 - ($1 - $2)", "a - (b - c)", NULL },
  { "$0 - $1 - $2", "a - b - c", NULL },
  { "$0 / ($1 * $2)", "a / (b * c)", NULL },
  { "$0 / $1 * $2", "a / b * c", NULL },
  { "-($0 + $1)", "-(a + b)", NULL },
  { "-(-$0)", "-(-a)", NULL },
  { "$0 * -$1", "a * -b", NULL },
  { "$0 - -$1", "a - -b", NULL },
  /* numbers */
  { "$0 * 0.1", "a * 0.1f", "a * 0.1" },
  { "$0 + 2", "a + 2.0f", "a + 2.0" },
  { "$0 * 1e-12", "a * 1e-12f", "a * 1e-12" },
  { "$0 * 16777217", "a * 16777217.0f", "a * 16777217.0" },
  { "$0 / 3.141592653589793", "a / 3.1415927f", "a / 3.141592653589793" },
  { "max($0, -inf)", "maximum (a, -INF)", "maximum (a, -double (INF))" },
  { "min($0, inf)", "minimum (a, INF)", "minimum (a, double (INF))" },
  /* functions */
  { "exp($0 - $1)", "expf (a - b)", "exp (a - b)" },
  { "sqrt($0)", "sqrtf (a)", "sqrt (a)" },
  { "$0^2", "square (a)", NULL },
  { "($0 - $1)^2", "square (a - b)", NULL },
  { "$0^0.5", "sqrtf (a)", "sqrt (a)" },
  { "$0^-0.5", "rsqrtf (a)", "rsqrt (a)" },
  { "$0^$1", "powf (a, b)", "pow (a, b)" },
  { "$0^3 + 1", "cube (a) + 1.0f", "cube (a) + 1.0" },
  { "$0^4 + 1", "powf (a, 4.0f) + 1.0f", "pow (a, 4.0) + 1.0" },
  { "silu($0) * gelu($1)", "silu (a) * gelu (b)", NULL },
  { "mod($0, 3)", "modulo (a, 3.0f)", "modulo (a, 3.0)" },
  /* sizes and indices */
  { "$0 * q^-0.5", "a * rsqrtf (float (q))", "a * rsqrt (double (q))" },
  { "$0 / x", "a / float (x)", "a / double (x)" },
  { "$0 + i", "a + float (q_0 + i_q)", "a + double (q_0 + i_q)" },
  /* predicates */
  { "where(j <= i, $0, -inf)", "i_x <= q_0 + i_q ? a : -INF", "i_x <= q_0 + i_q ? a : -double (INF)" },
  { "where(j <= i + 1 and i < q - 2, $0, 0)", "i_x <= q_0 + i_q + 1 && q_0 + i_q < q - 2 ? a : 0.0f",
      "i_x <= q_0 + i_q + 1 && q_0 + i_q < q - 2 ? a : 0.0" },
  { "where($0 == -inf, 0, exp($0 - $1))", "a == -INF ? 0.0f : expf (a - b)",
      "a == -double (INF) ? 0.0 : exp (a - b)" },
  { "where(not $0 < $1 or $2 != 1, $0, $1)", "!(a < b) || c != 1.0f ? a : b",
      "!(a < b) || c != 1.0 ? a : b" },
  { "where($0, $1, $2)", "a != 0 ? b : c", NULL },
  { "1 + where($0 < 0, $1, $2)", "1.0f + (a < 0.0f ? b : c)", "1.0 + (a < 0.0 ? b : c)" },
  { "where($0 < 0, where($1 < 0, 1, 2), 3)", "a < 0.0f ? (b < 0.0f ? 1.0f : 2.0f) : 3.0f",
      "a < 0.0 ? (b < 0.0 ? 1.0 : 2.0) : 3.0" },
  { "where($0 < 0, 1, where($1 < 0, 2, 3))", "a < 0.0f ? 1.0f : b < 0.0f ? 2.0f : 3.0f",
      "a < 0.0 ? 1.0 : b < 0.0 ? 2.0 : 3.0" },
  { "where(mod(j, 2) == 0, $0, $1)", "floor_mod (i_x, 2) == 0 ? a : b", NULL },
  { "where(floor(i / 16) == floor(j / 16), $0, $1)",
      "floor_div (q_0 + i_q, 16) == floor_div (i_x, 16) ? a : b", NULL },
};

static void
check_texts (gboolean wide)
{
  Fixture self;

  fixture_init (&self, wide);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (HeddleExpr) expr = parse (rows[i].text);
      g_autofree char *text = heddle_cuda_expr (&self.context, expr);

      g_assert_cmpstr (text, ==, wide && rows[i].wide ? rows[i].wide : rows[i].narrow);
    }
  fixture_clear (&self);
}

static void
test_narrow (void)
{
  check_texts (FALSE);
}

static void
test_wide (void)
{
  check_texts (TRUE);
}

static gboolean
is_first (guint i, gpointer data)
{
  return i == 0;
}

/* For results of 16 bits functions are coarser; what is divided by the same at many points is multiplied by its reciprocal, in any type. */
static void
test_coarse (void)
{
  static const struct
  {
    const char *text, *coarse, *shared;
  } quotients[] = {
    { "exp($0 - $1)", "coarse_exp (a - b)", "expf (a - b)" },
    { "gelu($0)^0.5", "coarse_sqrt (coarse_gelu (a))", "sqrtf (gelu (a))" },
    { "$1 / $2", "coarse_quotient (b, c)", "b / c" },
    { "$1 / x", "b * (1.0f / (float (x)))", "b * (1.0f / (float (x)))" },
    { "$1 / ($0 + 1)", "b * __fdividef (1.0f, a + 1.0f)", "b * (1.0f / (a + 1.0f))" },
    { "($1 + $2) / $0", "(b + c) * __fdividef (1.0f, a)", "(b + c) * (1.0f / (a))" },
    { "$1 * (1 / $0)", "b * __fdividef (1.0f, a)", "b * (1.0f / (a))" },
    { "floor($1 / j)", "floorf (coarse_quotient (b, float (i_x)))", "floorf (b / float (i_x))" },
  };
  Fixture self;

  fixture_init (&self, FALSE);
  self.context.shared = is_first;
  for (guint i = 0; i < G_N_ELEMENTS (quotients); i++)
    {
      g_autoptr (HeddleExpr) expr = parse (quotients[i].text);
      g_autofree char *shared = NULL, *coarse = NULL;

      self.context.coarse = FALSE;
      shared = heddle_cuda_expr (&self.context, expr);
      self.context.coarse = TRUE;
      coarse = heddle_cuda_expr (&self.context, expr);
      g_assert_cmpstr (shared, ==, quotients[i].shared);
      g_assert_cmpstr (coarse, ==, quotients[i].coarse);
    }
  fixture_clear (&self);
}

/* Predicates count 0 or 1 where a number is wanted, in the computing type: templates take one type. */
static void
test_predicate_as_number (void)
{
  Fixture self;
  g_autoptr (HeddleExpr) less
      = heddle_expr_binary (HEDDLE_EXPR_LT, heddle_expr_argument (0), heddle_expr_argument (1));
  g_autoptr (HeddleExpr) sum
      = heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_expr_ref (less), heddle_expr_argument (2));
  g_autofree char *text = NULL, *wide = NULL;

  fixture_init (&self, FALSE);
  text = heddle_cuda_expr (&self.context, sum);
  g_assert_cmpstr (text, ==, "float (a < b) + c");
  self.context.wide = TRUE;
  wide = heddle_cuda_expr (&self.context, sum);
  g_assert_cmpstr (wide, ==, "double (a < b) + c");
  fixture_clear (&self);
}

static void
test_whole (void)
{
  static const struct
  {
    const char *text, *whole;
  } indices[] = {
    { "i", "q_0 + i_q" },
    { "2 * i + j - 1", "2 * (q_0 + i_q) + i_x - 1" },
    { "q - 1 - i", "q - 1 - (q_0 + i_q)" },
    { "-j", "-i_x" },
    { "j + (i - 1)", "i_x + q_0 + i_q - 1" },
    { "2 * i + k - 3", "2 * (q_0 + i_q) - 3" },
    { "k + j", "i_x" },
    { "2 * (k + i)", "2 * (q_0 + i_q)" },
    { "j - 3 * k", "i_x" },
    { "3 * k - j", "0 - i_x" },
    { "floor(j / 2)", "floor_div (i_x, 2)" },
    { "ceil(j / 2)", "ceil_div (i_x, 2)" },
    { "mod(i + 1, q)", "floor_mod (q_0 + i_q + 1, q)" },
    { "j * 0.5", "(long long) floor (double (i_x) * 0.5)" },
  };
  Fixture self;

  fixture_init (&self, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (indices); i++)
    {
      g_autoptr (HeddleExpr) expr = parse (indices[i].text);
      g_autofree char *text = heddle_cuda_whole (&self.context, expr);

      g_assert_cmpstr (text, ==, indices[i].whole);
    }
  fixture_clear (&self);
}

static void
test_monoids (void)
{
  static const struct
  {
    HeddleMonoid monoid;
    const char *unit, *combined;
  } monoids[] = { { HEDDLE_MONOID_SUM, "0.0f", "p + r" }, { HEDDLE_MONOID_PROD, "1.0f", "p * r" },
    { HEDDLE_MONOID_MAX, "-INF", "maximum (p, r)" }, { HEDDLE_MONOID_MIN, "INF", "minimum (p, r)" } };
  Fixture self;

  fixture_init (&self, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (monoids); i++)
    {
      g_autofree char *unit = heddle_cuda_unit (&self.context, monoids[i].monoid);
      g_autofree char *combined = heddle_cuda_combine (&self.context, monoids[i].monoid, "p", "r");

      g_assert_cmpstr (unit, ==, monoids[i].unit);
      g_assert_cmpstr (combined, ==, monoids[i].combined);
    }
  fixture_clear (&self);
}

/* What is used is what the prelude is asked for. */
static void
test_sections (void)
{
  Fixture self;
  g_autoptr (HeddleExpr) expr = parse ("silu($0) + max($1, -inf)");
  g_autofree char *text = NULL, *prelude = NULL;

  fixture_init (&self, FALSE);
  text = heddle_cuda_expr (&self.context, expr);
  g_assert_cmpuint (g_hash_table_size (self.sections), ==, 5);
  for (const char *const *name = (const char *const[]){ "inf", "silu", "sigmoid", "gated", "maximum", NULL };
       *name != NULL; name++)
    g_assert_true (g_hash_table_contains (self.sections, *name));
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cuda-expr/narrow", test_narrow);
  g_test_add_func ("/cuda-expr/wide", test_wide);
  g_test_add_func ("/cuda-expr/coarse", test_coarse);
  g_test_add_func ("/cuda-expr/predicate-as-number", test_predicate_as_number);
  g_test_add_func ("/cuda-expr/whole", test_whole);
  g_test_add_func ("/cuda-expr/monoids", test_monoids);
  g_test_add_func ("/cuda-expr/sections", test_sections);
  return g_test_run ();
}
