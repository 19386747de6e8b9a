/* SPDX-License-Identifier: MIT */

/* Figures leave by the export dialog: what is seen there is what is written, and what is written is what the command line writes. */

#include <glib/gstdio.h>

#include "app/derivation/actions.h"
#include "app/derivation/suggestion-actions.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/target.h"
#include "app/export/choice.h"
#include "app/export/checks.h"
#include "app/export/dialog-private.h"
#include "app/export/dialog.h"
#include "app/export/preview.h"
#include "app/widgets/settings.h"
#include "app/window/export.h"
#include "app/window/print.h"
#include "app/window/window.h"
#include "figure/layout/figure-spec.h"
#include "figure/scene/figure-theme.h"
#include "files/base/files.h"
#include "robot.h"
#include "app/window/private.h"
#include "derive/machine/find.h"

static HeddleExportDialog *
find_dialog (void)
{
  for (guint i = 0; i < g_list_model_get_n_items (gtk_window_get_toplevels ()); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (gtk_window_get_toplevels (), i);

      if (HEDDLE_IS_EXPORT_DIALOG (window) && gtk_widget_get_mapped (GTK_WIDGET (window)))
        return HEDDLE_EXPORT_DIALOG (window);
    }
  return NULL;
}

static HeddleExportDialog *
open_dialog (HeddleWindow *window)
{
  HeddleExportDialog *dialog = NULL;

  robot_key (GTK_WIDGET (heddle_window_get_canvas (window)), GDK_KEY_e, GDK_CONTROL_MASK);
  robot_until ((dialog = find_dialog ()) != NULL);
  robot_settle (GTK_WIDGET (dialog));
  return dialog;
}

static GtkWidget *
preview_of (HeddleExportDialog *dialog)
{
  return robot_find (GTK_WIDGET (dialog), HEDDLE_TYPE_EXPORT_PREVIEW, NULL, NULL);
}

static GtkWidget *
find_label (GtkWidget *root, const char *start)
{
  if (GTK_IS_LABEL (root) && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (root)), start))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_label (child, start);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static GtkWidget *
row_of (HeddleExportDialog *dialog, const char *title)
{
  GtkWidget *label = find_label (GTK_WIDGET (dialog), title);

  return label != NULL ? gtk_widget_get_ancestor (label, ADW_TYPE_PREFERENCES_ROW) : NULL;
}

static void
set_string (const char *key, const char *value)
{
  g_settings_set_string (heddle_settings_get (), key, value);
}

/* --- the dialog --- */

/* ICML's column is 3.25 in: at the 96 dots per inch of the test's screen that is 312 px. */
static void
test_true_size (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  HeddleExportDialog *dialog = NULL;
  GdkMonitor *monitor = NULL;
  GdkRectangle area;
  double dpi;

  set_string ("export-format", ".pdf");
  set_string ("export-width", "venue");
  set_string ("export-venue", "icml-column");
  dialog = open_dialog (window);
  robot_until (gtk_widget_get_width (preview_of (dialog)) > 100);
  monitor = gdk_display_get_monitor_at_surface (
      gdk_display_get_default (), gtk_native_get_surface (GTK_NATIVE (dialog)));
  gdk_monitor_get_geometry (monitor, &area);
  dpi = area.width * 25.4 / gdk_monitor_get_width_mm (monitor);
  g_assert_cmpfloat (ABS (gtk_widget_get_width (preview_of (dialog)) - 3.25 * dpi), <, 1.01);
  g_assert_nonnull (find_label (GTK_WIDGET (dialog), "3.25 × "));

  /* A row changes what is seen: the whole text's width of CVPR is 6.875 in, its column 3.25 in. */
  adw_combo_row_set_selected (ADW_COMBO_ROW (row_of (dialog, "Width")), 1 + 5);
  robot_until (ABS (gtk_widget_get_width (preview_of (dialog)) - 6.875 * dpi) < 1.01);
  gtk_window_close (GTK_WINDOW (dialog));
  robot_until (find_dialog () == NULL);
  robot_close (window);
}

