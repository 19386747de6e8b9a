/* SPDX-License-Identifier: MIT */

/* Scaled dot-product attention in a real window: seen, selected, edited, undone, written as equations, saved and opened. */

#include <glib/gstdio.h>

#include "app/canvas/canvas.h"
#include "app/canvas/pick.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/preview.h"
#include "app/editor/selection.h"
#include "app/equations/equation-bar.h"
#include "app/window/window.h"
#include "derive/derivation/schedule-text.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/document.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/diagram.h"
#include "figure/scene/scene.h"
#include "files/base/save.h"
#include "files/ncd/write.h"
#include "desk.h"
#include "robot.h"
#include "app/window/private.h"

#define ATTENTION "examples/attention.ncd"

static char *
equations_of (HeddleWindow *window)
{
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (heddle_window_get_equation_bar (window));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

static const HeddleOperation *
operation_of_kind (HeddleWindow *window, const char *kind)
{
  const HeddleDiagram *diagram = desk_diagram_of (window);

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (g_str_equal (operation->kind->id, kind))
        return operation;
    }
  return NULL;
}

static void
click_wire (HeddleWindow *window, const char *value, const char *axis)
{
  double x, y;

  robot_wire_point (window, desk_value_id (window, value), desk_axis_id (window, axis), &x, &y);
  robot_click (desk_canvas_of (window), x, y);
}

static void
click_operation (HeddleWindow *window, const char *id)
{
  double x, y;

  robot_operation_point (window, id, &x, &y);
  robot_click (desk_canvas_of (window), x, y);
}

static gboolean
is_drawn (HeddleScene *scene, HeddlePart part, const char *object, const char *axis)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);

      if (item->part == part && (object == NULL || item->object == object || item->value == object)
          && (axis == NULL || item->axis == axis))
        return TRUE;
    }
  return FALSE;
}

static void
test_drawn (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleDiagram *diagram = desk_diagram_of (window);
  HeddleScene *scene = heddle_canvas_get_scene (heddle_window_get_canvas (window));

  g_assert_cmpuint (diagram->operations->len, ==, 4);
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      g_assert_true (is_drawn (scene, HEDDLE_PART_GLYPH, operation->id, NULL));
    }
  for (const char *const *name = (const char *const[]){ "Q", "K", "V", "O", NULL }; *name != NULL; name++)
    {
      const HeddleValue *value = heddle_diagram_find_value (diagram, *name);

      g_assert_true (is_drawn (scene, HEDDLE_PART_VALUE_LABEL, value->id, NULL));
      for (guint i = 0; i < value->axes->len; i++)
        g_assert_true (is_drawn (scene, HEDDLE_PART_WIRE, value->id, heddle_ids_index (value->axes, i)));
    }
  g_assert_cmpuint (heddle_editor_get_problems (heddle_window_get_editor (window))->len, ==, 0);
  robot_close (window);
}

static void
test_select (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEditor *editor = heddle_window_get_editor (window);
  const char *value = NULL, *axis = NULL;
  const HeddleOperation *softmax = operation_of_kind (window, "softmax");

  click_wire (window, "K", "x");
  g_assert_cmpstr (heddle_editor_get_selected (editor), ==, desk_axis_id (window, "x"));
  g_assert_true (heddle_editor_get_wire (editor, &value, &axis));
  g_assert_cmpstr (value, ==, desk_value_id (window, "K"));
  g_assert_cmpstr (axis, ==, desk_axis_id (window, "x"));

  click_operation (window, softmax->id);
  g_assert_cmpstr (heddle_editor_get_selected (editor), ==, softmax->id);
  g_assert_false (heddle_editor_get_wire (editor, NULL, NULL));

  robot_key (desk_canvas_of (window), GDK_KEY_a, GDK_CONTROL_MASK);
  g_assert_cmpuint (heddle_editor_get_selection (editor)->len, ==, 4);
  robot_key (desk_canvas_of (window), GDK_KEY_Escape, 0);
  g_assert_cmpuint (heddle_editor_get_selection (editor)->len, ==, 0);
  robot_close (window);
}

