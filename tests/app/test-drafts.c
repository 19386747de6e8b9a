/* SPDX-License-Identifier: MIT */

/* What is kept of a person's work while it is not saved: a process that is killed, drafts that somebody takes away. Real windows; the
 * killed process is a real one. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "app/documents/draft-store.h"
#include "app/documents/draft.h"
#include "app/documents/page.h"
#include "app/documents/session.h"
#include "app/editor/editor.h"
#include "app/edits/label.h"
#include "app/equations/equation-bar.h"
#include "app/window/notices.h"
#include "app/window/pages.h"
#include "app/window/window.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "desk.h"
#include "app/window/private.h"

static const char *program; /* this one */

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
  kept = desk_load (document);
  g_assert_nonnull (kept);
  g_test_message ("lost %.2f s", (killed - time_of_edit (log, size_of_x (kept))) / 1e6);
  g_assert_cmpint (killed - time_of_edit (log, size_of_x (kept)), <, 3 * G_USEC_PER_SEC);
  heddle_draft_store_remove (record->stem);
}

static void
test_killed (void)
{
  static const gint64 moments[] = { 2900000, 4100000, 5700000 };
  g_autofree char *path = desk_temporary ("attention.ncd");

  desk_copy_example ("attention.ncd", path);
  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    kill_after (path, g_get_user_state_dir (), moments[i]);
  desk_remove_with_folder (path);
}

/* The next start offers what was left; it comes back as unsaved work on its file, with the text that was being typed. */
static void
test_recovered (void)
{
  g_autofree char *path = desk_temporary ("attention.ncd");
  HeddleWindow *window = NULL;
  GPtrArray *records = NULL;
  GPid pid = 0;
  int output, status;
  g_autofree char *log = NULL;
  HeddleDraftRecord *record = NULL;

  desk_copy_example ("attention.ncd", path);
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
  desk_press_button ("_Recover");
  robot_until (desk_find_anywhere ("_Recover") == NULL);
  g_assert_cmpint (adw_tab_view_get_n_pages (ADW_TAB_VIEW (window->tab_view)), ==, 2);
  g_assert_true (desk_has_operation (window, "contract"));
  g_assert_true (heddle_session_is_unsaved (desk_session_of (window)));
  g_assert_cmpstr (heddle_page_get_text (heddle_window_get_page (window)), ==, "O[y,k] = half a");
  g_assert_cmpint (heddle_session_get_state (desk_session_of (window)), ==, 0);
  heddle_equation_bar_revert (heddle_window_get_equation_bar (window));
  robot_key (desk_canvas_of (window), GDK_KEY_s, GDK_CONTROL_MASK);
  robot_until (!heddle_document_get_modified (desk_document_of (window)));
  robot_close (window);
  window = robot_open_path (path);
  g_assert_cmpint (size_of_x (heddle_editor_get_snapshot (heddle_window_get_editor (window))), !=, 4096);
  robot_close (window);
  desk_remove_with_folder (path);
}

/* What is saved, undone or given up leaves nothing behind. */
static void
test_draft_goes (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autofree char *stem = heddle_draft_store_new_stem (NULL);
  g_autofree char *folder = g_path_get_dirname (stem);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  desk_delete_softmax (window);
  for (guint now = 0; now < n + 2;) /* the document, and what belongs to it */
    {
      now = 0;
      g_dir_rewind (dir);
      while (g_dir_read_name (dir) != NULL)
        now++;
      robot_step ();
    }
  robot_key (desk_canvas_of (window), GDK_KEY_s, GDK_CONTROL_MASK);
  for (guint now = n + 2; now > n;)
    {
      now = 0;
      g_dir_rewind (dir);
      while (g_dir_read_name (dir) != NULL)
        now++;
      robot_step ();
    }
  robot_close (window);
  desk_remove_with_folder (path);
}

/* --- a folder that somebody takes away --- */

static char *
drafts_folder (void)
{
  g_autofree char *stem = heddle_draft_store_new_stem (NULL);

  return g_path_get_dirname (stem);
}

/* The document that a folder keeps; NULL: none. */
static HeddleSnapshot *
find_kept (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".ncd"))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);

        return desk_load (path);
      }
  return NULL;
}

static gboolean
is_kept (const char *folder)
{
  g_autoptr (HeddleSnapshot) kept = find_kept (folder);

  return kept != NULL && heddle_snapshot_get_diagram (kept, NULL)->operations->len == 3;
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static gboolean
is_held (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "lock", NULL);
  const int fd = g_open (path, O_RDWR | O_CLOEXEC, 0);
  const gboolean held = fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) != 0;

  if (fd >= 0)
    close (fd);
  return held;
}

