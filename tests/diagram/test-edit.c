/* SPDX-License-Identifier: MIT */
#include "attention.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/base/problem.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/document.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/batch.h"
#include "diagram/edit/delete.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/insert.h"
#include "diagram/edit/linear.h"
#include "diagram/edit/read.h"
#include "diagram/edit/replace.h"
#include "diagram/edit/schedule.h"
#include "diagram/edit/unify.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

typedef struct
{
  HeddleSnapshot *snapshot;
  HeddleDiagram *diagram;
} Fixture;

static const char *
id (const char *text)
{
  return g_intern_string (text);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->snapshot = heddle_snapshot_new ();
  fixture->diagram = heddle_snapshot_add_diagram (fixture->snapshot, fixture_attention ());
}

/* After every test: whatever was done or refused, the diagram is sound and nothing stands on what is gone. */
static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) problems = heddle_check_snapshot (fixture->snapshot);
  for (guint i = 0; i < problems->len; i++)
    {
      g_autofree char *text = heddle_problem_to_string (g_ptr_array_index (problems, i));
      g_test_message ("%s", text);
    }
  g_assert_false (heddle_problems_have_errors (problems));
  heddle_snapshot_unref (fixture->snapshot);
}

static const char *
operand_of (const Fixture *fixture, const char *operation, guint i)
{
  return heddle_ids_index (heddle_diagram_get_operation (fixture->diagram, id (operation))->operands, i);
}

static void
assert_axes (const Fixture *fixture, const char *value_id, const char *names)
{
  g_autoptr (GArray) expected = fixture_ids (fixture->diagram, names);
  g_assert_true (
      heddle_ids_equal (heddle_diagram_get_value (fixture->diagram, id (value_id))->axes, expected));
}

/* Asserts the message, and that nothing changed. */
static void
assert_refused (const Fixture *fixture, const HeddleDiagram *before, GError **error, const char *message)
{
  g_assert_nonnull (*error);
  g_assert_true ((*error)->domain == HEDDLE_DIAGRAM_ERROR);
  g_assert_cmpstr ((*error)->message, ==, message);
  g_assert_true (heddle_diagram_isomorphic (before, fixture->diagram, NULL));
  g_clear_error (error);
}

static GArray *
list (const char *first, ...)
{
  GArray *ids = heddle_ids_new ();
  va_list arguments;
  va_start (arguments, first);
  for (const char *text = first; text != NULL; text = va_arg (arguments, const char *))
    heddle_ids_append (ids, id (text));
  va_end (arguments);
  return ids;
}

/* --- names, sizes, types --------------------------------------------------------- */

