/* SPDX-License-Identifier: MIT */

/* A person draws attention on an empty canvas, by the mouse alone and by the keyboard alone; derives FlashAttention from it by dragging axes
 * onto memory; and takes away a figure and a kernel, which are those of the command line. Nothing here calls into the editor but to look. */

#include <glib/gstdio.h>

#include "app/canvas/canvas.h"
#include "app/derivation/level-card.h"
#include "app/derivation/pane.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/equations/equation-bar.h"
#include "app/export/dialog.h"
#include "app/window/window.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "desk.h"
#include "robot.h"
#include "app/canvas/private.h"
#include "app/window/private.h"

#define CONTROL GDK_CONTROL_MASK

static char *
equations_of (HeddleWindow *window)
{
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (heddle_window_get_equation_bar (window));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

/* --- the mouse --- */

static void
drop_array (HeddleWindow *window)
{
  const guint n = desk_diagram_of (window)->values->len;
  GtkWidget *tile = desk_show_tile (window, "Array"), *canvas = desk_canvas_of (window);

  robot_drag (tile, 24, 24, canvas, gtk_widget_get_width (canvas) / 2., 20);
  robot_until (desk_diagram_of (window)->values->len == n + 1);
  robot_settle (canvas);
}

/* The id of an axis of an array, by what the array is called and where the axis is. */
static const char *
axis_at (HeddleWindow *window, const char *value, guint place)
{
  return heddle_ids_index (heddle_diagram_get_value (desk_diagram_of (window), value)->axes, place);
}

static void
drop_on_wire (HeddleWindow *window, const char *title, const char *value, guint place)
{
  const guint n = desk_diagram_of (window)->operations->len;
  GtkWidget *tile = desk_show_tile (window, title);
  double x, y;

  robot_settle (desk_canvas_of (window));
  robot_wire_point (window, value, axis_at (window, value, place), &x, &y);
  robot_drag (tile, 24, 24, desk_canvas_of (window), x, y);
  robot_until (desk_diagram_of (window)->operations->len == n + 1);
  robot_settle (desk_canvas_of (window));
}

static void
drag_wire (HeddleWindow *window, const char *from, guint from_place, const char *to, guint to_place)
{
  double x0, y0, x1, y1;

  robot_settle (desk_canvas_of (window));
  robot_wire_point (window, from, axis_at (window, from, from_place), &x0, &y0);
  robot_wire_point (window, to, axis_at (window, to, to_place), &x1, &y1);
  robot_drag (desk_canvas_of (window), x0, y0, desk_canvas_of (window), x1, y1);
}

/* A button with which its dialog goes. */
static void
click_away (GtkWidget *dialog, const char *label)
{
  GtkWidget *button = desk_find_button (dialog, label);
  double x, y;

  g_assert_nonnull (button);
  gtk_widget_translate_coordinates (
      button, dialog, gtk_widget_get_width (button) / 2., gtk_widget_get_height (button) / 2., &x, &y);
  robot_move (dialog, x, y);
  robot_press ();
  robot_release ();
}

/* One gesture, whether the axes are one already or become one by it. */
static const char *
join_wires (HeddleWindow *window, const char *from, guint from_place, const char *to, guint to_place)
{
  const guint n = desk_diagram_of (window)->operations->len;
  const HeddleOperation *made = NULL;

  drag_wire (window, from, from_place, to, to_place);
  robot_until (desk_diagram_of (window)->operations->len == n + 1);
  made = heddle_diagram_get_operation (
      desk_diagram_of (window), heddle_editor_get_selected (desk_editor_of (window)));
  return made->result;
}

static void
draw_by_mouse (HeddleWindow *window)
{
  const char *scores, *weights;

  robot_click_middle (desk_find_button (GTK_WIDGET (window), "_New Diagram"));
  robot_until (!heddle_window_is_empty (window));
  g_assert_cmpuint (desk_diagram_of (window)->values->len, ==, 0);
  for (guint i = 0; i < 3; i++)
    drop_array (window);

  scores = join_wires (window, desk_value_id (window, "A"), 1, desk_value_id (window, "B"), 1);
  drop_on_wire (window, "Scale by root of size", scores, 1);
  drop_on_wire (window, "Softmax", desk_result_of_selected (window), 1);
  weights = desk_result_of_selected (window);
  join_wires (window, weights, 1, desk_value_id (window, "C"), 0);
}

static void
test_mouse (void)
{
  HeddleWindow *window = robot_open_nothing ();
  g_autofree char *text = NULL;

  draw_by_mouse (window);
  text = equations_of (window);
  g_assert_cmpstr (text, ==,
      "A : [a=1024, d=1024]\nB : [e=1024, d]\nC : [e, f=1024]\n"
      "t4[a,f] = softmax[e](A[a,d] B[e,d] * d^-0.5) C[e,f]");
  robot_close (window);
}

/* What a dropped wire was taken for is said, and can be taken back or read otherwise as long as nothing else was done. */
static void
test_readings (void)
{
  HeddleWindow *window = robot_open_nothing ();
  guint n_axes;

  robot_click_middle (desk_find_button (GTK_WIDGET (window), "_New Diagram"));
  robot_until (!heddle_window_is_empty (window));
  for (guint i = 0; i < 2; i++)
    drop_array (window);
  n_axes = desk_diagram_of (window)->axes->len;
  join_wires (window, desk_value_id (window, "A"), 1, desk_value_id (window, "B"), 1);
  g_assert_cmpuint (desk_diagram_of (window)->axes->len, ==, n_axes - 1);
  robot_until (desk_find_button (GTK_WIDGET (window), "Only Unify") != NULL);
  gtk_widget_activate (desk_find_button (GTK_WIDGET (window), "Only Unify"));
  robot_until (desk_diagram_of (window)->operations->len == 0);
  g_assert_cmpuint (desk_diagram_of (window)->axes->len, ==, n_axes - 1);
  gtk_widget_activate_action (
      GTK_WIDGET (window), "win.read-otherwise", "(s^as)", "Contract over d", (const char *const[]){ NULL });
  g_assert_cmpuint (desk_diagram_of (window)->axes->len, ==, n_axes - 1); /* that is past */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  g_assert_cmpuint (desk_diagram_of (window)->axes->len, ==, n_axes);
  robot_close (window);
}

/* --- the keyboard --- */

static void
key (HeddleWindow *window, guint keysym, GdkModifierType modifiers)
{
  robot_key (desk_canvas_of (window), keysym, modifiers);
}

static void
draw_by_keyboard (HeddleWindow *window)
{
  robot_key (GTK_WIDGET (window), GDK_KEY_n, CONTROL);
  robot_until (!heddle_window_is_empty (window));
  robot_settle (GTK_WIDGET (window));
  desk_ask_for (window, "Q[y=4096, k=128]");
  desk_ask_for (window, "K[x=4096, k]");
  desk_ask_for (window, "V[x, k]");
  key (window, GDK_KEY_bracketright, 0); /* after V comes Q again */
  desk_ask_for (window, "K");
  desk_ask_for (window, "root of size");
  desk_ask_for (window, "softmax");
  desk_ask_for (window, "V");
}

static void
test_keyboard (void)
{
  HeddleWindow *window = robot_open_nothing ();
  g_autofree char *text = NULL;

  draw_by_keyboard (window);
  text = equations_of (window);
  g_assert_cmpstr (text, ==,
      "Q : [y=4096, k=128]\nK : [x=4096, k]\nV : [x, k]\n"
      "t4[y,k] = softmax[x](sum[k](Q[y,k] K[x,k]) * k^-0.5) V[x,k]");
  robot_close (window);
}

/* --- from there to FlashAttention --- */

static GtkWidget *
half_of (HeddleWindow *window, HeddleLabelKind kind)
{
  GtkWidget *pane = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_DERIVATION_PANE, NULL, NULL);

  return heddle_level_card_get_half (
      heddle_derivation_pane_get_card (HEDDLE_DERIVATION_PANE (pane), "smem"), kind);
}

