/* SPDX-License-Identifier: MIT */
#include "attention.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/graph/diagram-order.h"
#include "diagram/graph/diagram.h"

static void
test_ids (void)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("ids");
  const struct
  {
    const char *name, *id;
  } rows[] = { { "q", "a.q" }, { "\\bar x", "a.bar_x" }, { "c_{i+1}", "a.c_i1" }, { "x'", "a.x-prime" },
    { "q", "a.q-2" }, { "q", "a.q-3" }, { "λ", "a.-ce-bb" }, { "<&>", "a.t" } };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpstr (fixture_axis (diagram, rows[i].name, 1), ==, rows[i].id);
  heddle_diagram_remove (diagram, g_intern_static_string ("a.q-2"));
  g_assert_cmpstr (fixture_axis (diagram, "q", 1), ==, "a.q-2");
  g_assert_cmpstr (heddle_diagram_add_axis (diagram, "a.q", "other", NULL)->id, ==, "a.q-4");
}

static void
test_looking (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();
  const char *s = heddle_diagram_find_value (diagram, "S")->id;
  g_assert_cmpstr (s, ==, "v.S");
  g_assert_cmpstr (heddle_diagram_get_producer (diagram, s)->id, ==, "o.S");
  g_assert_null (heddle_diagram_get_producer (diagram, heddle_diagram_find_value (diagram, "Q")->id));
  g_assert_null (heddle_diagram_find_value (diagram, "q"));
  g_assert_null (heddle_diagram_get_axis (diagram, s));
  g_assert_cmpuint (heddle_diagram_count_readers (diagram, s), ==, 1);
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, s);
  g_assert_cmpuint (readers->len, ==, 1);
  g_assert_cmpstr (((HeddleOperation *) g_ptr_array_index (readers, 0))->id, ==, "o.t");
  g_assert_cmpint (heddle_diagram_index_of_operation (diagram, g_intern_string ("o.P")), ==, 2);
  g_assert_cmpint (heddle_diagram_index_of_operation (diagram, g_intern_string ("o.nothing")), ==, -1);
  g_autoptr (GArray) inputs = heddle_diagram_get_inputs (diagram);
  g_assert_cmpuint (inputs->len, ==, 3);
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (diagram);
  g_assert_cmpuint (outputs->len, ==, 1);
  g_assert_cmpstr (heddle_ids_index (outputs, 0), ==, "v.O");
}

/* R reads V at places of its own; W is made of R, and what is added later of W. */
static void
test_follows_read (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();

  g_assert_false (heddle_diagram_follows_read (diagram, g_intern_string ("v.O")));
  fixture_operation (diagram, "reindex", "R", "x d", "V", "");
  fixture_operation (diagram, "softmax", "W", "x d", "R", "d");
  g_assert_true (heddle_diagram_follows_read (diagram, g_intern_string ("v.R")));
  g_assert_true (heddle_diagram_follows_read (diagram, g_intern_string ("v.W")));
  g_assert_false (heddle_diagram_follows_read (diagram, g_intern_string ("v.V")));
  g_assert_false (heddle_diagram_follows_read (diagram, g_intern_string ("v.O")));
  fixture_operation (diagram, "contract", "Y", "q d", "P W", "x");
  g_assert_true (heddle_diagram_follows_read (diagram, g_intern_string ("v.Y")));
}

static void
test_labels (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();
  g_autofree char *label = heddle_diagram_value_label (diagram, g_intern_string ("v.t"));
  g_assert_cmpstr (label, ==, "t1");
  fixture_input (diagram, "t1", "q");
  g_autofree char *other = heddle_diagram_value_label (diagram, g_intern_string ("v.t"));
  g_assert_cmpstr (other, ==, "t2");
}

/* A name for one value, a new value and one that goes change no label; a value that a text called `t9` is t9. */
static void
test_steady_labels (void)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("d");
  fixture_axis (diagram, "n", 4);
  fixture_input (diagram, "A", "n");
  const char *const ids[] = { NULL, NULL, "v.t9", NULL, "v.S", "v.t-3-3", "v.t0", NULL };
  const char *const labels[] = { "t1", "t2", "t9", "t3", "t5", "t6", "t7", "t4" };
  g_autoptr (GArray) axes = heddle_ids_new ();
  const char *made[G_N_ELEMENTS (ids)];
  heddle_ids_append (axes, g_intern_string ("a.n"));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    made[i]
        = heddle_diagram_add_value (diagram, ids[i], NULL, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, axes)
              ->id;
  for (guint named = 0; named <= 2; named++)
    {
      for (guint i = named; i < G_N_ELEMENTS (ids); i++)
        {
          g_autofree char *label = heddle_diagram_value_label (diagram, made[i]);
          g_assert_cmpstr (label, ==, labels[i]);
        }
      heddle_diagram_edit_value (diagram, made[named])->name = g_strdup_printf ("N%u", named);
    }
}

