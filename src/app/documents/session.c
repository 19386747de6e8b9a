/* SPDX-License-Identifier: MIT */

#include <unistd.h>

#include <glib/gi18n.h>

#include "app/documents/file-guard.h"
#include "app/documents/session.h"
#include "derive/machine/find.h"
#include "diagram/document/snapshot.h"
#include "files/base/save.h"
#include "files/exchange/load.h"
#include "files/ncd/write.h"

/* A program that writes a file in pieces is let finish. */
#define SETTLE_MS 150

struct _HeddleSession
{
  GObject parent_instance;
  HeddleDocument *document;
  HeddleDraft *draft;
  GFile *file; /* or NULL */
  char *title; /* where there is no file */
  char *diagram, *text; /* equations that are no diagram yet */
  gboolean expecting; /* others are typed meanwhile */
  char *digest; /* of the file as it was last read, written, or left alone on purpose */
  HeddleSessionState state;
  GFileMonitor *monitor;
  guint settling;
  int lock;
};

G_DEFINE_FINAL_TYPE (HeddleSession, heddle_session, G_TYPE_OBJECT)
GQuark
heddle_session_error_quark (void)
{
  return g_quark_from_static_string ("heddle-session-error-quark");
}

static guint changed_signal;

static void
emit_changed (HeddleSession *self)
{
  g_signal_emit (self, changed_signal, 0);
}

static void
set_state (HeddleSession *self, HeddleSessionState state)
{
  if (state == self->state)
    return;
  self->state = state;
  emit_changed (self);
}

static char *
path_of (HeddleSession *self)
{
  return self->file != NULL ? g_file_get_path (self->file) : NULL;
}

/* --- the file meanwhile --- */

void
heddle_session_look (HeddleSession *self)
{
  const HeddleSessionState kept = self->state & HEDDLE_SESSION_IN_USE;
  HeddleSessionState seen = 0;
  g_autofree char *path = NULL;
  g_autofree char *digest = NULL;

  g_return_if_fail (HEDDLE_IS_SESSION (self));

  path = path_of (self);
  if (path == NULL)
    return;
  digest = heddle_file_digest (path);
  if (digest == NULL && !g_file_test (path, G_FILE_TEST_EXISTS))
    seen = HEDDLE_SESSION_GONE;
  else if (digest != NULL && g_strcmp0 (digest, self->digest) != 0)
    seen = HEDDLE_SESSION_CHANGED;
  if (heddle_file_is_read_only (path))
    seen |= HEDDLE_SESSION_READ_ONLY;
  /* What the document holds is nowhere else now. */
  if ((seen & HEDDLE_SESSION_GONE) && !(self->state & HEDDLE_SESSION_GONE))
    heddle_document_set_unsaved (self->document);
  set_state (self, kept | seen);
}

static gboolean
on_settled (gpointer data)
{
  HeddleSession *self = data;

  self->settling = 0;
  heddle_session_look (self);
  return G_SOURCE_REMOVE;
}

static void
on_file_event (HeddleSession *self)
{
  g_clear_handle_id (&self->settling, g_source_remove);
  self->settling = g_timeout_add (SETTLE_MS, on_settled, self);
}

static void
unlock (HeddleSession *self)
{
  if (self->lock >= 0)
    close (self->lock);
  self->lock = -1;
}

static void
stop_watching (HeddleSession *self)
{
  g_clear_handle_id (&self->settling, g_source_remove);
  if (self->monitor != NULL)
    g_signal_handlers_disconnect_by_data (self->monitor, self);
  g_clear_object (&self->monitor);
  unlock (self);
}

static void
update_origin (HeddleSession *self)
{
  g_autofree char *uri = self->file != NULL ? g_file_get_uri (self->file) : NULL;
  g_autofree char *name = self->file != NULL ? g_file_get_basename (self->file) : g_strdup (self->title);

  heddle_draft_set_origin (self->draft, name, uri, self->digest);
}

/* The file as it is now is @digest's; it is watched, and held against other programs. */
static void
watch (HeddleSession *self, GFile *file, const char *digest)
{
  g_autofree char *path = g_file_get_path (file);
  gboolean in_use = FALSE;

  stop_watching (self);
  g_set_object (&self->file, file);
  g_free (self->digest);
  self->digest = g_strdup (digest);
  self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_swapped (self->monitor, "changed", G_CALLBACK (on_file_event), self);
  /* Heddle's own examples are opened by many. */
  if (!g_str_has_prefix (path, heddle_data_directory ()))
    self->lock = heddle_file_lock (path, &in_use);
  self->state = (in_use ? HEDDLE_SESSION_IN_USE : 0)
                | (heddle_file_is_read_only (path) ? HEDDLE_SESSION_READ_ONLY : 0);
  update_origin (self);
}