/* A band drawn around boxes selects them; with Shift it adds. */
static void
test_rubber_band (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEditor *editor = heddle_window_get_editor (window);
  const char *softmax = operation_of_kind (window, "softmax")->id;
  g_autoptr (GArray) ids = heddle_ids_new ();
  GdkRectangle box;

  heddle_ids_append (ids, softmax);
  g_assert_true (heddle_canvas_get_object_rectangle (heddle_window_get_canvas (window), ids, &box));
  /* From the empty canvas below all wires to inside the box. */
  robot_drag (desk_canvas_of (window), box.x - 4, gtk_widget_get_height (desk_canvas_of (window)) - 20,
      desk_canvas_of (window), box.x + box.width / 2., box.y + box.height / 2.);
  g_assert_true (heddle_editor_is_selected (editor, softmax));
  robot_close (window);
}

static void
test_rename (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  g_autofree char *before = equations_of (window);
  g_autofree char *renamed = NULL;
  g_autofree char *after = NULL;
  const char *x = desk_axis_id (window, "x");

  click_wire (window, "K", "x");
  robot_key (desk_canvas_of (window), GDK_KEY_F2, 0);
  robot_until (robot_find (desk_canvas_of (window), GTK_TYPE_ENTRY, "label-entry", NULL) != NULL);
  robot_type (desk_canvas_of (window), "s = 512");
  robot_key (desk_canvas_of (window), GDK_KEY_Return, 0);
  robot_until (robot_find (desk_canvas_of (window), GTK_TYPE_ENTRY, "label-entry", NULL) == NULL);

  g_assert_cmpstr (desk_axis_id (window, "s"), ==, x);
  g_assert_cmpint (
      heddle_sizes_get (heddle_editor_get_sizes (heddle_window_get_editor (window)), x), ==, 512);
  renamed = equations_of (window);
  g_assert_nonnull (strstr (renamed, "K : f16[s=512, k]"));
  g_assert_null (strstr (renamed, "softmax[x]"));
  g_assert_nonnull (strstr (heddle_document_get_undo_name (desk_document_of (window)), "Rename"));

  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  after = equations_of (window);
  g_assert_cmpstr (after, ==, before);
  g_assert_null (heddle_document_get_undo_name (desk_document_of (window)));
  robot_close (window);
}

static void
test_rename_refused (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *entry = NULL;

  click_wire (window, "K", "x");
  robot_key (desk_canvas_of (window), GDK_KEY_F2, 0);
  robot_until ((entry = robot_find (desk_canvas_of (window), GTK_TYPE_ENTRY, "label-entry", NULL)) != NULL);
  robot_type (desk_canvas_of (window), "y"); /* taken */
  robot_key (desk_canvas_of (window), GDK_KEY_Return, 0);
  robot_until (gtk_widget_has_css_class (entry, "error"));
  g_assert_nonnull (heddle_diagram_find_axis (desk_diagram_of (window), "x"));
  robot_key (desk_canvas_of (window), GDK_KEY_Escape, 0);
  robot_until (robot_find (desk_canvas_of (window), GTK_TYPE_ENTRY, "label-entry", NULL) == NULL);
  g_assert_null (heddle_document_get_undo_name (desk_document_of (window)));
  robot_close (window);
}

static void
test_quick_insert (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  g_autofree char *text = NULL;

  click_operation (window, operation_of_kind (window, "softmax")->id);
  robot_key (desk_canvas_of (window), GDK_KEY_slash, 0);
  robot_type (desk_canvas_of (window), "relu");
  robot_key (desk_canvas_of (window), GDK_KEY_Return, 0);
  robot_until (desk_diagram_of (window)->operations->len == 5);
  text = equations_of (window);
  g_assert_nonnull (strstr (text, "relu("));
  g_assert_true (gtk_widget_has_focus (desk_canvas_of (window)));
  robot_close (window);
}

static void
test_palette_drag (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *tile = robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "palette-tile", "ReLU");
  const char *q = desk_value_id (window, "Q");
  double x, y;

  g_assert_nonnull (tile);
  robot_wire_point (window, q, desk_axis_id (window, "y"), &x, &y);
  robot_drag (tile, 24, 24, desk_canvas_of (window), x, y);
  robot_until (desk_diagram_of (window)->operations->len == 5);
  {
    g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (desk_diagram_of (window), q);
    const HeddleOperation *relu = g_ptr_array_index (readers, 0);

    g_assert_cmpuint (readers->len, ==, 1);
    g_assert_cmpint (heddle_expr_get_kind (relu->body), ==, HEDDLE_EXPR_RELU);
  }
  robot_close (window);
}

