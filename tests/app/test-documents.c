/* SPDX-License-Identifier: MIT */

/* What becomes of a person's work: files that change, vanish, are held or cannot be written, windows that are closed, a process that
 * is killed. Real windows, driven by the pointer and the keyboard; the killed process is a real one. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "app/definitions.h"
#include "app/documents/page.h"
#include "app/edits.h"
#include "app/window-private.h"
#include "files/files.h"
#include "robot.h"

static const char *program; /* this one */

static HeddleSession *
session_of (HeddleWindow *window)
{
  return heddle_page_get_session (heddle_window_get_page (window));
}

static HeddleDocument *
document_of (HeddleWindow *window)
{
  return heddle_session_get_document (session_of (window));
}

static GtkWidget *
canvas_of (HeddleWindow *window)
{
  return GTK_WIDGET (heddle_window_get_canvas (window));
}

static gboolean
has_operation (HeddleWindow *window, const char *kind)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (heddle_window_get_editor (window));

  for (guint i = 0; i < diagram->operations->len; i++)
    if (g_str_equal (((HeddleOperation *) g_ptr_array_index (diagram->operations, i))->kind->id, kind))
      return TRUE;
  return FALSE;
}

static char *
temporary (const char *name)
{
  g_autofree char *folder = g_dir_make_tmp ("heddle-documents-XXXXXX", NULL);

  return g_build_filename (folder, name, NULL);
}

static void
copy_example (const char *name, const char *path)
{
  g_autofree char *source = g_build_filename (heddle_data_directory (), "examples", name, NULL);
  g_autofree char *data = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (source, &data, &length, NULL));
  g_assert_true (heddle_file_save (path, data, length, NULL));
}

static HeddleSnapshot *
load (const char *path)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);

  return heddle_file_load (path, problems, NULL);
}