/* The equations that a folder keeps; NULL: none. */
static char *
find_kept_text (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".draft"))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        g_autoptr (GKeyFile) keys = g_key_file_new ();

        if (g_key_file_load_from_file (keys, path, G_KEY_FILE_NONE, NULL))
          return g_key_file_get_string (keys, "Draft", "Equations", NULL);
      }
  return NULL;
}

static gboolean
keeps_text (const char *folder, const char *part)
{
  g_autofree char *text = find_kept_text (folder);

  return text != NULL && strstr (text, part) != NULL;
}

/* A stroke says that there is more, and copies nothing: the text is taken when the draft is written, in the midst of the typing. */
static void
test_typing (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  HeddleSession *session = desk_session_of (window);
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (heddle_window_get_equation_bar (window));
  g_autofree char *folder = drafts_folder (), *before = NULL;

  g_object_get (buffer, "text", &before, NULL);
  gtk_text_buffer_insert_at_cursor (buffer, "typed (", -1);
  g_assert_true (heddle_session_is_unsaved (session));
  g_assert_null (heddle_session_get_text (session, NULL));
  for (guint i = 0; !keeps_text (folder, "typed ((("); i++)
    {
      gtk_text_buffer_insert_at_cursor (buffer, "(", -1);
      robot_settle (GTK_WIDGET (window));
    }
  g_assert_nonnull (strstr (heddle_session_get_text (session, NULL), "typed ((("));
  gtk_text_buffer_insert_at_cursor (buffer, " last", -1);
  robot_until (keeps_text (folder, " last"));
  /* What is typed back is no work that could be lost. */
  gtk_text_buffer_set_text (buffer, before, -1);
  robot_until (!heddle_session_is_unsaved (session));
  robot_until (find_kept_text (folder) == NULL);
  robot_close (window);
  desk_remove_with_folder (path);
}

/* The person does nothing more: what was kept is kept again, and is held against other processes. */
static void
test_folder_goes (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  g_autofree char *folder = drafts_folder ();

  desk_delete_softmax (window);
  robot_until (is_kept (folder));
  robot_until (heddle_draft_get_error (heddle_session_get_draft (desk_session_of (window))) == NULL);
  remove_folder (folder);
  robot_until (is_kept (folder));
  g_assert_true (is_held (folder));
  robot_close (window);
  desk_remove_with_folder (path);
}

/* Where nothing can be kept the person is told, until it can be again. */
static void
test_no_folder (void)
{
  g_autofree char *path = NULL;
  HeddleWindow *window = desk_open_copy (&path);
  HeddleDraft *draft = heddle_session_get_draft (desk_session_of (window));
  g_autofree char *folder = drafts_folder (), *told = NULL;

  remove_folder (folder);
  g_assert_true (g_file_set_contents (folder, "no folder", -1, NULL));
  desk_delete_softmax (window);
  robot_until (heddle_draft_get_error (draft) != NULL);
  robot_until (desk_find_anywhere ("_Save") != NULL); /* in the notice */
  told = g_strdup (heddle_draft_get_error (draft));
  for (gint64 end = g_get_monotonic_time () + 4 * G_USEC_PER_SEC;
       g_get_monotonic_time () < end;) /* of two tries */
    robot_step ();
  g_assert_cmpstr (heddle_draft_get_error (draft), ==, told);
  g_assert_cmpint (g_unlink (folder), ==, 0);
  robot_until (heddle_draft_get_error (draft) == NULL);
  g_assert_true (is_kept (folder));
  g_assert_null (desk_find_anywhere ("_Save"));
  robot_close (window);
  desk_remove_with_folder (path);
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
  state = g_strdup_printf ("%s/drafts-%d", g_getenv ("XDG_STATE_HOME"), (int) getpid ());
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_setenv ("XDG_DATA_HOME", state, TRUE);
  g_test_add_func ("/drafts/killed", test_killed);
  g_test_add_func ("/drafts/recovered", test_recovered);
  g_test_add_func ("/drafts/draft-goes", test_draft_goes);
  g_test_add_func ("/drafts/typing", test_typing);
  g_test_add_func ("/drafts/folder-goes", test_folder_goes);
  g_test_add_func ("/drafts/no-folder", test_no_folder);
  return g_test_run ();
}
