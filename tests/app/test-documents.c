/* SPDX-License-Identifier: MIT */

/* What becomes of a person's work: files that change, vanish, are held or cannot be written, windows that are closed. Real windows,
 * driven by the pointer and the keyboard. */

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "app/documents/draft.h"
#include "app/documents/page.h"
#include "app/documents/session.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "app/equations/equation-bar.h"
#include "app/window/open.h"
#include "app/window/pages.h"
#include "app/window/place.h"
#include "app/window/window.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "desk.h"
#include "app/window/private.h"
#include "app/window/save.h"
#include "derive/machine/find.h"

/* --- tabs --- */

static void
test_tabs (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autofree char *other = g_build_filename (heddle_data_directory (), "examples", "softmax.ncd", NULL);
  AdwTabView *tabs = ADW_TAB_VIEW (window->tab_view);
  HeddleEditor *first = heddle_window_get_editor (window), *second = NULL;
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (heddle_window_get_equation_bar (window));
  const char *title = NULL;

  desk_delete_softmax (window);
  gtk_text_buffer_set_text (buffer, "this is no diagram (", -1);
  g_assert_true (heddle_window_open_example (window, other));
  robot_settle (GTK_WIDGET (window));
  second = heddle_window_get_editor (window);
  g_assert_true (first != second);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 2);
  g_assert_true (desk_has_operation (window, "softmax"));
  title = adw_tab_page_get_title (adw_tab_view_get_nth_page (tabs, 1));
  g_assert_cmpstr (title, ==, "Softmax");

  /* What was typed there and is no diagram is there again; what is undone is what was done there. */
  robot_key (desk_canvas_of (window), GDK_KEY_Page_Up, GDK_CONTROL_MASK);
  robot_until (heddle_window_get_editor (window) == first);
  g_assert_cmpstr (heddle_page_get_text (heddle_window_get_page (window)), ==, "this is no diagram (");
  g_assert_false (heddle_equation_bar_flush (heddle_window_get_equation_bar (window)));
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  g_assert_true (desk_has_operation (window, "softmax"));
  g_assert_false (heddle_session_is_unsaved (desk_session_of (window)));

  /* An unchanged tab closes without a question; the last one leaves the start page. */
  robot_key (desk_canvas_of (window), GDK_KEY_w, GDK_CONTROL_MASK);
  robot_until (adw_tab_view_get_n_pages (tabs) == 1);
  g_assert_true (heddle_window_get_editor (window) == second);
  robot_key (desk_canvas_of (window), GDK_KEY_w, GDK_CONTROL_MASK);
  robot_until (heddle_window_is_empty (window));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (window->pages)), ==, "start");
  robot_close (window);
  desk_remove_with_folder (path);
}

/* With the pointer on the tabs the others keep their widths when one is closed, also one that no frame has shown yet. */
static void
test_close_beside_new (void)
{
  static const char *const names[] = { "softmax.ncd", "layer-norm.ncd", "residual-mlp.ncd" };
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  AdwTabView *tabs = ADW_TAB_VIEW (window->tab_view);
  GtkWidget *bar = window->tab_bar;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (heddle_data_directory (), "examples", names[i], NULL);

      g_assert_true (heddle_window_open_example (window, path));
      if (i + 1 < G_N_ELEMENTS (names))
        {
          robot_settle (bar);
          robot_move (bar, 100, gtk_widget_get_height (bar) / 2.);
          robot_settle (bar);
        }
    }
  adw_tab_view_close_page (tabs, adw_tab_view_get_nth_page (tabs, 0));
  for (guint i = 0; i < 3; i++)
    robot_settle (bar);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 3);
  robot_close (window);
}

