/* SPDX-License-Identifier: MIT */

#include <fcntl.h>
#include <unistd.h>

#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "files/exchange/load.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"
#include "faults.h"
#include "monkey.h"

/* An undo history ends here, whatever was done before. */
#define MAX_STEPS 1000

typedef struct
{
  HeddleDocument *document;
  char *first; /* the digest of what was opened */
  guint number;
} Seen;

static int log_file = -1;
static GPtrArray *seen; /* of Seen: the documents that are alive */
static guint n_seen;

void
witness_note (const char *format, ...)
{
  va_list arguments;
  g_autofree char *text = NULL, *line = NULL;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  line = g_strconcat (text, "\n", NULL);
  g_assert_cmpint (write (log_file, line, strlen (line)), ==, strlen (line));
}

static char *
write_snapshot (const HeddleSnapshot *snapshot)
{
  g_autoptr (GError) error = NULL;
  char *text = heddle_ncd_write (snapshot, NULL, &error);

  g_assert_no_error (error);
  return text;
}

static char *
digest (const HeddleSnapshot *snapshot)
{
  g_autofree char *text = write_snapshot (snapshot);

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
}

char *
witness_digest_of_file (const char *path)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot = heddle_file_load (path, problems, NULL);

  return snapshot != NULL ? digest (snapshot) : NULL;
}

static void
seen_free (gpointer data)
{
  Seen *self = data;

  g_free (self->first);
  g_free (self);
}

static void
forget (gpointer data, GObject *document)
{
  witness_note ("closed %u %" G_GINT64_FORMAT, ((Seen *) data)->number, g_get_monotonic_time ());
  g_ptr_array_remove_fast (seen, data);
}

static void note_state (HeddleDocument *document);

static Seen *
look_up (HeddleDocument *document)
{
  Seen *self = NULL;

  for (guint i = 0; i < seen->len; i++)
    if (((Seen *) seen->pdata[i])->document == document)
      return seen->pdata[i];
  self = g_new0 (Seen, 1);
  self->document = document;
  self->number = n_seen++;
  g_object_weak_ref (G_OBJECT (document), forget, self);
  g_signal_connect (document, "notify::modified", G_CALLBACK (note_state), NULL);
  g_ptr_array_add (seen, self);
  return self;
}

/* "state 3 DIGEST 1 TIME": the third document, modified. */
static void
note_state (HeddleDocument *document)
{
  Seen *self = look_up (document);
  g_autofree char *now = digest (heddle_document_get_snapshot (document));

  if (heddle_document_get_undo_name (document) == NULL && heddle_document_get_redo_name (document) == NULL)
    {
      g_free (self->first);
      self->first = g_strdup (now);
    }
  witness_note ("state %u %s %d %" G_GINT64_FORMAT, self->number, now,
      heddle_document_get_modified (document), g_get_monotonic_time ());
}

static gboolean
on_emission (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  note_state (g_value_get_object (&values[0]));
  return G_SOURCE_CONTINUE;
}

guint
witness_get_n_documents (void)
{
  return seen->len;
}

gboolean
witness_has_document (const char *wanted)
{
  for (guint i = 0; i < seen->len; i++)
    {
      g_autofree char *now = digest (heddle_document_get_snapshot (((Seen *) seen->pdata[i])->document));

      if (g_str_equal (now, wanted))
        return TRUE;
    }
  return FALSE;
}

void
witness_start (const char *log)
{
  g_assert_cmpint (log_file, ==, -1);
  log_file = open (log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  g_assert_cmpint (log_file, !=, -1);
  seen = g_ptr_array_new_with_free_func (seen_free);
  faults_watch (TRUE);
  g_type_ensure (HEDDLE_TYPE_DOCUMENT);
  g_type_class_unref (g_type_class_ref (HEDDLE_TYPE_DOCUMENT));
  g_signal_add_emission_hook (g_signal_lookup ("changed", HEDDLE_TYPE_DOCUMENT), 0, on_emission, NULL, NULL);
}

/* --- drafts --- */

static void
list_folder (const char *folder, GPtrArray *digests)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".ncd"))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        char *held = witness_digest_of_file (path);

        if (held == NULL)
          g_error ("The draft %s cannot be read", path);
        g_ptr_array_add (digests, held);
      }
}

GPtrArray *
witness_list_drafts (void)
{
  GPtrArray *digests = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *root = g_build_filename (g_get_user_state_dir (), "heddle", "drafts", NULL);
  g_autoptr (GDir) dir = g_dir_open (root, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *folder = g_build_filename (root, name, NULL);

      list_folder (folder, digests);
    }
  return digests;
}

gboolean
witness_is_all_kept (void)
{
  g_autoptr (GPtrArray) drafts = witness_list_drafts ();

  for (guint i = 0; i < seen->len; i++)
    {
      HeddleDocument *document = ((Seen *) seen->pdata[i])->document;
      g_autofree char *now = digest (heddle_document_get_snapshot (document));

      if (heddle_document_get_modified (document)
          && !g_ptr_array_find_with_equal_func (drafts, now, g_str_equal, NULL))
        return FALSE;
    }
  return TRUE;
}

/* --- all is well --- */

static void
complain (const char *what, GPtrArray *problems, const char *text)
{
  g_autoptr (GString) list = g_string_new (what);

  for (guint i = 0; i < problems->len; i++)
    g_string_append_printf (list, "\n  %s", ((HeddleProblem *) problems->pdata[i])->message);
  g_error ("%s\n%s", list->str, text);
}

static void
check_document (HeddleDocument *document)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autofree char *text = write_snapshot (heddle_document_get_snapshot (document));
  g_autoptr (HeddleSnapshot) read = heddle_ncd_read (text, strlen (text), "document", problems);
  g_autofree char *again = NULL;

  if (read == NULL)
    complain ("What is written cannot be read", problems, text);
  again = write_snapshot (read);
  if (!g_str_equal (text, again))
    complain ("What is read is written otherwise", problems, text);
}

void
witness_check (void)
{
  for (guint i = 0; i < seen->len; i++)
    check_document (((Seen *) seen->pdata[i])->document);
}

static void
check_history (Seen *self)
{
  g_autofree char *before = digest (heddle_document_get_snapshot (self->document)), *first = NULL,
                  *after = NULL;
  guint n_undone = 0;

  while (heddle_document_undo (self->document))
    n_undone++;
  first = digest (heddle_document_get_snapshot (self->document));
  if (n_undone < MAX_STEPS)
    g_assert_cmpstr (first, ==, self->first);
  for (guint i = 0; i < n_undone; i++)
    g_assert_true (heddle_document_redo (self->document));
  after = digest (heddle_document_get_snapshot (self->document));
  g_assert_cmpstr (after, ==, before);
}

void
witness_check_history (void)
{
  for (guint i = 0; i < seen->len; i++)
    check_history (seen->pdata[i]);
}
