/* SPDX-License-Identifier: MIT */

/* A diagram so large that its text is written by a worker thread when it is opened: the text comes, whatever happens meanwhile. */

#include <glib/gstdio.h>
#include <string.h>

#include "app/editor/editor.h"
#include "app/edits/label.h"
#include "app/equations/equation-bar.h"
#include "app/window/window.h"
#include "diagram/graph/diagram.h"
#include "files/equations/write.h"
#include "robot.h"
#include "app/window/private.h"

#define N_OPERATIONS 1500

static char *
write_chain (void)
{
  g_autoptr (GString) text = g_string_new ("X : f32[a=8]\nY0[a] = exp(X[a])\n");
  char *path = g_build_filename (g_get_tmp_dir (), "heddle-large-XXXXXX.eq", NULL);
  const int file = g_mkstemp (path);

  for (guint i = 1; i < N_OPERATIONS; i++)
    g_string_append_printf (text, "Y%u[a] = exp(Y%u[a])\n", i, i - 1);
  g_assert_cmpint (file, >=, 0);
  close (file);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  return path;
}

static GtkTextView *
view_of (HeddleWindow *window)
{
  return GTK_TEXT_VIEW (robot_find (window->equation_bar, GTK_TYPE_TEXT_VIEW, NULL, NULL));
}

static char *
shown_text (HeddleWindow *window)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (gtk_text_view_get_buffer (view_of (window)), &start, &end);
  return gtk_text_buffer_get_text (gtk_text_view_get_buffer (view_of (window)), &start, &end, TRUE);
}

/* As it was before it was opened. */
static void
open_anew (HeddleWindow *window)
{
  heddle_equation_bar_set_editor (HEDDLE_EQUATION_BAR (window->equation_bar), NULL);
  heddle_equation_bar_set_editor (
      HEDDLE_EQUATION_BAR (window->equation_bar), heddle_window_get_editor (window));
  g_assert_cmpint (gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (view_of (window))), ==, 0);
  g_assert_false (gtk_text_view_get_editable (view_of (window)));
}

/* The text is there, can be typed into, and is the diagram's. */
static void
assert_written (HeddleWindow *window)
{
  HeddleEditor *editor = heddle_window_get_editor (window);
  g_autofree char *expected = heddle_equations_write_snapshot (
      heddle_editor_get_snapshot (editor), heddle_editor_get_diagram (editor));
  g_autofree char *shown = NULL;

  robot_until (gtk_text_view_get_editable (view_of (window)));
  shown = shown_text (window);
  g_assert_cmpstr (shown, ==, g_strchomp (expected));
  g_assert_true (heddle_equation_bar_matches (HEDDLE_EQUATION_BAR (window->equation_bar)));
}

static void
rename_axis (HeddleWindow *window, const char *name)
{
  HeddleEditor *editor = heddle_window_get_editor (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);

  g_assert_true (
      heddle_edits_rename (editor, ((HeddleAxis *) g_ptr_array_index (diagram->axes, 0))->id, name, NULL));
}

static void
test_text (void)
{
  g_autofree char *path = write_chain ();
  HeddleWindow *window = robot_open_path (path);
  g_autofree char *renamed = NULL;

  assert_written (window);
  open_anew (window);
  assert_written (window);

  /* The diagram changes while its text is written, and a flush takes what is not there yet for nothing typed. */
  open_anew (window);
  g_assert_true (heddle_equation_bar_flush (HEDDLE_EQUATION_BAR (window->equation_bar)));
  rename_axis (window, "b");
  assert_written (window);
  renamed = shown_text (window);
  g_assert_nonnull (strstr (renamed, "Y1[b]"));

  /* Text that was kept with the tab is not written over. */
  open_anew (window);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (view_of (window)), "X : f32[c=", -1);
  g_assert_true (gtk_text_view_get_editable (view_of (window)));
  g_assert_false (heddle_equation_bar_flush (HEDDLE_EQUATION_BAR (window->equation_bar)));
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpint (gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (view_of (window))), ==, 10);

  /* The window goes while it is written. */
  open_anew (window);
  robot_close (window);
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/large-text/text", test_text);
  return g_test_run ();
}