static void
remove_with_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static GtkWidget *
find_button (GtkWidget *root, const char *label)
{
  const char *own = GTK_IS_BUTTON (root) ? gtk_button_get_label (GTK_BUTTON (root)) : NULL;

  if (g_strcmp0 (own, label) == 0 && gtk_widget_get_mapped (root))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* In the window or in a dialog of it. */
static GtkWidget *
find_anywhere (const char *label)
{
  for (guint i = 0; i < g_list_model_get_n_items (gtk_window_get_toplevels ()); i++)
    {
      g_autoptr (GtkWidget) top = g_list_model_get_item (gtk_window_get_toplevels (), i);
      GtkWidget *found = find_button (top, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* What it says is done when it is pressed: it goes with what it answers. */
static void
press_button (const char *label)
{
  g_autoptr (GtkWidget) button = NULL;

  robot_until ((button = find_anywhere (label)) != NULL);
  g_object_ref (button);
  robot_settle (button);
  robot_move (button, gtk_widget_get_width (button) / 2., gtk_widget_get_height (button) / 2.);
  robot_press ();
  robot_release ();
  robot_until (!gtk_widget_get_mapped (button));
}

/* A change as a person makes one: an operation is clicked and deleted. */
static void
delete_softmax (HeddleWindow *window)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (heddle_window_get_editor (window));
  const HeddleValue *value = heddle_diagram_find_value (diagram, "P");
  double x, y;

  robot_operation_point (window, heddle_diagram_get_producer (diagram, value->id)->id, &x, &y);
  robot_click (canvas_of (window), x, y);
  robot_key (canvas_of (window), GDK_KEY_Delete, 0);
  g_assert_false (has_operation (window, "softmax"));
}

static HeddleWindow *
open_copy (char **path)
{
  *path = temporary ("attention.ncd");
  copy_example ("attention.ncd", *path);
  return robot_open_path (*path);
}

/* --- tabs --- */

static void
test_tabs (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = open_copy (&path);
  g_autofree char *other = g_build_filename (heddle_data_directory (), "examples", "softmax.ncd", NULL);
  AdwTabView *tabs = ADW_TAB_VIEW (window->tab_view);
  HeddleEditor *first = heddle_window_get_editor (window), *second = NULL;
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (heddle_window_get_equation_bar (window));
  const char *title = NULL;

  delete_softmax (window);
  gtk_text_buffer_set_text (buffer, "this is no diagram (", -1);
  g_assert_true (heddle_window_open_example (window, other));
  robot_settle (GTK_WIDGET (window));
  second = heddle_window_get_editor (window);
  g_assert_true (first != second);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 2);
  g_assert_true (has_operation (window, "softmax"));
  title = adw_tab_page_get_title (adw_tab_view_get_nth_page (tabs, 1));
  g_assert_cmpstr (title, ==, "Softmax");

  /* What was typed there and is no diagram is there again; what is undone is what was done there. */
  robot_key (canvas_of (window), GDK_KEY_Page_Up, GDK_CONTROL_MASK);
  robot_until (heddle_window_get_editor (window) == first);
  g_assert_cmpstr (heddle_page_get_text (heddle_window_get_page (window)), ==, "this is no diagram (");
  g_assert_false (heddle_equation_bar_flush (heddle_window_get_equation_bar (window)));
  robot_key (canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  robot_key (canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  g_assert_true (has_operation (window, "softmax"));
  g_assert_false (heddle_session_is_unsaved (session_of (window)));

  /* An unchanged tab closes without a question; the last one leaves the start page. */
  robot_key (canvas_of (window), GDK_KEY_w, GDK_CONTROL_MASK);
  robot_until (adw_tab_view_get_n_pages (tabs) == 1);
  g_assert_true (heddle_window_get_editor (window) == second);
  robot_key (canvas_of (window), GDK_KEY_w, GDK_CONTROL_MASK);
  robot_until (heddle_window_is_empty (window));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (window->pages)), ==, "start");
  robot_close (window);
  remove_with_folder (path);
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
  heddle_document_set_unsaved (document_of (window));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.close-tab", NULL);
  robot_until (heddle_window_get_editor (window) == first); /* the other tab still has it: nobody asks */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.close-tab", NULL);
  press_button ("_Discard");
  robot_until (heddle_window_is_empty (window));
  robot_close (window);
}

/* A tab goes to another window with all that is in it. */
static void
test_move_tab (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = open_copy (&path), *other = NULL;
  AdwTabView *from = ADW_TAB_VIEW (window->tab_view), *to = NULL;
  HeddleEditor *editor = heddle_window_get_editor (window);
  gpointer alive = window;

  g_object_add_weak_pointer (G_OBJECT (window), &alive);
  delete_softmax (window);
  gtk_text_buffer_set_text (
      heddle_equation_bar_get_buffer (heddle_window_get_equation_bar (window)), "half a", -1);
  other = robot_open ("examples/softmax.ncd");
  to = ADW_TAB_VIEW (other->tab_view);
  adw_tab_view_transfer_page (from, adw_tab_view_get_nth_page (from, 0), to, 1);
  robot_until (alive == NULL); /* a window without tabs has nothing to show */
  adw_tab_view_set_selected_page (to, adw_tab_view_get_nth_page (to, 1));
  robot_until (heddle_window_get_editor (other) == editor);
  g_assert_cmpstr (heddle_page_get_text (heddle_window_get_page (other)), ==, "half a");
  heddle_document_undo (document_of (other));
  g_assert_true (has_operation (other, "contract"));
  robot_close (other);
  remove_with_folder (path);
}

/* --- closing --- */

/* Each document that would be lost is asked about; then the window is gone. */
static void
test_close_several (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = open_copy (&path);
  g_autofree char *other = g_build_filename (heddle_data_directory (), "examples", "softmax.ncd", NULL);
  gpointer alive = window;

  g_object_add_weak_pointer (G_OBJECT (window), &alive);
  heddle_document_set_unsaved (document_of (window));
  g_assert_true (heddle_window_open_example (window, other));
  heddle_document_set_unsaved (document_of (window));
  gtk_window_close (GTK_WINDOW (window));
  press_button ("_Discard");
  robot_until (adw_tab_view_get_n_pages (ADW_TAB_VIEW (window->tab_view)) == 1);
  press_button ("_Discard");
  robot_until (alive == NULL);
  remove_with_folder (path);
}

static void
test_close (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = open_copy (&path);
  g_autoptr (HeddleSnapshot) saved = NULL;
  gpointer alive = window;

  g_object_add_weak_pointer (G_OBJECT (window), &alive);
  delete_softmax (window);
  gtk_window_close (GTK_WINDOW (window));
  press_button ("_Cancel");
  robot_settle (GTK_WIDGET (window));
  g_assert_false (has_operation (window, "softmax"));
  g_assert_true (heddle_session_is_unsaved (session_of (window)));

  gtk_window_close (GTK_WINDOW (window));
  press_button ("_Save");
  robot_until (alive == NULL);
  saved = load (path);
  g_assert_cmpuint (heddle_snapshot_get_diagram (saved, NULL)->operations->len, ==, 3);
  remove_with_folder (path);
}

/* Text that no file can hold is not lost without a word. */
static void
test_close_text (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = open_copy (&path);
  gpointer alive = window;

  g_object_add_weak_pointer (G_OBJECT (window), &alive);
  gtk_text_buffer_set_text (
      heddle_equation_bar_get_buffer (heddle_window_get_equation_bar (window)), "A[i", -1);
  gtk_window_close (GTK_WINDOW (window));
  robot_until (find_anywhere ("_Cancel") != NULL);
  g_assert_null (find_anywhere ("_Save"));
  press_button ("_Close");
  robot_until (alive == NULL);
  remove_with_folder (path);
}

/* --- the file meanwhile --- */

static void
test_changed_elsewhere (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = open_copy (&path);

  copy_example ("softmax.ncd", path);
  robot_until (heddle_session_get_state (session_of (window)) & HEDDLE_SESSION_CHANGED);
  g_assert_true (has_operation (window, "contract"));
  press_button ("_Load It");
  robot_until (!has_operation (window, "contract"));
  g_assert_false (heddle_session_is_unsaved (session_of (window)));
  g_assert_null (find_anywhere ("_Load It"));
  heddle_document_undo (document_of (window));
  g_assert_true (has_operation (window, "contract")); /* nothing is lost by loading */

  copy_example ("row-norms.ncd", path);
  press_button ("_Keep This");
  robot_until (heddle_session_get_state (session_of (window)) == 0);
  g_assert_true (heddle_session_is_unsaved (session_of (window)));
  robot_key (canvas_of (window), GDK_KEY_s, GDK_CONTROL_MASK);
  robot_until (!heddle_session_is_unsaved (session_of (window)));
  robot_settle (GTK_WIDGET (window));
  g_assert_cmpint (heddle_session_get_state (session_of (window)), ==, 0); /* its own saving is no news */
  robot_close (window);
  remove_with_folder (path);
}

/* Saving looks again, whether or not anything was told: what another program wrote is not written over unasked. */
static void
test_no_silent_overwrite (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = open_copy (&path);
  g_autofree char *theirs = NULL;
  g_autofree char *now = NULL;

  delete_softmax (window);
  copy_example ("softmax.ncd", path);
  g_file_get_contents (path, &theirs, NULL, NULL);
  heddle_window_save (window);
  robot_until (find_anywhere ("_Overwrite") != NULL);
  g_file_get_contents (path, &now, NULL, NULL);
  g_assert_cmpstr (now, ==, theirs);
  press_button ("_Overwrite");
  robot_until (!heddle_session_is_unsaved (session_of (window)));
  robot_close (window);
  window = robot_open_path (path);
  g_assert_false (has_operation (window, "softmax"));
  g_assert_true (has_operation (window, "contract"));
  robot_close (window);
  remove_with_folder (path);
}

static void
test_gone (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = open_copy (&path);

  g_unlink (path);
  robot_until (heddle_session_get_state (session_of (window)) & HEDDLE_SESSION_GONE);
  g_assert_true (heddle_session_is_unsaved (session_of (window)));
  press_button ("_Save");
  robot_until (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpint (heddle_session_get_state (session_of (window)), ==, 0);
  robot_close (window);
  remove_with_folder (path);
}

static void
test_read_only (void)
{
  g_autofree char *path = temporary ("attention.ncd");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HeddleWindow *window = NULL;

  copy_example ("attention.ncd", path);
  g_chmod (path, 0444);
  window = robot_open_path (path);
  g_assert_nonnull (find_anywhere ("Save _As…"));
  g_assert_false (heddle_session_save (session_of (window), file, TRUE, &error));
  g_assert_error (error, HEDDLE_SESSION_ERROR, HEDDLE_SESSION_ERROR_READ_ONLY);
  robot_close (window);
  remove_with_folder (path);
}

/* A file that only its owner may read stays one. */
static void
test_mode (void)
{
  g_autofree char *path = temporary ("attention.ncd");
  HeddleWindow *window = NULL;
  GStatBuf status;

  copy_example ("attention.ncd", path);
  g_chmod (path, 0600);
  window = robot_open_path (path);
  delete_softmax (window);
  robot_key (canvas_of (window), GDK_KEY_s, GDK_CONTROL_MASK);
  robot_until (!heddle_session_is_unsaved (session_of (window)));
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 07777, ==, 0600);
  robot_close (window);
  remove_with_folder (path);
}

static void
test_in_use (void)
{
  g_autofree char *path = temporary ("attention.ncd");
  HeddleWindow *window = NULL;
  int other;

  copy_example ("attention.ncd", path);
  other = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  g_assert_cmpint (flock (other, LOCK_EX | LOCK_NB), ==, 0);
  window = robot_open_path (path);
  g_assert_cmpint (heddle_session_get_state (session_of (window)), ==, HEDDLE_SESSION_IN_USE);
  press_button ("_Edit Anyway");
  g_assert_cmpint (heddle_session_get_state (session_of (window)), ==, 0);
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
  remove_with_folder (path);
}

/* A disk that takes no more bytes: the file is as it was, the person is told, and the work is still there. */
static void
test_full_disk (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = open_copy (&path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GDir) dir = NULL;
  struct rlimit limit, none;

  delete_softmax (window);
  g_file_get_contents (path, &before, NULL, NULL);
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &limit);
  none = (struct rlimit){ 0, limit.rlim_max };
  setrlimit (RLIMIT_FSIZE, &none);
  heddle_window_save (window);
  robot_until (heddle_draft_get_error (heddle_session_get_draft (session_of (window))) != NULL);
  setrlimit (RLIMIT_FSIZE, &limit);

  g_assert_true (heddle_session_is_unsaved (session_of (window)));
  g_file_get_contents (path, &after, NULL, NULL);
  g_assert_cmpstr (before, ==, after);
  dir = g_dir_open (folder, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (dir), ==, "attention.ncd");
  g_assert_null (g_dir_read_name (dir)); /* no half of a file beside it */
  press_button ("_Close");
  /* There is room again: the draft is written after all, and so is the file. */
  robot_until (heddle_draft_get_error (heddle_session_get_draft (session_of (window))) == NULL);
  heddle_window_save (window);
  g_assert_false (heddle_session_is_unsaved (session_of (window)));
  robot_close (window);
  remove_with_folder (path);
}

/* --- a crash --- */

/* The child: a person who works without a pause. Each edit gives the axis x its next size, and is told to the parent. */
static G_GNUC_NORETURN void
work_until_killed (const char *path)
{
  HeddleWindow *window = robot_open_path (path);
  HeddleEditor *editor = heddle_window_get_editor (window);
  const HeddleAxis *axis = heddle_diagram_find_axis (heddle_editor_get_diagram (editor), "x");

  for (guint size = 1;; size++)
    {
      g_autofree char *text = g_strdup_printf ("%u", size);
      const gint64 end = g_get_monotonic_time () + G_USEC_PER_SEC / 20;

      g_assert_true (heddle_edits_set_size (editor, axis->id, text, NULL));
      g_print ("edit %u %" G_GINT64_FORMAT "\n", size, g_get_monotonic_time ());
      while (g_get_monotonic_time () < end)
        robot_step ();
    }
}

static GPid
start_worker (const char *path, const char *state, int *output)
{
  const char *const argv[] = { program, "--work", path, NULL };
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "XDG_STATE_HOME", state, TRUE);
  g_autoptr (GError) error = NULL;
  GPid pid = 0;

  g_spawn_async_with_pipes (NULL, (char **) argv, environment, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid,
      NULL, output, NULL, &error);
  g_assert_no_error (error);
  return pid;
}

