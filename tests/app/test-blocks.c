/* SPDX-License-Identifier: MIT */

/* Multi-head attention and a pre-norm block are drawn on an empty canvas, by the mouse alone and by the keyboard alone, in at most twenty
 * gestures each, and are what the command line makes of their equations. */

#include <glib/gstdio.h>

#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/widgets/settings.h"
#include "app/window/window.h"
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "files/ncd/write.h"
#include "desk.h"
#include "robot.h"
#include "app/window/private.h"

#define MOST_GESTURES 20

/* One that a person makes: a click, a drag, or a key with the words that it asks for. */
static guint n_gestures;

/* What the command says of a file. */
static char *
run (const char *command, const char *file, const char *const *options)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autofree char *errors = NULL;
  g_autoptr (GError) error = NULL;
  char *output = NULL;
  int status = -1;

  g_ptr_array_add (arguments, (char *) g_getenv ("HEDDLE"));
  g_ptr_array_add (arguments, (char *) command);
  g_ptr_array_add (arguments, (char *) file);
  for (; options != NULL && *options != NULL; options++)
    g_ptr_array_add (arguments, (char *) *options);
  g_ptr_array_add (arguments, NULL);
  g_assert_true (g_spawn_sync (
      NULL, (char **) arguments->pdata, NULL, 0, NULL, NULL, &output, &errors, &status, &error));
  g_assert_cmpstr (errors, ==, "");
  g_assert_cmpint (status, ==, 0);
  return g_strchomp (output);
}

static const char *const mouse_sizes[]
    = { "--random=7", "--set=a=6", "--set=b=16", "--set=h=2", "--set=k=8", NULL };
static const char *const key_sizes[]
    = { "--random=7", "--set=x=6", "--set=d=16", "--set=h=2", "--set=k=8", NULL };

/* What was drawn is written by the command line as @text, and computes what that makes of @text. A result without a name has another
 * number in each. */
static void
assert_as_command (HeddleWindow *window, const char *text, const char *const *sizes)
{
  g_autofree char *folder = g_dir_make_tmp ("heddle-blocks-XXXXXX", NULL);
  g_autofree char *drawn = g_build_filename (folder, "drawn.ncd", NULL);
  g_autofree char *written = g_build_filename (folder, "written.eq", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *document = heddle_ncd_write (
      heddle_document_get_snapshot (heddle_editor_get_document (desk_editor_of (window))), NULL, &error);
  g_autofree char *equations = NULL, *mine = NULL, *theirs = NULL;

  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (drawn, document, -1, &error));
  g_assert_true (g_file_set_contents (written, text, -1, &error));
  equations = run ("equations", drawn, NULL);
  g_assert_cmpstr (equations, ==, text);
  mine = run ("evaluate", drawn, sizes);
  theirs = run ("evaluate", written, sizes);
  g_assert_cmpstr (strchr (mine, '['), ==, strchr (theirs, '['));
  g_unlink (drawn);
  g_unlink (written);
  g_rmdir (folder);
}

static void
finish (HeddleWindow *window, const char *text, const char *const *sizes)
{
  g_autofree char *equations = desk_equations_of (window);

  g_test_message ("%u gestures", n_gestures);
  g_assert_cmpstr (equations, ==, text);
  g_assert_cmpuint (n_gestures, <=, MOST_GESTURES);
  assert_as_command (window, text, sizes);
  robot_close (window);
}

