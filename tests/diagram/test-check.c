/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "attention.h"
#include "diagram/base/problem.h"
#include "diagram/check/check.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/document.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

static const char *
id (const char *text)
{
  return g_intern_string (text);
}

/* --- one fault each -------------------------------------------------------------- */

static void
rename_axis (HeddleDiagram *diagram, const char *axis, const char *name)
{
  HeddleAxis *edited = heddle_diagram_edit_axis (diagram, id (axis));
  g_free (edited->name);
  edited->name = g_strdup (name);
}

static void
set_size (HeddleDiagram *diagram, const char *axis, HeddleExpr *size)
{
  HeddleAxis *edited = heddle_diagram_edit_axis (diagram, id (axis));
  g_clear_pointer (&edited->size, heddle_expr_unref);
  edited->size = size;
}

static void
set_body (HeddleDiagram *diagram, HeddleExpr *body)
{
  HeddleOperation *scale = heddle_diagram_edit_operation (diagram, id ("o.t"));
  g_clear_pointer (&scale->body, heddle_expr_unref);
  scale->body = body;
}

static void
same_name (HeddleDiagram *diagram)
{
  rename_axis (diagram, "a.x", "S");
}

static void
bad_name (HeddleDiagram *diagram)
{
  rename_axis (diagram, "a.x", "2x");
}

static void
reserved_name (HeddleDiagram *diagram)
{
  rename_axis (diagram, "a.x", "softmax");
}

static void
no_size (HeddleDiagram *diagram)
{
  set_size (diagram, "a.x", NULL);
}

static void
wrong_core (HeddleDiagram *diagram)
{
  HeddleOperation *softmax = heddle_diagram_edit_operation (diagram, id ("o.P"));
  heddle_ids_index (softmax->axes, 0) = id ("a.d");
}

static void
unknown_core (HeddleDiagram *diagram)
{
  HeddleOperation *softmax = heddle_diagram_edit_operation (diagram, id ("o.P"));
  heddle_ids_index (softmax->axes, 0) = id ("a.nothing");
}

static void
core_twice (HeddleDiagram *diagram)
{
  heddle_ids_append (heddle_diagram_edit_operation (diagram, id ("o.P"))->axes, id ("a.x"));
}

static void
no_core (HeddleDiagram *diagram)
{
  g_array_set_size (heddle_diagram_edit_operation (diagram, id ("o.P"))->axes, 0);
}

static void
result_axes (HeddleDiagram *diagram)
{
  g_array_set_size (heddle_diagram_edit_value (diagram, id ("v.O"))->axes, 1);
}

static void
one_operand (HeddleDiagram *diagram)
{
  g_array_set_size (heddle_diagram_edit_operation (diagram, id ("o.O"))->operands, 1);
}

static void
unknown_operand (HeddleDiagram *diagram)
{
  heddle_ids_index (heddle_diagram_edit_operation (diagram, id ("o.O"))->operands, 1) = id ("v.nothing");
}

static void
narrow_map (HeddleDiagram *diagram)
{
  g_array_set_size (heddle_diagram_edit_value (diagram, id ("v.t"))->axes, 1);
}

static void
argument_too_high (HeddleDiagram *diagram)
{
  set_body (diagram, heddle_expr_argument (1));
}

static void
foreign_index (HeddleDiagram *diagram)
{
  set_body (diagram, heddle_expr_index (id ("a.d")));
}

static void
foreign_variable (HeddleDiagram *diagram)
{
  set_body (diagram, heddle_expr_variable (id ("z")));
}

static void
no_body (HeddleDiagram *diagram)
{
  set_body (diagram, NULL);
}

static void
axis_twice (HeddleDiagram *diagram)
{
  heddle_ids_append (heddle_diagram_edit_value (diagram, id ("v.O"))->axes, id ("a.q"));
}

static void
cycle (HeddleDiagram *diagram)
{
  heddle_ids_index (heddle_diagram_edit_operation (diagram, id ("o.t"))->operands, 0) = id ("v.P");
}