static void
test_copies (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();
  g_autoptr (HeddleDiagram) copy = heddle_diagram_copy (diagram);
  const char *q = heddle_diagram_find_axis (diagram, "q")->id;
  const HeddleOperation *scale = heddle_diagram_get_operation (diagram, g_intern_string ("o.t"));
  g_assert_true (heddle_diagram_get_axis (copy, q) == heddle_diagram_get_axis (diagram, q));

  HeddleAxis *axis = heddle_diagram_edit_axis (copy, q);
  g_free (axis->name);
  axis->name = g_strdup ("query");
  HeddleOperation *softmax = heddle_diagram_edit_operation (copy, g_intern_string ("o.P"));
  heddle_ids_index (softmax->operands, 0) = g_intern_string ("v.S");
  g_assert_true (heddle_diagram_find_axis (copy, "query") == axis);
  g_assert_null (heddle_diagram_find_axis (copy, "q"));
  g_assert_cmpstr (heddle_diagram_find_axis (diagram, "q")->name, ==, "q");
  g_assert_cmpuint (heddle_diagram_count_readers (copy, g_intern_string ("v.S")), ==, 2);
  g_assert_cmpuint (heddle_diagram_count_readers (copy, g_intern_string ("v.t")), ==, 0);
  g_assert_cmpuint (heddle_diagram_count_readers (diagram, g_intern_string ("v.S")), ==, 1);
  g_assert_true (heddle_diagram_get_operation (copy, g_intern_string ("o.t")) == scale);
  g_assert_true (heddle_diagram_edit_operation (copy, g_intern_string ("o.P")) == softmax);

  heddle_diagram_remove (copy, g_intern_string ("v.O"));
  heddle_diagram_remove (copy, g_intern_string ("o.O"));
  g_assert_null (heddle_diagram_get_value (copy, g_intern_string ("v.O")));
  g_assert_nonnull (heddle_diagram_get_producer (diagram, g_intern_string ("v.O")));
}

static void
test_outputs (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();
  diagram->explicit_outputs = TRUE;
  heddle_ids_append (diagram->outputs, g_intern_string ("v.P"));
  g_assert_true (heddle_diagram_is_output (diagram, g_intern_string ("v.P")));
  g_assert_false (heddle_diagram_is_output (diagram, g_intern_string ("v.O")));
  heddle_diagram_remove (diagram, g_intern_string ("v.P"));
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (diagram);
  g_assert_cmpuint (outputs->len, ==, 0);
}

static void
test_sort (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();
  const char *order[] = { "o.S", "o.t", "o.P", "o.O" };
  gpointer *operations = diagram->operations->pdata;
  gpointer first = operations[0];
  operations[0] = operations[3];
  operations[3] = first;
  g_assert_true (heddle_diagram_sort (diagram));
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    g_assert_cmpstr (((HeddleOperation *) operations[i])->id, ==, order[i]);
  HeddleOperation *scale = heddle_diagram_edit_operation (diagram, g_intern_string ("o.t"));
  heddle_ids_index (scale->operands, 0) = g_intern_string ("v.O");
  g_assert_false (heddle_diagram_sort (diagram));
}

static void
test_statements (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();
  g_autoptr (GPtrArray) statement = heddle_diagram_statement_operations (diagram, g_intern_string ("v.P"));
  g_assert_cmpuint (statement->len, ==, 2);
  g_assert_cmpstr (((HeddleOperation *) g_ptr_array_index (statement, 0))->id, ==, "o.t");
  g_assert_cmpstr (((HeddleOperation *) g_ptr_array_index (statement, 1))->id, ==, "o.P");
  g_assert_cmpstr (heddle_diagram_statement_of (diagram, g_intern_string ("o.t")), ==, "v.P");
  g_assert_cmpstr (heddle_diagram_statement_of (diagram, g_intern_string ("o.S")), ==, "v.S");
  /* read twice, it is a statement of its own */
  fixture_operation (diagram, "sum", "L", "q", "v.t", "x");
  g_assert_cmpstr (heddle_diagram_statement_of (diagram, g_intern_string ("o.t")), ==, "v.t");
  g_autoptr (GPtrArray) smaller = heddle_diagram_statement_operations (diagram, g_intern_string ("v.P"));
  g_assert_cmpuint (smaller->len, ==, 1);
  g_autoptr (GPtrArray) none = heddle_diagram_statement_operations (diagram, g_intern_string ("v.Q"));
  g_assert_cmpuint (none->len, ==, 0);
}