/* Takes a wire by the hand and lays it down on half a level. */
static void
carry (HeddleWindow *window, const char *value, guint place, HeddleLabelKind kind)
{
  const char *before = heddle_document_get_undo_name (heddle_editor_get_document (desk_editor_of (window)));
  GtkWidget *half = half_of (window, kind);
  const char *id = desk_value_id (window, value);
  double x, y;

  robot_settle (desk_canvas_of (window));
  robot_wire_point (window, id, axis_at (window, id, place), &x, &y);
  robot_drag (desk_canvas_of (window), x, y, half, gtk_widget_get_width (half) / 2.,
      gtk_widget_get_height (half) / 2.);
  robot_until (
      g_strcmp0 (heddle_document_get_undo_name (heddle_editor_get_document (desk_editor_of (window))), before)
      != 0);
  robot_settle (GTK_WIDGET (window));
}

static void
derive_by_dragging (HeddleWindow *window)
{
  HeddleDerivation *derivation = NULL;

  robot_click_middle (robot_find (
      GTK_WIDGET (window), GTK_TYPE_BUTTON, NULL, "Make the selected operations, or all, one kernel"));
  robot_settle (GTK_WIDGET (window));
  carry (window, "Q", 0, HEDDLE_LABEL_GROUP);
  g_assert_cmpstr (heddle_document_get_undo_name (heddle_editor_get_document (desk_editor_of (window))), ==,
      "Group y at SMEM, 128");
  carry (window, "K", 0, HEDDLE_LABEL_STREAM);
  g_assert_cmpstr (heddle_document_get_undo_name (heddle_editor_get_document (desk_editor_of (window))), ==,
      "Stream x at SMEM, 64");
  robot_until ((derivation = heddle_editor_get_derivation (desk_editor_of (window), NULL)) != NULL);
  g_assert_cmpuint (derivation->kernels->len, ==, 1);
  /* Q once in and O once out, and K and V once for each of the 32 groups of y. */
  g_assert_cmpint (
      derivation->transfer_elements, ==, 2 * 4096 * 128 + 2 * G_GINT64_CONSTANT (4096) * 128 * 32);
}

