/* SPDX-License-Identifier: MIT */
#include "attention.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/diagram.h"

static void
assert_differ (const HeddleDiagram *a, const HeddleDiagram *b, const char *expected)
{
  g_autofree char *why = NULL;
  g_assert_false (heddle_diagram_isomorphic (a, b, &why));
  g_assert_cmpstr (why, ==, expected);
  g_assert_false (heddle_diagram_isomorphic (b, a, NULL));
}

static void
assert_same (const HeddleDiagram *a, const HeddleDiagram *b)
{
  g_autofree char *why = NULL;
  g_assert_true (heddle_diagram_isomorphic (a, b, &why));
  g_assert_null (why);
  g_assert_true (heddle_diagram_isomorphic (b, a, NULL));
}

/* Attention with everything declared in another order and under other ids. */
static HeddleDiagram *
other_attention (void)
{
  HeddleDiagram *diagram = heddle_diagram_new ("other");
  heddle_diagram_add_axis (diagram, "a.1", "x", heddle_expr_number (1024));
  const char *d = heddle_diagram_add_axis (diagram, "a.2", "d", heddle_expr_number (128))->id;
  heddle_diagram_add_axis (diagram, "a.3", "q", heddle_expr_number (4096));
  fixture_input (diagram, "V", "x d");
  fixture_input (diagram, "Q", "q d");
  fixture_input (diagram, "K", "x d");
  fixture_operation (diagram, "contract", "S", "q x", "Q K", "d");
  HeddleOperation *scale = fixture_operation (diagram, "map", NULL, "q x", "S", "");
  scale->body = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_argument (0),
      heddle_expr_binary (HEDDLE_EXPR_POW, heddle_expr_size (d), heddle_expr_number (-0.5)));
  fixture_operation (diagram, "softmax", "P", "q x", "v.t", "x");
  fixture_operation (diagram, "contract", "O", "q d", "P V", "x");
  return diagram;
}

static void
test_same (void)
{
  g_autoptr (HeddleDiagram) a = fixture_attention (), b = other_attention ();
  assert_same (a, a);
  assert_same (a, b);
  b->explicit_outputs = TRUE;
  heddle_ids_append (b->outputs, heddle_diagram_find_value (b, "O")->id);
  assert_same (a, b);
}

static void
test_differences (void)
{
  g_autoptr (HeddleDiagram) a = fixture_attention (), size = other_attention (), name = other_attention ();
  g_autoptr (HeddleDiagram) body = other_attention (), operands = other_attention (),
                            type = other_attention ();
  g_autoptr (HeddleDiagram) outputs = other_attention (), more = other_attention ();

  HeddleAxis *x = heddle_diagram_edit_axis (size, g_intern_string ("a.1"));
  heddle_expr_unref (x->size);
  x->size = heddle_expr_number (77);
  assert_differ (a, size, "The axis x is 1024 in one and 77 in the other");

  HeddleValue *s = heddle_diagram_edit_value (name, g_intern_string ("v.S"));
  g_free (s->name);
  s->name = g_strdup ("T");
  assert_differ (a, name, "The value S is in one only");

  HeddleOperation *scale = heddle_diagram_edit_operation (body, g_intern_string ("o.t"));
  heddle_expr_unref (scale->body);
  scale->body = heddle_expr_argument (0);
  assert_differ (a, body, "P is made differently");

  HeddleOperation *product = heddle_diagram_edit_operation (operands, g_intern_string ("o.S"));
  heddle_ids_index (product->operands, 0) = g_intern_string ("v.K");
  heddle_ids_index (product->operands, 1) = g_intern_string ("v.Q");
  assert_differ (a, operands, "S is made differently");

  heddle_diagram_edit_value (type, g_intern_string ("v.S"))->dtype = HEDDLE_DTYPE_F32;
  assert_differ (a, type, "The axes, the data type or the role of S differ");

  outputs->explicit_outputs = TRUE;
  heddle_ids_append (outputs->outputs, g_intern_string ("v.P"));
  assert_differ (a, outputs, "The outputs differ");

  fixture_operation (more, "sum", NULL, "q", "S", "x");
  assert_differ (more, a, "t2 is made differently");
}

/* Two equal unnamed values: both read by both, or each by one. */
static HeddleDiagram *
twins (gboolean crossed)
{
  HeddleDiagram *diagram = heddle_diagram_new ("twins");
  fixture_axis (diagram, "x", 4);
  fixture_input (diagram, "X", "x");
  HeddleOperation *first = fixture_operation (diagram, "map", NULL, "x", "X", "");
  HeddleOperation *second = fixture_operation (diagram, "map", NULL, "x", "X", "");
  first->body = heddle_expr_argument (0);
  second->body = heddle_expr_argument (0);
  fixture_operation (diagram, "contract", NULL, "x", crossed ? "v.t v.t-2" : "v.t v.t", "");
  fixture_operation (diagram, "contract", NULL, "x", crossed ? "v.t v.t-2" : "v.t-2 v.t-2", "");
  return diagram;
}

static void
test_sharing (void)
{
  g_autoptr (HeddleDiagram) parallel = twins (FALSE), crossed = twins (TRUE), again = twins (TRUE);
  assert_same (crossed, again);
  g_assert_false (heddle_diagram_isomorphic (parallel, crossed, NULL));
  g_assert_false (heddle_diagram_isomorphic (crossed, parallel, NULL));
}

static HeddleDiagram *
chain (guint n)
{
  HeddleDiagram *diagram = heddle_diagram_new ("chain");
  fixture_axis (diagram, "x", 4);
  const char *last = fixture_input (diagram, "X", "x");
  for (guint i = 0; i < n; i++)
    {
      HeddleOperation *operation = fixture_operation (diagram, "map", NULL, "x", last, "");
      operation->body = heddle_expr_argument (0);
      last = operation->result;
    }
  return diagram;
}

static void
test_large (void)
{
  g_autoptr (HeddleDiagram) a = chain (10000), b = chain (10000), shorter = chain (9999);
  assert_same (a, b);
  g_assert_false (heddle_diagram_isomorphic (a, shorter, NULL));
  g_assert_false (heddle_diagram_isomorphic (shorter, a, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/isomorphic/same", test_same);
  g_test_add_func ("/isomorphic/differences", test_differences);
  g_test_add_func ("/isomorphic/sharing", test_sharing);
  g_test_add_func ("/isomorphic/large", test_large);
  return g_test_run ();
}
