/* SPDX-License-Identifier: MIT */

#include "app/documents/draft.h"
#include "app/widgets/heap-trim.h"
#include "diagram/document/snapshot.h"
#include "files/base/save.h"
#include "files/ncd/write.h"

/* The delay runs from the first change to the writing; later changes do not begin it anew. */
#define DELAY_MS 1500

struct _HeddleDraft
{
  GObject parent_instance;
  HeddleDocument *document;
  HeddleDraftRecord record; /* stem NULL: never written */
  char *old_stem; /* of a draft that a crash left, until this one is written */
  char *error;
  guint timer;
  GFileMonitor *monitor; /* of what was written; or NULL */
  gboolean writing; /* a worker thread is at it */
  gboolean stale; /* there is more than what is being written */
  gboolean dropped; /* to be taken away when the writing is done */
  gboolean expecting; /* the record's text is older than what is typed */
};

enum
{
  PROP_ERROR = 1,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];
static guint text_wanted_signal;

G_DEFINE_FINAL_TYPE (HeddleDraft, heddle_draft, G_TYPE_OBJECT)

static void arm (HeddleDraft *self);

/* --- writing --- */

typedef struct
{
  HeddleSnapshot *snapshot;
  HeddleDraftRecord *record;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  heddle_snapshot_unref (job->snapshot);
  heddle_draft_record_free (job->record);
  g_free (job);
}

static void
write_draft (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  gsize length = 0;
  g_autofree char *path = heddle_draft_record_document (job->record);
  g_autofree char *text = heddle_ncd_write (job->snapshot, &length, &error);

  if (text != NULL && heddle_draft_store_write (job->record, &error)
      && heddle_file_save (path, text, length, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
set_error (HeddleDraft *self, const char *message)
{
  if (g_strcmp0 (self->error, message) == 0)
    return;
  g_free (self->error);
  self->error = g_strdup (message);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ERROR]);
}

static void
stop_watching (HeddleDraft *self)
{
  if (self->monitor != NULL)
    g_signal_handlers_disconnect_by_data (self->monitor, self);
  g_clear_object (&self->monitor);
}

/* A draft that somebody takes away is written again, whether or not the person goes on working. */
static void
on_file_event (HeddleDraft *self)
{
  g_autofree char *path = heddle_draft_record_document (&self->record);

  if (self->writing || g_file_test (path, G_FILE_TEST_EXISTS))
    return;
  stop_watching (self);
  arm (self);
}

static void
watch (HeddleDraft *self)
{
  g_autofree char *path = heddle_draft_record_document (&self->record);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  stop_watching (self);
  self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_NONE, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_swapped (self->monitor, "changed", G_CALLBACK (on_file_event), self);
  on_file_event (self); /* it may be gone already */
}

static void
remove_files (HeddleDraft *self)
{
  stop_watching (self);
  if (self->record.stem != NULL)
    heddle_draft_store_remove (self->record.stem);
  if (self->old_stem != NULL)
    heddle_draft_store_remove (self->old_stem);
  g_clear_pointer (&self->old_stem, g_free);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer unused)
{
  HeddleDraft *self = HEDDLE_DRAFT (source);
  g_autoptr (GError) error = NULL;
  const gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  self->writing = FALSE;
  heddle_heap_trim_when_idle ();
  if (g_application_get_default () != NULL)
    g_application_release (g_application_get_default ());
  if (done
      || self->error == NULL) /* what is tried again fails under another temporary name: it is told once */
    set_error (self, done ? NULL : error->message);
  if (self->dropped)
    remove_files (self);
  else if (done)
    {
      if (self->old_stem != NULL)
        heddle_draft_store_remove (self->old_stem);
      g_clear_pointer (&self->old_stem, g_free);
      watch (self);
    }
  if ((self->stale || !done) && !self->dropped)
    arm (self);
}

static HeddleDraftRecord *
copy_record (const HeddleDraftRecord *record)
{
  HeddleDraftRecord *copy = g_new0 (HeddleDraftRecord, 1);

  *copy = (HeddleDraftRecord){ g_strdup (record->stem), g_strdup (record->title), g_strdup (record->uri),
    g_strdup (record->digest), g_strdup (record->diagram), g_strdup (record->text),
    g_get_real_time () / G_USEC_PER_SEC };
  return copy;
}

static gboolean
start_writing (gpointer data)
{
  HeddleDraft *self = data;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  Job *job = NULL;

  if (self->expecting)
    g_signal_emit (self, text_wanted_signal, 0);
  if (self->dropped)
    return G_SOURCE_REMOVE; /* it came to nothing */
  if (self->record.stem == NULL)
    self->record.stem = heddle_draft_store_new_stem (&error);
  if (self->record.stem == NULL)
    {
      set_error (self, error->message);
      return G_SOURCE_CONTINUE; /* there may be room later */
    }
  self->timer = 0;
  self->stale = FALSE;
  self->writing = TRUE;
  /* What is given up while it is being written is taken away before the program ends. */
  if (g_application_get_default () != NULL)
    g_application_hold (g_application_get_default ());
  job = g_new (Job, 1);
  *job = (Job){ heddle_snapshot_ref (heddle_document_get_snapshot (self->document)),
    copy_record (&self->record) };
  task = g_task_new (self, NULL, on_written, NULL);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, write_draft);
  return G_SOURCE_REMOVE;
}

