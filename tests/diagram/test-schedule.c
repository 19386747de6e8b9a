/* SPDX-License-Identifier: MIT */
#include "diagram/base/dtype.h"
#include "diagram/document/layout.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/copy-in-order.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

static void
test_label_kinds (void)
{
  const char *const names[] = { "group", "stream", "divisor", "order" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      HeddleLabelKind kind;
      g_assert_cmpstr (heddle_label_kind_to_string ((HeddleLabelKind) i), ==, names[i]);
      g_assert_true (heddle_label_kind_from_string (names[i], &kind));
      g_assert_cmpint (kind, ==, i);
    }
  HeddleLabelKind kind;
  g_assert_false (heddle_label_kind_from_string ("Group", &kind));
  g_assert_false (heddle_label_kind_from_string (NULL, &kind));
}

/* One or two ids; @second: NULL where there is one. */
static GArray *
ids (const char *first, const char *second)
{
  GArray *both = heddle_ids_new ();

  heddle_ids_append (both, first);
  if (second != NULL)
    heddle_ids_append (both, second);
  return both;
}

/* @to is what @from is. */
static void
add_map (HeddleDiagram *diagram, const char *from, const char *to)
{
  g_autoptr (GArray) operands = ids (from, NULL), none = heddle_ids_new ();

  heddle_diagram_add_operation (diagram, NULL, heddle_operation_kind ("map"), operands, to, none, -1)->body
      = heddle_expr_argument (0);
}

static HeddleSchedule *
new_schedule (void)
{
  HeddleSchedule *schedule = heddle_schedule_new ("d.attention");
  HeddleRegion *region = heddle_region_new ("r.1");
  heddle_ids_append (region->operations, g_intern_string ("o.S"));
  g_ptr_array_add (region->labels, heddle_label_new ("a.q", "smem", HEDDLE_LABEL_GROUP, 128));
  HeddleLabel *inactive = heddle_label_new ("a.x", "smem", HEDDLE_LABEL_STREAM, 64);
  inactive->inactive = g_strdup ("softmax needs the contraction after it");
  g_ptr_array_add (region->labels, inactive);
  g_ptr_array_add (schedule->regions, region);
  g_ptr_array_add (schedule->residency, heddle_residency_new ("v.S", NULL, "registers"));
  schedule->gpu = g_strdup ("h100-sxm");
  schedule->dtype = HEDDLE_DTYPE_BF16;
  return schedule;
}

static void
test_copies (void)
{
  HeddleSchedule *schedule = new_schedule ();
  HeddleSchedule *copy = heddle_schedule_copy (schedule);
  heddle_schedule_free (schedule);
  g_assert_cmpstr (copy->diagram, ==, "d.attention");
  g_assert_cmpstr (copy->gpu, ==, "h100-sxm");
  g_assert_cmpint (copy->dtype, ==, HEDDLE_DTYPE_BF16);
  HeddleRegion *region = heddle_schedule_region_of (copy, g_intern_string ("o.S"));
  g_assert_true (heddle_schedule_get_region (copy, "r.1") == region);
  g_assert_null (heddle_schedule_region_of (copy, g_intern_string ("o.P")));
  g_assert_null (heddle_schedule_get_region (copy, "r.2"));
  HeddleLabel *group = heddle_region_get_label (region, g_intern_string ("a.q"), "smem", HEDDLE_LABEL_GROUP);
  g_assert_cmpint (group->size, ==, 128);
  g_assert_null (group->inactive);
  HeddleLabel *stream
      = heddle_region_get_label (region, g_intern_string ("a.x"), "smem", HEDDLE_LABEL_STREAM);
  g_assert_cmpstr (stream->inactive, ==, "softmax needs the contraction after it");
  g_assert_null (heddle_region_get_label (region, g_intern_string ("a.x"), "smem", HEDDLE_LABEL_GROUP));
  g_assert_null (heddle_region_get_label (region, g_intern_string ("a.x"), "registers", HEDDLE_LABEL_STREAM));
  const HeddleResidency *residency = g_ptr_array_index (copy->residency, 0);
  g_assert_cmpstr (residency->value, ==, "v.S");
  g_assert_null (residency->column);
  g_assert_cmpstr (residency->level, ==, "registers");
  heddle_schedule_free (copy);
}

