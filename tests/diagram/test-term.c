/* SPDX-License-Identifier: MIT */
#include "attention.h"
#include "diagram/analysis/term.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

static void
assert_text (const HeddleExpr *expr, const char *expected)
{
  g_autofree char *text = heddle_expr_to_string (expr, NULL, NULL);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_attention (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();
  g_autoptr (HeddleTerm) scores
      = heddle_term_new (heddle_diagram_get_operation (diagram, g_intern_string ("o.S")));
  g_autoptr (HeddleTerm) scale
      = heddle_term_new (heddle_diagram_get_operation (diagram, g_intern_string ("o.t")));
  g_autoptr (HeddleTerm) softmax
      = heddle_term_new (heddle_diagram_get_operation (diagram, g_intern_string ("o.P")));

  g_assert_cmpuint (scores->n_stages, ==, 1);
  g_assert_cmpuint (scores->stages[0].monoid, ==, HEDDLE_MONOID_SUM);
  assert_text (scores->stages[0].body, "$0*$1");
  assert_text (scores->result, scores->stages[0].name);

  g_assert_cmpuint (scale->n_stages, ==, 0);
  assert_text (scale->result, "$0*a.d^-0.5");

  g_assert_cmpuint (softmax->n_stages, ==, 2);
  g_assert_cmpuint (softmax->stages[0].monoid, ==, HEDDLE_MONOID_MAX);
  assert_text (softmax->stages[0].body, "$0");
  assert_text (softmax->stages[1].body, "where($0 == -inf, 0, exp($0 - m))");
  assert_text (softmax->result, "where(l == 0, 0, where($0 == -inf, 0, exp($0 - m))/l)");
  g_assert_true (softmax->operation == heddle_diagram_get_operation (diagram, g_intern_string ("o.P")));
}

static void
test_options_and_count (void)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("norm");
  g_autoptr (HeddleTerm) term = NULL;
  HeddleOperation *norm;

  fixture_axis (diagram, "b", 2);
  fixture_axis (diagram, "m", 3);
  fixture_input (diagram, "X", "b m");
  norm = fixture_operation (diagram, "rmsnorm", "Y", "b m", "X", "b m");
  norm->options[0] = 1e-6;
  term = heddle_term_new (norm);
  assert_text (term->stages[0].body, "$0*$0");
  assert_text (term->result, "$0/sqrt(s/(a.b*a.m) + 1e-06)");
}

static void
test_no_core_axes (void)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("mean");
  g_autoptr (HeddleTerm) term = NULL;

  fixture_axis (diagram, "b", 2);
  fixture_input (diagram, "X", "b");
  term = heddle_term_new (fixture_operation (diagram, "mean", "Y", "b", "X", ""));
  assert_text (term->result, "s/1");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/term/attention", test_attention);
  g_test_add_func ("/term/options-and-count", test_options_and_count);
  g_test_add_func ("/term/no-core-axes", test_no_core_axes);
  return g_test_run ();
}
