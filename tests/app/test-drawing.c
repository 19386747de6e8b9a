/* SPDX-License-Identifier: MIT */

/* A residual network is drawn in a real window without a word in the equation bar: layers with weights, names, sums and products. */

#include "app/editor/editor.h"
#include "app/window/actions.h"
#include "app/window/insert.h"
#include "app/window/window.h"
#include "diagram/graph/diagram.h"
#include "files/equations/write.h"
#include "robot.h"
#include "app/window/private.h"

static HeddleEditor *
editor_of (HeddleWindow *window)
{
  return heddle_window_get_editor (window);
}

static HeddleDiagram *
diagram_of (HeddleWindow *window)
{
  return heddle_editor_get_diagram (editor_of (window));
}

static GtkWidget *
canvas_of (HeddleWindow *window)
{
  return GTK_WIDGET (heddle_window_get_canvas (window));
}

static char *
equations_of (HeddleWindow *window)
{
  g_autofree char *text = heddle_equations_write (diagram_of (window));

  return g_strdup (g_strchomp (text));
}

static HeddleWindow *
open_new (void)
{
  HeddleWindow *window = robot_open_nothing ();

  robot_key (GTK_WIDGET (window), GDK_KEY_n, GDK_CONTROL_MASK);
  robot_until (!heddle_window_is_empty (window));
  robot_settle (GTK_WIDGET (window));
  return window;
}

/* Types some words into the popover that is open and takes the first offer. */
static void
answer (HeddleWindow *window, const char *words)
{
  const guint n = diagram_of (window)->values->len;

  robot_until (gtk_widget_get_mapped (window->quick_insert));
  robot_type (canvas_of (window), words);
  robot_key (canvas_of (window), GDK_KEY_Return, 0);
  robot_until (diagram_of (window)->values->len > n);
  robot_until (!gtk_widget_get_mapped (window->quick_insert));
  robot_settle (canvas_of (window));
}

static void
ask_for (HeddleWindow *window, const char *words)
{
  robot_key (canvas_of (window), GDK_KEY_slash, 0);
  answer (window, words);
}

/* What the selected operation makes. */
static void
name_result (HeddleWindow *window, const char *name)
{
  robot_key (canvas_of (window), GDK_KEY_F2, 0);
  robot_until (robot_find (canvas_of (window), GTK_TYPE_ENTRY, "label-entry", NULL) != NULL);
  robot_type (canvas_of (window), name);
  robot_key (canvas_of (window), GDK_KEY_Return, 0);
  robot_until (heddle_diagram_find_value (diagram_of (window), name) != NULL);
  robot_settle (canvas_of (window));
}

static void
test_keyboard (void)
{
  HeddleWindow *window = open_new ();
  g_autofree char *text = NULL;

  ask_for (window, "X[n=64, d=32]");
  ask_for (window, "rms");
  name_result (window, "R");
  ask_for (window, "linear");
  ask_for (window, "silu");
  name_result (window, "A");
  ask_for (window, "to d");
  ask_for (window, "add");
  text = equations_of (window);
  g_assert_cmpstr (text, ==,
      "X : [n=64, d=32]\nparam W : [d, f=32]\nparam W_2 : [f, d]\n"
      "R[n,d] = rmsnorm[d](X[n,d])\n"
      "A[n,f] = silu(R[n,d] W[d,f])\n"
      "t1[n,d] = A[n,f] W_2[f,d] + X[n,d]");
  robot_close (window);
}

/* A linear layer leads to several axes at once, as the heads of attention ask; axes that are there are taken. */
static void
test_linear_to_several (void)
{
  HeddleWindow *window = open_new ();
  g_autofree char *text = NULL;

  ask_for (window, "X[n=64, d=32]");
  ask_for (window, "linear h=8, k=64");
  name_result (window, "Q");
  ask_for (window, "Y[m=64, d]");
  ask_for (window, "linear layer to h, k");
  text = equations_of (window);
  g_assert_cmpstr (text, ==,
      "X : [n=64, d=32]\nparam W : [d, h=8, k=64]\nY : [m=64, d]\nparam W_2 : [d, h, k]\n"
      "Q[n,h,k] = X[n,d] W[d,h,k]\nt1[m,h,k] = Y[m,d] W_2[d,h,k]");
  robot_close (window);
}

