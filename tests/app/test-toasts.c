/* SPDX-License-Identifier: MIT */

/* What is said in passing may be dismissed as fast as somebody can strike Escape. */

#include "app/editor/editor.h"
#include "app/edits/label.h"
#include "app/window/toasts.h"
#include "app/window/window.h"
#include "diagram/graph/diagram.h"
#include "robot.h"
#include "app/window/private.h"

static GtkWidget *
get_toast (HeddleWindow *window)
{
  GtkWidget *last = gtk_widget_get_last_child (GTK_WIDGET (window->toasts));

  return last != adw_toast_overlay_get_child (window->toasts) ? last : NULL;
}

static gboolean
has_risen (HeddleWindow *window)
{
  return get_toast (window) != NULL && gtk_widget_get_can_target (get_toast (window));
}

/* With the focus in the document, or in the toast itself. */
static void
test_dismiss (gconstpointer in_toast)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  GtkWidget *canvas = GTK_WIDGET (heddle_window_get_canvas (window));

  gtk_widget_grab_focus (canvas);
  for (guint i = 0; i < 3; i++)
    heddle_window_show_toast (window, "Said in passing");
  g_assert_false (has_risen (window));
  /* Each goes by itself in the end, where the machine is slower than a person. */
  do
    {
      robot_until (get_toast (window) == NULL || has_risen (window));
      if (in_toast != NULL && get_toast (window) != NULL)
        g_assert_true (gtk_widget_child_focus (get_toast (window), GTK_DIR_TAB_FORWARD));
      for (guint n = 0; n < 4; n++) /* the first dismisses it; the others come while the next one rises */
        robot_key (canvas, GDK_KEY_Escape, 0);
    }
  while (get_toast (window) != NULL);
  heddle_window_show_toast (window, "Said when it is closed");
  robot_settle (canvas);
  robot_close (window);
}

static gboolean
says (HeddleWindow *window, const char *text)
{
  g_autoptr (AdwToast) toast = NULL;

  if (!has_risen (window))
    return FALSE;
  g_object_get (get_toast (window), "toast", &toast, NULL);
  return g_str_equal (adw_toast_get_title (toast), text);
}

/* What is said later is not kept waiting, and what is undone is not told of any more. */
static void
test_overtaken (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);

  for (guint i = 0; i < 4; i++)
    {
      heddle_window_show_toast (window, i % 2 == 0 ? "First" : "Second");
      g_assert_false (has_risen (window));
      robot_until (says (window, i % 2 == 0 ? "First" : "Second"));
    }
  heddle_edits_rename (
      editor, heddle_diagram_find_axis (heddle_editor_get_diagram (editor), "x")->id, "n", NULL);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL));
  g_assert_false (has_risen (window)); /* it sinks at once, not after its time */
  robot_close (window);
}

/* --- the About window says that it copied the version: Escape closes it, and does not reach what rises --- */

static GtkWindow *
find_about (void)
{
  for (guint i = 0; i < g_list_model_get_n_items (gtk_window_get_toplevels ()); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (gtk_window_get_toplevels (), i);

      if (ADW_IS_ABOUT_WINDOW (window))
        return GTK_WINDOW (window);
    }
  return NULL;
}

static GtkWidget *
find_version (GtkWidget *widget)
{
  GtkWidget *found = NULL;

  if (GTK_IS_BUTTON (widget) && gtk_widget_has_css_class (widget, "app-version"))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_version (child);
  return found;
}

static void
test_about (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");

  for (guint i = 0; i < 3; i++)
    {
      GtkWidget *version, *overlay;

      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.about", NULL));
      robot_settle (GTK_WIDGET (find_about ()));
      version = find_version (GTK_WIDGET (find_about ()));
      overlay = adw_window_get_content (ADW_WINDOW (find_about ()));
      g_assert_nonnull (version);
      gtk_widget_grab_focus (version);
      robot_key (version, GDK_KEY_space, 0);
      robot_until (
          gtk_widget_get_last_child (overlay) != adw_toast_overlay_get_child (ADW_TOAST_OVERLAY (overlay)));
      g_assert_false (gtk_widget_get_can_target (gtk_widget_get_last_child (overlay)));
      robot_strike (GDK_KEY_Escape, 0);
      robot_until (find_about () == NULL);
    }
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/toasts/dismiss", NULL, test_dismiss);
  g_test_add_data_func ("/toasts/dismiss-focused", GINT_TO_POINTER (TRUE), test_dismiss);
  g_test_add_func ("/toasts/overtaken", test_overtaken);
  g_test_add_func ("/toasts/about", test_about);
  return g_test_run ();
}
