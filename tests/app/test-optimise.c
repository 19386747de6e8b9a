/* SPDX-License-Identifier: MIT */

/* The whole model made faster from the window: progress, what came of it, the result in a tab, and stopping. */

#include "app/optimise/optimise-window.h"
#include "app/window-private.h"
#include "robot.h"

static HeddleOptimiseWindow *
find_window (void)
{
  for (guint i = 0; i < g_list_model_get_n_items (gtk_window_get_toplevels ()); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (gtk_window_get_toplevels (), i);

      if (HEDDLE_IS_OPTIMISE_WINDOW (window) && gtk_widget_get_mapped (GTK_WIDGET (window)))
        return HEDDLE_OPTIMISE_WINDOW (window);
    }
  return NULL;
}

static GtkWidget *
find_named (GtkWidget *root, const char *name)
{
  if (g_strcmp0 (gtk_widget_get_name (root), name) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_named (child, name);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
click (HeddleOptimiseWindow *window, const char *name)
{
  GtkWidget *button = find_named (GTK_WIDGET (window), name);

  g_assert_nonnull (button);
  robot_until (gtk_widget_get_mapped (button) && gtk_widget_get_width (button) > 0);
  robot_settle (button);
  /* nothing is left to wait for on a window that this closes */
  robot_point (button, gtk_widget_get_width (button) / 2., gtk_widget_get_height (button) / 2.);
  robot_button (1, TRUE);
  robot_button (1, FALSE);
}

static HeddleOptimiseWindow *
begin (HeddleWindow *window)
{
  HeddleOptimiseWindow *dialog = NULL;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.optimise", NULL);
  robot_until ((dialog = find_window ()) != NULL);
  return dialog;
}

/* What is opened is the result, with its kernels and labels, as a document that was never saved. */
static void
test_result (void)
{
  HeddleWindow *window = robot_open ("examples/softmax.ncd");
  HeddleOptimiseWindow *dialog = begin (window);
  const HeddleEditor *before = heddle_window_get_editor (window);
  const HeddleSnapshot *snapshot;
  const HeddleSchedule *schedule;
  const HeddleDiagram *diagram;

  robot_until (heddle_optimise_window_get_result (dialog) != NULL);
  g_assert_cmpuint (heddle_optimise_window_get_result (dialog)->after.kernels, ==, 1);
  click (dialog, "optimise-open");
  robot_until (find_window () == NULL);
  robot_until (heddle_window_get_editor (window) != before);
  snapshot = heddle_document_get_snapshot (heddle_editor_get_document (heddle_window_get_editor (window)));
  diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  schedule = heddle_snapshot_find_schedule (snapshot, diagram);
  g_assert_nonnull (schedule);
  g_assert_cmpuint (schedule->regions->len, ==, 1);
  g_assert_cmpstr (schedule->gpu, ==, "h100-sxm");
  robot_close (window);
}

/* Stopped in its midst, nothing comes of it, and the window is as it was. */
static void
test_stop (void)
{
  HeddleWindow *window = robot_open ("examples/unet.ncd");
  const HeddleEditor *before = heddle_window_get_editor (window);
  HeddleOptimiseWindow *dialog = begin (window);
  gpointer watched = dialog;

  g_object_add_weak_pointer (G_OBJECT (dialog), &watched);
  click (dialog, "optimise-cancel");
  robot_until (find_window () == NULL);
  robot_until (watched == NULL);
  g_assert_true (heddle_window_get_editor (window) == before);
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/optimise/result", test_result);
  g_test_add_func ("/optimise/stop", test_stop);
  return g_test_run ();
}
