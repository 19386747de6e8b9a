/* SPDX-License-Identifier: MIT */

/* Where documents and figures go: over another file only where the person was asked about just that, and the document that was asked about.
 * Real windows and the desktop's dialog. */

#include <glib/gstdio.h>

#include "app/documents/session.h"
#include "app/export/dialog.h"
#include "app/widgets/settings.h"
#include "app/window/open.h"
#include "app/window/window.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "desk.h"
#include "app/window/private.h"
#include "app/window/save.h"

static guint
n_operations_in (const char *path)
{
  g_autoptr (HeddleSnapshot) saved = desk_load (path);

  return saved != NULL ? heddle_snapshot_get_diagram (saved, NULL)->operations->len : 0;
}

static gboolean
begins_in (HeddleWindow *window, const char *folder)
{
  g_autoptr (GFile) wanted = g_file_new_for_path (folder);
  g_autoptr (GFile) shown = gtk_file_chooser_get_current_folder (GTK_FILE_CHOOSER (window->chooser));

  return shown != NULL && g_file_equal (shown, wanted);
}

/* In the desktop's dialog, when it is there and shows the folder of the document, up to the button that writes. The whole path is typed. */
static void
name_file (HeddleWindow *window, const char *folder, const char *name, const char *button)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  robot_until (window->chooser != NULL && desk_find_anywhere (button) != NULL);
  robot_until (begins_in (window, folder));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (window->chooser), path);
  robot_settle (desk_find_anywhere (button));
  desk_click_button (button);
}

/* The question comes when the dialog has gone. */
static void
keep_what_is_there (HeddleWindow *window)
{
  robot_until (window->chooser == NULL && desk_find_anywhere ("_Replace") != NULL);
  desk_press_button ("_Cancel");
}

/* --- documents --- */

static void
save_as (HeddleWindow *window, const char *folder, const char *name)
{
  robot_key (desk_canvas_of (window), GDK_KEY_s, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  name_file (window, folder, name, "_Save");
}

/* Also where only the suffix, which is added, makes it another file. */
static void
test_save_as (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *other = g_build_filename (folder, "other.ncd", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (other);

  desk_copy_example ("softmax.ncd", other);
  desk_delete_softmax (window);
  save_as (window, folder, "other");
  keep_what_is_there (window);
  g_assert_cmpuint (n_operations_in (other), ==, 1);
  g_assert_true (heddle_session_is_unsaved (desk_session_of (window)));

  save_as (window, folder, "other.ncd"); /* the desktop's dialog asks by itself */
  desk_press_button ("_Replace");
  robot_until (!heddle_session_is_unsaved (desk_session_of (window)));
  g_assert_true (g_file_equal (heddle_session_get_file (desk_session_of (window)), file));
  g_assert_cmpuint (n_operations_in (other), ==, 3);
  g_assert_cmpuint (n_operations_in (path), ==, 4);
  robot_close (window);
  g_unlink (other);
  desk_remove_with_folder (path);
}

static void
test_replace (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *other = g_build_filename (folder, "other.ncd", NULL);

  desk_copy_example ("softmax.ncd", other);
  desk_delete_softmax (window);
  save_as (window, folder, "other");
  desk_press_button ("_Replace");
  robot_until (!heddle_session_is_unsaved (desk_session_of (window)));
  g_assert_cmpuint (n_operations_in (other), ==, 3);
  robot_close (window);
  g_unlink (other);
  desk_remove_with_folder (path);
}

/* --- figures --- */

static GtkWidget *
find_dialog (void)
{
  GtkWidget *button = desk_find_anywhere ("_Export…");
  GtkWidget *window = button != NULL ? GTK_WIDGET (gtk_widget_get_root (button)) : NULL;

  return HEDDLE_IS_EXPORT_DIALOG (window) ? window : NULL;
}

static void
open_dialog (HeddleWindow *window)
{
  robot_key (desk_canvas_of (window), GDK_KEY_e, GDK_CONTROL_MASK);
  robot_until (find_dialog () != NULL);
  robot_settle (find_dialog ());
}

static void
export_as (HeddleWindow *window, const char *folder, const char *name)
{
  open_dialog (window);
  desk_press_button ("_Export…");
  name_file (window, folder, name, "_Export");
}

static void
test_export_replace (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *figure = g_build_filename (folder, "figure.svg", NULL), *now = NULL;

  g_assert_true (g_file_set_contents (figure, "another", -1, NULL));
  export_as (window, folder, "figure");
  keep_what_is_there (window);
  robot_settle (GTK_WIDGET (window));
  g_assert_true (g_file_get_contents (figure, &now, NULL, NULL));
  g_assert_cmpstr (now, ==, "another");

  export_as (window, folder, "figure");
  desk_press_button ("_Replace");
  robot_until (n_operations_in (figure) == 4);
  robot_close (window);
  g_unlink (figure);
  desk_remove_with_folder (path);
}

/* Another document in the same window, with one operation less. */
static void
open_second (HeddleWindow *window, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  desk_copy_example ("attention.ncd", path);
  g_assert_true (heddle_window_open_file (window, file));
  robot_settle (GTK_WIDGET (window));
  desk_delete_softmax (window);
}

static void
bring_to_front (HeddleWindow *window, const char *path, GtkWidget *asking)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  heddle_window_show_or_open (window, file);
  robot_settle (GTK_WIDGET (window));
  g_assert_true (g_file_equal (heddle_session_get_file (desk_session_of (window)), file));
  gtk_window_present (GTK_WINDOW (asking));
}

/* While the person is asked how and where to export another document comes to the front, as when a file is opened from elsewhere. */
static void
test_export_other_in_front (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *second = g_build_filename (folder, "second.ncd", NULL),
                  *figure = g_build_filename (folder, "figure.svg", NULL);

  open_second (window, second);
  open_dialog (window);
  bring_to_front (window, path, find_dialog ());
  desk_press_button ("_Export…");
  robot_until (window->chooser != NULL && desk_find_anywhere ("_Export") != NULL);
  bring_to_front (window, path, GTK_WIDGET (gtk_widget_get_root (desk_find_anywhere ("_Export"))));
  name_file (window, folder, "figure.svg", "_Export");
  robot_until (n_operations_in (figure) != 0);
  g_assert_cmpuint (n_operations_in (figure), ==, 3);
  heddle_window_save (window);
  g_assert_cmpuint (n_operations_in (second), ==, 3); /* it is the one that is shown */
  robot_close (window);
  g_unlink (figure);
  g_unlink (second);
  desk_remove_with_folder (path);
}

int
main (int argc, char **argv)
{
  g_autofree char *state = NULL;

  g_test_init (&argc, &argv, NULL);
  /* What other tests leave is not what is looked for here. */
  state = g_strdup_printf ("%s/places-%d", g_getenv ("XDG_STATE_HOME"), (int) getpid ());
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_setenv ("XDG_DATA_HOME", state, TRUE);
  heddle_settings_set_string ("export-format", ".svg");
  g_test_add_func ("/places/save-as", test_save_as);
  g_test_add_func ("/places/replace", test_replace);
  g_test_add_func ("/places/export-replace", test_export_replace);
  g_test_add_func ("/places/export-other-in-front", test_export_other_in_front);
  return g_test_run ();
}