/* When the edit was made that gave x this size. */
static gint64
time_of_edit (const char *log, gint64 size)
{
  g_autofree char *start = g_strdup_printf ("edit %" G_GINT64_FORMAT " ", size);
  const char *found = strstr (log, start);

  return found != NULL ? g_ascii_strtoll (found + strlen (start), NULL, 10) : 0;
}

static char *
read_until (int fd, gint64 end)
{
  GString *log = g_string_new (NULL);
  char buffer[4096];
  ssize_t n;

  fcntl (fd, F_SETFL, O_NONBLOCK);
  while (g_get_monotonic_time () < end)
    {
      n = read (fd, buffer, sizeof buffer);
      if (n > 0)
        g_string_append_len (log, buffer, n);
      else if (n == 0 || errno != EAGAIN)
        break;
      else
        g_usleep (5000);
      if (end == G_MAXINT64 && strstr (log->str, "edit 1 ") != NULL)
        break;
    }
  return g_string_free (log, FALSE);
}

static gint64
size_of_x (const HeddleSnapshot *snapshot)
{
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, NULL);

  return heddle_sizes_get (sizes, heddle_diagram_find_axis (diagram, "x")->id);
}

/* Kills the worker @after µs of work and looks at what it left: at most three seconds of it are missing. */
static void
kill_after (const char *path, const char *state, gint64 after)
{
  int output, status;
  GPid pid = start_worker (path, state, &output);
  g_autofree char *start = read_until (output, G_MAXINT64);
  g_autofree char *rest = read_until (output, g_get_monotonic_time () + after);
  g_autofree char *log = g_strconcat (start, rest, NULL);
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (HeddleSnapshot) kept = NULL;
  g_autofree char *document = NULL;
  const HeddleDraftRecord *record = NULL;
  const gint64 killed = g_get_monotonic_time ();

  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  waitpid (pid, &status, 0);
  g_assert_true (WIFSIGNALED (status));
  close (output);

  records = heddle_draft_store_find ();
  g_assert_cmpuint (records->len, ==, 1);
  record = g_ptr_array_index (records, 0);
  g_assert_cmpstr (record->title, ==, "attention.ncd");
  document = heddle_draft_record_document (record);
  kept = load (document);
  g_assert_nonnull (kept);
  g_test_message ("lost %.2f s", (killed - time_of_edit (log, size_of_x (kept))) / 1e6);
  g_assert_cmpint (killed - time_of_edit (log, size_of_x (kept)), <, 3 * G_USEC_PER_SEC);
  heddle_draft_store_remove (record->stem);
}