/* The same document in two tabs: one history, one question. */
static void
test_definition_tab (void)
{
  HeddleWindow *window = robot_open ("examples/decoder-transformer.ncd");
  HeddleEditor *first = heddle_window_get_editor (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (first);
  const HeddleOperation *call = NULL;

  for (guint i = 0; call == NULL && i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (heddle_definitions_get_callee (first, operation) != NULL)
        call = operation;
    }
  g_assert_nonnull (call);
  heddle_editor_select (first, call->id);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.open-definition-in-tab", NULL);
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpint (adw_tab_view_get_n_pages (ADW_TAB_VIEW (window->tab_view)), ==, 2);
  g_assert_true (heddle_window_get_editor (window) != first);
  g_assert_true (
      heddle_editor_get_document (first) == heddle_editor_get_document (heddle_window_get_editor (window)));
  g_assert_cmpstr (heddle_editor_get_diagram (heddle_window_get_editor (window))->id, ==,
      heddle_definitions_get_callee (first, call)->id);
  heddle_document_set_unsaved (desk_document_of (window));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.close-tab", NULL);
  robot_until (heddle_window_get_editor (window) == first); /* the other tab still has it: nobody asks */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.close-tab", NULL);
  desk_press_button ("_Discard");
  robot_until (heddle_window_is_empty (window));
  robot_close (window);
}

/* A tab goes to another window with all that is in it. */
static void
test_move_tab (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path), *other = NULL;
  AdwTabView *from = ADW_TAB_VIEW (window->tab_view), *to = NULL;
  HeddleEditor *editor = heddle_window_get_editor (window);
  gpointer alive = window;

  g_object_add_weak_pointer (G_OBJECT (window), &alive);
  desk_delete_softmax (window);
  gtk_text_buffer_set_text (
      heddle_equation_bar_get_buffer (heddle_window_get_equation_bar (window)), "half a", -1);
  other = robot_open ("examples/softmax.ncd");
  to = ADW_TAB_VIEW (other->tab_view);
  adw_tab_view_transfer_page (from, adw_tab_view_get_nth_page (from, 0), to, 1);
  robot_until (alive == NULL); /* a window without tabs has nothing to show */
  adw_tab_view_set_selected_page (to, adw_tab_view_get_nth_page (to, 1));
  robot_until (heddle_window_get_editor (other) == editor);
  g_assert_cmpstr (heddle_page_get_text (heddle_window_get_page (other)), ==, "half a");
  heddle_document_undo (desk_document_of (other));
  g_assert_true (desk_has_operation (other, "contract"));
  robot_close (other);
  desk_remove_with_folder (path);
}

/* --- closing --- */

/* All documents that would be lost are asked about at once; then the window is gone. */
static void
test_close_several (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autofree char *other = g_build_filename (heddle_data_directory (), "examples", "softmax.ncd", NULL);
  gpointer alive = window;

  g_object_add_weak_pointer (G_OBJECT (window), &alive);
  heddle_document_set_unsaved (desk_document_of (window));
  g_assert_true (heddle_window_open_example (window, other));
  heddle_document_set_unsaved (desk_document_of (window));
  gtk_window_close (GTK_WINDOW (window));
  desk_press_button ("_Cancel");
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpint (adw_tab_view_get_n_pages (ADW_TAB_VIEW (window->tab_view)), ==, 2);
  gtk_window_close (GTK_WINDOW (window));
  desk_press_button ("_Discard All");
  robot_until (alive == NULL);
  desk_remove_with_folder (path);
}

static HeddleWindow *
open_two (char **first, char **second)
{
  HeddleWindow *window = desk_open_copy (first);
  g_autoptr (GFile) file = NULL;

  desk_delete_softmax (window);
  *second = desk_temporary ("second.ncd");
  desk_copy_example ("attention.ncd", *second);
  file = g_file_new_for_path (*second);
  g_assert_true (heddle_window_open_file (window, file));
  robot_settle (GTK_WIDGET (window));
  desk_delete_softmax (window);
  return window;
}