static gpointer
find_controller (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (all, i);

      if (G_OBJECT_TYPE (controller) == type)
        return controller; /* the widget holds it */
    }
  g_assert_not_reached ();
}

/* What would take a drop may be gone when it comes: whoever dragged it is told so, and does not wait for good. */
static void
test_drop_refused (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *tile = robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "palette-tile", "ReLU");
  GtkDragSource *source = find_controller (tile, GTK_TYPE_DRAG_SOURCE);
  GtkDropTarget *target = find_controller (desk_canvas_of (window), GTK_TYPE_DROP_TARGET);
  double x, y;

  robot_wire_point (window, desk_value_id (window, "Q"), desk_axis_id (window, "y"), &x, &y);
  robot_move (tile, 24, 24);
  robot_press ();
  for (guint i = 0; i < 6; i++)
    robot_move (desk_canvas_of (window), x - 6 + i, y);
  robot_until (gtk_drag_source_get_drag (source) != NULL
               && gdk_drag_get_selected_action (gtk_drag_source_get_drag (source)) != 0);
  gtk_drop_target_reject (target);
  robot_release ();
  robot_until (gtk_drag_source_get_drag (source) == NULL);
  g_assert_cmpuint (desk_diagram_of (window)->operations->len, ==, 4);
  robot_close (window);
}

static void
test_connect (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  const HeddleOperation *made = NULL;
  double x0, y0, x1, y1;

  robot_wire_point (window, desk_value_id (window, "K"), desk_axis_id (window, "x"), &x0, &y0);
  robot_wire_point (window, desk_value_id (window, "V"), desk_axis_id (window, "x"), &x1, &y1);
  robot_drag (desk_canvas_of (window), x0, y0, desk_canvas_of (window), x1, y1);
  robot_until (desk_diagram_of (window)->operations->len == 5);
  made = heddle_diagram_get_operation (
      desk_diagram_of (window), heddle_editor_get_selected (heddle_window_get_editor (window)));
  g_assert_cmpstr (made->kind->id, ==, "contract");
  g_assert_true (heddle_ids_contain (made->axes, desk_axis_id (window, "x")));
  g_assert_true (heddle_ids_contain (made->operands, desk_value_id (window, "K")));
  g_assert_true (heddle_ids_contain (made->operands, desk_value_id (window, "V")));
  robot_close (window);
}

/* A wire that is let go over nothing asks what it should go into. */
static void
test_drop_on_nothing (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *canvas = desk_canvas_of (window), *insert = window->quick_insert;
  const HeddleOperation *made = NULL;
  double x, y;

  robot_wire_point (window, desk_value_id (window, "Q"), desk_axis_id (window, "y"), &x, &y);
  robot_drag (canvas, x, y, canvas, gtk_widget_get_width (canvas) / 2., gtk_widget_get_height (canvas) - 20.);
  robot_until (gtk_widget_get_mapped (insert));
  robot_type (canvas, "exponential");
  robot_key (canvas, GDK_KEY_Return, 0);
  robot_until (desk_diagram_of (window)->operations->len == 5);
  made = heddle_diagram_get_operation (
      desk_diagram_of (window), heddle_editor_get_selected (heddle_window_get_editor (window)));
  g_assert_true (heddle_ids_contain (made->operands, desk_value_id (window, "Q")));
  robot_close (window);
}

/* Where the end of one axis is dropped on that of another, both become one, and the arrays are contracted over it, at once. */
static void
test_unify (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (heddle_window_get_equation_bar (window));
  double x0, y0, x1, y1;

  gtk_text_buffer_set_text (
      buffer, "A : f32[i=8, j=4]\nB : f32[m=8, n=4]\nC[i,j] = relu(A[i,j])\nD[m,n] = relu(B[m,n])\n", -1);
  g_assert_true (heddle_equation_bar_flush (heddle_window_get_equation_bar (window)));
  robot_settle (desk_canvas_of (window));
  robot_wire_point (window, desk_value_id (window, "A"), desk_axis_id (window, "j"), &x0, &y0);
  robot_wire_point (window, desk_value_id (window, "B"), desk_axis_id (window, "n"), &x1, &y1);
  robot_drag (desk_canvas_of (window), x0, y0, desk_canvas_of (window), x1, y1);
  robot_until (desk_diagram_of (window)->operations->len == 3);
  robot_until (heddle_diagram_find_axis (desk_diagram_of (window), "n") == NULL
               || heddle_diagram_find_axis (desk_diagram_of (window), "j") == NULL);
  robot_close (window);
}