/* --- painting --- */

static GtkWidget *
handle_of (HeddleWindow *window, const char *level)
{
  GtkWidget *pane = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_DERIVATION_PANE, NULL, NULL);
  HeddleLevelCard *card = heddle_derivation_pane_get_card (HEDDLE_DERIVATION_PANE (pane), level);

  return robot_find (GTK_WIDGET (card), GTK_TYPE_BOX, "level-handle", NULL);
}

/* Takes a level by its name and draws it over some operations, from one to the next. */
static void
paint (HeddleWindow *window, const char *level, const char *const *operations)
{
  GtkWidget *handle = handle_of (window, level), *root = GTK_WIDGET (window);
  double x0 = 12, y0 = gtk_widget_get_height (handle) / 2., x1, y1;

  gtk_widget_translate_coordinates (handle, root, x0, y0, &x0, &y0);
  robot_move (root, x0, y0);
  robot_press ();
  robot_settle (root);
  for (; *operations != NULL; operations++)
    {
      robot_operation_point (window, *operations, &x1, &y1);
      gtk_widget_translate_coordinates (desk_canvas_of (window), root, x1, y1, &x1, &y1);
      for (int i = 1; i <= 8; i++)
        robot_move (root, x0 + (x1 - x0) * i / 8, y0 + (y1 - y0) * i / 8);
      x0 = x1;
      y0 = y1;
    }
  robot_release ();
  robot_settle (root);
}

static guint
count_regions (HeddleWindow *window)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (desk_editor_of (window));

  return schedule != NULL ? schedule->regions->len : 0;
}

/* SMEM drawn over the softmax and what follows makes them one kernel; global memory over it takes it apart. */
static void
test_paint (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  const char *weights
      = heddle_diagram_get_producer (desk_diagram_of (window), desk_value_id (window, "P"))->id;
  const char *result
      = heddle_diagram_get_producer (desk_diagram_of (window), desk_value_id (window, "O"))->id;
  const HeddleRegion *region = NULL;

  paint (window, "smem", (const char *const[]){ weights, result, NULL });
  robot_until (count_regions (window) == 1);
  region = g_ptr_array_index (heddle_editor_get_schedule (desk_editor_of (window))->regions, 0);
  g_assert_true (heddle_ids_contain (region->operations, weights));
  g_assert_true (heddle_ids_contain (region->operations, result));
  robot_settle (desk_canvas_of (window));
  paint (window, "gmem", (const char *const[]){ result, NULL });
  robot_until (count_regions (window) == 0);
  robot_close (window);
}

/* So fast that only the two ends of the way are told. */
static void
test_paint_fast (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  GtkWidget *handle = handle_of (window, "smem"), *canvas = desk_canvas_of (window);
  const char *result
      = heddle_diagram_get_producer (desk_diagram_of (window), desk_value_id (window, "O"))->id;
  const double x = gtk_widget_get_width (handle) / 2., y = gtk_widget_get_height (handle) / 2.;
  double left, right, row;

  robot_operation_point (window, result, &right, &row);
  left = 4;
  right = gtk_widget_get_width (canvas) - 4;
  robot_move (handle, x, y);
  robot_press ();
  robot_settle (canvas);
  for (int i = 1; i <= 8; i++)
    robot_move (handle, x, y - 4 * i);
  robot_move (canvas, left, row);
  robot_until (HEDDLE_CANVAS (canvas)->dropping);
  robot_point (canvas, right, row);
  robot_release ();
  robot_until (count_regions (window) == 1);
  g_assert_true (heddle_ids_contain (((const HeddleRegion *) g_ptr_array_index (
                                          heddle_editor_get_schedule (desk_editor_of (window))->regions, 0))
                                         ->operations,
      result));
  robot_close (window);
}

/* --- and away --- */

