/* SPDX-License-Identifier: MIT */

/* The whole model made faster from the window: progress, what came of it, the result in a tab, and stopping. */

#include <glib/gstdio.h>

#include "app/editor/editor.h"
#include "app/editor/target.h"
#include "app/window/measure-window.h"
#include "app/window/optimise-window.h"
#include "app/window/pages.h"
#include "app/window/window.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
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

static gboolean
has_selected_text (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return gtk_label_get_selection_bounds (GTK_LABEL (widget), NULL, NULL);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_selected_text (child))
      return TRUE;
  return FALSE;
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
  robot_settle (GTK_WIDGET (dialog));
  g_assert_false (has_selected_text (GTK_WIDGET (dialog)));
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

static HeddleMeasureWindow *
find_measuring (void)
{
  for (guint i = 0; i < g_list_model_get_n_items (gtk_window_get_toplevels ()); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (gtk_window_get_toplevels (), i);

      if (HEDDLE_IS_MEASURE_WINDOW (window) && gtk_widget_get_mapped (GTK_WIDGET (window)))
        return HEDDLE_MEASURE_WINDOW (window);
    }
  return NULL;
}

static gboolean
says_why (HeddleMeasureWindow *window)
{
  const char *failure = heddle_measure_window_get_failure (window);

  return failure != NULL && *failure != '\0';
}

/* Where there is no GPU it says what is missing; where there is one its rates come. */
static void
test_measure (void)
{
  HeddleWindow *window = robot_open ("examples/softmax.ncd");
  HeddleMeasureWindow *dialog = NULL;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.measure", NULL);
  robot_until ((dialog = find_measuring ()) != NULL);
  robot_until (says_why (dialog) || heddle_measure_window_get_result (dialog) != NULL);
  if (says_why (dialog))
    g_assert_nonnull (strstr (heddle_measure_window_get_failure (dialog), "NVIDIA’s driver"));
  else
    g_assert_cmpuint (heddle_measure_window_get_result (dialog)->rows->len, ==, 7);
  gtk_window_close (GTK_WINDOW (dialog));
  robot_until (find_measuring () == NULL);
  robot_close (window);
}

/* A machine file that is written while a document is open can be chosen there at once. */
static void
test_machine_written (void)
{
  HeddleWindow *window = robot_open ("examples/softmax.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);
  g_autofree char *from = g_build_filename (g_getenv ("HEDDLE_DATADIR"), "hardware", "a10.machine", NULL);
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "heddle", "hardware", NULL);
  g_autofree char *to = g_build_filename (folder, "written-meanwhile.machine", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GString) other = NULL;
  const guint n = heddle_editor_get_machines (editor)->len;

  g_assert_true (g_file_get_contents (from, &text, NULL, NULL));
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  other = g_string_new (text);
  g_assert_cmpuint (g_string_replace (other, "Name=a10\n", "Name=written-meanwhile\n", 0), ==, 1);
  g_assert_true (g_file_set_contents (to, other->str, -1, NULL));
  heddle_editor_set_machine (editor, "written-meanwhile");
  g_assert_cmpstr (heddle_editor_get_machine (editor)->name, !=, "written-meanwhile");
  heddle_window_reload_machines (window);
  g_assert_cmpuint (heddle_editor_get_machines (editor)->len, ==, n + 1);
  heddle_editor_set_machine (editor, "written-meanwhile");
  g_assert_cmpstr (heddle_editor_get_machine (editor)->name, ==, "written-meanwhile");
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpint (g_remove (to), ==, 0);
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_autofree char *own = g_dir_make_tmp ("heddle-optimise-XXXXXX", NULL);

  /* Other tests list the machines of the shared folder meanwhile. */
  g_setenv ("XDG_DATA_HOME", own, TRUE);
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/optimise/result", test_result);
  g_test_add_func ("/optimise/stop", test_stop);
  g_test_add_func ("/optimise/measure", test_measure);
  g_test_add_func ("/optimise/machine-written", test_machine_written);
  return g_test_run ();
}