static void
out_of_order (HeddleDiagram *diagram)
{
  gpointer *operations = diagram->operations->pdata, first = operations[0];
  operations[0] = operations[1];
  operations[1] = first;
}

static void
made_twice (HeddleDiagram *diagram)
{
  g_autoptr (GArray) operands = fixture_ids (diagram, "S");
  g_autoptr (GArray) axes = fixture_ids (diagram, "x");
  heddle_diagram_add_operation (
      diagram, NULL, heddle_operation_kind ("softmax"), operands, id ("v.P"), axes, -1);
}

static void
nothing_makes (HeddleDiagram *diagram)
{
  heddle_diagram_remove (diagram, id ("o.P"));
}

static void
unread (HeddleDiagram *diagram)
{
  fixture_input (diagram, "W", "d");
}

static void
unused_axis (HeddleDiagram *diagram)
{
  fixture_axis (diagram, "z", 3);
}

static void
too_large (HeddleDiagram *diagram)
{
  set_size (diagram, "a.q", heddle_expr_number (1099511627776.));
  set_size (diagram, "a.x", heddle_expr_number (1099511627776.));
}

static void
sizes_disagree (HeddleDiagram *diagram)
{
  fixture_axis (diagram, "y", 4096);
  HeddleOperation *view = fixture_operation (diagram, "reindex", "K2", "y d", "K", "");
  view->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  g_ptr_array_add (view->indices, heddle_expr_index (id ("a.y")));
  g_ptr_array_add (view->indices, heddle_expr_index (id ("a.d")));
}

static void
too_few_indices (HeddleDiagram *diagram)
{
  HeddleOperation *view = fixture_operation (diagram, "reindex", "K2", "x", "K", "");
  view->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  g_ptr_array_add (view->indices, heddle_expr_index (id ("a.x")));
}

static void
unknown_output (HeddleDiagram *diagram)
{
  diagram->explicit_outputs = TRUE;
  heddle_ids_append (diagram->outputs, id ("v.O"));
  heddle_ids_append (diagram->outputs, id ("v.nothing"));
}

typedef struct
{
  const char *name;
  void (*spoil) (HeddleDiagram *diagram);
  const char *object;
  const char *text; /* of the first problem, as printed */
} Fault;

static const Fault faults[] = {
  { "same-name", same_name, "v.S", "error: Two things are called S; rename one of them\n" },
  { "bad-name", bad_name, "a.x",
      "error: “2x” cannot be a name: a name is a letter, then letters or digits, such as x, \\bar x, c_{i+1} "
      "or W'\n" },
  { "reserved-name", reserved_name, "a.x", "error: “softmax” already means something in equations\n" },
  { "no-size", no_size, "a.x", "error: The size of x is not given; give it one, such as x = 128\n" },
  { "wrong-core", wrong_core, "o.P",
      "error: Softmax of P works along d, but what it reads has q, x; choose one of its axes: q, x\n" },
  { "unknown-core", unknown_core, "o.P",
      "error: P works along a.nothing, which is not an axis of the diagram\n" },
  { "core-twice", core_twice, "o.P", "error: P works along x twice\n" },
  { "no-core", no_core, "o.P", "error: Softmax of P needs 1 to 64 axes to work along\n" },
  { "result-axes", result_axes, "o.O",
      "error: O has the axes q, but its Contraction makes q, d; give O the axes q, d\n" },
  { "one-operand", one_operand, "o.O", "error: Contraction takes 2 to 256 operands; O gives it 1\n" },
  { "unknown-operand", unknown_operand, "o.O", "error: O reads v.nothing, which does not exist\n" },
  { "narrow-map", narrow_map, "o.t",
      "error: t1 reads something along x but is not along x itself; give t1 the axis x, or reduce over it "
      "first\n" },
  { "argument", argument_too_high, "o.t", "error: t1 uses operand $1 but has 1\n" },
  { "index", foreign_index, "o.t", "error: t1 uses the index of d, which is not one of its axes\n" },
  { "variable", foreign_variable, "o.t", "error: t1 uses z, which is not known\n" },
  { "no-body", no_body, "o.t", "error: t1 has no function\n" },
  { "axis-twice", axis_twice, "v.O", "error: O has the axis q twice; give one of the two another name\n" },
  { "cycle", cycle, "o.t", "error: t1 depends on itself; cut the circle\n" },
  { "out-of-order", out_of_order, "o.t", "error: t1 comes before something it reads\n" },
  { "made-twice", made_twice, "o.P-2", "error: P is made twice\n" },
  { "nothing-makes", nothing_makes, "v.P", "error: Nothing makes P; make it an input\n" },
  { "unread", unread, "v.W", "warning: Nothing reads W\n" },
  { "unused-axis", unused_axis, "a.z", "warning: Nothing has the axis z\n" },
  { "too-large", too_large, "v.S", "error: S has more than 2^63 elements; make its axes smaller\n" },
  { "sizes-disagree", sizes_disagree, "a.y",
      "error: y of K2 is 4096 and x of K is 1024, but one is read as the other\n" },
  { "too-few-indices", too_few_indices, "o.K2", "error: K2 reads something of 2 axes with 1 indices\n" },
  { "unknown-output", unknown_output, NULL, "error: The output v.nothing does not exist\n" },
};