static void
test_delete (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEditor *editor = heddle_window_get_editor (window);
  g_autofree char *before = equations_of (window);
  g_autofree char *after = NULL;

  click_operation (window, operation_of_kind (window, "softmax")->id);
  robot_key (desk_canvas_of (window), GDK_KEY_Delete, 0);
  g_assert_null (operation_of_kind (window, "softmax"));
  g_assert_cmpuint (desk_diagram_of (window)->operations->len, ==, 3);
  g_assert_cmpuint (heddle_editor_get_problems (editor)->len, ==, 0);
  g_assert_nonnull (heddle_diagram_find_value (desk_diagram_of (window), "O"));

  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  after = equations_of (window);
  g_assert_cmpstr (after, ==, before);
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  g_assert_null (operation_of_kind (window, "softmax"));
  robot_close (window);
}

/* Two operations become a definition, which is called; undo gives the first text back. */
static void
test_group (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEditor *editor = heddle_window_get_editor (window);
  g_autofree char *before = equations_of (window);
  g_autofree char *after = NULL;
  g_autoptr (GArray) ids = heddle_ids_new ();
  const HeddleOperation *call = NULL;

  click_operation (window, operation_of_kind (window, "softmax")->id);
  heddle_ids_append (ids, operation_of_kind (window, "softmax")->id);
  heddle_ids_append (
      ids, heddle_diagram_get_producer (desk_diagram_of (window), desk_value_id (window, "O"))->id);
  heddle_editor_select_ids (editor, ids);
  robot_key (desk_canvas_of (window), GDK_KEY_g, GDK_CONTROL_MASK);
  robot_until ((call = operation_of_kind (window, "call")) != NULL);
  g_assert_cmpuint (desk_diagram_of (window)->operations->len, ==, 3);
  g_assert_cmpuint (heddle_editor_get_problems (editor)->len, ==, 0);
  g_assert_cmpstr (heddle_editor_get_selected (editor), ==, call->id);
  g_assert_cmpstr (heddle_document_get_undo_name (desk_document_of (window)), ==, "Group into part");
  robot_until (heddle_editor_get_derivation (editor, NULL) != NULL); /* with what is called in its place */

  /* It is named where it stands. A name that is another's is not taken. */
  robot_type (GTK_WIDGET (window), "x");
  robot_key (GTK_WIDGET (window), GDK_KEY_Return, 0);
  g_assert_cmpstr (heddle_document_get_undo_name (desk_document_of (window)), ==, "Group into part");
  robot_key (desk_canvas_of (window), GDK_KEY_a, GDK_CONTROL_MASK);
  robot_type (GTK_WIDGET (window), "weigh");
  robot_key (GTK_WIDGET (window), GDK_KEY_Return, 0);
  g_assert_cmpstr (heddle_document_get_undo_name (desk_document_of (window)), ==, "Rename part to weigh");

  /* The definition is shown, and there is a way back. */
  robot_key (desk_canvas_of (window), GDK_KEY_Return, 0);
  robot_until (g_strcmp0 (desk_diagram_of (window)->name, "weigh") == 0);
  g_assert_nonnull (operation_of_kind (window, "softmax"));
  g_action_group_activate_action (G_ACTION_GROUP (window), "back", NULL);
  robot_until (operation_of_kind (window, "call") != NULL);

  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  after = equations_of (window);
  g_assert_cmpstr (after, ==, before);
  robot_close (window);
}