/* As a fresh window is while drawing: the canvas has most of it. */
static HeddleWindow *
open_fresh (void)
{
  static const char *const keys[] = { "palette-visible", "inspector-visible", "derivation-open",
    "palette-while-deriving", "equations-while-deriving" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_settings_reset (heddle_settings_get (), keys[i]);
  return robot_open_nothing ();
}

/* --- the mouse --- */

static void
click_new (HeddleWindow *window)
{
  GtkWidget *button = desk_find_button (GTK_WIDGET (window), "_New Diagram");

  n_gestures = 1;
  robot_click (button, gtk_widget_get_width (button) / 2., gtk_widget_get_height (button) / 2.);
  robot_until (!heddle_window_is_empty (window));
  robot_settle (GTK_WIDGET (window));
}

static void
drop_tile (HeddleWindow *window, const char *title, double x, double y)
{
  const guint n = desk_diagram_of (window)->values->len;

  n_gestures++;
  robot_drag (desk_show_tile (window, title), 24, 24, desk_canvas_of (window), x, y);
  robot_until (desk_diagram_of (window)->values->len > n);
  robot_settle (desk_canvas_of (window));
}

/* Gives what the operation dropped there makes. */
static const char *
drop_on_wire (HeddleWindow *window, const char *title, const char *value, const char *axis)
{
  double x, y;

  desk_show_tile (window, title);
  robot_wire_point (window, value, desk_axis_id (window, axis), &x, &y);
  drop_tile (window, title, x, y);
  return desk_result_of_selected (window);
}

/* On what comes out of the operation that makes @value, along its innermost axis. */
static const char *
drop_behind (HeddleWindow *window, const char *title, const char *value)
{
  double x, y;

  desk_show_tile (window, title);
  robot_operation_point (window, heddle_diagram_get_producer (desk_diagram_of (window), value)->id, &x, &y);
  drop_tile (window, title, x, y);
  return desk_result_of_selected (window);
}

static const char *
drag_wire (HeddleWindow *window, const char *from, const char *to, const char *axis)
{
  const guint n = desk_diagram_of (window)->operations->len;
  double x0, y0, x1, y1;

  n_gestures++;
  robot_settle (desk_canvas_of (window));
  robot_wire_point (window, from, desk_axis_id (window, axis), &x0, &y0);
  robot_wire_point (window, to, desk_axis_id (window, axis), &x1, &y1);
  robot_drag (desk_canvas_of (window), x0, y0, desk_canvas_of (window), x1, y1);
  robot_until (desk_diagram_of (window)->operations->len == n + 1);
  return desk_result_of_selected (window);
}

static gboolean
is_reachable (GtkWidget *widget)
{
  while (widget != NULL && gtk_widget_get_can_target (widget))
    widget = gtk_widget_get_parent (widget);
  return widget == NULL;
}

/* What was done last, and how much there is by it. */
static char *
tell_state (HeddleWindow *window)
{
  return g_strdup_printf ("%s, %u, %u",
      heddle_document_get_undo_name (heddle_editor_get_document (desk_editor_of (window))),
      desk_diagram_of (window)->operations->len, desk_diagram_of (window)->axes->len);
}

static gboolean
is_state (HeddleWindow *window, const char *before)
{
  g_autofree char *now = tell_state (window);

  return g_str_equal (now, before);
}

/* The offer beside what was just done. */
static const char *
click_offer (HeddleWindow *window, const char *label)
{
  g_autofree char *before = tell_state (window);
  GtkWidget *button = NULL;
  double x, y;

  n_gestures++;
  robot_until ((button = desk_find_button (GTK_WIDGET (window), label)) != NULL);
  robot_until (is_reachable (button));
  robot_settle (GTK_WIDGET (window));
  gtk_widget_translate_coordinates (button, GTK_WIDGET (window), gtk_widget_get_width (button) / 2.,
      gtk_widget_get_height (button) / 2., &x, &y);
  robot_move (GTK_WIDGET (window), x, y);
  robot_press (); /* the button goes with what it offers */
  robot_release ();
  robot_until (!is_state (window, before));
  robot_settle (desk_canvas_of (window));
  return desk_result_of_selected (window);
}

/* Heads of self-attention on @value over its positions a and features b; gives what comes out. */
static const char *
attend_by_mouse (HeddleWindow *window, const char *value)
{
  const char *query, *key, *heads, *scores, *weights;

  drop_on_wire (window, "Linear layer", value, "b");
  query = click_offer (window, "To Heads");
  key = drop_on_wire (window, "Linear layer", value, "b");
  heads = drop_on_wire (window, "Linear layer", value, "b");
  drag_wire (window, query, key, "k");
  scores = click_offer (window, "Each a with Each");
  scores = drop_behind (window, "Scale by root of size", scores);
  weights = drop_behind (window, "Softmax", scores);
  weights = drag_wire (window, weights, heads, "a");
  return drop_behind (window, "Linear layer", weights);
}

/* An array by its name onto what @value is made by. */
static const char *
drag_array (HeddleWindow *window, const char *array, const char *value)
{
  const guint n = desk_diagram_of (window)->operations->len;
  double x0, y0, x1, y1;

  n_gestures++;
  robot_settle (desk_canvas_of (window));
  robot_label_point (window, array, &x0, &y0);
  robot_operation_point (window, heddle_diagram_get_producer (desk_diagram_of (window), value)->id, &x1, &y1);
  robot_drag (desk_canvas_of (window), x0, y0, desk_canvas_of (window), x1, y1);
  robot_until (desk_diagram_of (window)->operations->len > n);
  return desk_result_of_selected (window);
}

#define HEADS                                                                                                \
  "A : [a=1024, b=1024]\nparam W : [b, h=8, k=128]\nparam W_2 : [b, h, k]\n"                                 \
  "param W_3 : [b, h, k]\nparam W_4 : [h, k, b]\n"

static void
test_heads_by_mouse (void)
{
  HeddleWindow *window = open_fresh ();

  click_new (window);
  drop_tile (window, "Array", gtk_widget_get_width (desk_canvas_of (window)) / 2., 20);
  attend_by_mouse (window, desk_value_id (window, "A"));
  finish (window,
      HEADS "t1[a,h,k] = A[a,b] W[b,h,k]\n"
            "t9[c,b] = (softmax[a](sum[k](t1[c,h,k] sum[b](A[a,b] W_2[b,h,k])) * k^-0.5) "
            "sum[b](A[a,b] W_3[b,h,k])) W_4[h,k,b]",
      mouse_sizes);
}

static void
test_block_by_mouse (void)
{
  HeddleWindow *window = open_fresh ();
  const char *normal, *sum, *hidden;

  click_new (window);
  drop_tile (window, "Array", gtk_widget_get_width (desk_canvas_of (window)) / 2., 20);
  normal = drop_on_wire (window, "RMSNorm", desk_value_id (window, "A"), "b");
  sum = drag_array (window, desk_value_id (window, "A"), attend_by_mouse (window, normal));
  normal = drop_behind (window, "RMSNorm", sum);
  hidden = drop_behind (window, "Linear layer", normal);
  hidden = drop_behind (window, "GELU", hidden);
  hidden = drop_behind (window, "Linear layer", hidden);
  drag_wire (window, sum, hidden, "b");
  click_offer (window, "Add");
  finish (window,
      HEADS "param W_5 : [b, f=1024]\nparam W_6 : [f, b]\n"
            "t1[a,b] = rmsnorm[b](A[a,b])\nt2[a,h,k] = t1[a,b] W[b,h,k]\n"
            "t12[c,b] = (softmax[a](sum[k](t2[c,h,k] sum[b](t1[a,b] W_2[b,h,k])) * k^-0.5) "
            "sum[b](t1[a,b] W_3[b,h,k])) W_4[h,k,b] + A[c,b]\n"
            "t17[c,b] = gelu(sum[b](rmsnorm[b](t12[c,b]) W_5[b,f])) W_6[f,b] + t12[c,b]",
      mouse_sizes);
}

/* --- the keyboard --- */

static void
press_new (HeddleWindow *window)
{
  n_gestures = 1;
  robot_key (GTK_WIDGET (window), GDK_KEY_n, GDK_CONTROL_MASK);
  robot_until (!heddle_window_is_empty (window));
  robot_settle (GTK_WIDGET (window));
}

/* "/", some words, Enter. */
static void
ask_for (HeddleWindow *window, const char *words)
{
  n_gestures++;
  desk_ask_for (window, words);
}

/* The same with the name that an array without one goes by now. */
static void
ask_for_array (HeddleWindow *window, const char *format, const char *value)
{
  g_autofree char *name = heddle_diagram_value_label (desk_diagram_of (window), value);
  g_autoptr (GString) words = g_string_new (format);

  g_string_replace (words, "{array}", name, 0);
  ask_for (window, words->str);
}

/* Keys back in the order of the outline until something is selected. */
static void
go_back_to (HeddleWindow *window, const char *id)
{
  n_gestures++;
  for (guint i = 0; heddle_editor_get_selected (desk_editor_of (window)) != id; i++)
    {
      g_assert_cmpuint (i, <, 20);
      robot_key (desk_canvas_of (window), GDK_KEY_bracketleft, 0);
    }
}

/* Heads of self-attention on what is selected, with the positions x and the features d. */
static void
attend_by_keyboard (HeddleWindow *window)
{
  const char *source = heddle_editor_get_selected (desk_editor_of (window)), *heads;

  ask_for (window, "linear h=8, k=64");
  heads = desk_result_of_selected (window);
  go_back_to (window, source);
  ask_for (window, "from d to h, k");
  n_gestures++;
  desk_name_result (window, "K");
  go_back_to (window, source);
  ask_for (window, "from d to h, k");
  ask_for (window, "K over k, each x");
  ask_for (window, "root of size");
  ask_for (window, "softmax");
  ask_for_array (window, "with {array} over x", heads);
  ask_for (window, "from h, k");
}

static void
test_heads_by_keyboard (void)
{
  HeddleWindow *window = open_fresh ();

  press_new (window);
  ask_for (window, "X[x=1024, d=512]");
  attend_by_keyboard (window);
  finish (window,
      "X : [x=1024, d=512]\nparam W : [d, h=8, k=64]\nparam W_2 : [d, h, k]\nparam W_3 : [d, h, k]\n"
      "param W_4 : [h, k, d]\nK[x,h,k] = X[x,d] W_2[d,h,k]\nt3[x,h,k] = X[x,d] W_3[d,h,k]\n"
      "t9[y,d] = (softmax[x](sum[k](t3[y,h,k] K[x,h,k]) * k^-0.5) sum[d](X[x,d] W[d,h,k])) W_4[h,k,d]",
      key_sizes);
}

static void
test_block_by_keyboard (void)
{
  HeddleWindow *window = open_fresh ();
  const char *sum;

  press_new (window);
  ask_for (window, "X[x=1024, d=512]");
  ask_for (window, "rms");
  attend_by_keyboard (window);
  ask_for (window, "add X");
  sum = desk_result_of_selected (window);
  ask_for (window, "rms");
  ask_for (window, "linear");
  ask_for (window, "gelu");
  ask_for (window, "to d");
  ask_for_array (window, "add {array}", sum);
  finish (window,
      "X : [x=1024, d=512]\nparam W : [d, h=8, k=64]\nparam W_2 : [d, h, k]\nparam W_3 : [d, h, k]\n"
      "param W_4 : [h, k, d]\nparam W_5 : [d, f=512]\nparam W_6 : [f, d]\nt1[x,d] = rmsnorm[d](X[x,d])\n"
      "K[x,h,k] = t1[x,d] W_2[d,h,k]\nt4[x,h,k] = t1[x,d] W_3[d,h,k]\n"
      "t12[y,d] = (softmax[x](sum[k](t4[y,h,k] K[x,h,k]) * k^-0.5) sum[d](t1[x,d] W[d,h,k])) W_4[h,k,d] + "
      "X[y,d]\n"
      "t17[y,d] = gelu(sum[d](rmsnorm[d](t12[y,d]) W_5[d,f])) W_6[f,d] + t12[y,d]",
      key_sizes);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/blocks/heads-by-mouse", test_heads_by_mouse);
  g_test_add_func ("/blocks/block-by-mouse", test_block_by_mouse);
  g_test_add_func ("/blocks/heads-by-keyboard", test_heads_by_keyboard);
  g_test_add_func ("/blocks/block-by-keyboard", test_block_by_keyboard);
  return g_test_run ();
}