static guint
n_operations_in (const char *path)
{
  g_autoptr (HeddleSnapshot) saved = desk_load (path);

  return heddle_snapshot_get_diagram (saved, NULL)->operations->len;
}

/* The box beside a name in a dialog that is open, or NULL. */
static GtkCheckButton *
find_tick (GtkWidget *root, const char *label)
{
  GtkCheckButton *found = NULL;

  if (GTK_IS_CHECK_BUTTON (root)
      && g_strcmp0 (gtk_check_button_get_label (GTK_CHECK_BUTTON (root)), label) == 0)
    return GTK_CHECK_BUTTON (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_tick (child, label);
  return found;
}

static void
keep_name (HeddleWindow *window, GFile *file, gpointer name)
{
  *(char **) name = g_file_get_basename (file);
}

/* A name has its suffix once, however a person typed it. */
static void
test_suffix (void)
{
  static const char *const typed[][2] = { { "heddle-none", "heddle-none.ncd" },
    { "heddle-none.ncd", "heddle-none.ncd" }, { "heddle-none.NCD", "heddle-none.NCD" },
    { "heddle-none.", "heddle-none.ncd" }, { "v1.2", "v1.2.ncd" } };
  HeddleWindow *window = robot_open ("examples/softmax.ncd");

  for (guint i = 0; i < G_N_ELEMENTS (typed); i++)
    {
      g_autofree char *path = g_build_filename (g_get_tmp_dir (), typed[i][0], NULL), *name = NULL;
      g_autoptr (GFile) file = g_file_new_for_path (path);

      heddle_window_take_place (window, file, ".ncd", keep_name, &name, NULL);
      g_assert_cmpstr (name, ==, typed[i][1]);
    }
  robot_close (window);
}

/* One answer is for all: cancelled, nothing is saved and nothing closed; what is not ticked is lost. */
static void
test_close_all (void)
{
  g_autofree char *first = NULL, *second = NULL, *title = NULL;
  HeddleWindow *window = open_two (&first, &second);
  gpointer alive = window;

  title = g_path_get_basename (second);
  g_object_add_weak_pointer (G_OBJECT (window), &alive);
  gtk_window_close (GTK_WINDOW (window));
  desk_press_button ("_Cancel");
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpuint (n_operations_in (first), ==, 4);
  g_assert_cmpuint (n_operations_in (second), ==, 4);
  g_assert_cmpint (adw_tab_view_get_n_pages (ADW_TAB_VIEW (window->tab_view)), ==, 2);
  g_assert_true (heddle_session_is_unsaved (desk_session_of (window)));

  gtk_window_close (GTK_WINDOW (window));
  robot_until (desk_find_anywhere ("_Save") != NULL);
  g_object_set (find_tick (GTK_WIDGET (gtk_widget_get_root (desk_find_anywhere ("_Save"))), title), "active",
      FALSE, NULL);
  desk_press_button ("_Save");
  robot_until (alive == NULL);
  g_assert_cmpuint (n_operations_in (first), ==, 3);
  g_assert_cmpuint (n_operations_in (second), ==, 4);
  desk_remove_with_folder (first);
  desk_remove_with_folder (second);
}

/* While a person is asked about one document another comes to the front, as when a file is opened from elsewhere: the answer is about the
 * one that was asked about. */
static void
test_other_in_front (void)
{
  g_autofree char *first = NULL, *second = NULL;
  HeddleWindow *window = open_two (&first, &second);
  g_autoptr (GFile) file = g_file_new_for_path (first);
  AdwTabView *tabs = ADW_TAB_VIEW (window->tab_view);

  robot_key (desk_canvas_of (window), GDK_KEY_w, GDK_CONTROL_MASK);
  robot_until (desk_find_anywhere ("_Discard") != NULL);
  heddle_window_show_or_open (window, file);
  robot_settle (GTK_WIDGET (window));
  gtk_window_present (GTK_WINDOW (gtk_widget_get_root (desk_find_anywhere ("_Discard"))));
  desk_press_button ("_Discard");
  robot_until (adw_tab_view_get_n_pages (tabs) == 1);
  g_assert_true (g_file_equal (heddle_session_get_file (desk_session_of (window)), file));
  g_assert_true (heddle_session_is_unsaved (desk_session_of (window)));
  g_assert_cmpuint (n_operations_in (second), ==, 4);
  heddle_window_save (window);
  robot_close (window);
  desk_remove_with_folder (first);
  desk_remove_with_folder (second);
}

static void
test_close (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autoptr (HeddleSnapshot) saved = NULL;
  gpointer alive = window;

  g_object_add_weak_pointer (G_OBJECT (window), &alive);
  desk_delete_softmax (window);
  gtk_window_close (GTK_WINDOW (window));
  desk_press_button ("_Cancel");
  robot_settle (GTK_WIDGET (window));
  g_assert_false (desk_has_operation (window, "softmax"));
  g_assert_true (heddle_session_is_unsaved (desk_session_of (window)));

  gtk_window_close (GTK_WINDOW (window));
  desk_press_button ("_Save");
  robot_until (alive == NULL);
  saved = desk_load (path);
  g_assert_cmpuint (heddle_snapshot_get_diagram (saved, NULL)->operations->len, ==, 3);
  desk_remove_with_folder (path);
}

/* Text that no file can hold is not lost without a word. */
static void
test_close_text (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  gpointer alive = window;

  g_object_add_weak_pointer (G_OBJECT (window), &alive);
  gtk_text_buffer_set_text (
      heddle_equation_bar_get_buffer (heddle_window_get_equation_bar (window)), "A[i", -1);
  gtk_window_close (GTK_WINDOW (window));
  robot_until (desk_find_anywhere ("_Cancel") != NULL);
  g_assert_null (desk_find_anywhere ("_Save"));
  desk_press_button ("_Close");
  robot_until (alive == NULL);
  desk_remove_with_folder (path);
}

/* --- the file meanwhile --- */

static void
test_changed_elsewhere (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);

  desk_copy_example ("softmax.ncd", path);
  robot_until (heddle_session_get_state (desk_session_of (window)) & HEDDLE_SESSION_CHANGED);
  g_assert_true (desk_has_operation (window, "contract"));
  desk_press_button ("_Load It");
  robot_until (!desk_has_operation (window, "contract"));
  g_assert_false (heddle_session_is_unsaved (desk_session_of (window)));
  g_assert_null (desk_find_anywhere ("_Load It"));
  heddle_document_undo (desk_document_of (window));
  g_assert_true (desk_has_operation (window, "contract")); /* nothing is lost by loading */

  desk_copy_example ("row-norms.ncd", path);
  desk_press_button ("_Keep This");
  robot_until (heddle_session_get_state (desk_session_of (window)) == 0);
  g_assert_true (heddle_session_is_unsaved (desk_session_of (window)));
  robot_key (desk_canvas_of (window), GDK_KEY_s, GDK_CONTROL_MASK);
  robot_until (!heddle_session_is_unsaved (desk_session_of (window)));
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpint (
      heddle_session_get_state (desk_session_of (window)), ==, 0); /* its own saving is no news */
  robot_close (window);
  desk_remove_with_folder (path);
}

