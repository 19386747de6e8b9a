/* SPDX-License-Identifier: MIT */

/* Whatever is done in whatever order, and whenever the process is killed: nothing is warned of, every document stays one, every edit can
 * be undone, and no work is lost. Lives of a monkey, each a process: it works on what the one before left, until it is killed. */

#include <malloc.h>
#include <signal.h>
#include <sys/wait.h>

#include <glib/gstdio.h>

#include "app/documents/draft-store.h"
#include "app/editor/editor.h"
#include "app/edits/label.h"
#include "app/window/notices.h"
#include "app/window/window.h"
#include "derive/machine/find.h"
#include "diagram/graph/diagram.h"
#include "monkey.h"

#define EVENTS_PER_CHECK 25
#define N_LIVES 4 /* for each run, of which the last one ends by itself */
#define MOST_PER_LIFE 1250
/* µs: how old a draft may be. What is asked of it is less; a machine may be busy. */
#define LATE (10 * G_USEC_PER_SEC)

static const char *program; /* this one, wherever it is run from */

/* --- a life --- */

static void
recover (HeddleWindow *window)
{
  g_autoptr (GPtrArray) left = witness_list_drafts ();

  heddle_window_offer_drafts (window, heddle_draft_store_find ());
  heddle_window_recover_drafts (window);
  for (guint i = 0; i < left->len; i++)
    if (!witness_has_document (left->pdata[i]))
      g_error ("What was left is not there again: %s", (char *) left->pdata[i]);
}

static HeddleWindow *
first_window (void)
{
  GApplication *application = g_application_get_default ();

  return gtk_application_get_windows (GTK_APPLICATION (application))->data;
}

/* Acts so many times, is killed after the last one if it is to be, and then with a rest before or at once. */
static int
live (const char *path, const char *log, guint32 seed, guint n_events, gboolean killed, gboolean rests)
{
  g_autoptr (Monkey) monkey = NULL;

  witness_start (log);
  monkey = monkey_new (seed, path);
  recover (first_window ());
  for (guint i = 1; i <= n_events; i++)
    {
      monkey_act (monkey);
      witness_note ("event %u %s", i, monkey_get_last (monkey));
      if (i % EVENTS_PER_CHECK == 0)
        witness_check ();
    }
  if (killed && rests)
    robot_until (witness_is_all_kept ());
  if (killed)
    {
      witness_note ("killed %" G_GINT64_FORMAT, g_get_monotonic_time ());
      kill (getpid (), SIGKILL);
    }
  witness_check_history ();
  witness_check ();
  g_clear_pointer (&monkey, monkey_free);
  witness_note ("ended");
  return 0;
}

/* --- what became of it --- */

typedef struct
{
  GPtrArray *digests; /* of char *, oldest first */
  GArray *times; /* of gint64, with them */
  gboolean modified, closed;
  gint64 unsaved; /* since when */
} History;

static void
history_free (gpointer data)
{
  History *self = data;

  g_ptr_array_unref (self->digests);
  g_array_unref (self->times);
  g_free (self);
}

static History *
look_up (GHashTable *histories, const char *number)
{
  History *self = g_hash_table_lookup (histories, number);

  if (self == NULL)
    {
      self = g_new0 (History, 1);
      self->digests = g_ptr_array_new_with_free_func (g_free);
      self->times = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (histories, g_strdup (number), self);
    }
  return self;
}

static void
add_state (History *self, const char *digest, gboolean modified, gint64 time)
{
  if (modified && !self->modified)
    self->unsaved = time;
  self->modified = modified;
  g_ptr_array_add (self->digests, g_strdup (digest));
  g_array_append_val (self->times, time);
}

static GHashTable *
read_log (const char *log, gint64 *killed)
{
  GHashTable *histories = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, history_free);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (log, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  *killed = 0;
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);

      if (g_strcmp0 (words[0], "state") == 0)
        add_state (
            look_up (histories, words[1]), words[2], atoi (words[3]), g_ascii_strtoll (words[4], NULL, 10));
      else if (g_strcmp0 (words[0], "closed") == 0)
        look_up (histories, words[1])->closed = TRUE;
      else if (g_strcmp0 (words[0], "killed") == 0)
        *killed = g_ascii_strtoll (words[1], NULL, 10);
    }
  return histories;
}

/* Whether the document was like that a short while ago. */
static gboolean
was_lately (const History *self, const char *digest, gint64 earliest)
{
  for (guint i = 0; i < self->digests->len; i++)
    if (g_str_equal (self->digests->pdata[i], digest)
        && (i + 1 == self->times->len || g_array_index (self->times, gint64, i + 1) >= earliest))
      return TRUE;
  return FALSE;
}

static gboolean
is_kept (const History *self, GPtrArray *drafts, gint64 earliest)
{
  for (guint i = 0; i < drafts->len; i++)
    if (was_lately (self, drafts->pdata[i], earliest))
      return TRUE;
  return FALSE;
}

static void
check_left (const char *log)
{
  g_autoptr (GPtrArray) drafts = witness_list_drafts ();
  gint64 killed;
  g_autoptr (GHashTable) histories = read_log (log, &killed);
  GHashTableIter iter;
  gpointer number, value;

  g_assert_cmpint (killed, >, 0);
  g_hash_table_iter_init (&iter, histories);
  while (g_hash_table_iter_next (&iter, &number, &value))
    {
      const History *history = value;

      if (history->closed || !history->modified || history->unsaved > killed - LATE)
        continue;
      if (!is_kept (history, drafts, killed - LATE))
        g_error ("Document %s was not saved and is in none of %u drafts; see %s", (char *) number,
            drafts->len, log);
    }
}