static void
test_fault (gconstpointer data)
{
  const Fault *fault = data;
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();
  fault->spoil (diagram);
  g_autoptr (GPtrArray) problems = heddle_check_diagram (diagram);
  gboolean found = FALSE;
  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);
      g_autofree char *text = heddle_problem_to_string (problem);
      g_test_message ("%s", text);
      g_assert_cmpstr (problem->diagram_id, ==, "d.attention");
      found |= strcmp (text, fault->text) == 0 && problem->object_id == id (fault->object);
    }
  g_assert_true (found);
  g_assert_cmpint (heddle_problems_have_errors (problems), ==, g_str_has_prefix (fault->text, "error"));
}

static void
test_sound (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();
  g_autoptr (GPtrArray) problems = heddle_check_diagram (diagram);
  g_assert_cmpuint (problems->len, ==, 0);
}

/* All problems, not only the first. */
static void
test_many (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();
  bad_name (diagram);
  no_body (diagram);
  result_axes (diagram);
  unread (diagram);
  g_autoptr (GPtrArray) problems = heddle_check_diagram (diagram);
  g_assert_cmpuint (problems->len, ==, 4);
}

static void
test_snapshot (void)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_new ();
  HeddleDiagram *diagram = heddle_snapshot_add_diagram (snapshot, fixture_attention ());
  heddle_snapshot_add_diagram (snapshot, fixture_attention ());
  HeddleSchedule *schedule = heddle_snapshot_get_schedule (snapshot, diagram);
  HeddleRegion *region = heddle_region_new ("r.1");
  heddle_ids_append (region->operations, id ("o.S"));
  heddle_ids_append (region->operations, id ("o.S"));
  heddle_ids_append (region->operations, id ("o.nothing"));
  g_ptr_array_add (region->labels, heddle_label_new ("a.nothing", "smem", HEDDLE_LABEL_GROUP, 4));
  g_ptr_array_add (region->labels, heddle_label_new ("a.x", "smem", HEDDLE_LABEL_GROUP, 0));
  g_ptr_array_add (schedule->regions, region);
  g_ptr_array_add (schedule->residency, heddle_residency_new ("v.nothing", NULL, "smem"));
  heddle_presentation_set_nudge (heddle_snapshot_get_presentation (snapshot, diagram), "o.nothing", 1, 1);
  const char *const expected[] = {
    "error: The operation o.S is in two regions\n",
    "error: The region r.1 has the operation o.nothing, which does not exist\n",
    "error: The region r.1 has a label on a.nothing, which is not an axis of the diagram\n",
    "error: The label on x has the size 0: sizes are at least 1\n",
    "error: Something that does not exist (v.nothing) is placed in smem\n",
    "warning: Something that does not exist (o.nothing) was moved\n",
    "error: Two diagrams are called attention\n",
  };
  g_autoptr (GPtrArray) problems = heddle_check_snapshot (snapshot);
  g_assert_cmpuint (problems->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < problems->len; i++)
    {
      g_autofree char *text = heddle_problem_to_string (g_ptr_array_index (problems, i));
      g_assert_cmpstr (text, ==, expected[i]);
    }
}