/* The third answer: what is here goes into another file, theirs stays as it is. */
static void
test_changed_saved_elsewhere (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *other = g_build_filename (folder, "mine.ncd", NULL);

  desk_delete_softmax (window);
  desk_copy_example ("softmax.ncd", path);
  robot_until (heddle_session_get_state (desk_session_of (window)) & HEDDLE_SESSION_CHANGED);
  desk_click_button ("Save _As…");
  robot_until (window->chooser != NULL && desk_find_anywhere ("_Cancel") != NULL);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (window->chooser), other);
  robot_settle (desk_find_anywhere ("_Cancel"));
  desk_press_button ("_Save");
  robot_until (!heddle_session_is_unsaved (desk_session_of (window)));
  g_assert_cmpint (heddle_session_get_state (desk_session_of (window)), ==, 0);
  g_assert_cmpuint (n_operations_in (other), ==, 3);
  g_assert_cmpuint (n_operations_in (path), ==, 1);
  robot_close (window);
  g_unlink (other);
  desk_remove_with_folder (path);
}

/* Saving looks again, whether or not anything was told: what another program wrote is not written over unasked. */
static void
test_no_silent_overwrite (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autofree char *theirs = NULL;
  g_autofree char *now = NULL;

  desk_delete_softmax (window);
  desk_copy_example ("softmax.ncd", path);
  g_file_get_contents (path, &theirs, NULL, NULL);
  heddle_window_save (window);
  robot_until (desk_find_anywhere ("_Overwrite") != NULL);
  g_file_get_contents (path, &now, NULL, NULL);
  g_assert_cmpstr (now, ==, theirs);
  desk_press_button ("_Overwrite");
  robot_until (!heddle_session_is_unsaved (desk_session_of (window)));
  robot_close (window);
  window = robot_open_path (path);
  g_assert_false (desk_has_operation (window, "softmax"));
  g_assert_true (desk_has_operation (window, "contract"));
  robot_close (window);
  desk_remove_with_folder (path);
}