/* What was grouped and taken apart is what it was. */
static void
test_ungroup (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEditor *editor = heddle_window_get_editor (window);

  click_operation (window, operation_of_kind (window, "softmax")->id);
  robot_key (desk_canvas_of (window), GDK_KEY_g, GDK_CONTROL_MASK);
  robot_until (operation_of_kind (window, "call") != NULL);
  robot_key (desk_canvas_of (window), GDK_KEY_Escape, 0); /* the name is good */
  robot_key (desk_canvas_of (window), GDK_KEY_g, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  robot_until (operation_of_kind (window, "softmax") != NULL);
  g_assert_null (operation_of_kind (window, "call"));
  g_assert_cmpuint (desk_diagram_of (window)->operations->len, ==, 4);
  g_assert_cmpstr (heddle_document_get_undo_name (desk_document_of (window)), ==, "Ungroup part");
  robot_until (heddle_editor_get_derivation (editor, NULL) != NULL);
  g_assert_cmpuint (heddle_editor_get_problems (editor)->len, ==, 0);
  robot_close (window);
}

static void
test_nudge (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  const char *softmax = operation_of_kind (window, "softmax")->id;
  double x, y, dx, dy, zoom;

  click_operation (window, softmax);
  robot_key (desk_canvas_of (window), GDK_KEY_Right, 0);
  robot_key (desk_canvas_of (window), GDK_KEY_Right, 0);
  desk_get_nudge (window, softmax, &dx, &dy);
  g_assert_cmpfloat (dx, ==, 10);
  g_assert_cmpfloat (dy, ==, 0);
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK); /* both at once */
  desk_get_nudge (window, softmax, &dx, &dy);
  g_assert_cmpfloat (dx, ==, 0);

  heddle_canvas_set_zoom (heddle_window_get_canvas (window), 1);
  zoom = heddle_canvas_get_zoom (heddle_window_get_canvas (window));
  g_assert_cmpfloat (zoom, ==, 1);
  robot_settle (desk_canvas_of (window));
  robot_operation_point (window, softmax, &x, &y);
  robot_drag (desk_canvas_of (window), x, y, desk_canvas_of (window), x + 36, y - 24);
  desk_get_nudge (window, softmax, &dx, &dy);
  g_assert_cmpfloat_with_epsilon (dx, 36, 6); /* it may have come into line with what is near */
  g_assert_cmpfloat_with_epsilon (dy, -24, 6);
  g_assert_cmpstr (heddle_document_get_undo_name (desk_document_of (window)), ==, "Move");
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  g_assert_null (heddle_document_get_undo_name (desk_document_of (window)));
  robot_close (window);
}

/* What is derived of a diagram without labels is not in its picture, which stays as it is. */
static void
test_derivation_draws_nothing (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEditor *editor = heddle_window_get_editor (window);
  HeddleCanvas *canvas = HEDDLE_CANVAS (desk_canvas_of (window));
  g_autoptr (HeddleScene) scene = heddle_scene_ref (heddle_canvas_get_scene (canvas));
  const char *softmax = operation_of_kind (window, "softmax")->id;
  HeddleSchedule *labelled = NULL;
  g_autoptr (GError) error = NULL;

  heddle_editor_derive_again (editor);
  robot_until (heddle_editor_get_derivation (editor, NULL) != NULL);
  robot_settle (GTK_WIDGET (canvas));
  g_assert_true (heddle_canvas_get_scene (canvas) == scene);

  labelled = heddle_schedule_fuse (desk_diagram_of (window), NULL, "all", &error);
  g_assert_no_error (error);
  g_ptr_array_add (heddle_schedule_region_of (labelled, softmax)->labels,
      heddle_label_new (desk_axis_id (window, "y"), "smem", HEDDLE_LABEL_GROUP, 16));
  heddle_editor_set_preview_schedule (editor, labelled);
  g_assert_true (heddle_canvas_get_scene (canvas) != scene);
  robot_close (window);
}

static void
test_equations (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEquationBar *bar = heddle_window_get_equation_bar (window);
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (bar);
  g_autofree char *before = equations_of (window);
  g_autofree char *after = NULL;

  /* Text that is a diagram becomes it. */
  gtk_text_buffer_set_text (
      buffer, "A : f32[i=8, j=4]\nB[i,j] = softmax[j](A[i,j])\nC[i] = max[j](B[i,j])\n", -1);
  g_assert_false (heddle_equation_bar_matches (bar));
  robot_until (heddle_equation_bar_matches (bar));
  g_assert_cmpuint (desk_diagram_of (window)->operations->len, ==, 2);
  g_assert_nonnull (operation_of_kind (window, "max"));
  g_assert_cmpstr (heddle_document_get_undo_name (desk_document_of (window)), ==, "Edit equations");

  /* Text that is none stays, and the diagram too. */
  gtk_text_buffer_set_text (buffer, "A : f32[i=8, j=4]\nB[i,j] = softmax[j](", -1);
  g_assert_cmpfloat (gtk_widget_get_opacity (desk_canvas_of (window)), ==, 1);
  g_assert_false (heddle_equation_bar_flush (bar));
  g_assert_cmpuint (desk_diagram_of (window)->operations->len, ==, 2);
  g_assert_cmpfloat (
      gtk_widget_get_opacity (desk_canvas_of (window)), <, 0.6); /* it is older than the text */

  /* Undo takes the text back first, then the step. */
  gtk_widget_grab_focus (desk_canvas_of (window));
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  g_assert_true (heddle_equation_bar_matches (bar));
  g_assert_cmpfloat (gtk_widget_get_opacity (desk_canvas_of (window)), ==, 1);
  g_assert_cmpuint (desk_diagram_of (window)->operations->len, ==, 2);
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  after = equations_of (window);
  g_assert_cmpstr (after, ==, before);
  robot_close (window);
}