/* Letters too small for print are found, and shown. */
static void
test_checks (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  HeddleExportDialog *dialog = NULL;
  GtkWidget *button = NULL;

  set_string ("export-width", "custom");
  g_settings_set_double (heddle_settings_get (), "export-width-inches", 1.5);
  dialog = open_dialog (window);
  robot_until ((button = find_label (GTK_WIDGET (dialog), "Show Me")) != NULL);
  g_assert_null (heddle_export_preview_get_pointed_out (HEDDLE_EXPORT_PREVIEW (preview_of (dialog))));
  g_assert_true (g_str_has_prefix (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (
                                       gtk_widget_get_ancestor (button, ADW_TYPE_PREFERENCES_ROW))),
      "The text “"));
  /* By keyboard: what has the focus is scrolled to. */
  button = gtk_widget_get_ancestor (button, GTK_TYPE_BUTTON);
  gtk_widget_grab_focus (button);
  robot_key (GTK_WIDGET (dialog), GDK_KEY_space, 0);
  g_assert_nonnull (heddle_export_preview_get_pointed_out (HEDDLE_EXPORT_PREVIEW (preview_of (dialog))));
  gtk_window_close (GTK_WINDOW (dialog));
  robot_until (find_dialog () == NULL);
  robot_close (window);
}

/* --- the same bytes --- */

static void
run (const char *command, const char *folder)
{
  g_autofree char *rest = g_strdup (command + strlen ("heddle"));
  g_autofree char *line = g_strdup_printf ("%s%s", g_getenv ("HEDDLE"), rest);
  g_auto (GStrv) argv = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *messages = NULL;
  int status;

  g_assert_true (g_shell_parse_argv (line, NULL, &argv, &error));
  g_assert_true (g_spawn_sync (folder, argv, NULL, 0, NULL, NULL, NULL, &messages, &status, &error));
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, NULL));
}