static void
test_gone (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);

  g_unlink (path);
  robot_until (heddle_session_get_state (desk_session_of (window)) & HEDDLE_SESSION_GONE);
  g_assert_true (heddle_session_is_unsaved (desk_session_of (window)));
  desk_press_button ("_Save");
  robot_until (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpint (heddle_session_get_state (desk_session_of (window)), ==, 0);
  robot_close (window);
  desk_remove_with_folder (path);
}

/* The folder goes with the file: the person is told, and the work waits for a place. */
static void
test_folder_gone (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autofree char *folder = g_path_get_dirname (path);

  desk_delete_softmax (window);
  desk_remove_with_folder (path);
  robot_until (heddle_session_get_state (desk_session_of (window)) & HEDDLE_SESSION_GONE);
  robot_key (desk_canvas_of (window), GDK_KEY_s, GDK_CONTROL_MASK);
  robot_until (desk_find_anywhere ("_Close") != NULL);
  desk_press_button ("_Close");
  g_assert_true (heddle_session_is_unsaved (desk_session_of (window)));
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  robot_key (desk_canvas_of (window), GDK_KEY_s, GDK_CONTROL_MASK);
  robot_until (!heddle_session_is_unsaved (desk_session_of (window)));
  g_assert_cmpuint (n_operations_in (path), ==, 3);
  robot_close (window);
  desk_remove_with_folder (path);
}

static void
test_read_only (void)
{
  g_autofree char *path = desk_temporary ("attention.ncd");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HeddleWindow *window = NULL;

  desk_copy_example ("attention.ncd", path);
  g_chmod (path, 0444);
  window = robot_open_path (path);
  g_assert_nonnull (desk_find_anywhere ("Save _As…"));
  g_assert_false (heddle_session_save (desk_session_of (window), file, TRUE, &error));
  g_assert_error (error, HEDDLE_SESSION_ERROR, HEDDLE_SESSION_ERROR_READ_ONLY);
  robot_close (window);
  desk_remove_with_folder (path);
}

/* A file that only its owner may read stays one. */
static void
test_mode (void)
{
  g_autofree char *path = desk_temporary ("attention.ncd");
  HeddleWindow *window = NULL;
  GStatBuf status;

  desk_copy_example ("attention.ncd", path);
  g_chmod (path, 0600);
  window = robot_open_path (path);
  desk_delete_softmax (window);
  robot_key (desk_canvas_of (window), GDK_KEY_s, GDK_CONTROL_MASK);
  robot_until (!heddle_session_is_unsaved (desk_session_of (window)));
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 07777, ==, 0600);
  robot_close (window);
  desk_remove_with_folder (path);
}