/* A value has one layout; a diagram is laid out by those that its values can have, and is itself left as it is. */
static void
test_layouts (void)
{
  HeddleDiagram *diagram = heddle_diagram_new ("d");
  const char *x = heddle_diagram_add_axis (diagram, NULL, "x", NULL)->id;
  const char *y = heddle_diagram_add_axis (diagram, NULL, "y", NULL)->id;
  g_autoptr (GArray) drawn = ids (x, y), turned = ids (y, x), alone = ids (x, NULL);
  const char *a
      = heddle_diagram_add_value (diagram, NULL, "A", HEDDLE_ROLE_INPUT, HEDDLE_DTYPE_F16, drawn)->id;
  const char *b
      = heddle_diagram_add_value (diagram, NULL, "B", HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_F16, drawn)->id;
  const char *c
      = heddle_diagram_add_value (diagram, NULL, "C", HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_F16, drawn)->id;
  HeddleSchedule *schedule = heddle_schedule_new (diagram->id), *copy;
  HeddleDiagram *laid;

  add_map (diagram, a, b);
  add_map (diagram, b, c);
  heddle_schedule_set_layout (schedule, b, drawn);
  g_assert_null (heddle_schedule_lay_out (schedule, diagram, NULL));
  heddle_schedule_set_layout (schedule, b, turned);
  g_assert_cmpuint (schedule->layouts->len, ==, 1);
  /* The output is seen by others; an axis is missing. */
  heddle_schedule_set_layout (schedule, c, turned);
  g_assert_false (heddle_value_layout_is_for (heddle_schedule_get_layout (schedule, c), diagram));
  g_assert_false (heddle_value_layout_is_for (&(HeddleValueLayout){ b, alone }, diagram));
  laid = heddle_schedule_lay_out (schedule, diagram, NULL);
  g_assert_true (heddle_ids_equal (heddle_diagram_get_value (laid, b)->axes, turned));
  g_assert_true (heddle_ids_equal (heddle_diagram_get_value (laid, a)->axes, drawn));
  g_assert_true (heddle_ids_equal (heddle_diagram_get_value (laid, c)->axes, drawn));
  g_assert_true (heddle_ids_equal (heddle_diagram_get_value (diagram, b)->axes, drawn));
  copy = heddle_schedule_new (diagram->id);
  heddle_schedule_take_layouts (copy, diagram, laid);
  g_assert_cmpuint (copy->layouts->len, ==, 1);
  g_assert_true (heddle_ids_equal (heddle_schedule_get_layout (copy, b)->axes, turned));
  heddle_schedule_free (copy);
  copy = heddle_schedule_copy (schedule);
  heddle_schedule_set_layout (copy, b, NULL);
  g_assert_null (heddle_schedule_get_layout (copy, b));
  g_assert_nonnull (heddle_schedule_get_layout (schedule, b));
  heddle_schedule_free (copy);
  heddle_schedule_free (schedule);
  heddle_diagram_free (laid);
  heddle_diagram_free (diagram);
}

