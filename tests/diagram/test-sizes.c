/* SPDX-License-Identifier: MIT */
#include "attention.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/error.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

static HeddleExpr *
size (const char *axis)
{
  return heddle_expr_size (g_intern_string (axis));
}

static void
assert_error (const HeddleDiagram *diagram, GHashTable *overrides, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (heddle_sizes_new (diagram, overrides, &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_SIZE);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_expressions (void)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("sizes");
  g_autoptr (GError) error = NULL;
  const char *c = heddle_diagram_add_axis (
      diagram, NULL, "c", heddle_expr_binary (HEDDLE_EXPR_MUL, size ("a.b"), heddle_expr_number (2)))
                      ->id;
  fixture_axis (diagram, "b", 21);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (heddle_sizes_get (sizes, c), ==, 42);
  g_assert_cmpint (heddle_sizes_get (sizes, g_intern_string ("a.nothing")), ==, 0);

  gint64 seven = 7;
  g_autoptr (GHashTable) overrides = g_hash_table_new (g_str_hash, g_str_equal);
  g_hash_table_insert (overrides, "b", &seven);
  g_autoptr (HeddleSizes) smaller = heddle_sizes_new (diagram, overrides, &error);
  g_assert_cmpint (heddle_sizes_get (smaller, c), ==, 14);
}

static void
test_errors (void)
{
  const struct
  {
    double size;
    const char *message;
  } rows[] = {
    { 0, "The size of x is 0: sizes are whole numbers of at least 1" },
    { -3, "The size of x is -3: sizes are whole numbers of at least 1" },
    { 2.5, "The size of x is 2.5: sizes are whole numbers of at least 1" },
    { 1. / 0., "The size of x is inf: sizes go up to 2^40" },
    { 1099511627777., "The size of x is 1.099511628e+12: sizes go up to 2^40" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("wrong");
      heddle_diagram_add_axis (diagram, NULL, "x", heddle_expr_number (rows[i].size));
      g_autoptr (GError) error = NULL;
      g_assert_null (heddle_sizes_new (diagram, NULL, &error));
      g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_SIZE);
      g_assert_cmpstr (error->message, ==, rows[i].message);
    }

  g_autoptr (HeddleDiagram) missing = heddle_diagram_new ("missing");
  fixture_axis (missing, "x", 0);
  assert_error (missing, NULL, "The size of x is not given");
  g_autoptr (HeddleDiagram) unknown = heddle_diagram_new ("unknown");
  heddle_diagram_add_axis (unknown, NULL, "x", size ("a.y"));
  assert_error (unknown, NULL, "The size of x depends on a.y, which is not an axis of the diagram");
  g_autoptr (HeddleDiagram) cyclic = heddle_diagram_new ("cyclic");
  heddle_diagram_add_axis (cyclic, NULL, "x", size ("a.y"));
  heddle_diagram_add_axis (cyclic, NULL, "y", size ("a.x"));
  assert_error (cyclic, NULL, "The size of y depends on itself");
}

/* Y[y] = X[x] read as X[y]: y has the size of x, and must agree with it. */
static void
test_renames (void)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("rename");
  g_autoptr (GError) error = NULL;
  const char *x = fixture_axis (diagram, "x", 5), *y = fixture_axis (diagram, "y", 0);
  fixture_input (diagram, "X", "x");
  HeddleOperation *view = fixture_operation (diagram, "reindex", "Y", "y", "X", "");
  view->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  g_ptr_array_add (view->indices, heddle_expr_index (y));
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (heddle_sizes_get (sizes, x), ==, 5);
  g_assert_cmpint (heddle_sizes_get (sizes, y), ==, 5);

  heddle_diagram_edit_axis (diagram, y)->size = heddle_expr_number (4);
  assert_error (diagram, NULL, "y of Y is 4 and x of X is 5, but one is read as the other");
}

static void
test_elements (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, NULL);
  g_assert_cmpint (heddle_sizes_elements (sizes, heddle_diagram_find_value (diagram, "S")), ==, 4096 * 1024);
  g_autoptr (HeddleDiagram) huge = heddle_diagram_new ("huge");
  fixture_axis (huge, "a", 1099511627776.);
  fixture_axis (huge, "b", 1099511627776.);
  fixture_input (huge, "X", "a b");
  g_autoptr (HeddleSizes) large = heddle_sizes_new (huge, NULL, NULL);
  g_assert_cmpint (heddle_sizes_elements (large, heddle_diagram_find_value (huge, "X")), ==, G_MAXINT64);
}

/* A chain of sizes too long for a recursion, given last first. */
static void
test_chain (void)
{
  const guint n = 100000;
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("chain");
  for (guint i = n; i > 0; i--)
    {
      g_autofree char *name = g_strdup_printf ("x%u", i), *before = g_strdup_printf ("a.x%u", i - 1);
      heddle_diagram_add_axis (diagram, NULL, name, size (before));
    }
  fixture_axis (diagram, "x0", 3);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, NULL);
  g_assert_nonnull (sizes);
  g_assert_cmpint (heddle_sizes_get (sizes, heddle_diagram_find_axis (diagram, "x100000")->id), ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sizes/expressions", test_expressions);
  g_test_add_func ("/sizes/errors", test_errors);
  g_test_add_func ("/sizes/renames", test_renames);
  g_test_add_func ("/sizes/elements", test_elements);
  g_test_add_func ("/sizes/chain", test_chain);
  return g_test_run ();
}