static void
test_killed (void)
{
  static const gint64 moments[] = { 2900000, 4100000, 5700000 };
  g_autofree char *path = temporary ("attention.ncd");

  copy_example ("attention.ncd", path);
  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    kill_after (path, g_get_user_state_dir (), moments[i]);
  remove_with_folder (path);
}

/* The next start offers what was left; it comes back as unsaved work on its file, with the text that was being typed. */
static void
test_recovered (void)
{
  g_autofree char *path = temporary ("attention.ncd");
  HeddleWindow *window = NULL;
  GPtrArray *records = NULL;
  GPid pid = 0;
  int output, status;
  g_autofree char *log = NULL;
  HeddleDraftRecord *record = NULL;

  copy_example ("attention.ncd", path);
  pid = start_worker (path, g_get_user_state_dir (), &output);
  log = read_until (output, G_MAXINT64);
  g_usleep (3 * G_USEC_PER_SEC);
  kill (pid, SIGKILL);
  waitpid (pid, &status, 0);
  close (output);

  records = heddle_draft_store_find ();
  g_assert_cmpuint (records->len, ==, 1);
  record = g_ptr_array_index (records, 0);
  record->diagram = g_strdup ("attention");
  record->text = g_strdup ("O[y,k] = half a");
  window = robot_open ("examples/softmax.ncd");
  heddle_window_offer_drafts (window, records);
  press_button ("_Recover");
  robot_until (find_anywhere ("_Recover") == NULL);
  g_assert_cmpint (adw_tab_view_get_n_pages (ADW_TAB_VIEW (window->tab_view)), ==, 2);
  g_assert_true (has_operation (window, "contract"));
  g_assert_true (heddle_session_is_unsaved (session_of (window)));
  g_assert_cmpstr (heddle_page_get_text (heddle_window_get_page (window)), ==, "O[y,k] = half a");
  g_assert_cmpint (heddle_session_get_state (session_of (window)), ==, 0);
  heddle_equation_bar_revert (heddle_window_get_equation_bar (window));
  robot_key (canvas_of (window), GDK_KEY_s, GDK_CONTROL_MASK);
  robot_until (!heddle_document_get_modified (document_of (window)));
  robot_close (window);
  window = robot_open_path (path);
  g_assert_cmpint (size_of_x (heddle_editor_get_snapshot (heddle_window_get_editor (window))), !=, 4096);
  robot_close (window);
  remove_with_folder (path);
}

