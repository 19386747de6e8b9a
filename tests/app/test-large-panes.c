/* SPDX-License-Identifier: MIT */

/* What the panes tell of a large diagram: it comes in pieces, and only as far as it changed. */

#include <adwaita.h>

#include "app/editor/editor.h"
#include "app/editor/preview.h"
#include "app/editor/selection.h"
#include "app/editor/target.h"
#include "app/edits/label.h"
#include "app/edits/move.h"
#include "app/equations/equation-bar.h"
#include "app/panes/inspector.h"
#include "app/window/window.h"
#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "files/equations/write.h"
#include "large-window.h"
#include "app/equations/equation-bar-private.h"

/* --- equations --- */

static gboolean
shows_equations (HeddleWindow *window)
{
  HeddleEditor *editor = editor_of (window);
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (heddle_window_get_equation_bar (window));
  g_autofree char *text = heddle_equations_write_snapshot (
      heddle_editor_get_snapshot (editor), heddle_editor_get_diagram (editor));
  g_autofree char *shown = NULL;

  g_object_get (buffer, "text", &shown, NULL);
  return g_str_equal (g_strchomp (text), shown);
}

/* What an edit does to them a worker writes, also over what was typed and is no diagram. */
static void
test_equations (void)
{
  char *path = write_file ();
  HeddleWindow *window = robot_open_path (path);
  HeddleEditor *editor = editor_of (window);
  HeddleEquationBar *bar = heddle_window_get_equation_bar (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleOperation *last = g_ptr_array_index (diagram->operations, diagram->operations->len - 1);

  robot_until (shows_equations (window));
  gtk_text_buffer_insert_at_cursor (heddle_equation_bar_get_buffer (bar), "no diagram (", -1);
  g_assert_false (heddle_equation_bar_matches (bar));
  heddle_editor_select (editor, last->id);
  heddle_edits_delete_selection (editor);
  g_assert_nonnull (bar->writing);
  g_assert_true (heddle_equation_bar_matches (bar)); /* nothing of the person's is left */
  g_assert_false (gtk_text_view_get_editable (GTK_TEXT_VIEW (bar->view)));
  robot_until (bar->writing == NULL);
  g_assert_true (shows_equations (window));
  g_assert_true (gtk_text_view_get_editable (GTK_TEXT_VIEW (bar->view)));
  /* Of two edits the last one counts. */
  heddle_document_undo (heddle_editor_get_document (editor));
  heddle_document_redo (heddle_editor_get_document (editor));
  heddle_document_undo (heddle_editor_get_document (editor));
  robot_until (bar->writing == NULL);
  g_assert_true (shows_equations (window));
  robot_close (window);
  remove_file (path);
}

static void
on_inserted (GtkTextBuffer *buffer, GtkTextIter *at, const char *text, int length, gpointer n)
{
  *(int *) n += length;
}

/* They come into the bar turn by turn when the file is opened, whatever else changes them meanwhile, and afterwards only as far as they
 * differ. */
static void
test_fill_equations (void)
{
  char *path = write_file ();
  HeddleWindow *window = robot_present_path (path);
  HeddleEditor *editor = editor_of (window);
  HeddleEquationBar *bar = heddle_window_get_equation_bar (window);
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (bar);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleOperation *last = g_ptr_array_index (diagram->operations, diagram->operations->len - 1);
  const guint n_operations = diagram->operations->len;
  int n = 0;

  robot_until (bar->filling != NULL && gtk_text_buffer_get_char_count (buffer) > 0);
  g_assert_true (
      gtk_text_view_get_buffer (GTK_TEXT_VIEW (bar->view)) != buffer); /* it would measure each piece */
  gtk_text_buffer_insert_at_cursor (buffer, "x", -1);
  robot_until (bar->writing == NULL);
  g_assert_true (shows_equations (window));
  g_assert_cmpuint (heddle_editor_get_diagram (editor)->operations->len, ==, n_operations);
  g_assert_true (gtk_text_view_get_buffer (GTK_TEXT_VIEW (bar->view)) == buffer);
  g_signal_connect (buffer, "insert-text", G_CALLBACK (on_inserted), &n);
  heddle_editor_select (editor, last->id);
  heddle_edits_delete_selection (editor);
  robot_until (bar->writing == NULL);
  heddle_document_undo (heddle_editor_get_document (editor));
  robot_until (bar->writing == NULL);
  g_assert_true (shows_equations (window));
  g_assert_cmpint (n, >, 0);
  g_assert_cmpint (n, <, 1000);
  robot_close (window);
  remove_file (path);
}

/* --- what is told of the diagram --- */

static GtkWidget *
find_line (HeddleWindow *window)
{
  GtkWidget *inspector = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_INSPECTOR, NULL, NULL);

  return robot_find (inspector, ADW_TYPE_ACTION_ROW, NULL, NULL);
}