/* What takes two arrays is dropped on one, and asks which is the other. */
static void
test_drop_on_one (void)
{
  HeddleWindow *window = open_new ();
  GtkWidget *tile = robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "palette-tile", "Multiply two arrays");
  g_autofree char *text = NULL;
  double x, y;

  ask_for (window, "A[n=64, d=32]");
  ask_for (window, "B[n, d]");
  g_assert_nonnull (tile);
  robot_wire_point (window, heddle_diagram_find_value (diagram_of (window), "A")->id,
      heddle_diagram_find_axis (diagram_of (window), "n")->id, &x, &y);
  robot_drag (tile, 24, 24, canvas_of (window), x, y);
  answer (window, ""); /* there is only one */
  text = equations_of (window);
  g_assert_cmpstr (text, ==, "A : [n=64, d=32]\nB : [n, d]\nt1[n,d] = A[n,d] B[n,d]");
  robot_close (window);
}

/* A formula goes on from what is selected; what is nothing of all that is told how it is written. */
static void
test_formula (void)
{
  HeddleWindow *window = open_new ();
  GtkWidget *list = robot_find (window->quick_insert, GTK_TYPE_LIST_BOX, NULL, NULL);
  GtkWidget *placeholder = robot_find (list, GTK_TYPE_LABEL, "dim-label", NULL);
  g_autofree char *text = NULL;

  ask_for (window, "X[n=64, d=32]");
  robot_key (canvas_of (window), GDK_KEY_slash, 0);
  robot_until (gtk_widget_get_mapped (window->quick_insert));
  robot_type (canvas_of (window), "d^");
  robot_until (gtk_widget_get_mapped (placeholder));
  robot_key (canvas_of (window), GDK_KEY_a, GDK_CONTROL_MASK);
  answer (window, "* d^-0.5");
  text = equations_of (window);
  g_assert_cmpstr (text, ==, "X : [n=64, d=32]\nt1[n,d] = X[n,d] * d^-0.5");
  robot_close (window);
}

/* Whoever still holds the popover when its window is gone, as GTK 4.8 may, does not hold the document. */
static void
test_left_behind (void)
{
  HeddleWindow *window = open_new ();
  g_autoptr (GtkWidget) quick_insert = g_object_ref (window->quick_insert);
  gpointer editor = editor_of (window);

  g_object_add_weak_pointer (editor, &editor);
  heddle_window_open_quick_insert (window);
  robot_until (gtk_widget_get_mapped (quick_insert));
  robot_close (window);
  robot_until (editor == NULL);
}

/* Nor does whoever still holds a tab that is closed in a window that stays. */
static void
test_closed_tab_left_behind (void)
{
  HeddleWindow *window = open_new ();
  g_autoptr (GtkWidget) page = g_object_ref (GTK_WIDGET (window->page));
  gpointer editor = editor_of (window);

  g_object_add_weak_pointer (editor, &editor);
  robot_key (canvas_of (window), GDK_KEY_n, GDK_CONTROL_MASK); /* another tab */
  robot_until (GTK_WIDGET (window->page) != page);
  adw_tab_view_close_page (
      ADW_TAB_VIEW (window->tab_view), adw_tab_view_get_page (ADW_TAB_VIEW (window->tab_view), page));
  robot_until (editor == NULL);
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/drawing/keyboard", test_keyboard);
  g_test_add_func ("/drawing/formula", test_formula);
  g_test_add_func ("/drawing/linear-to-several", test_linear_to_several);
  g_test_add_func ("/drawing/drop-on-one", test_drop_on_one);
  g_test_add_func ("/drawing/left-behind", test_left_behind);
  g_test_add_func ("/drawing/closed-tab-left-behind", test_closed_tab_left_behind);
  return g_test_run ();
}