static void
test_in_use (void)
{
  g_autofree char *path = desk_temporary ("attention.ncd");
  HeddleWindow *window = NULL;
  int other;

  desk_copy_example ("attention.ncd", path);
  other = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  g_assert_cmpint (flock (other, LOCK_EX | LOCK_NB), ==, 0);
  window = robot_open_path (path);
  g_assert_cmpint (heddle_session_get_state (desk_session_of (window)), ==, HEDDLE_SESSION_IN_USE);
  desk_press_button ("_Edit Anyway");
  g_assert_cmpint (heddle_session_get_state (desk_session_of (window)), ==, 0);
  close (other);
  robot_close (window);

  /* The first to open it holds it, also over a saving, and lets it go. */
  window = robot_open_path (path);
  heddle_window_save (window);
  other = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  g_assert_cmpint (flock (other, LOCK_EX | LOCK_NB), ==, -1);
  robot_close (window);
  g_assert_cmpint (flock (other, LOCK_EX | LOCK_NB), ==, 0);
  close (other);
  desk_remove_with_folder (path);
}

/* A disk that takes no more bytes: the file is as it was, the person is told, and the work is still there. */
static void
test_full_disk (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GDir) dir = NULL;
  struct rlimit limit, none;

  desk_delete_softmax (window);
  g_file_get_contents (path, &before, NULL, NULL);
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &limit);
  none = (struct rlimit){ 0, limit.rlim_max };
  setrlimit (RLIMIT_FSIZE, &none);
  heddle_window_save (window);
  robot_until (heddle_draft_get_error (heddle_session_get_draft (desk_session_of (window))) != NULL);
  setrlimit (RLIMIT_FSIZE, &limit);

  g_assert_true (heddle_session_is_unsaved (desk_session_of (window)));
  g_file_get_contents (path, &after, NULL, NULL);
  g_assert_cmpstr (before, ==, after);
  dir = g_dir_open (folder, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (dir), ==, "attention.ncd");
  g_assert_null (g_dir_read_name (dir)); /* no half of a file beside it */
  desk_press_button ("_Close");
  /* There is room again: the draft is written after all, and so is the file. */
  robot_until (heddle_draft_get_error (heddle_session_get_draft (desk_session_of (window))) == NULL);
  heddle_window_save (window);
  g_assert_false (heddle_session_is_unsaved (desk_session_of (window)));
  robot_close (window);
  desk_remove_with_folder (path);
}

/* --- recent files --- */

static gboolean
is_recent (HeddleWindow *window, const char *uri)
{
  GMenuModel *menu = G_MENU_MODEL (window->recent_menu);

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GVariant) target
          = g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET, G_VARIANT_TYPE_STRING);

      if (g_str_equal (g_variant_get_string (target, NULL), uri))
        return TRUE;
    }
  return FALSE;
}

static void
test_recent (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

  robot_until (is_recent (window, uri));
  g_unlink (path);
  g_signal_emit_by_name (gtk_recent_manager_get_default (), "changed");
  g_assert_false (is_recent (window, uri)); /* what is gone is not offered */
  robot_close (window);
  desk_remove_with_folder (path);
}

/* --- models ------------------------------------------------------------------------------------- */

static gboolean
has_text (GtkWidget *root, const char *text)
{
  if (GTK_IS_LABEL (root) && strstr (gtk_label_get_text (GTK_LABEL (root)), text) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_text (child, text))
      return TRUE;
  return FALSE;
}

/* Of some window at hand. */
static gboolean
is_told (const char *text)
{
  GListModel *all = gtk_window_get_toplevels ();
  gboolean told = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (all) && !told; i++)
    {
      g_autoptr (GtkWidget) top = g_list_model_get_item (all, i);

      told = has_text (top, text);
    }
  return told;
}