/* --- opening --- */

static HeddleSession *
session_new (HeddleSnapshot *snapshot)
{
  HeddleSession *self = g_object_new (HEDDLE_TYPE_SESSION, NULL);

  self->document = heddle_document_new_from_snapshot (snapshot);
  self->draft = heddle_draft_new (self->document);
  g_signal_connect_swapped (self->draft, "notify::error", G_CALLBACK (emit_changed), self);
  return self;
}

HeddleSession *
heddle_session_new (HeddleSnapshot *snapshot, const char *title)
{
  HeddleSession *self = NULL;

  g_return_val_if_fail (snapshot != NULL, NULL);

  self = session_new (snapshot);
  self->title = g_strdup (title);
  update_origin (self);
  return self;
}

static HeddleSnapshot *
load (GFile *file, char **digest, GPtrArray *problems, GError **error)
{
  g_autofree char *path = g_file_get_path (file);

  if (path == NULL)
    {
      g_set_error_literal (
          error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _ ("Only files on this machine can be opened"));
      return NULL;
    }
  /* First: what is written while it is read shows as a change. */
  *digest = heddle_file_digest (path);
  return heddle_file_load (path, problems, error);
}

HeddleSession *
heddle_session_open (GFile *file, GPtrArray *problems, GError **error)
{
  g_autofree char *digest = NULL;
  g_autoptr (HeddleSnapshot) snapshot = NULL;
  HeddleSession *self = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  snapshot = load (file, &digest, problems, error);
  if (snapshot == NULL)
    return NULL;
  self = session_new (snapshot);
  watch (self, file, digest);
  return self;
}

HeddleSession *
heddle_session_recover (const HeddleDraftRecord *record, GPtrArray *problems, GError **error)
{
  g_autofree char *path = heddle_draft_record_document (record);
  g_autoptr (HeddleSnapshot) snapshot = heddle_file_load (path, problems, error);
  g_autoptr (GFile) file = record->uri != NULL ? g_file_new_for_uri (record->uri) : NULL;
  HeddleSession *self = NULL;

  if (snapshot == NULL)
    return NULL;
  self = heddle_session_new (snapshot, record->title);
  if (file != NULL)
    watch (self, file, record->digest);
  heddle_session_look (self);
  heddle_document_set_unsaved (self->document);
  heddle_draft_adopt (self->draft, record);
  heddle_session_set_text (self, record->diagram, record->text);
  return self;
}

void
heddle_session_set_template (HeddleSession *self, const char *title)
{
  g_return_if_fail (HEDDLE_IS_SESSION (self));

  stop_watching (self);
  g_clear_object (&self->file);
  g_clear_pointer (&self->digest, g_free);
  g_free (self->title);
  self->title = g_strdup (title);
  self->state = 0;
  update_origin (self);
  emit_changed (self);
}

/* --- saving --- */

static gboolean
may_write (HeddleSession *self, GFile *file, const char *path, gboolean overwrite, GError **error)
{
  g_autofree char *name = g_file_get_basename (file);

  if (heddle_file_is_read_only (path))
    {
      g_set_error (error, HEDDLE_SESSION_ERROR, HEDDLE_SESSION_ERROR_READ_ONLY,
          _ ("“%s” is not to be written: save under another name"), name);
      return FALSE;
    }
  if (overwrite || self->file == NULL || !g_file_equal (file, self->file))
    return TRUE;
  heddle_session_look (self);
  if (!(self->state & HEDDLE_SESSION_CHANGED))
    return TRUE;
  g_set_error (error, HEDDLE_SESSION_ERROR, HEDDLE_SESSION_ERROR_CHANGED,
      _ ("“%s” was changed by another program since it was opened"), name);
  return FALSE;
}

gboolean
heddle_session_save (HeddleSession *self, GFile *file, gboolean overwrite, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *data = NULL;
  g_autofree char *digest = NULL;
  gsize length = 0;

  g_return_val_if_fail (HEDDLE_IS_SESSION (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  path = g_file_get_path (file);
  if (!may_write (self, file, path, overwrite, error))
    return FALSE;
  data = heddle_ncd_write (heddle_document_get_snapshot (self->document), &length, error);
  if (data == NULL || !heddle_file_save (path, data, length, error))
    return FALSE;
  digest = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) data, length);
  watch (self, file, digest);
  heddle_document_set_saved (self->document);
  emit_changed (self);
  return TRUE;
}