static void
test_typed_equations (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEquationBar *bar = heddle_window_get_equation_bar (window);
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (bar);
  GtkTextIter end;

  gtk_widget_grab_focus (GTK_WIDGET (bar));
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_place_cursor (buffer, &end);
  robot_key (GTK_WIDGET (bar), GDK_KEY_Return, 0);
  robot_type (GTK_WIDGET (bar), "R[y,k] = relu(O[y,k])");
  robot_until (heddle_equation_bar_matches (bar));
  g_assert_nonnull (heddle_diagram_find_value (desk_diagram_of (window), "R"));
  g_assert_cmpuint (desk_diagram_of (window)->operations->len, ==, 5);
  robot_close (window);
}

/* A text view scrolls as far as it has measured: it is told until it is there. */
static gboolean
is_coloured (GtkWidget *view, const GtkTextIter *place)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextTag *axis = gtk_text_tag_table_lookup (gtk_text_buffer_get_tag_table (buffer), "axis");

  gtk_text_view_scroll_mark_onscreen (GTK_TEXT_VIEW (view), gtk_text_buffer_get_insert (buffer));
  return gtk_text_iter_has_tag (place, axis);
}

/* A text longer than its view, scrolled and resized: what is coloured follows what is seen. */
static void
test_long_equations (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEquationBar *bar = heddle_window_get_equation_bar (window);
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (bar);
  g_autoptr (GString) text = g_string_new ("X0 : f16[i=8, j=4]\n");
  GtkWidget *view = robot_find (GTK_WIDGET (bar), GTK_TYPE_TEXT_VIEW, NULL, NULL);
  GtkTextIter end;

  for (guint i = 0; i < 150; i++)
    g_string_append_printf (text, "X%u[i,j] = relu(X%u[i,j])\n", i + 1, i);
  gtk_text_buffer_set_text (buffer, text->str, -1);
  g_assert_true (heddle_equation_bar_flush (bar));
  g_assert_cmpuint (desk_diagram_of (window)->operations->len, ==, 150);
  gtk_text_buffer_get_iter_at_line (buffer, &end, 149);
  gtk_text_buffer_place_cursor (buffer, &end);
  for (guint width = 700; width < 1500; width += 200)
    {
      gtk_window_set_default_size (GTK_WINDOW (window), width, 800);
      gtk_text_view_scroll_mark_onscreen (GTK_TEXT_VIEW (view), gtk_text_buffer_get_insert (buffer));
      robot_settle (GTK_WIDGET (window));
    }
  gtk_text_buffer_get_iter_at_line_offset (buffer, &end, 149, 5); /* the i of X149[i,j] */
  robot_until (is_coloured (view, &end));
  robot_close (window);
}

/* Panes fold and unfold while the window is made narrower and wider: GTK warns of what is drawn without a place. A size that is asked for before
 * the X server has told of the one before may be forgotten by GTK 4.8, so that each is waited for. */
static void
test_folding (void)
{
  static const int widths[] = { 430, 690, 580, 1200, 640, 440, 760, 540, 900, 480, 620, 1000 };
  HeddleWindow *window = robot_open (ATTENTION);

  for (guint i = 0; i < 3 * G_N_ELEMENTS (widths); i++)
    {
      const int width = widths[i % G_N_ELEMENTS (widths)];

      gtk_window_set_default_size (GTK_WINDOW (window), width, i % 2 == 0 ? 480 : 660);
      robot_until (ABS (gtk_widget_get_width (GTK_WIDGET (window)) - width) < 20);
      robot_settle (GTK_WIDGET (window));
    }
  robot_close (window);
}