/* An input is copied for all that read it, by an operation that has a region with the labels of the layout; once, however often that is asked for. */
static void
test_copied_input (void)
{
  HeddleDiagram *diagram = heddle_diagram_new ("d");
  const char *x = heddle_diagram_add_axis (diagram, NULL, "x", NULL)->id;
  const char *y = heddle_diagram_add_axis (diagram, NULL, "y", NULL)->id;
  g_autoptr (GArray) drawn = ids (x, y), turned = ids (y, x);
  const char *a
      = heddle_diagram_add_value (diagram, NULL, "A", HEDDLE_ROLE_INPUT, HEDDLE_DTYPE_F16, drawn)->id;
  HeddleSchedule *schedule = heddle_schedule_new (diagram->id), *whole, *other;
  HeddleDiagram *laid;
  const HeddleRegion *region;
  const HeddleOperation *copy;

  for (guint i = 0; i < 2; i++)
    add_map (diagram, a,
        heddle_diagram_add_value (
            diagram, NULL, i == 0 ? "B" : "C", HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_F16, drawn)
            ->id);
  g_ptr_array_add (heddle_schedule_set_layout (schedule, a, turned)->labels,
      heddle_label_new (x, "smem", HEDDLE_LABEL_GROUP, 8));
  laid = heddle_schedule_lay_out (schedule, diagram, &whole);
  g_assert_cmpuint (laid->operations->len, ==, 3);
  g_assert_cmpuint (schedule->regions->len, ==, 0);
  g_assert_cmpuint (whole->regions->len, ==, 1);
  region = g_ptr_array_index (whole->regions, 0);
  g_assert_cmpuint (region->labels->len, ==, 1);
  copy = heddle_diagram_get_operation (laid, heddle_ids_index (region->operations, 0));
  g_assert_true (heddle_operation_is_copy (copy));
  g_assert_true (heddle_ids_equal (heddle_diagram_get_value (laid, copy->result)->axes, turned));
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const char *id = ((const HeddleOperation *) g_ptr_array_index (diagram->operations, i))->id;

      g_assert_true (heddle_ids_index (heddle_diagram_get_operation (laid, id)->operands, 0) == copy->result);
    }
  g_assert_true (
      heddle_schedule_get_copied (schedule, laid, copy->id) == heddle_schedule_get_layout (schedule, a));
  g_assert_null (heddle_schedule_lay_out (schedule, laid, &other));
  g_assert_cmpuint (other->regions->len, ==, 1);
  heddle_schedule_free (other);
  other = heddle_schedule_new (diagram->id);
  heddle_schedule_take_layouts (other, diagram, laid);
  g_assert_true (heddle_ids_equal (heddle_schedule_get_layout (other, a)->axes, turned));
  heddle_schedule_free (other);
  other = heddle_schedule_copy (schedule);
  g_assert_cmpuint (heddle_schedule_get_layout (other, a)->labels->len, ==, 1);
  heddle_schedule_free (other);
  heddle_schedule_free (whole);
  heddle_schedule_free (schedule);
  heddle_diagram_free (laid);
  heddle_diagram_free (diagram);
}

static void
test_nudges (void)
{
  HeddlePresentation *presentation = heddle_presentation_new ("d.attention");
  const char *s = g_intern_string ("o.S");
  double dx = 7, dy = 7;
  g_assert_false (heddle_presentation_get_nudge (presentation, s, &dx, &dy));
  g_assert_cmpfloat (dx, ==, 0);
  heddle_presentation_set_nudge (presentation, s, 1.5, -2);
  heddle_presentation_set_nudge (presentation, s, 2.5, -2);
  g_assert_cmpuint (presentation->nudges->len, ==, 1);
  g_assert_true (heddle_presentation_get_nudge (presentation, s, &dx, &dy));
  g_assert_cmpfloat (dx, ==, 2.5);
  g_assert_cmpfloat (dy, ==, -2);
  heddle_presentation_set_nudge (presentation, s, 0, 0);
  g_assert_cmpuint (presentation->nudges->len, ==, 0);
  heddle_presentation_free (presentation);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/label-kinds", test_label_kinds);
  g_test_add_func ("/schedule/copies", test_copies);
  g_test_add_func ("/schedule/layouts", test_layouts);
  g_test_add_func ("/schedule/copied-input", test_copied_input);
  g_test_add_func ("/schedule/nudges", test_nudges);
  return g_test_run ();
}