/* What is saved, undone or given up leaves nothing behind. */
static void
test_draft_goes (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = open_copy (&path);
  g_autofree char *stem = heddle_draft_store_new_stem (NULL);
  g_autofree char *folder = g_path_get_dirname (stem);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  delete_softmax (window);
  for (guint now = 0; now < n + 2;) /* the document, and what belongs to it */
    {
      now = 0;
      g_dir_rewind (dir);
      while (g_dir_read_name (dir) != NULL)
        now++;
      robot_step ();
    }
  robot_key (canvas_of (window), GDK_KEY_s, GDK_CONTROL_MASK);
  for (guint now = n + 2; now > n;)
    {
      now = 0;
      g_dir_rewind (dir);
      while (g_dir_read_name (dir) != NULL)
        now++;
      robot_step ();
    }
  robot_close (window);
  remove_with_folder (path);
}

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
  HeddleWindow *window = open_copy (&path);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

  robot_until (is_recent (window, uri));
  g_unlink (path);
  g_signal_emit_by_name (gtk_recent_manager_get_default (), "changed");
  g_assert_false (is_recent (window, uri)); /* what is gone is not offered */
  robot_close (window);
  remove_with_folder (path);
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
  char *path = temporary ("model.onnx");
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
  robot_until (heddle_window_get_page (window) != NULL && has_operation (window, "call"));
  g_assert_null (heddle_session_get_file (session_of (window))); /* a model is not written over */
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
  remove_with_folder (whole);
  remove_with_folder (other);
  remove_with_folder (broken);
}