/* A phone's width is enough, and what is wrong with the text stands below it where there is no room beside. */
static void
test_narrow (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleEquationBar *bar = heddle_window_get_equation_bar (window);
  GtkWidget *message = robot_find (GTK_WIDGET (bar), GTK_TYPE_LABEL, "equation-state-bad", NULL);
  int least;

  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, 430);
  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 800); /* the panes stay beside the canvas */
  robot_settle (GTK_WIDGET (window));
  g_assert_false (gtk_widget_get_mapped (message));
  gtk_text_buffer_set_text (heddle_equation_bar_get_buffer (bar), "A : f32[i=8]\nB[i] = relu(", -1);
  heddle_equation_bar_flush (bar);
  robot_until (gtk_widget_get_mapped (message));
  robot_close (window);
}

static char *
write_copy (HeddleWindow *window, const char *name)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (g_get_tmp_dir (), name, NULL);
  gsize length;
  g_autofree char *data
      = heddle_ncd_write (heddle_editor_get_snapshot (heddle_window_get_editor (window)), &length, &error);

  g_assert_no_error (error);
  g_assert_true (heddle_file_save (path, data, length, &error));
  g_assert_no_error (error);
  return path;
}

static void
test_save (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  g_autofree char *name = g_strdup_printf ("heddle-test-%d.ncd", (int) getpid ());
  g_autofree char *path = write_copy (window, name);
  g_autofree char *why = NULL;
  HeddleWindow *other = NULL;

  robot_close (window);
  window = robot_open_path (path);
  click_operation (window, operation_of_kind (window, "softmax")->id);
  robot_key (desk_canvas_of (window), GDK_KEY_Down, 0);
  robot_key (desk_canvas_of (window), GDK_KEY_Delete, 0);
  g_assert_true (heddle_document_get_modified (desk_document_of (window)));
  robot_key (desk_canvas_of (window), GDK_KEY_s, GDK_CONTROL_MASK);
  robot_until (!heddle_document_get_modified (desk_document_of (window)));

  other = robot_open_path (path);
  g_assert_true (heddle_diagram_isomorphic (desk_diagram_of (window), desk_diagram_of (other), &why));
  g_assert_null (operation_of_kind (other, "softmax"));
  robot_close (other);
  robot_close (window);
  g_unlink (path);
}

static guint
count_dialogs (void)
{
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (gtk_window_get_toplevels ()); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (gtk_window_get_toplevels (), i);

      n += ADW_IS_MESSAGE_DIALOG (window);
    }
  return n;
}

static void
test_close_asks (void)
{
  HeddleWindow *window = robot_open (ATTENTION);

  g_assert_cmpuint (count_dialogs (), ==, 0);
  click_operation (window, operation_of_kind (window, "softmax")->id);
  robot_key (desk_canvas_of (window), GDK_KEY_Delete, 0);
  gtk_window_close (GTK_WINDOW (window));
  robot_until (count_dialogs () == 1);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window)));
  robot_close (window);
  g_assert_cmpuint (count_dialogs (), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/window/drawn", test_drawn);
  g_test_add_func ("/window/select", test_select);
  g_test_add_func ("/window/rubber-band", test_rubber_band);
  g_test_add_func ("/window/rename", test_rename);
  g_test_add_func ("/window/rename-refused", test_rename_refused);
  g_test_add_func ("/window/quick-insert", test_quick_insert);
  g_test_add_func ("/window/palette-drag", test_palette_drag);
  g_test_add_func ("/window/drop-refused", test_drop_refused);
  g_test_add_func ("/window/connect", test_connect);
  g_test_add_func ("/window/drop-on-nothing", test_drop_on_nothing);
  g_test_add_func ("/window/unify", test_unify);
  g_test_add_func ("/window/delete", test_delete);
  g_test_add_func ("/window/group", test_group);
  g_test_add_func ("/window/ungroup", test_ungroup);
  g_test_add_func ("/window/nudge", test_nudge);
  g_test_add_func ("/window/derivation-draws-nothing", test_derivation_draws_nothing);
  g_test_add_func ("/window/equations", test_equations);
  g_test_add_func ("/window/typed-equations", test_typed_equations);
  g_test_add_func ("/window/long-equations", test_long_equations);
  g_test_add_func ("/window/folding", test_folding);
  g_test_add_func ("/window/narrow", test_narrow);
  g_test_add_func ("/window/save", test_save);
  g_test_add_func ("/window/close-asks", test_close_asks);
  return g_test_run ();
}
