/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "codegen/base/monoid.h"
#include "codegen/base/pointwise.h"
#include "codegen/base/prelude.h"
#include "codegen/tile/copy.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/kind.h"
#include "diagram/expression/parse.h"
#include "diagram/graph/operation-table.h"

/* The tables that all families go by: complete, and of functions that the prelude has. */

/* Whether the prelude defines @function where it is asked for @sections. */
static void
assert_defined (const char *function, const char *const *sections, guint n, const char *more)
{
  g_autoptr (GHashTable) asked = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *prelude = NULL, *definition = g_strconcat ("\n", function, " (", NULL);

  for (guint i = 0; i < n && sections[i] != NULL; i++)
    {
      g_autofree char *section = g_strconcat (sections[i], more, NULL);

      g_hash_table_add (asked, (gpointer) g_intern_string (section));
    }
  prelude = heddle_prelude_text (asked);
  if (strstr (prelude, definition) == NULL)
    g_error ("%s is not defined in:\n%s", function, prelude);
}

/* Every function of expressions has a row, takes special-function operations where the cost model counts some or the machine's library is known to
 * need none, and is defined where its meaning is a number. */
static void
test_pointwise (void)
{
  guint n;
  const HeddlePointwise *table = heddle_pointwise_table (&n);

  for (HeddleExprKind kind = 0; kind < HEDDLE_N_EXPR_KINDS; kind++)
    if (heddle_expr_kind_info (kind)->is_function && kind != HEDDLE_EXPR_WHERE)
      g_assert_nonnull (heddle_pointwise_get (kind));
  for (guint i = 0; i < n; i++)
    {
      HeddleExpr *at = heddle_expr_number (isinf (table[i].least) ? -2. : table[i].least + 0.5), *body;
      guint arity = heddle_expr_kind_info (table[i].kind)->arity;
      double value = NAN;

      g_assert_cmpuint (table[i].instructions, >, 0);
      g_assert_cmpuint (table[i].special, <=, table[i].instructions);
      if (table[i].sections[0] != NULL)
        assert_defined (table[i].narrow, table[i].sections, G_N_ELEMENTS (table[i].sections), "");
      body = arity == 1 ? heddle_expr_unary (table[i].kind, at)
                        : heddle_expr_binary (table[i].kind, at, heddle_expr_number (2.));
      g_assert_true (heddle_expr_evaluate (body, NULL, NULL, &value, NULL));
      g_assert_true (isfinite (value));
      heddle_expr_unref (body);
    }
}

static gboolean
is_first (const HeddleExpr *leaf, gpointer data)
{
  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT && heddle_expr_get_operand (leaf) == 0;
}

/* What does not vary is not counted: here the root and the quotient below it. */
static void
test_count (void)
{
  g_autoptr (HeddleExpr) body = heddle_expr_parse ("silu($0) * (1 / sqrt($1))", NULL, NULL, NULL);
  double instructions = 0, special = 0;

  heddle_pointwise_count (body, is_first, NULL, &instructions, &special);
  g_assert_cmpfloat (instructions, ==, 1 + heddle_pointwise_get (HEDDLE_EXPR_SILU)->instructions);
  g_assert_cmpfloat (special, ==, 2);
}

static void
test_monoids (void)
{
  for (HeddleMonoid monoid = HEDDLE_MONOID_SUM; monoid <= HEDDLE_MONOID_MIN; monoid++)
    {
      const HeddleDeviceMonoid *row = heddle_device_monoid (monoid);
      const char *const sections[] = { row->function, row->instruction, row->along_row_section };

      g_assert_cmpint (row->monoid, ==, monoid);
      g_assert_true ((row->sign != NULL) != (row->function != NULL));
      assert_defined (row->along_row, sections + 2, 1, "");
      if (row->function != NULL)
        {
          assert_defined (row->function, sections, 1, "");
          assert_defined (row->instruction, sections + 1, 1, "");
        }
    }
}

static void
test_copies (void)
{
  for (HeddleCopyKind kind = HEDDLE_COPY_PIECES; kind <= HEDDLE_COPY_EIGHTS; kind++)
    {
      const HeddleCopyAtom *atom = heddle_copy_atom (kind);
      const char *more = kind == HEDDLE_COPY_BOX ? " 2" : kind == HEDDLE_COPY_TWO ? " float" : "";

      g_assert_cmpint (atom->kind, ==, kind);
      g_assert_cmpuint (atom->bytes, >, 0);
      g_assert_true (atom->least_arch == 80 || atom->least_arch == 90);
      assert_defined (atom->function, atom->sections, G_N_ELEMENTS (atom->sections), more);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tables/pointwise", test_pointwise);
  g_test_add_func ("/tables/count", test_count);
  g_test_add_func ("/tables/monoids", test_monoids);
  g_test_add_func ("/tables/copies", test_copies);
  return g_test_run ();
}
