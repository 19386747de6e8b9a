/* SPDX-License-Identifier: MIT */
#include "attention.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/diagram-order.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation.h"
#include "random-diagram.h"

/* The names of what operations make, in their order; "-" where there is none. */
static char *
names_of (const HeddleDiagram *diagram)
{
  GString *names = g_string_new (NULL);
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      const HeddleValue *value = heddle_diagram_get_value (diagram, operation->result);
      g_string_append_printf (
          names, "%s%s", i > 0 ? " " : "", value != NULL && value->name != NULL ? value->name : "-");
    }
  return g_string_free (names, FALSE);
}

static void
assert_order (HeddleDiagram *diagram, const char *expected)
{
  heddle_diagram_put_in_order (diagram);
  g_autofree char *names = names_of (diagram);
  g_assert_cmpstr (names, ==, expected);
}

static void
shuffle (GPtrArray *objects, GRand *draw)
{
  for (guint i = objects->len; i > 1; i--)
    {
      guint other = (guint) g_rand_int_range (draw, 0, (gint32) i);
      gpointer held = objects->pdata[i - 1];
      objects->pdata[i - 1] = objects->pdata[other];
      objects->pdata[other] = held;
    }
}

/* All that may depend on the order: the names of values, and of which of them each operation is made and what it makes. */
static char *
structure_of (const HeddleDiagram *diagram)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      g_hash_table_insert (numbers, (gpointer) value->id, GUINT_TO_POINTER (i));
      g_string_append_printf (text, "%s ", value->name != NULL ? value->name : "-");
    }
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      g_string_append_printf (text, "\n%s", operation->kind->id);
      for (guint k = 0; k < operation->operands->len; k++)
        g_string_append_printf (text, " %u",
            GPOINTER_TO_UINT (g_hash_table_lookup (numbers, heddle_ids_index (operation->operands, k))));
      for (guint k = 0; k < heddle_operation_n_results (operation); k++)
        g_string_append_printf (text, " -> %u",
            GPOINTER_TO_UINT (g_hash_table_lookup (numbers, heddle_operation_get_result (operation, k))));
    }
  return g_string_free (text, FALSE);
}

static void
test_as_read (void)
{
  g_autoptr (HeddleDiagram) diagram = fixture_attention ();
  g_autoptr (GRand) draw = g_rand_new_with_seed (1);
  for (guint i = 0; i < 20; i++)
    {
      shuffle (diagram->operations, draw);
      shuffle (diagram->values, draw);
      assert_order (diagram, "S - P O");
    }
  g_autoptr (GArray) inputs = heddle_diagram_get_inputs (diagram);
  g_assert_cmpuint (inputs->len, ==, 3);
  g_assert_cmpstr (heddle_ids_index (inputs, 0), ==, "v.Q");
  g_assert_cmpstr (heddle_ids_index (inputs, 2), ==, "v.V");
}

/* Keys and values are as far from the inputs as queries are: they come beside them, not where values are read. */
static void
test_side_by_side (void)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("projections");
  fixture_axis (diagram, "x", 8);
  fixture_axis (diagram, "y", 8);
  fixture_input (diagram, "X", "x y");
  fixture_operation (diagram, "softmax", "V", "x y", "X", "y");
  fixture_operation (diagram, "softmax", "K", "x y", "X", "y");
  fixture_operation (diagram, "softmax", "Q", "x y", "X", "y");
  fixture_operation (diagram, "contract", "S", "x", "Q K", "y");
  fixture_operation (diagram, "softmax", "P", "x", "S", "x");
  fixture_operation (diagram, "contract", "O", "y", "P V", "x");
  assert_order (diagram, "Q K V S P O");
}

/* Results that nobody reads go by their names, whichever comes first in the file; those that have an order keep it. */
static void
test_results (void)
{
  for (guint swapped = 0; swapped < 2; swapped++)
    {
      g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("results");
      fixture_axis (diagram, "x", 8);
      fixture_input (diagram, "X", "x");
      fixture_operation (diagram, "softmax", swapped ? "B" : "A", "x", "X", "x");
      fixture_operation (diagram, "softmax", swapped ? "A" : "B", "x", "X", "x");
      assert_order (diagram, "A B");
      diagram->explicit_outputs = TRUE;
      heddle_ids_append (diagram->outputs, g_intern_string ("v.B"));
      assert_order (diagram, "B A");
      heddle_ids_append (diagram->outputs, g_intern_string ("v.B"));
      assert_order (diagram, "B A");
    }
}