/* A copy of a model in which the operator @was is called @now. */
static char *
copy_model (const char *was, const char *now)
{
  g_autofree char *from = g_build_filename (
      g_getenv ("HEDDLE_DATADIR"), "..", "tests", "cli", "models", "decoder-export.onnx", NULL);
  char *path = desk_temporary ("model.onnx");
  g_autofree char *data = NULL;
  gsize length, size = strlen (was);

  g_assert_true (g_file_get_contents (from, &data, &length, NULL));
  for (gsize i = 0; i + size <= length; i++)
    if (memcmp (data + i, was, size) == 0)
      memcpy (data + i, now, size);
  g_assert_true (g_file_set_contents (path, data, (gssize) length, NULL));
  return path;
}

static void
open_model (HeddleWindow *window, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (heddle_window_open_file (window, file));
  robot_until (heddle_window_get_page (window) != NULL && desk_has_operation (window, "call"));
  g_assert_null (heddle_session_get_file (desk_session_of (window))); /* a model is not written over */
}

static void
test_model (void)
{
  g_autofree char *whole = copy_model ("Gelu", "Gelu"), *other = copy_model ("Gelu", "Gulu"),
                  *broken = copy_model ("Identity", "Ident\xff\xfe\xfd");
  HeddleWindow *window = robot_open_nothing ();
  g_autoptr (GFile) file = g_file_new_for_path (broken);

  open_model (window, whole);
  robot_until (is_told ("65 of 65 operators understood"));
  robot_close (window);
  window = robot_open_nothing ();
  open_model (window, other);
  robot_until (is_told ("32 of 65 operators understood"));
  g_assert_true (is_told ("Gulu (/layers.0/mlp/1/gelu): no such operator is known"));
  robot_close (window);
  window = robot_open_nothing ();
  g_assert_true (heddle_window_open_file (window, file));
  robot_until (is_told ("is not valid UTF-8"));
  robot_close (window);
  desk_remove_with_folder (whole);
  desk_remove_with_folder (other);
  desk_remove_with_folder (broken);
}

int
main (int argc, char **argv)
{
  g_autofree char *state = NULL;

  g_test_init (&argc, &argv, NULL);
  /* What other tests leave is not what is looked for here. */
  state = g_strdup_printf ("%s/documents-%d", g_getenv ("XDG_STATE_HOME"), (int) getpid ());
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_setenv ("XDG_DATA_HOME", state, TRUE);
  g_test_add_func ("/documents/tabs", test_tabs);
  g_test_add_func ("/documents/close-beside-new", test_close_beside_new);
  g_test_add_func ("/documents/definition-tab", test_definition_tab);
  g_test_add_func ("/documents/move-tab", test_move_tab);
  g_test_add_func ("/documents/close-several", test_close_several);
  g_test_add_func ("/documents/close", test_close);
  g_test_add_func ("/documents/suffix", test_suffix);
  g_test_add_func ("/documents/close-all", test_close_all);
  g_test_add_func ("/documents/other-in-front", test_other_in_front);
  g_test_add_func ("/documents/close-text", test_close_text);
  g_test_add_func ("/documents/changed-elsewhere", test_changed_elsewhere);
  g_test_add_func ("/documents/changed-saved-elsewhere", test_changed_saved_elsewhere);
  g_test_add_func ("/documents/no-silent-overwrite", test_no_silent_overwrite);
  g_test_add_func ("/documents/gone", test_gone);
  g_test_add_func ("/documents/folder-gone", test_folder_gone);
  g_test_add_func ("/documents/read-only", test_read_only);
  g_test_add_func ("/documents/mode", test_mode);
  g_test_add_func ("/documents/in-use", test_in_use);
  g_test_add_func ("/documents/full-disk", test_full_disk);
  g_test_add_func ("/documents/recent", test_recent);
  g_test_add_func ("/documents/model", test_model);
  return g_test_run ();
}