static void
test_dtypes (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();
  g_assert_cmpint (
      heddle_diagram_dtype (diagram, g_intern_string ("v.O"), HEDDLE_DTYPE_F32), ==, HEDDLE_DTYPE_F16);
  heddle_diagram_edit_value (diagram, g_intern_string ("v.V"))->dtype = HEDDLE_DTYPE_F32;
  g_assert_cmpint (
      heddle_diagram_dtype (diagram, g_intern_string ("v.P"), HEDDLE_DTYPE_F64), ==, HEDDLE_DTYPE_F16);
  g_assert_cmpint (
      heddle_diagram_dtype (diagram, g_intern_string ("v.O"), HEDDLE_DTYPE_F64), ==, HEDDLE_DTYPE_F32);
  heddle_diagram_edit_value (diagram, g_intern_string ("v.Q"))->dtype = HEDDLE_DTYPE_UNSET;
  g_assert_cmpint (
      heddle_diagram_dtype (diagram, g_intern_string ("v.S"), HEDDLE_DTYPE_F64), ==, HEDDLE_DTYPE_F64);
  g_assert_cmpint (
      heddle_diagram_dtype (diagram, g_intern_string ("v.S"), HEDDLE_DTYPE_UNSET), ==, HEDDLE_DTYPE_F16);
}

/* The type that a map of one i64 (or bool) with the body @body is stored in, where undeclared ones are f16. */
static HeddleDtype
dtype_of_map (HeddleDtype dtype, const char *body)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("d");
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleExpr) expr = heddle_expr_parse (body, NULL, NULL, &error);
  g_autoptr (GArray) none = heddle_ids_new ();
  g_autoptr (GArray) operands = heddle_ids_new ();
  const HeddleValue *read, *made;

  g_assert_no_error (error);
  read = heddle_diagram_add_value (diagram, NULL, "T", HEDDLE_ROLE_INPUT, dtype, none);
  made = heddle_diagram_add_value (diagram, NULL, "Z", HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, none);
  heddle_ids_append (operands, read->id);
  heddle_diagram_add_operation (diagram, NULL, heddle_operation_kind ("map"), operands, made->id, none, -1)
      ->body
      = heddle_expr_ref (expr);
  return heddle_diagram_dtype (diagram, made->id, HEDDLE_DTYPE_F16);
}

/* What is made of integers is an integer only where no fraction and no infinity is lost by that. */
static void
test_dtypes_of_integers (void)
{
  static const char *const real[]
      = { "$0*0.5", "$0/2", "exp($0)", "$0^-1", "$0^0.5", "where($0 > 1, $0, -inf)" };
  static const char *const whole[]
      = { "$0*2 + 1", "-$0", "$0^2", "floor($0/2)", "mod($0, 3)", "max($0, 0)", "where($0 > 0.5, $0, 0)" };

  for (guint i = 0; i < G_N_ELEMENTS (real); i++)
    {
      g_assert_cmpint (dtype_of_map (HEDDLE_DTYPE_I64, real[i]), ==, HEDDLE_DTYPE_F16);
      g_assert_cmpint (dtype_of_map (HEDDLE_DTYPE_BOOL, real[i]), ==, HEDDLE_DTYPE_F16);
    }
  for (guint i = 0; i < G_N_ELEMENTS (whole); i++)
    g_assert_cmpint (dtype_of_map (HEDDLE_DTYPE_I32, whole[i]), ==, HEDDLE_DTYPE_I32);
  g_assert_cmpint (dtype_of_map (HEDDLE_DTYPE_BOOL, "not $0"), ==, HEDDLE_DTYPE_BOOL);
  g_assert_cmpint (dtype_of_map (HEDDLE_DTYPE_BOOL, "$0 + $0"), ==, HEDDLE_DTYPE_I64);
}

