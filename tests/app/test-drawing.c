/* SPDX-License-Identifier: MIT */

/* A residual network is drawn in a real window without a word in the equation bar: layers with weights, names, sums and products. */

#include "app/editor/editor.h"
#include "app/window/actions.h"
#include "app/window/insert.h"
#include "app/window/window.h"
#include "diagram/graph/diagram.h"
#include "desk.h"
#include "robot.h"
#include "app/window/private.h"

static HeddleWindow *
open_new (void)
{
  HeddleWindow *window = robot_open_nothing ();

  robot_key (GTK_WIDGET (window), GDK_KEY_n, GDK_CONTROL_MASK);
  robot_until (!heddle_window_is_empty (window));
  robot_settle (GTK_WIDGET (window));
  return window;
}

static void
test_keyboard (void)
{
  HeddleWindow *window = open_new ();
  g_autofree char *text = NULL;

  desk_ask_for (window, "X[n=64, d=32]");
  desk_ask_for (window, "rms");
  desk_name_result (window, "R");
  desk_ask_for (window, "linear");
  desk_ask_for (window, "silu");
  desk_name_result (window, "A");
  desk_ask_for (window, "to d");
  desk_ask_for (window, "add");
  text = desk_equations_of (window);
  g_assert_cmpstr (text, ==,
      "X : [n=64, d=32]\nparam W : [d, f=32]\nparam W_2 : [f, d]\n"
      "R[n,d] = rmsnorm[d](X[n,d])\n"
      "A[n,f] = silu(R[n,d] W[d,f])\n"
      "t5[n,d] = A[n,f] W_2[f,d] + X[n,d]");
  robot_close (window);
}

/* A linear layer leads to several axes at once, as the heads of attention ask; axes that are there are taken. */
static void
test_linear_to_several (void)
{
  HeddleWindow *window = open_new ();
  g_autofree char *text = NULL;

  desk_ask_for (window, "X[n=64, d=32]");
  desk_ask_for (window, "linear h=8, k=64");
  desk_name_result (window, "Q");
  desk_ask_for (window, "Y[m=64, d]");
  desk_ask_for (window, "linear layer to h, k");
  text = desk_equations_of (window);
  g_assert_cmpstr (text, ==,
      "X : [n=64, d=32]\nparam W : [d, h=8, k=64]\nY : [m=64, d]\nparam W_2 : [d, h, k]\n"
      "Q[n,h,k] = X[n,d] W[d,h,k]\nt2[m,h,k] = Y[m,d] W_2[d,h,k]");
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

  desk_ask_for (window, "A[n=64, d=32]");
  desk_ask_for (window, "B[n, d]");
  g_assert_nonnull (tile);
  robot_wire_point (window, heddle_diagram_find_value (desk_diagram_of (window), "A")->id,
      heddle_diagram_find_axis (desk_diagram_of (window), "n")->id, &x, &y);
  robot_drag (tile, 24, 24, desk_canvas_of (window), x, y);
  desk_answer (window, ""); /* there is only one */
  text = desk_equations_of (window);
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

  desk_ask_for (window, "X[n=64, d=32]");
  robot_key (desk_canvas_of (window), GDK_KEY_slash, 0);
  robot_until (gtk_widget_get_mapped (window->quick_insert));
  robot_type (desk_canvas_of (window), "d^");
  robot_until (gtk_widget_get_mapped (placeholder));
  robot_key (desk_canvas_of (window), GDK_KEY_a, GDK_CONTROL_MASK);
  desk_answer (window, "* d^-0.5");
  text = desk_equations_of (window);
  g_assert_cmpstr (text, ==, "X : [n=64, d=32]\nt1[n,d] = X[n,d] * d^-0.5");
  robot_close (window);
}

/* Whoever still holds the popover when its window is gone, as GTK 4.8 may, does not hold the document. */
static void
test_left_behind (void)
{
  HeddleWindow *window = open_new ();
  g_autoptr (GtkWidget) quick_insert = g_object_ref (window->quick_insert);
  gpointer editor = desk_editor_of (window);

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
  gpointer editor = desk_editor_of (window);

  g_object_add_weak_pointer (editor, &editor);
  robot_key (desk_canvas_of (window), GDK_KEY_n, GDK_CONTROL_MASK); /* another tab */
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
