/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "app/documents/draft-store.h"
#include "files/base/save.h"

#define GROUP "Draft"
/* A folder may be taken for a dead one's between its making and its locking. */
#define MOST_TRIES 8

static char *own_folder; /* of this process; NULL: not made yet */

void
heddle_draft_record_free (HeddleDraftRecord *self)
{
  g_free (self->stem);
  g_free (self->title);
  g_free (self->uri);
  g_free (self->digest);
  g_free (self->diagram);
  g_free (self->text);
  g_free (self);
}

char *
heddle_draft_record_document (const HeddleDraftRecord *self)
{
  return g_strconcat (self->stem, ".ncd", NULL);
}

static char *
root_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "heddle", "drafts", NULL);
}

/* The lock is let go by the end of the process, whatever ends it: the descriptor is never closed. */
static gboolean
lock_folder (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "lock", NULL);
  int fd = g_open (path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);

  if (fd < 0)
    return FALSE;
  if (flock (fd, LOCK_EX | LOCK_NB) == 0 && g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  close (fd);
  return FALSE;
}

static gboolean
make_own_folder (GError **error)
{
  g_autofree char *root = root_folder ();

  if (g_mkdir_with_parents (root, 0700) == 0)
    for (guint i = 0; i < MOST_TRIES && own_folder == NULL; i++)
      {
        g_autofree char *folder = g_build_filename (root, "XXXXXX", NULL);

        if (g_mkdtemp (folder) == NULL)
          break;
        if (lock_folder (folder))
          own_folder = g_steal_pointer (&folder);
      }
  if (own_folder == NULL)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _ ("no drafts can be kept in %s: %s"),
        root, g_strerror (errno));
  return own_folder != NULL;
}

/* Whatever became of the folder while the program ran: what has no lock would be taken for a dead one's. */
static void
renew_folder (const char *stem)
{
  g_autofree char *folder = g_path_get_dirname (stem);
  g_autofree char *lock = g_build_filename (folder, "lock", NULL);

  if (!g_file_test (lock, G_FILE_TEST_EXISTS) && g_mkdir_with_parents (folder, 0700) == 0)
    lock_folder (folder);
}

char *
heddle_draft_store_new_stem (GError **error)
{
  g_autofree char *name = g_uuid_string_random ();

  if (own_folder == NULL && !make_own_folder (error))
    return NULL;
  return g_build_filename (own_folder, name, NULL);
}

gboolean
heddle_draft_store_write (const HeddleDraftRecord *record, GError **error)
{
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_autofree char *path = g_strconcat (record->stem, ".draft", NULL);
  g_autofree char *data = NULL;
  const struct
  {
    const char *key, *value;
  } rows[] = { { "Title", record->title }, { "File", record->uri }, { "Digest", record->digest },
    { "Diagram", record->diagram }, { "Equations", record->text } };
  gsize length;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].value != NULL)
      g_key_file_set_string (keys, GROUP, rows[i].key, rows[i].value);
  g_key_file_set_int64 (keys, GROUP, "Time", record->time);
  renew_folder (record->stem);
  data = g_key_file_to_data (keys, &length, NULL);
  return heddle_file_save (path, data, length, error);
}

void
heddle_draft_store_remove (const char *stem)
{
  g_autofree char *document = g_strconcat (stem, ".ncd", NULL);
  g_autofree char *record = g_strconcat (stem, ".draft", NULL);

  g_unlink (document);
  g_unlink (record);
}

/* Reads a record. What belongs to the draft may be missing: the document alone is worth having. */
static HeddleDraftRecord *
read_record (const char *folder, const char *name)
{
  HeddleDraftRecord *self = g_new0 (HeddleDraftRecord, 1);
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_autofree char *path = NULL;

  self->stem = g_build_filename (folder, name, NULL);
  *strrchr (self->stem, '.') = '\0';
  path = g_strconcat (self->stem, ".draft", NULL);
  if (!g_key_file_load_from_file (keys, path, G_KEY_FILE_NONE, NULL))
    return self;
  self->title = g_key_file_get_string (keys, GROUP, "Title", NULL);
  self->uri = g_key_file_get_string (keys, GROUP, "File", NULL);
  self->digest = g_key_file_get_string (keys, GROUP, "Digest", NULL);
  self->diagram = g_key_file_get_string (keys, GROUP, "Diagram", NULL);
  self->text = g_key_file_get_string (keys, GROUP, "Equations", NULL);
  self->time = g_key_file_get_int64 (keys, GROUP, "Time", NULL);
  return self;
}

static void
remove_folder (const char *folder)
{
  g_autofree char *lock = g_build_filename (folder, "lock", NULL);

  g_unlink (lock);
  g_rmdir (folder);
}

static void
collect (const char *folder, GPtrArray *records)
{
  g_autoptr (GDir) dir = NULL;
  const guint before = records->len;
  const char *name;

  if (g_strcmp0 (folder, own_folder) == 0 || !g_file_test (folder, G_FILE_TEST_IS_DIR)
      || !lock_folder (folder))
    return;
  dir = g_dir_open (folder, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".ncd"))
      g_ptr_array_add (records, read_record (folder, name));
  if (records->len == before)
    remove_folder (folder);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const HeddleDraftRecord *left = *(HeddleDraftRecord *const *) a, *right = *(HeddleDraftRecord *const *) b;

  return (left->time > right->time) - (left->time < right->time);
}

GPtrArray *
heddle_draft_store_find (void)
{
  GPtrArray *records = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_draft_record_free);
  g_autofree char *root = root_folder ();
  g_autoptr (GDir) dir = g_dir_open (root, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *folder = g_build_filename (root, name, NULL);

      collect (folder, records);
    }
  g_ptr_array_sort (records, compare_times);
  return records;
}
