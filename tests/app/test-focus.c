/* SPDX-License-Identifier: MIT */

/* Whoever goes through a window by Tab sees where they are: at each stop the window looks other than it does without the ring. */

#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/preview.h"
#include "app/equations/equation-bar.h"
#include "app/window/window.h"
#include "diagram/document/schedule.h"
#include "focus-walk.h"
#include "robot.h"
#include "app/equations/equation-bar-private.h"
#include "app/window/private.h"

static void
test_window (void)
{
  HeddleWindow *window = focus_open_derived ();

  focus_walk_both (GTK_WIDGET (window), GTK_WIDGET (window));
  robot_close (window);
}

/* Whoever was typing when the equations fold, to make room for a label that is tried, is not left in what is hidden; nor do they unfold again
 * because of it, at each frame of the drag. */
static void
test_fold (void)
{
  HeddleWindow *window = focus_open_derived ();
  HeddleEditor *editor = heddle_window_get_editor (window);
  HeddleEquationBar *bar = HEDDLE_EQUATION_BAR (window->equation_bar);

  gtk_widget_grab_focus (GTK_WIDGET (bar));
  robot_settle (GTK_WIDGET (window));
  g_assert_true (gtk_widget_has_focus (bar->view));
  for (guint i = 0; i < 3; i++)
    {
      heddle_editor_set_preview_schedule (editor, heddle_schedule_copy (heddle_editor_get_schedule (editor)));
      focus_await_frame (GTK_WIDGET (window));
      g_assert_false (gtk_widget_get_visible (bar->card));
      g_assert_true (gtk_widget_has_focus (bar->expander));
    }
  robot_close (window);
}

static void
test_page (gconstpointer page)
{
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *switcher = robot_find (window->drawer, GTK_TYPE_STACK_SWITCHER, NULL, NULL);

  gtk_stack_set_visible_child_name (gtk_stack_switcher_get_stack (GTK_STACK_SWITCHER (switcher)), page);
  for (guint i = 0; i < 20; i++)
    robot_settle (GTK_WIDGET (window));
  focus_walk_both (GTK_WIDGET (window), window->drawer);
  robot_close (window);
}

static void
test_dialog (gconstpointer action)
{
  HeddleWindow *window = focus_open_derived ();
  GtkWidget *dialog = NULL;

  /* The help opens at the page of what is under the pointer, and else at its first one. */
  robot_move (GTK_WIDGET (window), 2., 2.);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), action, NULL));
  robot_until ((dialog = focus_find_dialog (window)) != NULL);
  for (guint i = 0; i < 20; i++)
    robot_settle (dialog);
  focus_walk_both (dialog, dialog);
  gtk_window_destroy (GTK_WINDOW (dialog));
  robot_close (window);
}

static void
test_start (void)
{
  HeddleWindow *window = robot_open_nothing ();

  focus_walk_both (GTK_WIDGET (window), GTK_WIDGET (window));
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/focus/start", test_start);
  g_test_add_func ("/focus/window", test_window);
  g_test_add_func ("/focus/fold", test_fold);
  g_test_add_data_func ("/focus/kernel", "kernel", test_page);
  g_test_add_data_func ("/focus/compare", "compare", test_page);
  g_test_add_data_func ("/focus/steps", "steps", test_page);
  g_test_add_data_func ("/focus/export", "win.export", test_dialog);
  g_test_add_data_func ("/focus/preferences", "win.preferences", test_dialog);
  g_test_add_data_func ("/focus/help", "win.help", test_dialog);
  return g_test_run ();
}
