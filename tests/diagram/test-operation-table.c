/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

#include <math.h>

static void
test_monoids (void)
{
  static const double values[] = { -2., .5, 3. };

  for (HeddleMonoid monoid = HEDDLE_MONOID_SUM; monoid <= HEDDLE_MONOID_MIN; monoid++)
    for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
      {
        double unit = heddle_monoid_unit (monoid), a = values[i], b = values[(i + 1) % 3],
               c = values[(i + 2) % 3];

        g_assert_cmpfloat (heddle_monoid_combine (monoid, unit, a), ==, a);
        g_assert_cmpfloat (heddle_monoid_combine (monoid, a, b), ==, heddle_monoid_combine (monoid, b, a));
        g_assert_cmpfloat (heddle_monoid_combine (monoid, heddle_monoid_combine (monoid, a, b), c), ==,
            heddle_monoid_combine (monoid, a, heddle_monoid_combine (monoid, b, c)));
      }
  g_assert_cmpfloat (heddle_monoid_combine (HEDDLE_MONOID_SUM, 2., 3.), ==, 5.);
  g_assert_cmpfloat (heddle_monoid_combine (HEDDLE_MONOID_PROD, 2., 3.), ==, 6.);
  g_assert_cmpfloat (heddle_monoid_combine (HEDDLE_MONOID_MAX, 2., 3.), ==, 3.);
  g_assert_cmpfloat (heddle_monoid_combine (HEDDLE_MONOID_MIN, 2., 3.), ==, 2.);
  g_assert_cmpstr (heddle_monoid_to_string (HEDDLE_MONOID_PROD), ==, "prod");
}

/* What the text of a row may name: stages before it, options, n. */
typedef struct
{
  const HeddleOperationKind *kind;
  guint n_stages;
} Scope;

static gboolean
is_in_scope (const HeddleExpr *node, gpointer data)
{
  const Scope *scope = data;
  const char *name;

  if (heddle_expr_get_kind (node) != HEDDLE_EXPR_VARIABLE)
    return TRUE;
  name = heddle_expr_get_symbol (node);
  for (guint i = 0; i < scope->n_stages; i++)
    if (g_str_equal (scope->kind->stages[i].name, name))
      return TRUE;
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS && scope->kind->options[i].name != NULL; i++)
    if (g_str_equal (scope->kind->options[i].name, name))
      return TRUE;
  return g_str_equal (name, "n") || g_str_equal (name, "place");
}

static void
check_text (const char *text, const HeddleOperationKind *kind, guint n_stages)
{
  g_autoptr (HeddleExpr) expr = heddle_expr_literal (text);
  Scope scope = { kind, n_stages };

  g_assert_true (heddle_expr_walk (expr, is_in_scope, &scope));
}

static void
test_rows (void)
{
  guint n_rows;
  const HeddleOperationKind *rows = heddle_operation_table (&n_rows);

  g_assert_cmpuint (n_rows, >=, 13);
  for (guint i = 0; i < n_rows; i++)
    {
      guint n = 0;

      g_assert_true (heddle_operation_kind (rows[i].id) == &rows[i]);
      g_assert_true (rows[i].title != NULL && rows[i].group != NULL && rows[i].glyph != NULL);
      for (; n < HEDDLE_MAX_STAGES && rows[i].stages[n].name != NULL; n++)
        check_text (rows[i].stages[n].body, &rows[i], n);
      g_assert_cmpint (
          n > 0, ==, rows[i].form == HEDDLE_FORM_REDUCE || rows[i].form == HEDDLE_FORM_NORMALISE);
      g_assert_cmpint (rows[i].result != NULL, ==, n > 0);
      if (rows[i].form == HEDDLE_FORM_CALL)
        g_assert_true (rows[i].min_operands == 0 && rows[i].max_operands == 0);
      g_assert_cmpint (rows[i].scan.factor != NULL, ==, rows[i].form == HEDDLE_FORM_SCAN);
      g_assert_cmpint (rows[i].scan.term != NULL, ==, rows[i].form == HEDDLE_FORM_SCAN);
      if (rows[i].result != NULL)
        check_text (rows[i].result, &rows[i], n);
    }
  g_assert_null (heddle_operation_kind ("nothing"));
}

static gboolean
is_in_derivative (const HeddleExpr *node, gpointer data)
{
  static const char *const names[] = { "x", "y", "dy", "n" };
  const Scope *scope = data;
  const char *name;

  g_assert_cmpint (heddle_expr_get_kind (node), !=, HEDDLE_EXPR_ARGUMENT);
  if (heddle_expr_get_kind (node) != HEDDLE_EXPR_VARIABLE)
    return TRUE;
  name = heddle_expr_get_symbol (node);
  for (guint i = 0; i < scope->n_stages; i++)
    if (g_str_equal (scope->kind->derivative[i].name, name))
      return TRUE;
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS && scope->kind->options[i].name != NULL; i++)
    if (g_str_equal (scope->kind->options[i].name, name))
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i], name))
      return TRUE;
  return FALSE;
}

/* Every row that reduces says how it goes back, in names that are known. */
static void
test_derivatives (void)
{
  guint n_rows;
  const HeddleOperationKind *rows = heddle_operation_table (&n_rows);

  for (guint i = 0; i < n_rows; i++)
    {
      Scope scope = { &rows[i], 0 };

      g_assert_cmpint (rows[i].cotangent != NULL, ==, rows[i].result != NULL);
      for (; scope.n_stages < HEDDLE_MAX_STAGES && rows[i].derivative[scope.n_stages].name != NULL;
           scope.n_stages++)
        {
          g_autoptr (HeddleExpr) body = heddle_expr_literal (rows[i].derivative[scope.n_stages].body);

          g_assert_true (heddle_expr_walk (body, is_in_derivative, &scope));
        }
      if (rows[i].cotangent != NULL)
        {
          g_autoptr (HeddleExpr) cotangent = heddle_expr_literal (rows[i].cotangent);

          g_assert_true (heddle_expr_walk (cotangent, is_in_derivative, &scope));
        }
    }
}

/* A reduction's result is made of its stages alone: the points are gone. */
static void
test_reductions_use_stages (void)
{
  guint n_rows;
  const HeddleOperationKind *rows = heddle_operation_table (&n_rows);

  for (guint i = 0; i < n_rows; i++)
    if (rows[i].form == HEDDLE_FORM_REDUCE)
      {
        g_autoptr (HeddleExpr) result = heddle_expr_literal (rows[i].result);

        g_assert_false (heddle_expr_uses (result, HEDDLE_EXPR_ARGUMENT, NULL));
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/operation-table/monoids", test_monoids);
  g_test_add_func ("/operation-table/rows", test_rows);
  g_test_add_func ("/operation-table/derivatives", test_derivatives);
  g_test_add_func ("/operation-table/reductions-use-stages", test_reductions_use_stages);
  return g_test_run ();
}