static void
test_rename (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (HeddleDiagram) before = heddle_diagram_copy (diagram);
  g_autoptr (GError) error = NULL;
  const struct
  {
    const char *id, *name, *message;
  } refused[] = {
    { "a.q", "x", "There is an axis x already; to make the two one, unify them" },
    { "a.q", "S", "There is a value S already" },
    { "v.S", "q", "There is an axis q already" },
    { "a.q", "", "A name is needed" },
    { "a.q", "exp", "“exp” already means something in equations" },
    { "a.q", "1",
        "“1” cannot be a name: a name is a letter, then letters or digits, such as x, \\bar x, c_{i+1} or "
        "W'" },
    { "a.q", "q q",
        "“q q” cannot be a name: a name is a letter, then letters or digits, such as x, \\bar x, c_{i+1} or "
        "W'" },
    { "a.no", "k", "The object to be changed is no longer in the diagram" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_assert_false (
          heddle_edit_rename (fixture->snapshot, diagram, id (refused[i].id), refused[i].name, &error));
      assert_refused (fixture, before, &error, refused[i].message);
    }
  const char *const names[] = { "\\bar q", "c_{i+1}", "W'", "\\alpha", "x_1", "q" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_true (heddle_edit_rename (fixture->snapshot, diagram, id ("a.q"), names[i], &error));
      g_assert_cmpstr (heddle_diagram_find_axis (diagram, names[i])->id, ==, "a.q");
    }
  g_assert_true (heddle_edit_rename (fixture->snapshot, diagram, id ("o.t"), "T", &error));
  g_assert_cmpstr (heddle_diagram_find_value (diagram, "T")->id, ==, "v.t");
  g_assert_cmpstr (heddle_diagram_get_value (before, id ("v.t"))->name, ==, NULL);
}

static void
test_size (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (HeddleDiagram) before = heddle_diagram_copy (diagram);
  g_autoptr (GError) error = NULL;
  const struct
  {
    const char *size, *message;
  } refused[] = {
    { "0", "The size of x is 0: sizes are whole numbers of at least 1" },
    { "d/3", "The size of x is 42.66666667: sizes are whole numbers of at least 1" },
    { "2*x", "The size of x depends on itself" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_assert_false (heddle_edit_set_size (fixture->snapshot, diagram, id ("a.x"), refused[i].size, &error));
      assert_refused (fixture, before, &error, refused[i].message);
    }
  g_assert_false (heddle_edit_set_size (fixture->snapshot, diagram, id ("a.x"), "2 *", &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (heddle_edit_set_size (fixture->snapshot, diagram, id ("a.x"), "z", &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
  g_clear_error (&error);

  g_assert_true (heddle_edit_set_size (fixture->snapshot, diagram, id ("a.x"), "2*d + 1", &error));
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, &error);
  g_assert_cmpint (heddle_sizes_get (sizes, id ("a.x")), ==, 257);
  g_assert_true (heddle_edit_set_size (fixture->snapshot, diagram, id ("a.x"), NULL, &error));
  g_assert_null (heddle_diagram_get_axis (diagram, id ("a.x"))->size);
  g_assert_true (heddle_edit_set_size (fixture->snapshot, diagram, id ("a.x"), "77", &error));
}

static void
test_dtype (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (
      heddle_edit_set_dtype (fixture->snapshot, fixture->diagram, id ("v.S"), HEDDLE_DTYPE_F32, &error));
  g_assert_cmpint (heddle_diagram_get_value (fixture->diagram, id ("v.S"))->dtype, ==, HEDDLE_DTYPE_F32);
  g_assert_false (
      heddle_edit_set_dtype (fixture->snapshot, fixture->diagram, id ("a.q"), HEDDLE_DTYPE_F32, &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
}

static void
test_add_input (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (HeddleDiagram) before = heddle_diagram_copy (diagram);
  g_autoptr (GError) error = NULL;
  g_assert_null (heddle_edit_add_input (
      fixture->snapshot, diagram, "S", HEDDLE_DTYPE_F16, (const char *[]){ "q", NULL }, &error));
  assert_refused (fixture, before, &error, "There is a value S already");
  g_assert_null (heddle_edit_add_input (
      fixture->snapshot, diagram, "M", HEDDLE_DTYPE_F16, (const char *[]){ "k", "k", NULL }, &error));
  assert_refused (fixture, before, &error, "M has the axis k twice");
  g_assert_null (heddle_edit_add_input (
      fixture->snapshot, diagram, "M", HEDDLE_DTYPE_F16, (const char *[]){ "k", "V", NULL }, &error));
  assert_refused (fixture, before, &error, "There is a value V already");
  const char *mask = heddle_edit_add_input (
      fixture->snapshot, diagram, "M", HEDDLE_DTYPE_F32, (const char *[]){ "q", "k", NULL }, &error);
  g_assert_cmpstr (mask, ==, "v.M");
  assert_axes (fixture, mask, "q k");
  g_assert_true (heddle_edit_set_size (fixture->snapshot, diagram, id ("a.k"), "3", &error));
}

/* --- inserting ------------------------------------------------------------------- */

static void
test_insert (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (GError) error = NULL;
  const char *map = heddle_edit_insert_operation (fixture->snapshot, diagram, heddle_operation_kind ("map"),
      id ("v.S"), NULL, NULL, "relu($0) * d^-0.5", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (map, ==, "o.t-2");
  g_assert_cmpstr (operand_of (fixture, "o.t", 0), ==, "v.t-2");
  g_assert_cmpstr (operand_of (fixture, map, 0), ==, "v.S");
  g_assert_cmpint (heddle_diagram_index_of_operation (diagram, map), ==, 1);
  assert_axes (fixture, "v.t-2", "q x");
  g_autofree char *body
      = heddle_expr_to_string (heddle_diagram_get_operation (diagram, map)->body, NULL, NULL);
  g_assert_cmpstr (body, ==, "relu($0)*a.d^-0.5");

  const char *norm = heddle_edit_insert_operation (fixture->snapshot, diagram,
      heddle_operation_kind ("rmsnorm"), id ("v.Q"), id ("a.d"), NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (heddle_diagram_index_of_operation (diagram, norm), ==, 0);
  g_assert_cmpstr (operand_of (fixture, "o.S", 0), ==, heddle_diagram_get_operation (diagram, norm)->result);

  /* on the output: the result is the output then */
  const char *last = heddle_edit_insert_operation (
      fixture->snapshot, diagram, heddle_operation_kind ("sum"), id ("v.O"), id ("a.d"), NULL, NULL, &error);
  g_assert_no_error (error);
  const char *result = heddle_diagram_get_operation (diagram, last)->result;
  assert_axes (fixture, result, "q");
  g_assert_true (heddle_diagram_is_output (diagram, result));
  g_assert_false (heddle_diagram_is_output (diagram, id ("v.O")));
}

static void
test_insert_explicit_output (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (GError) error = NULL;
  diagram->explicit_outputs = TRUE;
  heddle_ids_append (diagram->outputs, id ("v.O"));
  heddle_ids_append (diagram->outputs, id ("v.P"));
  const char *map = heddle_edit_insert_operation (
      fixture->snapshot, diagram, heddle_operation_kind ("map"), id ("v.P"), NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (
      heddle_ids_index (diagram->outputs, 1) == heddle_diagram_get_operation (diagram, map)->result);
  /* with one reader only, the output stays */
  const char *result = heddle_ids_index (diagram->outputs, 1);
  const char *other = heddle_edit_insert_operation (
      fixture->snapshot, diagram, heddle_operation_kind ("map"), result, NULL, id ("o.O"), "-$0", &error);
  g_assert_nonnull (other);
  g_assert_true (heddle_ids_index (diagram->outputs, 1) == result);
  g_assert_cmpstr (operand_of (fixture, "o.O", 0), ==, heddle_diagram_get_operation (diagram, other)->result);
}

static void
test_insert_refused (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (HeddleDiagram) before = heddle_diagram_copy (diagram);
  g_autoptr (GError) error = NULL;
  const struct
  {
    const char *kind, *value, *axis, *reader, *message;
  } rows[] = {
    { "softmax", "v.O", "a.x", NULL, "O is not an array over x: softmax needs one of its axes q, d" },
    { "rmsnorm", "v.O", NULL, NULL, "RMSNorm needs an axis of O: choose one of q, d" },
    { "max", "v.S", "a.x", NULL, "t1 reads S along x, which maximum over x would take away" },
    { "mean", "v.Q", "a.d", NULL, NULL },
    { "sum", "v.P", "a.q", NULL, "O reads P along q, which sum over q would take away" },
    { "contract", "v.S", "a.x", NULL,
        "A contraction joins two arrays: drag the end of a wire onto another wire" },
    { "reindex", "v.S", "a.x", NULL,
        "A reindexing needs its indices: write it as an equation, such as Y[i] = X[2 i]" },
    { "map", "v.S", NULL, "o.O", "That operation does not read S" },
    { "map", "v.no", NULL, NULL, "There is no wire here" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const HeddleOperationKind *kind = heddle_operation_kind (rows[i].kind);
      const char *axis = rows[i].axis != NULL ? id (rows[i].axis) : NULL;
      const char *reader = rows[i].reader != NULL ? id (rows[i].reader) : NULL;
      gboolean can = heddle_edit_can_insert (diagram, kind, id (rows[i].value), axis, reader, NULL);
      g_assert_cmpint (can, ==, rows[i].message == NULL);
      if (can)
        continue;
      g_assert_null (heddle_edit_insert_operation (
          fixture->snapshot, diagram, kind, id (rows[i].value), axis, reader, NULL, &error));
      assert_refused (fixture, before, &error, rows[i].message);
    }
  g_assert_null (heddle_edit_insert_operation (
      fixture->snapshot, diagram, heddle_operation_kind ("map"), id ("v.S"), NULL, NULL, "$0 + ", &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_null (heddle_edit_insert_operation (
      fixture->snapshot, diagram, heddle_operation_kind ("map"), id ("v.S"), NULL, NULL, "$1", &error));
  assert_refused (fixture, before, &error, "t2 uses operand $1 but has 1");
}

/* The mean over d of Q may go where K still has d. */
static void
test_insert_reduction (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  const char *mean = heddle_edit_insert_operation (fixture->snapshot, fixture->diagram,
      heddle_operation_kind ("mean"), id ("v.Q"), id ("a.d"), NULL, NULL, &error);
  g_assert_no_error (error);
  assert_axes (fixture, heddle_diagram_get_operation (fixture->diagram, mean)->result, "q");
}

static void
test_add_operation (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) operands = list ("v.Q", "v.O", NULL), one = list ("v.Q", NULL), none = heddle_ids_new ();
  const char *sum = heddle_edit_add_operation (
      fixture->snapshot, diagram, heddle_operation_kind ("map"), operands, NULL, "$0 + $1", &error);
  g_assert_no_error (error);
  assert_axes (fixture, heddle_diagram_get_operation (diagram, sum)->result, "q d");

  g_autoptr (GArray) swapped = list ("a.d", "a.q", NULL);
  const char *transpose = heddle_edit_add_operation (
      fixture->snapshot, diagram, heddle_operation_kind ("reindex"), one, swapped, NULL, &error);
  g_assert_no_error (error);
  assert_axes (fixture, heddle_diagram_get_operation (diagram, transpose)->result, "d q");

  g_autoptr (HeddleDiagram) before = heddle_diagram_copy (diagram);
  g_assert_null (heddle_edit_add_operation (
      fixture->snapshot, diagram, heddle_operation_kind ("map"), operands, NULL, NULL, &error));
  assert_refused (fixture, before, &error, "Say what to make of the operands, such as $0 + $1");
  g_assert_null (heddle_edit_add_operation (
      fixture->snapshot, diagram, heddle_operation_kind ("softmax"), one, none, NULL, &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_null (heddle_edit_add_operation (
      fixture->snapshot, diagram, heddle_operation_kind ("contract"), one, none, NULL, &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_TYPE);
  g_clear_error (&error);
}

static void
test_connect (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (HeddleDiagram) before = heddle_diagram_copy (diagram);
  g_autoptr (GError) error = NULL;
  g_assert_null (heddle_edit_connect (
      fixture->snapshot, diagram, id ("v.O"), id ("a.q"), id ("v.K"), id ("a.x"), &error));
  assert_refused (
      fixture, before, &error, "q of O and x of K are different axes: rename one of them, or unify the two");
  g_assert_null (heddle_edit_connect (
      fixture->snapshot, diagram, id ("v.O"), id ("a.x"), id ("v.K"), id ("a.x"), &error));
  assert_refused (fixture, before, &error, "There is no wire's end here");
  const char *product = heddle_edit_connect (
      fixture->snapshot, diagram, id ("v.O"), id ("a.d"), id ("v.K"), id ("a.d"), &error);
  g_assert_no_error (error);
  assert_axes (fixture, heddle_diagram_get_operation (diagram, product)->result, "q x");
}

/* --- unifying -------------------------------------------------------------------- */

/* V read at other positions has an axis of its own in the place of x; the same reading is not made twice. */
static void
test_read_at (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  const guint n = fixture->diagram->operations->len;
  const char *axis = id ("a.x"),
             *read = heddle_edit_read_at (fixture->diagram, id ("v.V"), axis, NULL, &error);
  const HeddleValue *value = heddle_diagram_get_value (fixture->diagram, read);
  const char *into = NULL;

  g_assert_no_error (error);
  into = heddle_ids_index (value->axes, 0);
  g_assert_true (into != axis);
  g_assert_true (heddle_ids_index (value->axes, 1)
                 == heddle_ids_index (heddle_diagram_get_value (fixture->diagram, id ("v.V"))->axes, 1));
  g_assert_true (heddle_edit_read_at (fixture->diagram, id ("v.V"), axis, into, &error) == read);
  g_assert_cmpuint (fixture->diagram->operations->len, ==, n + 1);
  g_assert_null (heddle_edit_read_at (fixture->diagram, read, axis, NULL, &error)); /* x is there no more */
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
}

/* Over both axes of V at once, into one. */
static void
test_add_layer (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) core = heddle_ids_copy (heddle_diagram_get_value (fixture->diagram, id ("v.V"))->axes);
  g_autoptr (GArray) into = heddle_ids_new ();
  const HeddleOperation *layer = NULL;

  heddle_ids_append (into, id ("a.q"));
  layer = heddle_diagram_get_operation (fixture->diagram,
      heddle_edit_add_layer (fixture->snapshot, fixture->diagram, id ("v.V"), core, into, &error));
  g_assert_no_error (error);
  g_assert_true (heddle_ids_equal (layer->axes, core));
  g_assert_true (heddle_ids_equal (heddle_diagram_get_value (fixture->diagram, layer->result)->axes, into));
  g_assert_cmpuint (
      heddle_diagram_get_value (fixture->diagram, heddle_ids_index (layer->operands, 1))->axes->len, ==, 3);
  g_assert_null (heddle_edit_add_layer (fixture->snapshot, fixture->diagram, id ("v.V"), core, core, &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
}

static void
test_unify (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (HeddleDiagram) before = heddle_diagram_copy (diagram);
  g_autoptr (GError) error = NULL;
  g_assert_false (heddle_edit_unify_axes (fixture->snapshot, diagram, id ("a.d"), id ("a.x"), &error));
  assert_refused (fixture, before, &error, "d is 128 and x is 1024: only axes of one size can be one axis");
  g_assert_true (heddle_edit_set_size (fixture->snapshot, diagram, id ("a.q"), NULL, &error));
  g_assert_false (heddle_edit_unify_axes (fixture->snapshot, diagram, id ("a.q"), id ("a.x"), &error));
  g_assert_cmpstr (error->message, ==, "S is an array over both q and x: they cannot be one axis");
  g_clear_error (&error);
  g_assert_true (heddle_edit_set_size (fixture->snapshot, diagram, id ("a.q"), "4096", &error));

  /* a renamed copy of K, whose axis y becomes x: the rename goes */
  fixture_axis (diagram, "y", 0);
  HeddleOperation *view = fixture_operation (diagram, "reindex", NULL, "y d", "K", "");
  view->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  g_ptr_array_add (view->indices, heddle_expr_index (id ("a.y")));
  g_ptr_array_add (view->indices, heddle_expr_index (id ("a.d")));
  fixture_operation (diagram, "sum", "L", "d", view->result, "y");
  g_autoptr (GArray) fused = list ("o.L", NULL);
  const char *region;
  g_assert_true (heddle_edit_fuse (fixture->snapshot, diagram, fused, &region, &error));
  g_assert_true (heddle_edit_set_label (
      fixture->snapshot, diagram, region, id ("a.y"), "smem", HEDDLE_LABEL_STREAM, 64, &error));
  g_assert_true (heddle_edit_unify_axes (fixture->snapshot, diagram, id ("a.y"), id ("a.x"), &error));
  g_assert_no_error (error);
  g_assert_null (heddle_diagram_get_axis (diagram, id ("a.y")));
  g_assert_cmpstr (operand_of (fixture, "o.L", 0), ==, "v.K");
  const HeddleRegion *kept
      = heddle_schedule_get_region (heddle_snapshot_find_schedule (fixture->snapshot, diagram), region);
  g_assert_cmpuint (kept->operations->len, ==, 1);
  g_assert_nonnull (heddle_region_get_label (kept, id ("a.x"), "smem", HEDDLE_LABEL_STREAM));
}

/* --- deleting -------------------------------------------------------------------- */

static guint delete (Fixture *fixture, const char *what, GError **error)
{
  g_autoptr (GArray) ids = list (what, NULL);
  return heddle_edit_delete (fixture->snapshot, fixture->diagram, ids, error);
}

static void
test_delete_heals (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  heddle_presentation_set_nudge (
      heddle_snapshot_get_presentation (fixture->snapshot, fixture->diagram), "o.P", 1, 1);
  g_autoptr (GArray) all = list ("o.S", "o.P", "o.O", NULL);
  g_assert_true (heddle_edit_fuse (fixture->snapshot, fixture->diagram, all, NULL, &error));
  g_assert_cmpuint (delete (fixture, "o.P", &error), ==, 2);
  g_assert_cmpstr (operand_of (fixture, "o.O", 0), ==, "v.t");
  g_assert_cmpuint (delete (fixture, "v.t", &error), ==, 2);
  g_assert_cmpstr (operand_of (fixture, "o.O", 0), ==, "v.S");
  const HeddleSchedule *schedule = heddle_snapshot_find_schedule (fixture->snapshot, fixture->diagram);
  const HeddleRegion *region = g_ptr_array_index (schedule->regions, 0);
  g_assert_cmpuint (region->operations->len, ==, 2);
  g_assert_cmpuint (
      heddle_snapshot_find_presentation (fixture->snapshot, fixture->diagram)->nudges->len, ==, 0);
}

static void
test_delete_dependents (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  /* Q: S, its scale, P and O depend on it; of the axes only q goes */
  g_assert_cmpuint (delete (fixture, "v.Q", &error), ==, 1 + 4 * 2 + 1);
  g_assert_cmpuint (fixture->diagram->operations->len, ==, 0);
  g_assert_cmpuint (fixture->diagram->values->len, ==, 2);
  g_assert_null (heddle_diagram_find_axis (fixture->diagram, "q"));
  g_assert_nonnull (heddle_diagram_find_axis (fixture->diagram, "x"));
  g_assert_cmpuint (delete (fixture, "v.Q", &error), ==, 0);
  g_assert_cmpstr (error->message, ==, "There is nothing to delete");
}

static void
test_delete_output (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (GError) error = NULL;
  HeddleOperation *relu = fixture_operation (diagram, "map", "R", "q d", "O", "");
  relu->body = heddle_expr_unary (HEDDLE_EXPR_RELU, heddle_expr_argument (0));
  diagram->explicit_outputs = TRUE;
  heddle_ids_append (diagram->outputs, relu->result);
  g_assert_cmpuint (delete (fixture, "o.R", &error), ==, 2);
  g_assert_cmpstr (heddle_ids_index (diagram->outputs, 0), ==, "v.O");
  /* with the last explicit output gone, outputs are what nobody reads */
  g_assert_cmpuint (delete (fixture, "o.O", &error), ==, 2);
  g_assert_false (diagram->explicit_outputs);
  g_assert_true (heddle_diagram_is_output (diagram, id ("v.P")));
}

/* Y = X + F(X): without F, what read Y reads X. */
static void
test_delete_residual (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (GError) error = NULL;
  HeddleOperation *add = fixture_operation (diagram, "map", "Y", "q d", "Q O", "");
  add->body = heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_expr_argument (0), heddle_expr_argument (1));
  fixture_operation (diagram, "softmax", "Z", "q d", "Y", "d");
  g_assert_cmpuint (delete (fixture, "o.O", &error), ==, 4);
  g_assert_cmpstr (operand_of (fixture, "o.Z", 0), ==, "v.Q");
}

static void
test_delete_factor (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (GError) error = NULL;
  fixture_input (diagram, "w", "d");
  fixture_operation (diagram, "contract", "T", "q x", "Q K w", "d");
  g_assert_cmpuint (delete (fixture, "v.w", &error), ==, 1);
  g_assert_cmpuint (heddle_diagram_get_operation (diagram, id ("o.T"))->operands->len, ==, 2);
  /* Q is the only one with q */
  g_assert_cmpuint (delete (fixture, "v.Q", &error), ==, 1 + 5 * 2 + 1);
}

/* What stands on an array goes with it. */
static void
test_places (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (GError) error = NULL;
  const HeddleSchedule *schedule = heddle_snapshot_get_schedule (fixture->snapshot, diagram);
  g_assert_true (
      heddle_edit_set_residency (fixture->snapshot, diagram, id ("v.Q"), id ("o.S"), "gmem", &error));
  g_assert_true (
      heddle_edit_set_residency (fixture->snapshot, diagram, id ("v.Q"), id ("o.S"), "l2", &error));
  g_assert_cmpuint (schedule->residency->len, ==, 1);
  g_assert_cmpstr (((HeddleResidency *) g_ptr_array_index (schedule->residency, 0))->level, ==, "l2");
  g_assert_false (
      heddle_edit_set_residency (fixture->snapshot, diagram, id ("v.Q"), id ("o.O"), "l2", &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (
      heddle_edit_set_recomputed (fixture->snapshot, diagram, id ("v.Q"), id ("o.S"), TRUE, &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_true (
      heddle_edit_set_recomputed (fixture->snapshot, diagram, id ("v.P"), id ("o.O"), TRUE, &error));
  g_assert_true (heddle_schedule_is_recomputed (schedule, id ("v.P"), id ("o.O")));
  g_assert_true (
      heddle_edit_set_residency (fixture->snapshot, diagram, id ("v.Q"), id ("o.S"), NULL, &error));
  g_assert_cmpuint (schedule->residency->len, ==, 0);
  g_assert_true (heddle_edit_set_residency (fixture->snapshot, diagram, id ("v.P"), NULL, "l2", &error));
  heddle_schedule_set_layout (heddle_snapshot_get_schedule (fixture->snapshot, diagram), id ("v.P"),
      heddle_diagram_get_value (diagram, id ("v.P"))->axes);
  delete (fixture, "o.P", &error);
  g_assert_no_error (error);
  schedule = heddle_snapshot_find_schedule (fixture->snapshot, diagram);
  g_assert_cmpuint (schedule->recomputed->len, ==, 0);
  g_assert_cmpuint (schedule->residency->len, ==, 0);
  g_assert_cmpuint (schedule->layouts->len, ==, 0);
}

static void
test_delete_axis (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) all = list ("o.S", "o.P", "o.O", NULL);
  const char *region;
  g_assert_true (heddle_edit_fuse (fixture->snapshot, diagram, all, &region, &error));
  heddle_edit_set_label (
      fixture->snapshot, diagram, region, id ("a.x"), "smem", HEDDLE_LABEL_STREAM, 64, &error);
  heddle_edit_set_label (
      fixture->snapshot, diagram, region, id ("a.q"), "smem", HEDDLE_LABEL_GROUP, 64, &error);
  /* x and the softmax along it, with its result */
  g_assert_cmpuint (delete (fixture, "a.x", &error), ==, 3);
  assert_axes (fixture, "v.S", "q");
  g_assert_cmpuint (heddle_diagram_get_operation (diagram, id ("o.O"))->axes->len, ==, 0);
  const HeddleSchedule *schedule = heddle_snapshot_find_schedule (fixture->snapshot, diagram);
  g_assert_cmpuint (heddle_schedule_get_region (schedule, region)->labels->len, ==, 1);
  /* the size of d stays as a number in the scale */
  g_assert_cmpuint (delete (fixture, "a.d", &error), ==, 1);
  g_autofree char *body
      = heddle_expr_to_string (heddle_diagram_get_operation (diagram, id ("o.t"))->body, NULL, NULL);
  g_assert_cmpstr (body, ==, "$0*128^-0.5");
}

static void
test_delete_axis_refused (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (GError) error = NULL;
  HeddleOperation *mask = fixture_operation (diagram, "map", "M", "q x", "S", "");
  mask->body = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_argument (0), heddle_expr_index (id ("a.x")));
  g_autoptr (HeddleDiagram) before = heddle_diagram_copy (diagram);
  g_assert_cmpuint (delete (fixture, "a.x", &error), ==, 0);
  assert_refused (fixture, before, &error, "M uses the index of x: delete it or change it first");
}

/* --- once for each head --- */

/* Everything but the weights has the new axis first, what is read at two positions too; and it goes again. */
static void
test_batch (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (GError) error = NULL;
  const char *reading = heddle_edit_read_at (diagram, id ("v.Q"), id ("a.q"), NULL, &error);
  const char *layer
      = heddle_edit_add_linear (fixture->snapshot, diagram, id ("v.O"), id ("a.d"), NULL, &error);
  g_autoptr (HeddleDiagram) before = heddle_diagram_copy (diagram);
  const char *axis = heddle_edit_add_batch (fixture->snapshot, diagram, "h", 32, &error);
  const HeddleOperation *operation = heddle_diagram_get_producer (diagram, reading);
  g_assert_cmpstr (heddle_diagram_get_axis (diagram, axis)->name, ==, "h");
  assert_axes (fixture, "v.Q", "h q d");
  assert_axes (fixture, "v.S", "h q x");
  assert_axes (fixture, "v.O", "h q d");
  assert_axes (fixture, "v.W", "d f");
  assert_axes (fixture, heddle_diagram_get_operation (diagram, layer)->result, "h q f");
  assert_axes (fixture, reading, "h r d");
  g_assert_cmpuint (operation->indices->len, ==, 3);
  g_assert_true (heddle_expr_get_symbol (g_ptr_array_index (operation->indices, 0)) == axis);
  g_assert_true (heddle_edit_is_batch (diagram, axis));
  g_assert_false (heddle_edit_is_batch (diagram, id ("a.d")));

  /* The height of an image is none: sizes follow from it. */
  HeddleAxis *other = (HeddleAxis *) heddle_diagram_get_axis (diagram, id ("a.x"));
  HeddleExpr *size = other->size;
  other->size = heddle_expr_binary (HEDDLE_EXPR_DIV, heddle_expr_size (axis), heddle_expr_number (2));
  g_assert_false (heddle_edit_is_batch (diagram, axis));
  heddle_expr_unref (other->size);
  other->size = size;
  g_assert_cmpuint (delete (fixture, axis, &error), ==, 1);
  g_assert_true (heddle_diagram_isomorphic (before, diagram, NULL));
}

/* --- schedule -------------------------------------------------------------------- */

static void
test_fuse (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ends = list ("o.S", "o.O", NULL), tail = list ("o.P", "o.O", NULL);
  g_autoptr (GArray) head = list ("o.S", NULL), nothing = heddle_ids_new (), both = list ("o.O", "o.S", NULL);
  const char *first, *second, *merged;
  g_assert_false (heddle_edit_fuse (fixture->snapshot, diagram, ends, &first, &error));
  g_assert_cmpstr (error->message, ==, "P lies between the operations to fuse: fuse it too");
  g_clear_error (&error);
  g_assert_null (heddle_snapshot_find_schedule (fixture->snapshot, diagram));
  g_assert_false (heddle_edit_fuse (fixture->snapshot, diagram, nothing, &first, &error));
  g_clear_error (&error);

  /* the scale within the statement of P comes along */
  g_assert_true (heddle_edit_fuse (fixture->snapshot, diagram, tail, &first, &error));
  g_assert_cmpstr (first, ==, "r.1");
  const HeddleSchedule *schedule = heddle_snapshot_find_schedule (fixture->snapshot, diagram);
  g_assert_cmpuint (heddle_schedule_get_region (schedule, first)->operations->len, ==, 3);
  heddle_edit_set_label (
      fixture->snapshot, diagram, first, id ("a.x"), "smem", HEDDLE_LABEL_STREAM, 64, &error);
  g_assert_true (heddle_edit_fuse (fixture->snapshot, diagram, head, &second, &error));
  g_assert_cmpstr (second, ==, "r.2");
  heddle_edit_set_label (
      fixture->snapshot, diagram, second, id ("a.x"), "smem", HEDDLE_LABEL_STREAM, 32, &error);
  heddle_edit_set_label (
      fixture->snapshot, diagram, second, id ("a.q"), "smem", HEDDLE_LABEL_GROUP, 16, &error);
  g_assert_true (heddle_edit_fuse (fixture->snapshot, diagram, both, &merged, &error));
  g_assert_cmpstr (merged, ==, "r.1");
  g_assert_cmpuint (schedule->regions->len, ==, 1);
  const HeddleRegion *region = heddle_schedule_get_region (schedule, merged);
  const char *const order[] = { "o.S", "o.t", "o.P", "o.O" };
  g_assert_cmpuint (region->operations->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpstr (heddle_ids_index (region->operations, i), ==, order[i]);
  g_assert_cmpint (heddle_region_get_label (region, id ("a.x"), "smem", HEDDLE_LABEL_STREAM)->size, ==, 64);
  g_assert_cmpint (heddle_region_get_label (region, id ("a.q"), "smem", HEDDLE_LABEL_GROUP)->size, ==, 16);

  /* what is inserted between fused operations is fused */
  const char *relu = heddle_edit_insert_operation (
      fixture->snapshot, diagram, heddle_operation_kind ("map"), id ("v.S"), NULL, NULL, "relu($0)", &error);
  g_assert_cmpstr (heddle_ids_index (region->operations, 1), ==, relu);
  g_assert_true (heddle_edit_unfuse (fixture->snapshot, diagram, merged, &error));
  g_assert_cmpuint (schedule->regions->len, ==, 0);
  g_assert_false (heddle_edit_unfuse (fixture->snapshot, diagram, merged, &error));
  g_assert_cmpstr (error->message, ==, "Nothing is fused here");
}

static void
test_set_label (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) head = list ("o.S", NULL);
  const char *id_of;
  g_assert_false (heddle_edit_set_label (
      fixture->snapshot, diagram, "r.1", id ("a.q"), "smem", HEDDLE_LABEL_GROUP, 4, &error));
  g_assert_cmpstr (error->message, ==, "Labels belong to fused operations: fuse first");
  g_clear_error (&error);
  g_assert_true (heddle_edit_fuse (fixture->snapshot, diagram, head, &id_of, &error));
  g_assert_true (heddle_edit_set_label (
      fixture->snapshot, diagram, id_of, id ("a.q"), "smem", HEDDLE_LABEL_GROUP, 4, &error));
  const HeddleRegion *region
      = heddle_schedule_get_region (heddle_snapshot_find_schedule (fixture->snapshot, diagram), id_of);
  HeddleLabel *label = heddle_region_get_label (region, id ("a.q"), "smem", HEDDLE_LABEL_GROUP);
  label->inactive = g_strdup ("a reason");
  g_assert_true (heddle_edit_set_label (
      fixture->snapshot, diagram, id_of, id ("a.q"), "smem", HEDDLE_LABEL_GROUP, 8, &error));
  g_assert_cmpint (label->size, ==, 8);
  g_assert_null (label->inactive);
  g_assert_true (heddle_edit_set_label (
      fixture->snapshot, diagram, id_of, id ("a.q"), "smem", HEDDLE_LABEL_GROUP, 0, &error));
  g_assert_cmpuint (region->labels->len, ==, 0);
  g_assert_false (heddle_edit_set_label (
      fixture->snapshot, diagram, id_of, id ("a.no"), "smem", HEDDLE_LABEL_GROUP, 8, &error));
}

static void
test_nudge (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GArray) ids = list ("o.S", "v.Q", NULL);
  double dx, dy;
  heddle_edit_nudge (fixture->snapshot, fixture->diagram, ids, 3, 4);
  heddle_edit_nudge (fixture->snapshot, fixture->diagram, ids, -1, 0);
  const HeddlePresentation *presentation
      = heddle_snapshot_find_presentation (fixture->snapshot, fixture->diagram);
  g_assert_true (heddle_presentation_get_nudge (presentation, id ("v.Q"), &dx, &dy));
  g_assert_cmpfloat (dx, ==, 2);
  g_assert_cmpfloat (dy, ==, 4);
}

/* --- replacing ------------------------------------------------------------------- */

/* Attention declared the other way round, with relu in the statement of P, without O. */
static HeddleDiagram *
retyped (void)
{
  HeddleDiagram *diagram = heddle_diagram_new ("typed");
  heddle_diagram_add_axis (diagram, "a.1", "x", heddle_expr_number (77));
  const char *d = heddle_diagram_add_axis (diagram, "a.2", "d", heddle_expr_number (128))->id;
  heddle_diagram_add_axis (diagram, "a.3", "q", heddle_expr_size (d));
  fixture_input (diagram, "K", "x d");
  fixture_input (diagram, "Q", "q d");
  fixture_operation (diagram, "contract", "S", "q x", "Q K", "d");
  HeddleOperation *scale = fixture_operation (diagram, "map", NULL, "q x", "S", "");
  scale->body = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_argument (0), heddle_expr_size (d));
  HeddleOperation *relu = fixture_operation (diagram, "map", NULL, "q x", scale->result, "");
  relu->body = heddle_expr_unary (HEDDLE_EXPR_RELU, heddle_expr_argument (0));
  fixture_operation (diagram, "softmax", "P", "q x", relu->result, "x");
  return diagram;
}

static void
test_replace (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) tail = list ("o.P", "o.O", NULL);
  const char *region;
  g_assert_true (heddle_edit_rename (fixture->snapshot, diagram, id ("a.x"), "z", &error));
  g_assert_true (heddle_edit_rename (fixture->snapshot, diagram, id ("a.x"), "x", &error));
  g_assert_true (heddle_edit_fuse (fixture->snapshot, diagram, tail, &region, &error));
  heddle_edit_set_label (
      fixture->snapshot, diagram, region, id ("a.x"), "smem", HEDDLE_LABEL_STREAM, 64, &error);
  g_autoptr (GArray) moved = list ("o.t", "o.O", "v.V", NULL);
  heddle_edit_nudge (fixture->snapshot, diagram, moved, 1, 2);

  g_autoptr (HeddleDiagram) expected = retyped ();
  heddle_edit_replace_diagram (fixture->snapshot, diagram, retyped ());
  g_autofree char *why = NULL;
  gboolean same = heddle_diagram_isomorphic (diagram, expected, &why);
  g_assert_cmpstr (why, ==, NULL);
  g_assert_true (same);
  g_assert_cmpstr (diagram->name, ==, "attention");
  g_assert_cmpstr (diagram->id, ==, "d.attention");
  g_assert_cmpstr (heddle_diagram_find_axis (diagram, "q")->id, ==, "a.q");
  g_assert_cmpstr (heddle_diagram_get_producer (diagram, id ("v.P"))->id, ==, "o.P");
  /* the scale is still itself, the relu is new and fused with the statement it is in */
  g_assert_cmpstr (operand_of (fixture, "o.t", 0), ==, "v.S");
  g_assert_cmpstr (operand_of (fixture, "o.P", 0), ==, "v.t-2");
  const HeddleRegion *kept
      = heddle_schedule_get_region (heddle_snapshot_find_schedule (fixture->snapshot, diagram), region);
  const char *const operations[] = { "o.t", "o.t-2", "o.P" };
  g_assert_cmpuint (kept->operations->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpstr (heddle_ids_index (kept->operations, i), ==, operations[i]);
  g_assert_cmpuint (kept->labels->len, ==, 1);
  g_assert_cmpuint (heddle_snapshot_find_presentation (fixture->snapshot, diagram)->nudges->len, ==, 1);

  /* nothing in common: everything that stood on the old goes */
  HeddleDiagram *other = heddle_diagram_new ("other");
  fixture_axis (other, "n", 2);
  fixture_input (other, "X", "n");
  heddle_edit_replace_diagram (fixture->snapshot, diagram, other);
  g_assert_cmpuint (heddle_snapshot_find_schedule (fixture->snapshot, diagram)->regions->len, ==, 0);
  g_assert_cmpuint (heddle_snapshot_find_presentation (fixture->snapshot, diagram)->nudges->len, ==, 0);
}

/* The same text typed again changes no id. */
static void
test_replace_same (Fixture *fixture, gconstpointer data)
{
  HeddleDiagram *diagram = fixture->diagram;
  g_autoptr (HeddleDiagram) before = heddle_diagram_copy (diagram);
  heddle_edit_replace_diagram (fixture->snapshot, diagram, fixture_attention ());
  g_assert_cmpuint (diagram->operations->len, ==, before->operations->len);
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *now = g_ptr_array_index (diagram->operations, i);
      const HeddleOperation *was = g_ptr_array_index (before->operations, i);
      g_assert_cmpstr (now->id, ==, was->id);
      g_assert_true (heddle_ids_equal (now->operands, was->operands));
    }
}

/* --- many ------------------------------------------------------------------------ */

/* A chain of 10,000 unnamed maps stays usable: insert, delete, fuse and replace it. */
static void
test_large (Fixture *fixture, gconstpointer data)
{
  const guint n = 10000;
  g_autoptr (GError) error = NULL;
  HeddleDiagram *chain = heddle_diagram_new ("chain");
  fixture_axis (chain, "x", 4);
  const char *last = fixture_input (chain, "X", "x");
  for (guint i = 0; i < n; i++)
    {
      HeddleOperation *operation = fixture_operation (chain, "map", NULL, "x", last, "");
      operation->body = heddle_expr_argument (0);
      last = operation->result;
    }
  HeddleDiagram *diagram = heddle_snapshot_add_diagram (fixture->snapshot, chain);
  const char *softmax = heddle_edit_insert_operation (fixture->snapshot, diagram,
      heddle_operation_kind ("softmax"), id ("v.t-5000"), id ("a.x"), NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GArray) some = heddle_ids_new ();
  for (guint i = 100; i < 200; i++)
    heddle_ids_append (some, ((HeddleOperation *) g_ptr_array_index (diagram->operations, i))->id);
  heddle_ids_append (some, softmax);
  g_assert_cmpuint (heddle_edit_delete (fixture->snapshot, diagram, some, &error), ==, 202);
  g_autoptr (GArray) end = heddle_ids_new ();
  heddle_ids_append (end, heddle_diagram_get_producer (diagram, last)->id);
  g_assert_true (heddle_edit_fuse (fixture->snapshot, diagram, end, NULL, &error));
  heddle_edit_replace_diagram (fixture->snapshot, diagram, heddle_diagram_copy (diagram));
  g_assert_cmpuint (diagram->operations->len, ==, n - 100);
}

int
main (int argc, char **argv)
{
  const struct
  {
    const char *path;
    void (*test) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/edit/rename", test_rename },
    { "/edit/size", test_size },
    { "/edit/dtype", test_dtype },
    { "/edit/add-input", test_add_input },
    { "/edit/insert", test_insert },
    { "/edit/insert-explicit-output", test_insert_explicit_output },
    { "/edit/insert-refused", test_insert_refused },
    { "/edit/insert-reduction", test_insert_reduction },
    { "/edit/add-operation", test_add_operation },
    { "/edit/connect", test_connect },
    { "/edit/read-at", test_read_at },
    { "/edit/add-layer", test_add_layer },
    { "/edit/unify", test_unify },
    { "/edit/delete/heals", test_delete_heals },
    { "/edit/delete/dependents", test_delete_dependents },
    { "/edit/delete/output", test_delete_output },
    { "/edit/delete/residual", test_delete_residual },
    { "/edit/delete/factor", test_delete_factor },
    { "/edit/delete/axis", test_delete_axis },
    { "/edit/delete/axis-refused", test_delete_axis_refused },
    { "/edit/batch", test_batch },
    { "/edit/fuse", test_fuse },
    { "/edit/places", test_places },
    { "/edit/set-label", test_set_label },
    { "/edit/nudge", test_nudge },
    { "/edit/replace", test_replace },
    { "/edit/replace-same", test_replace_same },
    { "/edit/large", test_large },
  };
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