/* Probabilities of 4096 keys would be zeros in 8 bits: what is computed has 16, what is only moved stays as it is, and what is asked for is kept. */
static void
test_dtypes_of_bytes (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();

  heddle_diagram_edit_value (diagram, g_intern_string ("v.Q"))->dtype = HEDDLE_DTYPE_E4M3;
  heddle_diagram_edit_value (diagram, g_intern_string ("v.K"))->dtype = HEDDLE_DTYPE_E5M2;
  fixture_operation (diagram, "reindex", "T", "x d", "v.Q", "");
  g_assert_cmpint (
      heddle_diagram_dtype (diagram, g_intern_string ("v.S"), HEDDLE_DTYPE_F32), ==, HEDDLE_DTYPE_F16);
  g_assert_cmpint (
      heddle_diagram_dtype (diagram, g_intern_string ("v.P"), HEDDLE_DTYPE_F32), ==, HEDDLE_DTYPE_F16);
  g_assert_cmpint (
      heddle_diagram_dtype (diagram, g_intern_string ("v.T"), HEDDLE_DTYPE_F32), ==, HEDDLE_DTYPE_E4M3);
  heddle_diagram_edit_value (diagram, g_intern_string ("v.S"))->dtype = HEDDLE_DTYPE_E4M3;
  g_assert_cmpint (
      heddle_diagram_dtype (diagram, g_intern_string ("v.S"), HEDDLE_DTYPE_F32), ==, HEDDLE_DTYPE_E4M3);
  heddle_diagram_edit_value (diagram, g_intern_string ("v.Q"))->dtype = HEDDLE_DTYPE_UNSET;
  heddle_diagram_edit_value (diagram, g_intern_string ("v.S"))->dtype = HEDDLE_DTYPE_UNSET;
  g_assert_cmpint (
      heddle_diagram_dtype (diagram, g_intern_string ("v.S"), HEDDLE_DTYPE_E5M2), ==, HEDDLE_DTYPE_F16);
  g_assert_cmpint (
      heddle_diagram_dtype (diagram, g_intern_string ("v.T"), HEDDLE_DTYPE_E4M3), ==, HEDDLE_DTYPE_E4M3);
}

static gpointer
look_things_up (gpointer data)
{
  const HeddleDiagram *diagram = data;
  guint n = 0;
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      g_autofree char *label = heddle_diagram_value_label (diagram, value->id);
      n += heddle_diagram_count_readers (diagram, value->id) + (label != NULL)
           + (heddle_diagram_find_axis (diagram, "q") != NULL);
    }
  return GUINT_TO_POINTER (n);
}

/* 10,000 operations in a chain: built while looking, copied, and read by several threads. */
static void
test_large (void)
{
  const guint n = 10000;
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("large");
  fixture_axis (diagram, "q", 8);
  const char *last = fixture_input (diagram, "X", "q");
  for (guint i = 0; i < n; i++)
    {
      HeddleOperation *operation = fixture_operation (diagram, "map", NULL, "q", last, "");
      g_assert_cmpuint (heddle_diagram_count_readers (diagram, last), ==, 1);
      last = operation->result;
    }
  g_assert_cmpint (
      heddle_diagram_index_of_operation (diagram, heddle_diagram_get_producer (diagram, last)->id), ==,
      (int) n - 1);
  g_autoptr (HeddleDiagram) copy = heddle_diagram_copy (diagram);
  g_assert_true (heddle_diagram_sort (copy));
  g_autofree char *label = heddle_diagram_value_label (copy, last);
  g_assert_cmpstr (label, ==, "t10000");

  HeddleOperation *end = heddle_diagram_edit_operation (copy, heddle_diagram_get_producer (copy, last)->id);
  g_assert_nonnull (end);
  GThread *threads[4];
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", look_things_up, copy);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_cmpuint (GPOINTER_TO_UINT (g_thread_join (threads[i])), ==, n + 2 * (n + 1));
}

/* A glance tells a copy from one that was edited, also where the edit was taken back by another. */
static void
test_is_copy (void)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("d");
  g_autoptr (HeddleDiagram) copy = NULL, named = NULL;
  const char *axis = heddle_diagram_add_axis (diagram, NULL, "x", NULL)->id;

  copy = heddle_diagram_copy (diagram);
  named = heddle_diagram_copy (diagram);
  g_assert_true (heddle_diagram_is_copy (diagram, copy));
  heddle_diagram_edit_axis (copy, axis)->size = heddle_expr_number (4);
  g_assert_false (heddle_diagram_is_copy (diagram, copy));
  g_assert_true (heddle_diagram_is_copy (diagram, named));
  named->comment = g_strdup ("# said of it");
  g_assert_false (heddle_diagram_is_copy (diagram, named));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagram/ids", test_ids);
  g_test_add_func ("/diagram/looking", test_looking);
  g_test_add_func ("/diagram/follows-read", test_follows_read);
  g_test_add_func ("/diagram/labels", test_labels);
  g_test_add_func ("/diagram/steady-labels", test_steady_labels);
  g_test_add_func ("/diagram/copies", test_copies);
  g_test_add_func ("/diagram/outputs", test_outputs);
  g_test_add_func ("/diagram/sort", test_sort);
  g_test_add_func ("/diagram/statements", test_statements);
  g_test_add_func ("/diagram/dtypes", test_dtypes);
  g_test_add_func ("/diagram/dtypes-of-bytes", test_dtypes_of_bytes);
  g_test_add_func ("/diagram/dtypes-of-integers", test_dtypes_of_integers);
  g_test_add_func ("/diagram/large", test_large);
  g_test_add_func ("/diagram/is-copy", test_is_copy);
  return g_test_run ();
}