int
main (int argc, char **argv)
{
  g_autofree char *state = NULL;

  program = argv[0];
  if (argc == 3 && g_str_equal (argv[1], "--work"))
    work_until_killed (argv[2]);
  g_test_init (&argc, &argv, NULL);
  /* What other tests leave is not what is looked for here. */
  state = g_strdup_printf ("%s/documents-%d", g_getenv ("XDG_STATE_HOME"), (int) getpid ());
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_setenv ("XDG_DATA_HOME", state, TRUE);
  g_test_add_func ("/documents/tabs", test_tabs);
  g_test_add_func ("/documents/definition-tab", test_definition_tab);
  g_test_add_func ("/documents/move-tab", test_move_tab);
  g_test_add_func ("/documents/close-several", test_close_several);
  g_test_add_func ("/documents/close", test_close);
  g_test_add_func ("/documents/close-text", test_close_text);
  g_test_add_func ("/documents/changed-elsewhere", test_changed_elsewhere);
  g_test_add_func ("/documents/no-silent-overwrite", test_no_silent_overwrite);
  g_test_add_func ("/documents/gone", test_gone);
  g_test_add_func ("/documents/read-only", test_read_only);
  g_test_add_func ("/documents/mode", test_mode);
  g_test_add_func ("/documents/in-use", test_in_use);
  g_test_add_func ("/documents/full-disk", test_full_disk);
  g_test_add_func ("/documents/killed", test_killed);
  g_test_add_func ("/documents/recovered", test_recovered);
  g_test_add_func ("/documents/draft-goes", test_draft_goes);
  g_test_add_func ("/documents/recent", test_recent);
  g_test_add_func ("/documents/model", test_model);
  return g_test_run ();
}