static void
arm (HeddleDraft *self)
{
  self->dropped = FALSE;
  self->stale = TRUE;
  if (self->timer == 0 && !self->writing)
    self->timer = g_timeout_add (DELAY_MS, start_writing, self);
}

/* --- when --- */

static void
follow (HeddleDraft *self)
{
  if (heddle_document_get_modified (self->document) || self->record.text != NULL || self->expecting)
    arm (self);
  else
    heddle_draft_drop (self);
}

void
heddle_draft_drop (HeddleDraft *self)
{
  g_return_if_fail (HEDDLE_IS_DRAFT (self));

  g_clear_handle_id (&self->timer, g_source_remove);
  self->stale = FALSE;
  self->dropped = TRUE;
  if (!self->writing)
    remove_files (self);
}

void
heddle_draft_set_origin (HeddleDraft *self, const char *title, const char *uri, const char *digest)
{
  g_return_if_fail (HEDDLE_IS_DRAFT (self));

  g_free (self->record.title);
  g_free (self->record.uri);
  g_free (self->record.digest);
  self->record.title = g_strdup (title);
  self->record.uri = g_strdup (uri);
  self->record.digest = g_strdup (digest);
}

void
heddle_draft_set_text (HeddleDraft *self, const char *diagram, const char *text)
{
  g_return_if_fail (HEDDLE_IS_DRAFT (self));

  if (!self->expecting && g_strcmp0 (self->record.text, text) == 0)
    return;
  self->expecting = FALSE;
  g_free (self->record.diagram);
  g_free (self->record.text);
  self->record.diagram = g_strdup (diagram);
  self->record.text = g_strdup (text);
  follow (self);
}

void
heddle_draft_expect_text (HeddleDraft *self)
{
  g_return_if_fail (HEDDLE_IS_DRAFT (self));

  self->expecting = TRUE;
  arm (self);
}

void
heddle_draft_adopt (HeddleDraft *self, const HeddleDraftRecord *record)
{
  g_return_if_fail (HEDDLE_IS_DRAFT (self));

  g_free (self->old_stem);
  self->old_stem = g_strdup (record->stem);
  arm (self);
}

const char *
heddle_draft_get_error (HeddleDraft *self)
{
  g_return_val_if_fail (HEDDLE_IS_DRAFT (self), NULL);
  return self->error;
}

/* --- class --- */

static void
heddle_draft_finalize (GObject *object)
{
  HeddleDraft *self = HEDDLE_DRAFT (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  stop_watching (self);
  g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_free (self->record.stem);
  g_free (self->record.title);
  g_free (self->record.uri);
  g_free (self->record.digest);
  g_free (self->record.diagram);
  g_free (self->record.text);
  g_free (self->old_stem);
  g_free (self->error);
  G_OBJECT_CLASS (heddle_draft_parent_class)->finalize (object);
}

static void
heddle_draft_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, HEDDLE_DRAFT (object)->error);
}

static void
heddle_draft_class_init (HeddleDraftClass *class)
{
  G_OBJECT_CLASS (class)->finalize = heddle_draft_finalize;
  G_OBJECT_CLASS (class)->get_property = heddle_draft_get_property;
  properties[PROP_ERROR] = g_param_spec_string (
      "error", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (G_OBJECT_CLASS (class), N_PROPS, properties);
  text_wanted_signal = g_signal_new (
      "text-wanted", HEDDLE_TYPE_DRAFT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
heddle_draft_init (HeddleDraft *self)
{
}

HeddleDraft *
heddle_draft_new (HeddleDocument *document)
{
  HeddleDraft *self = NULL;

  g_return_val_if_fail (HEDDLE_IS_DOCUMENT (document), NULL);

  self = g_object_new (HEDDLE_TYPE_DRAFT, NULL);
  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (follow), self);
  g_signal_connect_swapped (document, "notify::modified", G_CALLBACK (follow), self);
  return self;
}