static void
tell_last_events (const char *log)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (log, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint n = g_strv_length (lines), i = n > 20 ? n - 20 : 0; i < n; i++)
    g_printerr ("# %s\n", lines[i]);
}

static void
run_life (const char *path, const char *log, guint32 seed, guint n_events, gboolean killed, gboolean rests)
{
  g_autofree char *seed_text = g_strdup_printf ("%u", seed), *n_text = g_strdup_printf ("%u", n_events),
                  *folder = g_path_get_dirname (path);
  const char *const argv[] = { program, "--live", path, log, seed_text, n_text, killed ? "killed" : "ends",
    rests ? "rests" : "works", NULL };
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "HOME", folder, TRUE);
  g_autoptr (GError) error = NULL;
  int status;
  gboolean as_meant;

  g_unlink (log);
  g_spawn_sync (
      folder, (char **) argv, environment, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  as_meant = killed ? WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL
                    : WIFEXITED (status) && WEXITSTATUS (status) == 0;
  if (!as_meant)
    {
      tell_last_events (log);
      g_error ("seed %u: the program ended with status %d; what was done is in %s", seed, status, log);
    }
}

static void
run_lives (guint32 seed, guint n_events)
{
  static const char *const examples[]
      = { "attention.ncd", "self-attention.ncd", "layer-norm.ncd", "residual-mlp.ncd" };
  const guint n_lives = MAX (N_LIVES, n_events / MOST_PER_LIFE);
  g_autofree char *folder = g_dir_make_tmp ("heddle-monkey-XXXXXX", NULL),
                  *path = g_build_filename (folder, "work.ncd", NULL),
                  *log = g_build_filename (folder, "log", NULL),
                  *source = g_build_filename (
                      heddle_data_directory (), "examples", examples[seed % G_N_ELEMENTS (examples)], NULL),
                  *data = NULL;

  g_assert_true (g_file_get_contents (source, &data, NULL, NULL));
  g_assert_true (g_file_set_contents (path, data, -1, NULL));
  for (guint i = 0; i < n_lives; i++)
    {
      const gboolean killed = i + 1 < n_lives;

      run_life (path, log, seed + i, n_events / n_lives, killed, i % 2 == 0);
      if (killed)
        check_left (log);
    }
}

/* --- opening and closing --- */

/* What is in use, in KiB: what the allocator keeps for later does not count. */
static gint64
memory (void)
{
  const struct mallinfo2 info = mallinfo2 ();

  return (info.uordblks + info.hblkhd) / 1024;
}

/* A window with a change in it, its menu and an undo, and closed. */
static void
visit (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  GtkWidget *canvas = GTK_WIDGET (heddle_window_get_canvas (window));
  const HeddleAxis *axis
      = heddle_diagram_find_axis (heddle_editor_get_diagram (heddle_window_get_editor (window)), "x");

  g_assert_true (heddle_edits_set_size (heddle_window_get_editor (window), axis->id, "77", NULL));
  robot_move (canvas, 300, 200);
  robot_button (3, TRUE);
  robot_button (3, FALSE);
  robot_settle (canvas);
  robot_key (canvas, GDK_KEY_Escape, 0);
  robot_key (canvas, GDK_KEY_z, GDK_CONTROL_MASK);
  robot_close (window);
}

/* KiB that a window opened and closed may leave behind: views of GtkSourceView 5.6 and tooltips of GTK 4.8 are among it, no documents. */
#define MOST_LEFT 600

static void
test_open_and_close (void)
{
  const guint n = 6;
  gint64 before, after;

  for (guint i = 0; i < 3; i++)
    visit ();
  before = memory ();
  for (guint i = 0; i < n; i++)
    visit ();
  after = memory ();
  g_test_message ("%.0f KiB more for each window", (double) (after - before) / n);
  g_assert_cmpint ((after - before) / n, <, MOST_LEFT);
}

static guint32
number_of (const char *variable, guint32 otherwise)
{
  const char *text = g_getenv (variable);

  return text != NULL ? g_ascii_strtoull (text, NULL, 10) : otherwise;
}

static void
test_lives (gconstpointer data)
{
  const guint32 seed = number_of ("HEDDLE_MONKEY_SEED", 1);
  const guint n_events = number_of ("HEDDLE_MONKEY_EVENTS", GPOINTER_TO_UINT (data));

  g_test_message ("HEDDLE_MONKEY_SEED=%u HEDDLE_MONKEY_EVENTS=%u", seed, n_events);
  run_lives (seed, n_events);
}

int
main (int argc, char **argv)
{
  g_autofree char *state = NULL;

  program = g_canonicalize_filename (argv[0], NULL);
  if (argc == 8 && g_str_equal (argv[1], "--live"))
    return live (argv[2], argv[3], g_ascii_strtoull (argv[4], NULL, 10), atoi (argv[5]),
        g_str_equal (argv[6], "killed"), g_str_equal (argv[7], "rests"));
  g_test_init (&argc, &argv, NULL);
  /* What other tests leave is not what is looked for here. */
  state = g_strdup_printf ("%s/monkey-%d", g_getenv ("XDG_STATE_HOME"), (int) getpid ());
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_setenv ("XDG_DATA_HOME", state, TRUE);
  if (argc < 2)
    g_test_add_func ("/monkey/open-and-close", test_open_and_close);
  else
    g_test_add_data_func ("/monkey/lives", GUINT_TO_POINTER (atoi (argv[1])), test_lives);
  return g_test_run ();
}