/* Hundreds of lines are not made again for a label, which they do not speak of, but for what they do. */
static void
test_inspect (void)
{
  char *path = write_file ();
  HeddleWindow *window = robot_open_path (path);
  HeddleEditor *editor = editor_of (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleOperation *last = g_ptr_array_index (diagram->operations, diagram->operations->len - 1);
  GtkWidget *line = NULL;

  wait_for_all (window);
  robot_until ((line = find_line (window)) != NULL);
  g_object_add_weak_pointer (G_OBJECT (line), (gpointer *) &line);
  heddle_editor_set_preview_schedule (editor, label_axis (editor, 2));
  g_assert_true (heddle_editor_commit_preview (editor, "Group"));
  wait_for_all (window);
  g_assert_nonnull (line);
  g_assert_true (find_line (window) == line);
  heddle_editor_set_dtype (editor, HEDDLE_DTYPE_F32);
  robot_until (line == NULL);
  robot_until ((line = find_line (window)) != NULL);
  g_object_add_weak_pointer (G_OBJECT (line), (gpointer *) &line);
  heddle_editor_select (editor, last->id);
  robot_until (line == NULL);
  heddle_editor_select (editor, NULL);
  robot_until (heddle_editor_get_selected (editor) == NULL && find_line (window) != NULL);
  line = find_line (window);
  g_object_add_weak_pointer (G_OBJECT (line), (gpointer *) &line);
  g_assert_true (
      heddle_edits_rename (editor, ((HeddleAxis *) g_ptr_array_index (diagram->axes, 0))->id, "w", NULL));
  robot_until (line == NULL);
  robot_close (window);
  remove_file (path);
}

static guint
count_rows (GtkWidget *widget)
{
  guint n = ADW_IS_ACTION_ROW (widget);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_rows (child);
  return n;
}

/* The lines of a long page follow those that are there at once. */
static void
test_inspect_long (void)
{
  char *path = write_file ();
  HeddleWindow *window = robot_open_path (path);
  HeddleEditor *editor = editor_of (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  GtkWidget *inspector = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_INSPECTOR, NULL, NULL), *line = NULL;
  guint all;

  wait_for_all (window);
  /* Of the inputs and of the axes 60, and how many more there are; the one output. */
  robot_until ((all = count_rows (inspector)) >= 61 + 1 + 61);
  line = find_line (window);
  g_object_add_weak_pointer (G_OBJECT (line), (gpointer *) &line);
  g_assert_true (
      heddle_edits_rename (editor, ((HeddleAxis *) g_ptr_array_index (diagram->axes, 0))->id, "w", NULL));
  robot_until (line == NULL);
  g_assert_cmpuint (count_rows (inspector), <, 60);
  robot_until (count_rows (inspector) == all);
  /* Who is at a line finds the page whole. */
  line = find_line (window);
  g_object_add_weak_pointer (G_OBJECT (line), (gpointer *) &line);
  g_assert_true (gtk_widget_grab_focus (line));
  g_assert_true (
      heddle_edits_rename (editor, ((HeddleAxis *) g_ptr_array_index (diagram->axes, 0))->id, "b", NULL));
  robot_until (line == NULL);
  g_assert_cmpuint (count_rows (inspector), ==, all);
  robot_close (window);
  remove_file (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/large-panes/equations", test_equations);
  g_test_add_func ("/large-panes/fill-equations", test_fill_equations);
  g_test_add_func ("/large-panes/inspect", test_inspect);
  g_test_add_func ("/large-panes/inspect-long", test_inspect_long);
  return g_test_run ();
}