static void
test_to_string (void)
{
  g_autoptr (HeddleProblem) problem = heddle_problem_new (HEDDLE_SEVERITY_ERROR, NULL, "expected %s", "]");
  problem->file = g_strdup ("a.eq");
  problem->line = 3;
  problem->column = 4;
  problem->source_line = g_strdup ("\tλx(");
  g_autofree char *text = heddle_problem_to_string (problem);
  g_assert_cmpstr (text, ==, "a.eq:3:4: error: expected ]\n\tλx(\n\t  ^\n");
}

/* --- garbage --------------------------------------------------------------------- */

static const char *
any_id (GRand *random)
{
  static const char *const ids[]
      = { "a.q", "a.x", "a.d", "v.Q", "v.S", "v.t", "v.P", "v.O", "o.S", "o.P", "a.no", NULL };
  return id (ids[g_rand_int_range (random, 0, G_N_ELEMENTS (ids))]);
}

static void
spoil_ids (GRand *random, GArray *ids)
{
  guint n = g_rand_boolean (random) ? 1 : (guint) g_rand_int_range (random, 0, 100);
  for (guint i = 0; i < n; i++)
    heddle_ids_append (ids, any_id (random));
  if (g_rand_int_range (random, 0, 3) == 0)
    g_array_set_size (ids, (guint) g_rand_int_range (random, 0, (int) ids->len + 1));
  if (ids->len > 0)
    heddle_ids_index (ids, (guint) g_rand_int_range (random, 0, (int) ids->len)) = any_id (random);
}

static HeddleExpr *
any_expr (GRand *random, int depth)
{
  const char *symbol = any_id (random);
  switch (g_rand_int_range (random, 0, depth > 0 ? 8 : 5))
    {
    case 0:
      return heddle_expr_number (g_rand_double_range (random, -1e13, 1e13));
    case 1:
      return heddle_expr_argument (g_rand_int (random));
    case 2:
      return heddle_expr_size (symbol != NULL ? symbol : id ("?"));
    case 3:
      return heddle_expr_index (symbol != NULL ? symbol : id ("?"));
    case 4:
      return NULL;
    default:
      {
        HeddleExpr *a = any_expr (random, depth - 1), *b = any_expr (random, depth - 1);
        return heddle_expr_binary (
            HEDDLE_EXPR_MUL, a != NULL ? a : heddle_expr_number (1), b != NULL ? b : heddle_expr_number (2));
      }
    }
}

static void
unref_expr (gpointer expr)
{
  if (expr != NULL)
    heddle_expr_unref (expr);
}

static void
spoil_operation (GRand *random, HeddleOperation *operation)
{
  static const char *const kinds[] = { "map", "contract", "reindex", "sum", "softmax", "layernorm" };
  int what = g_rand_int_range (random, 0, 8);
  if (what == 0)
    operation->kind = NULL;
  else if (what == 1)
    operation->kind = heddle_operation_kind (kinds[g_rand_int_range (random, 0, G_N_ELEMENTS (kinds))]);
  else if (what == 2)
    spoil_ids (random, operation->operands);
  else if (what == 3)
    spoil_ids (random, operation->axes);
  else if (what == 4)
    operation->result = any_id (random);
  else if (what == 5)
    operation->id = any_id (random);
  else if (what == 6)
    {
      g_clear_pointer (&operation->body, heddle_expr_unref);
      operation->body = any_expr (random, 4);
    }
  else if (operation->indices == NULL)
    {
      operation->indices = g_ptr_array_new_with_free_func (unref_expr);
      for (int i = g_rand_int_range (random, 0, 4); i > 0; i--)
        g_ptr_array_add (operation->indices, any_expr (random, 2));
    }
}