/* Unnamed results go by how they are made; of two that are made alike either may come first. */
static void
test_unnamed (void)
{
  g_autofree char *first = NULL;
  for (guint seed = 0; seed < 8; seed++)
    {
      g_autoptr (GRand) draw = g_rand_new_with_seed (seed);
      g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("unnamed");
      fixture_axis (diagram, "x", 8);
      fixture_axis (diagram, "y", 8);
      fixture_input (diagram, "X", "x y");
      fixture_operation (diagram, "softmax", NULL, "x y", "X", "x");
      fixture_operation (diagram, "softmax", NULL, "x y", "X", "y");
      fixture_operation (diagram, "sum", NULL, "x", "X", "y");
      fixture_operation (diagram, "sum", NULL, "x", "X", "y");
      shuffle (diagram->operations, draw);
      shuffle (diagram->values, draw);
      heddle_diagram_put_in_order (diagram);
      GString *kinds = g_string_new (NULL);
      for (guint i = 0; i < diagram->operations->len; i++)
        {
          const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
          g_string_append_printf (kinds, "%s[%s] ", operation->kind->id,
              heddle_diagram_get_axis (diagram, heddle_ids_index (operation->axes, 0))->name);
        }
      if (first == NULL)
        first = g_strdup (kinds->str);
      g_assert_cmpstr (kinds->str, ==, first);
      g_string_free (kinds, TRUE);
    }
}

/* Any legal diagram, in twelve orders. */
static void
test_random (void)
{
  for (guint32 seed = 0; seed < 60; seed++)
    {
      g_autoptr (HeddleDiagram) diagram = random_diagram (RANDOM_DIAGRAM_ANY, seed);
      g_autoptr (GRand) draw = g_rand_new_with_seed (seed);
      g_autoptr (HeddleDiagram) before = heddle_diagram_copy (diagram);
      heddle_diagram_put_in_order (diagram);
      g_autofree char *first = structure_of (diagram), *why = NULL;
      g_assert_true (heddle_diagram_isomorphic (before, diagram, &why));
      heddle_diagram_put_in_order (diagram);
      g_autofree char *again = structure_of (diagram);
      g_assert_cmpstr (again, ==, first);
      for (guint i = 0; i < 12; i++)
        {
          shuffle (diagram->operations, draw);
          shuffle (diagram->values, draw);
          g_assert_true (heddle_diagram_sort (diagram));
          heddle_diagram_put_in_order (diagram);
          g_autofree char *other = structure_of (diagram);
          g_assert_cmpstr (other, ==, first);
        }
    }
}

/* What cannot be put in order stays as it is. */
static void
test_hostile (void)
{
  g_autoptr (HeddleDiagram) empty = heddle_diagram_new ("empty");
  assert_order (empty, "");

  g_autoptr (HeddleDiagram) circle = fixture_attention ();
  HeddleOperation *scale = heddle_diagram_edit_operation (circle, g_intern_string ("o.t"));
  heddle_ids_index (scale->operands, 0) = g_intern_string ("v.P");
  assert_order (circle, "S - P O");
  heddle_ids_index (scale->operands, 0) = g_intern_string ("v.t");
  heddle_diagram_edit_operation (circle, g_intern_string ("o.t"));
  assert_order (circle, "S - P O");

  g_autoptr (HeddleDiagram) nowhere = fixture_attention ();
  heddle_diagram_remove (nowhere, g_intern_string ("v.O"));
  assert_order (nowhere, "S - P -");

  g_autoptr (HeddleDiagram) missing = fixture_attention ();
  heddle_diagram_remove (missing, g_intern_string ("v.S"));
  heddle_diagram_remove (missing, g_intern_string ("o.S"));
  missing->explicit_outputs = TRUE;
  heddle_ids_append (missing->outputs, g_intern_string ("v.nothing"));
  assert_order (missing, "- P O");

  g_autoptr (HeddleDiagram) twins = fixture_attention ();
  for (guint i = 0; i < 3; i++)
    {
      HeddleValue *value = heddle_diagram_edit_value (twins, g_intern_string (i == 0   ? "v.S"
                                                                              : i == 1 ? "v.P"
                                                                                       : "v.O"));
      g_free (value->name);
      value->name = g_strdup ("S");
    }
  assert_order (twins, "S - S S");
}

/* A long row of operations is no deep recursion. */
static void
test_long (void)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("long");
  g_autofree char *last = g_strdup ("X");
  fixture_axis (diagram, "x", 8);
  fixture_input (diagram, "X", "x");
  for (guint i = 0; i < 5000; i++)
    {
      g_autofree char *name = g_strdup_printf ("Y%u", i);
      fixture_operation (diagram, "softmax", name, "x", last, "x");
      g_free (last);
      last = g_steal_pointer (&name);
    }
  for (guint i = 0; i < diagram->operations->len / 2; i++)
    {
      gpointer held = diagram->operations->pdata[i];
      diagram->operations->pdata[i] = diagram->operations->pdata[diagram->operations->len - 1 - i];
      diagram->operations->pdata[diagram->operations->len - 1 - i] = held;
    }
  g_assert_true (heddle_diagram_sort (diagram));
  heddle_diagram_put_in_order (diagram);
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("v.Y%u", i);
      g_assert_cmpstr (((HeddleOperation *) g_ptr_array_index (diagram->operations, i))->result, ==, name);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagram/order/as-read", test_as_read);
  g_test_add_func ("/diagram/order/side-by-side", test_side_by_side);
  g_test_add_func ("/diagram/order/results", test_results);
  g_test_add_func ("/diagram/order/unnamed", test_unnamed);
  g_test_add_func ("/diagram/order/random", test_random);
  g_test_add_func ("/diagram/order/hostile", test_hostile);
  g_test_add_func ("/diagram/order/long", test_long);
  return g_test_run ();
}