static gboolean
take_snapshot (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  heddle_snapshot_assign (snapshot, data);
  return TRUE;
}

gboolean
heddle_session_reload (HeddleSession *self, GPtrArray *problems, GError **error)
{
  g_autofree char *digest = NULL;
  g_autoptr (HeddleSnapshot) snapshot = NULL;

  g_return_val_if_fail (HEDDLE_IS_SESSION (self), FALSE);
  g_return_val_if_fail (self->file != NULL, FALSE);

  snapshot = load (self->file, &digest, problems, error);
  if (snapshot == NULL
      || !heddle_document_edit (
          self->document, _ ("Load the changed file"), NULL, take_snapshot, snapshot, error))
    return FALSE;
  watch (self, self->file, digest);
  heddle_document_set_saved (self->document);
  emit_changed (self);
  return TRUE;
}

void
heddle_session_keep (HeddleSession *self)
{
  g_autofree char *path = NULL;
  g_autofree char *digest = NULL;

  g_return_if_fail (HEDDLE_IS_SESSION (self));

  path = path_of (self);
  digest = path != NULL ? heddle_file_digest (path) : NULL;
  g_free (self->digest);
  self->digest = g_steal_pointer (&digest);
  update_origin (self);
  heddle_document_set_unsaved (self->document);
  set_state (self, self->state & ~(HEDDLE_SESSION_CHANGED | HEDDLE_SESSION_IN_USE));
}

/* --- what it is --- */

HeddleDocument *
heddle_session_get_document (HeddleSession *self)
{
  g_return_val_if_fail (HEDDLE_IS_SESSION (self), NULL);
  return self->document;
}

GFile *
heddle_session_get_file (HeddleSession *self)
{
  g_return_val_if_fail (HEDDLE_IS_SESSION (self), NULL);
  return self->file;
}

const char *
heddle_session_get_title (HeddleSession *self)
{
  g_return_val_if_fail (HEDDLE_IS_SESSION (self), NULL);
  return self->title;
}

HeddleSessionState
heddle_session_get_state (HeddleSession *self)
{
  g_return_val_if_fail (HEDDLE_IS_SESSION (self), 0);
  return self->state;
}

HeddleDraft *
heddle_session_get_draft (HeddleSession *self)
{
  g_return_val_if_fail (HEDDLE_IS_SESSION (self), NULL);
  return self->draft;
}

gboolean
heddle_session_is_unsaved (HeddleSession *self)
{
  g_return_val_if_fail (HEDDLE_IS_SESSION (self), FALSE);
  return self->text != NULL || self->expecting || heddle_document_get_modified (self->document);
}

void
heddle_session_set_text (HeddleSession *self, const char *diagram, const char *text)
{
  g_return_if_fail (HEDDLE_IS_SESSION (self));

  if (!self->expecting && g_strcmp0 (self->text, text) == 0)
    return;
  self->expecting = FALSE;
  g_free (self->diagram);
  g_free (self->text);
  self->diagram = g_strdup (diagram);
  self->text = g_strdup (text);
  heddle_draft_set_text (self->draft, diagram, text);
  emit_changed (self);
}

void
heddle_session_expect_text (HeddleSession *self)
{
  gboolean was_unsaved;

  g_return_if_fail (HEDDLE_IS_SESSION (self));

  was_unsaved = heddle_session_is_unsaved (self);
  self->expecting = TRUE;
  heddle_draft_expect_text (self->draft);
  if (!was_unsaved)
    emit_changed (self);
}

const char *
heddle_session_get_text (HeddleSession *self, const char **diagram)
{
  g_return_val_if_fail (HEDDLE_IS_SESSION (self), NULL);

  if (diagram != NULL)
    *diagram = self->diagram;
  return self->text;
}

/* --- class --- */

static void
heddle_session_dispose (GObject *object)
{
  HeddleSession *self = HEDDLE_SESSION (object);

  stop_watching (self);
  if (self->draft != NULL)
    g_signal_handlers_disconnect_by_data (self->draft, self);
  g_clear_object (&self->draft);
  g_clear_object (&self->document);
  g_clear_object (&self->file);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->diagram, g_free);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->digest, g_free);
  G_OBJECT_CLASS (heddle_session_parent_class)->dispose (object);
}

static void
heddle_session_class_init (HeddleSessionClass *class)
{
  G_OBJECT_CLASS (class)->dispose = heddle_session_dispose;
  changed_signal
      = g_signal_new ("changed", HEDDLE_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
heddle_session_init (HeddleSession *self)
{
  self->lock = -1;
}