static GtkWidget *
find_toplevel (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (g_type_is_a (G_OBJECT_TYPE (window), type) && gtk_widget_get_mapped (window))
        return window;
    }
  return NULL;
}

/* The file dialog: the name is typed over the one that is offered. */
static void
name_file (HeddleWindow *window, const char *path)
{
  GtkWidget *chooser = NULL;

  robot_until ((chooser = find_toplevel (GTK_TYPE_FILE_CHOOSER_DIALOG)) != NULL);
  robot_settle (chooser);
  key (window, GDK_KEY_a, CONTROL);
  robot_type (desk_canvas_of (window), path);
  key (window, GDK_KEY_Return, 0);
  robot_until (g_file_test (path, G_FILE_TEST_EXISTS));
  robot_until (find_toplevel (GTK_TYPE_FILE_CHOOSER_DIALOG) == NULL);
}

/* The row of file kinds, some places further down its list. */
static void
choose_kind (HeddleWindow *window, GtkWidget *dialog, guint down)
{
  GtkWidget *row = robot_find (dialog, ADW_TYPE_COMBO_ROW, NULL, NULL);
  GtkWidget *popover = robot_find (row, GTK_TYPE_POPOVER, NULL, NULL);

  if (down == 0)
    return;
  robot_click_middle (row);
  robot_until (gtk_widget_get_mapped (popover));
  while (down-- > 0)
    key (window, GDK_KEY_Down, 0);
  key (window, GDK_KEY_Return, 0);
  robot_until (!gtk_widget_get_mapped (popover));
  robot_settle (dialog);
}

static void
export_by_dialog (HeddleWindow *window, guint kinds_down, const char *path)
{
  GtkWidget *dialog = NULL;

  robot_key (desk_canvas_of (window), GDK_KEY_e, CONTROL);
  robot_until ((dialog = find_toplevel (HEDDLE_TYPE_EXPORT_DIALOG)) != NULL);
  robot_settle (dialog);
  choose_kind (window, dialog, kinds_down);
  click_away (dialog, "_Export…");
  name_file (window, path);
  robot_until (find_toplevel (HEDDLE_TYPE_EXPORT_DIALOG) == NULL);
}

/* What the dialog wrote is what the command it shows writes. */
static void
assert_as_command (const char *folder, const char *file, const char *output)
{
  const char *argv[] = { g_getenv ("HEDDLE"), "export", file, "-o", output, "--diagram", "untitled", "--gpu",
    "h100-sxm", "--dtype", "f16", NULL };
  g_autofree char *mine = g_build_filename (folder, output, NULL);
  g_autofree char *theirs = NULL, *a = NULL, *b = NULL;
  g_autofree char *errors = NULL;
  gsize a_length, b_length;
  int status = 0;

  g_assert_true (g_file_get_contents (mine, &a, &a_length, NULL));
  g_unlink (mine);
  g_assert_true (g_spawn_sync (folder, (char **) argv, NULL, 0, NULL, NULL, NULL, &errors, &status, NULL));
  g_assert_cmpstr (errors, ==, "");
  g_assert_cmpint (status, ==, 0);
  theirs = g_build_filename (folder, output, NULL);
  g_assert_true (g_file_get_contents (theirs, &b, &b_length, NULL));
  g_assert_cmpuint (a_length, >, 0);
  g_assert_cmpmem (a, a_length, b, b_length);
  g_unlink (theirs);
}

static void
test_flash_attention (void)
{
  HeddleWindow *window = robot_open_nothing ();
  g_autofree char *folder = g_dir_make_tmp ("heddle-story-XXXXXX", NULL);
  g_autofree char *document = g_build_filename (folder, "flash.ncd", NULL);
  g_autofree char *figure = g_build_filename (folder, "flash.svg", NULL);
  g_autofree char *kernel = g_build_filename (folder, "flash.cu", NULL);

  draw_by_keyboard (window);
  derive_by_dragging (window);
  gtk_widget_grab_focus (desk_canvas_of (window));
  key (window, GDK_KEY_s, CONTROL);
  name_file (window, document);
  export_by_dialog (window, 0, figure);
  assert_as_command (folder, "flash.ncd", "flash.svg");
  export_by_dialog (window, 4, kernel);
  assert_as_command (folder, "flash.ncd", "flash.cu");
  g_unlink (document);
  g_rmdir (folder);
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/story/readings", test_readings);
  g_test_add_func ("/story/mouse", test_mouse);
  g_test_add_func ("/story/keyboard", test_keyboard);
  g_test_add_func ("/story/paint", test_paint);
  g_test_add_func ("/story/paint-fast", test_paint_fast);
  g_test_add_func ("/story/flash-attention", test_flash_attention);
  return g_test_run ();
}