static gboolean
is_there (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
compare_with_command (HeddleWindow *window, const char *folder, HeddleExportChoice *choice, const char *name)
{
  g_autofree char *own = g_strconcat (folder, "/window-", name, NULL);
  g_autofree char *other = g_strconcat (folder, "/line-", name, NULL);
  g_autofree char *output = g_strconcat ("line-", name, NULL);
  HeddleEditor *editor = heddle_window_get_editor (window);
  const HeddleExportOptions options
      = heddle_export_choice_options (choice, heddle_editor_get_diagram (editor)->name,
          heddle_editor_get_machine (editor)->name, heddle_editor_get_dtype (editor));
  g_autofree char *command = heddle_export_choice_command (choice, &options, "attention.ncd", output);
  g_autofree char *a = NULL, *b = NULL;
  gsize a_length, b_length;

  heddle_window_export_to (window, choice, own);
  robot_until (is_there (own));
  run (command, folder);
  g_assert_true (g_file_get_contents (own, &a, &a_length, NULL));
  g_assert_true (g_file_get_contents (other, &b, &b_length, NULL));
  g_assert_cmpmem (a, a_length, b, b_length);
  g_unlink (own);
  g_unlink (other);
}

static void
test_same_bytes (void)
{
  g_autofree char *folder = g_dir_make_tmp ("heddle-take-away-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "attention.ncd", NULL);
  g_autofree char *source = g_build_filename (heddle_data_directory (), "examples", "attention.ncd", NULL);
  g_autofree char *data = NULL;
  HeddleExportChoice *choice = NULL;
  HeddleWindow *window = NULL;

  g_file_get_contents (source, &data, NULL, NULL);
  g_file_set_contents (path, data, -1, NULL);
  window = robot_open_path (path);
  choice = heddle_export_choice_load ();
  choice->width = HEDDLE_WIDTH_NATURAL;
  compare_with_command (window, folder, choice, "plain.svg");
  choice->width = HEDDLE_WIDTH_VENUE;
  g_free (choice->venue);
  choice->venue = g_strdup ("neurips");
  choice->theme = HEDDLE_THEME_DARK;
  choice->outlines = TRUE;
  choice->no_source = TRUE;
  choice->legend = TRUE;
  compare_with_command (window, folder, choice, "venue.svg");
  choice->width = HEDDLE_WIDTH_CUSTOM;
  choice->width_in = 4.2;
  choice->wrap = HEDDLE_WRAP_CUSTOM;
  choice->wrap_in = 2.5;
  choice->dpi = 120;
  g_free (choice->suffix);
  choice->suffix = g_strdup (".png");
  compare_with_command (window, folder, choice, "wrapped.png");
  choice->picture = HEDDLE_EXPORT_ROOFLINE;
  compare_with_command (window, folder, choice, "roofline.png");
  g_free (choice->suffix);
  choice->suffix = g_strdup (".cu");
  compare_with_command (window, folder, choice, "kernel.cu");
  heddle_export_choice_free (choice);
  robot_close (window);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Ctrl+Shift+E goes to the same place without a question; without a place it asks. */
static void
test_again (void)
{
  HeddleWindow *window = robot_open ("examples/softmax.ncd");
  GtkWidget *canvas = GTK_WIDGET (heddle_window_get_canvas (window));
  g_autoptr (HeddleExportChoice) choice = heddle_export_choice_load ();
  g_autofree char *path = g_strdup_printf ("%s/heddle-again-%d.svg", g_get_tmp_dir (), (int) getpid ());

  robot_key (canvas, GDK_KEY_e, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  robot_until (find_dialog () != NULL);
  gtk_window_close (GTK_WINDOW (find_dialog ()));
  robot_until (find_dialog () == NULL);
  g_free (choice->suffix);
  choice->suffix = g_strdup (".svg");
  heddle_window_export_to (window, choice, path);
  robot_until (is_there (path));
  g_unlink (path);
  gtk_widget_grab_focus (canvas);
  robot_key (canvas, GDK_KEY_e, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  robot_until (is_there (path));
  g_assert_null (find_dialog ());
  g_unlink (path);
  robot_close (window);
}

static gboolean
is_told (HeddleWindow *window)
{
  return find_label (window->notices, "Exporting “kernel.cu”…") != NULL;
}

/* What takes long is told of, and can be called off; nothing is written then. */
static void
test_cancel (void)
{
  HeddleWindow *window = robot_open ("examples/mixtral.ncd");
  g_autoptr (HeddleExportChoice) choice = heddle_export_choice_load ();
  g_autofree char *folder = g_dir_make_tmp ("heddle-take-away-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "kernel.cu", NULL);

  g_free (choice->suffix);
  choice->suffix = g_strdup (".cu");
  heddle_window_export_to (window, choice, path);
  g_assert_false (is_told (window));
  robot_until (is_told (window));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel-exports", NULL);
  robot_until (!is_told (window));
  g_assert_cmpuint (window->exports->len, ==, 0);
  g_assert_false (is_there (path));
  robot_close (window);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* What was chosen is there the next time. */
static void
test_remembered (void)
{
  g_autoptr (HeddleExportChoice) choice = heddle_export_choice_load ();
  g_autoptr (HeddleExportChoice) again = NULL;

  g_free (choice->suffix);
  choice->suffix = g_strdup (".tex");
  choice->theme = HEDDLE_THEME_CONTRAST;
  choice->show = HEDDLE_SHOW_LABELS | HEDDLE_SHOW_COLUMNS;
  choice->wrap = HEDDLE_WRAP_NONE;
  heddle_export_choice_save (choice);
  again = heddle_export_choice_load ();
  g_assert_cmpstr (again->suffix, ==, ".tex");
  g_assert_cmpint (again->theme, ==, HEDDLE_THEME_CONTRAST);
  g_assert_cmpint (again->show, ==, HEDDLE_SHOW_LABELS | HEDDLE_SHOW_COLUMNS);
  g_assert_cmpint (again->wrap, ==, HEDDLE_WRAP_NONE);
}

/* Activates @action and leaves the dialog that it opens: the kind of file and the picture it offered. */
static HeddleExportChoice *
offered_by (HeddleWindow *window, const char *action)
{
  HeddleExportDialog *dialog = NULL;
  HeddleExportChoice *choice = NULL;

  gtk_widget_activate_action (GTK_WIDGET (window), action, NULL);
  robot_until ((dialog = find_dialog ()) != NULL);
  choice = heddle_export_choice_copy (heddle_export_dialog_get_choice (dialog));
  gtk_window_close (GTK_WINDOW (dialog));
  robot_until (find_dialog () == NULL);
  return choice;
}

/* The dialog offers what was asked for, whatever was exported last, and what is left is not remembered. */
static void
test_kinds (void)
{
  static const struct
  {
    const char *last, *action, *suffix;
    HeddleExportPicture picture;
  } cases[] = {
    { ".svg", "win.export-kernel", ".cu", HEDDLE_EXPORT_DIAGRAM },
    { ".eq", "win.export-kernel", ".cu", HEDDLE_EXPORT_DIAGRAM },
    { ".ptx", "win.export-kernel", ".ptx", HEDDLE_EXPORT_DIAGRAM },
    { ".svg", "win.export-module", ".py", HEDDLE_EXPORT_DIAGRAM },
    { ".cu", "win.export-roofline", ".svg", HEDDLE_EXPORT_ROOFLINE },
    { ".pdf", "win.export-steps", ".pdf", HEDDLE_EXPORT_STEPS },
    { ".cu", "win.export", ".cu", HEDDLE_EXPORT_DIAGRAM },
  };
  HeddleWindow *window = robot_open ("examples/attention.ncd");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HeddleExportChoice) choice = NULL, kept = NULL;

      heddle_settings_set_string ("export-format", cases[i].last);
      choice = offered_by (window, cases[i].action);
      g_assert_cmpstr (choice->suffix, ==, cases[i].suffix);
      g_assert_cmpint (choice->picture, ==, cases[i].picture);
      kept = heddle_export_choice_load ();
      g_assert_cmpstr (kept->suffix, ==, cases[i].last);
      g_assert_cmpint (kept->picture, ==, HEDDLE_EXPORT_DIAGRAM);
    }
  heddle_settings_set_string ("export-format", ".svg");
  robot_close (window);
}

/* Return activates what has the focus, but nothing that has just left the dialog with the checks that it was in. */
static void
test_lost_focus (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  HeddleExportDialog *dialog = NULL;
  GtkWidget *row = NULL;

  heddle_settings_set_string ("export-format", ".svg");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.export", NULL);
  robot_until ((dialog = find_dialog ()) != NULL && dialog->checks != NULL);
  robot_settle (GTK_WIDGET (dialog));
  row = robot_find (dialog->checks, ADW_TYPE_ACTION_ROW, NULL, NULL);
  gtk_window_set_focus (GTK_WINDOW (dialog), row);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (dialog)) == row);
  heddle_export_dialog_show_checks (dialog, NULL);
  g_signal_emit_by_name (dialog, "activate-focus");
  gtk_window_close (GTK_WINDOW (dialog));
  robot_until (find_dialog () == NULL);
  robot_close (window);
}

static void
test_print (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  g_autoptr (GError) error = NULL;
  g_autoptr (GtkPrintOperation) operation
      = heddle_window_new_print_operation (window, HEDDLE_EXPORT_DIAGRAM, &error);
  g_autofree char *path = g_strdup_printf ("%s/heddle-print-%d.pdf", g_get_tmp_dir (), (int) getpid ());
  const char *const argv[] = { "pdftotext", path, "-", NULL };
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (gtk_print_settings_get (gtk_print_operation_get_print_settings (operation),
                       GTK_PRINT_SETTINGS_OUTPUT_BASENAME),
      ==, "attention");
  gtk_print_operation_set_export_filename (operation, path);
  g_assert_cmpint (
      gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_EXPORT, GTK_WINDOW (window), &error), ==,
      GTK_PRINT_OPERATION_RESULT_APPLY);
  g_assert_no_error (error);
  g_assert_true (
      g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &text, NULL, NULL, &error));
  g_assert_nonnull (strstr (text, "Scaled Dot-Product Attention")); /* letters are letters */
  g_unlink (path);
  g_clear_object (&operation); /* it keeps the window */
  robot_close (window);
}

/* Steps are higher than a page, and legible all the same: they go on on others, none cut through. */
static void
test_print_steps (void)
{
  HeddleWindow *window = robot_open ("examples/attention-backward.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);
  g_autoptr (GError) error = NULL;
  g_autoptr (GtkPrintOperation) operation = NULL;
  g_autofree char *path = g_strdup_printf ("%s/heddle-steps-%d.pdf", g_get_tmp_dir (), (int) getpid ());
  int n_pages = 0;

  heddle_derivation_fuse (editor);
  heddle_derivation_suggest (editor);
  robot_until (!heddle_editor_is_searching (editor) && heddle_editor_get_derivation (editor, NULL) != NULL);
  operation = heddle_window_new_print_operation (window, HEDDLE_EXPORT_STEPS, &error);
  g_assert_no_error (error);
  gtk_print_operation_set_export_filename (operation, path);
  gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_EXPORT, GTK_WINDOW (window), &error);
  g_assert_no_error (error);
  g_object_get (operation, "n-pages", &n_pages, NULL);
  g_assert_cmpint (n_pages, >=, 2);
  g_unlink (path);
  g_clear_object (&operation); /* it keeps the window */
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/take-away/true-size", test_true_size);
  g_test_add_func ("/take-away/checks", test_checks);
  g_test_add_func ("/take-away/same-bytes", test_same_bytes);
  g_test_add_func ("/take-away/again", test_again);
  g_test_add_func ("/take-away/remembered", test_remembered);
  g_test_add_func ("/take-away/cancel", test_cancel);
  g_test_add_func ("/take-away/kinds", test_kinds);
  g_test_add_func ("/take-away/lost-focus", test_lost_focus);
  g_test_add_func ("/take-away/print", test_print);
  g_test_add_func ("/take-away/print-steps", test_print_steps);
  return g_test_run ();
}