static void
spoil_value (GRand *random, HeddleValue *value)
{
  int what = g_rand_int_range (random, 0, 5);
  if (what == 0)
    spoil_ids (random, value->axes);
  else if (what == 1)
    value->role = (HeddleValueRole) g_rand_int_range (random, 0, 3);
  else if (what == 2)
    g_clear_pointer (&value->name, g_free);
  else if (what == 3)
    value->id = any_id (random);
  else if (value->name != NULL)
    value->name[0] = (char) g_rand_int_range (random, 0, 256);
}

static void
spoil_axis (GRand *random, HeddleAxis *axis)
{
  int what = g_rand_int_range (random, 0, 3);
  if (what == 0)
    axis->id = any_id (random);
  else if (what == 1)
    g_clear_pointer (&axis->name, g_free);
  else
    {
      g_clear_pointer (&axis->size, heddle_expr_unref);
      axis->size = any_expr (random, 3);
    }
}

static gpointer
any_of (GRand *random, GPtrArray *objects)
{
  return g_ptr_array_index (objects, g_rand_int_range (random, 0, (int) objects->len));
}

static void
test_garbage (void)
{
  GRand *random = g_rand_new_with_seed (20261120);
  guint with_errors = 0;
  for (guint round = 0; round < 3000; round++)
    {
      HeddleDiagram *diagram = fixture_attention ();
      for (int i = g_rand_int_range (random, 1, 8); i > 0; i--)
        {
          spoil_operation (random, any_of (random, diagram->operations));
          if (g_rand_boolean (random))
            spoil_value (random, any_of (random, diagram->values));
          if (g_rand_boolean (random))
            spoil_axis (random, any_of (random, diagram->axes));
          if (g_rand_int_range (random, 0, 4) == 0)
            diagram->explicit_outputs = TRUE;
          spoil_ids (random, diagram->outputs);
        }
      /* as a reader would find it: with no index of the sound diagram left */
      heddle_diagram_remove (diagram, id ("a.d"));
      g_autoptr (HeddleDiagram) copy = heddle_diagram_new ("garbage");
      for (guint i = 0; i < diagram->axes->len; i++)
        g_ptr_array_add (copy->axes, g_ptr_array_index (diagram->axes, i));
      for (guint i = 0; i < diagram->values->len; i++)
        g_ptr_array_add (copy->values, g_ptr_array_index (diagram->values, i));
      for (guint i = 0; i < diagram->operations->len; i++)
        g_ptr_array_add (copy->operations, g_ptr_array_index (diagram->operations, i));
      g_array_append_vals (copy->outputs, diagram->outputs->data, diagram->outputs->len);
      copy->explicit_outputs = diagram->explicit_outputs;
      g_autoptr (GPtrArray) problems = heddle_check_diagram (copy);
      with_errors += heddle_problems_have_errors (problems);
      for (guint i = 0; i < problems->len; i++)
        g_free (heddle_problem_to_string (g_ptr_array_index (problems, i)));
      g_ptr_array_set_free_func (diagram->axes, NULL);
      g_ptr_array_set_free_func (diagram->values, NULL);
      g_ptr_array_set_free_func (diagram->operations, NULL);
      heddle_diagram_free (diagram);
    }
  g_assert_cmpuint (with_errors, >, 2500);
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/check/sound", test_sound);
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autofree char *path = g_strconcat ("/check/fault/", faults[i].name, NULL);
      g_test_add_data_func (path, &faults[i], test_fault);
    }
  g_test_add_func ("/check/many", test_many);
  g_test_add_func ("/check/snapshot", test_snapshot);
  g_test_add_func ("/check/to-string", test_to_string);
  g_test_add_func ("/check/garbage", test_garbage);
  return g_test_run ();
}
