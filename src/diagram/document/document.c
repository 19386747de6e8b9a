/* SPDX-License-Identifier: MIT */
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"

/* The number of steps that can be undone. */
#define MAX_STEPS 1000

/* One undo or redo step: the snapshot it leads back to, and what was done. */
typedef struct
{
  HeddleSnapshot *snapshot;
  char *name;
  char *merge_key;
} Step;

struct _HeddleDocument
{
  GObject parent_instance;
  HeddleSnapshot *snapshot;
  HeddleSnapshot *saved;
  HeddleSnapshot *draft; /* between begin and commit */
  GQueue undo, redo; /* of Step, latest first */
};

enum
{
  PROP_CAN_UNDO = 1,
  PROP_CAN_REDO,
  PROP_MODIFIED,
  PROP_UNDO_NAME,
  PROP_REDO_NAME,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];
static guint changed_signal;

G_DEFINE_FINAL_TYPE (HeddleDocument, heddle_document, G_TYPE_OBJECT)

static Step *
step_new (HeddleSnapshot *snapshot, const char *name, const char *merge_key)
{
  Step *step = g_new (Step, 1);
  step->snapshot = snapshot;
  step->name = g_strdup (name);
  step->merge_key = g_strdup (merge_key);
  return step;
}

static void
step_free (Step *step)
{
  heddle_snapshot_unref (step->snapshot);
  g_free (step->name);
  g_free (step->merge_key);
  g_free (step);
}

static void
clear_steps (GQueue *steps)
{
  g_queue_clear_full (steps, (GDestroyNotify) step_free);
}

/* --- telling --------------------------------------------------------------------- */

/* The values that the properties had before a change. */
typedef struct
{
  gboolean can_undo, can_redo, modified;
  char *undo_name, *redo_name;
} Shown;

static Shown
look (HeddleDocument *self)
{
  return (Shown){
    .can_undo = !g_queue_is_empty (&self->undo),
    .can_redo = !g_queue_is_empty (&self->redo),
    .modified = heddle_document_get_modified (self),
    .undo_name = g_strdup (heddle_document_get_undo_name (self)),
    .redo_name = g_strdup (heddle_document_get_redo_name (self)),
  };
}

static void
notify_if (HeddleDocument *self, gboolean differs, guint property)
{
  if (differs)
    g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

/* Notifies the properties that differ from @before and then, if the snapshot is another one, emits
 * "changed". */
static void
notify_changes (HeddleDocument *self, Shown before, gboolean changed)
{
  Shown now = look (self);
  notify_if (self, now.can_undo != before.can_undo, PROP_CAN_UNDO);
  notify_if (self, now.can_redo != before.can_redo, PROP_CAN_REDO);
  notify_if (self, now.modified != before.modified, PROP_MODIFIED);
  notify_if (self, g_strcmp0 (now.undo_name, before.undo_name) != 0, PROP_UNDO_NAME);
  notify_if (self, g_strcmp0 (now.redo_name, before.redo_name) != 0, PROP_REDO_NAME);
  g_free (before.undo_name);
  g_free (before.redo_name);
  g_free (now.undo_name);
  g_free (now.redo_name);
  if (!changed)
    return;
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_ref (self->snapshot);
  g_signal_emit (self, changed_signal, 0, snapshot);
}

/* --- class ----------------------------------------------------------------------- */

static void
heddle_document_finalize (GObject *object)
{
  HeddleDocument *self = HEDDLE_DOCUMENT (object);
  clear_steps (&self->undo);
  clear_steps (&self->redo);
  g_clear_pointer (&self->draft, heddle_snapshot_unref);
  heddle_snapshot_unref (self->saved);
  heddle_snapshot_unref (self->snapshot);
  G_OBJECT_CLASS (heddle_document_parent_class)->finalize (object);
}

static void
heddle_document_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HeddleDocument *self = HEDDLE_DOCUMENT (object);
  switch (id)
    {
    case PROP_CAN_UNDO:
      g_value_set_boolean (value, !g_queue_is_empty (&self->undo));
      break;
    case PROP_CAN_REDO:
      g_value_set_boolean (value, !g_queue_is_empty (&self->redo));
      break;
    case PROP_MODIFIED:
      g_value_set_boolean (value, heddle_document_get_modified (self));
      break;
    case PROP_UNDO_NAME:
      g_value_set_string (value, heddle_document_get_undo_name (self));
      break;
    case PROP_REDO_NAME:
      g_value_set_string (value, heddle_document_get_redo_name (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
heddle_document_class_init (HeddleDocumentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  object_class->finalize = heddle_document_finalize;
  object_class->get_property = heddle_document_get_property;
  properties[PROP_CAN_UNDO] = g_param_spec_boolean ("can-undo", NULL, NULL, FALSE, flags);
  properties[PROP_CAN_REDO] = g_param_spec_boolean ("can-redo", NULL, NULL, FALSE, flags);
  properties[PROP_MODIFIED] = g_param_spec_boolean ("modified", NULL, NULL, FALSE, flags);
  properties[PROP_UNDO_NAME] = g_param_spec_string ("undo-name", NULL, NULL, NULL, flags);
  properties[PROP_REDO_NAME] = g_param_spec_string ("redo-name", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
      G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
heddle_document_init (HeddleDocument *self)
{
  self->snapshot = heddle_snapshot_new ();
  self->saved = heddle_snapshot_ref (self->snapshot);
}

/* --- public ---------------------------------------------------------------------- */

/* Makes a document of an empty snapshot without history. The caller owns it. */
static HeddleDocument *
document_new (void)
{
  return g_object_new (HEDDLE_TYPE_DOCUMENT, NULL);
}

HeddleDocument *
heddle_document_new_from_snapshot (HeddleSnapshot *snapshot)
{
  HeddleDocument *self = document_new ();
  heddle_document_load (self, snapshot);
  return self;
}

HeddleSnapshot *
heddle_document_get_snapshot (HeddleDocument *self)
{
  g_return_val_if_fail (HEDDLE_IS_DOCUMENT (self), NULL);
  return self->snapshot;
}

HeddleSnapshot *
heddle_document_begin (HeddleDocument *self)
{
  g_return_val_if_fail (HEDDLE_IS_DOCUMENT (self), NULL);
  g_return_val_if_fail (self->draft == NULL, NULL);
  self->draft = heddle_snapshot_copy (self->snapshot);
  return self->draft;
}

void
heddle_document_commit (HeddleDocument *self, const char *name, const char *merge_key)
{
  g_return_if_fail (HEDDLE_IS_DOCUMENT (self));
  g_return_if_fail (self->draft != NULL);
  Shown before = look (self);
  Step *last = g_queue_peek_head (&self->undo);
  gboolean joins = merge_key != NULL && last != NULL && g_strcmp0 (last->merge_key, merge_key) == 0;
  clear_steps (&self->redo);
  if (joins)
    heddle_snapshot_unref (self->snapshot);
  else
    g_queue_push_head (&self->undo, step_new (self->snapshot, name, merge_key));
  self->snapshot = g_steal_pointer (&self->draft);
  if (self->undo.length > MAX_STEPS)
    step_free (g_queue_pop_tail (&self->undo));
  notify_changes (self, before, TRUE);
}

void
heddle_document_abort (HeddleDocument *self)
{
  g_return_if_fail (HEDDLE_IS_DOCUMENT (self));
  g_clear_pointer (&self->draft, heddle_snapshot_unref);
}

gboolean
heddle_document_edit (HeddleDocument *self, const char *name, const char *merge_key, HeddleEdit edit,
    gpointer data, GError **error)
{
  HeddleSnapshot *draft = heddle_document_begin (self);
  g_return_val_if_fail (draft != NULL, FALSE);
  if (!edit (draft, data, error))
    {
      heddle_document_abort (self);
      return FALSE;
    }
  heddle_document_commit (self, name, merge_key);
  return TRUE;
}

/* Closes the undo step at the top, so that later commits start a new one. */
static void
close_step (HeddleDocument *self)
{
  Step *last = g_queue_peek_head (&self->undo);
  if (last != NULL)
    g_clear_pointer (&last->merge_key, g_free);
}

static gboolean
go (HeddleDocument *self, GQueue *from, GQueue *to)
{
  g_return_val_if_fail (self->draft == NULL, FALSE);
  if (g_queue_is_empty (from))
    return FALSE;
  Shown before = look (self);
  Step *step = g_queue_pop_head (from);
  HeddleSnapshot *present = self->snapshot;
  self->snapshot = step->snapshot;
  step->snapshot = present;
  g_queue_push_head (to, step);
  close_step (self);
  notify_changes (self, before, TRUE);
  return TRUE;
}

gboolean
heddle_document_undo (HeddleDocument *self)
{
  g_return_val_if_fail (HEDDLE_IS_DOCUMENT (self), FALSE);
  return go (self, &self->undo, &self->redo);
}

gboolean
heddle_document_redo (HeddleDocument *self)
{
  g_return_val_if_fail (HEDDLE_IS_DOCUMENT (self), FALSE);
  return go (self, &self->redo, &self->undo);
}

const char *
heddle_document_get_undo_name (HeddleDocument *self)
{
  g_return_val_if_fail (HEDDLE_IS_DOCUMENT (self), NULL);
  const Step *step = g_queue_peek_head (&self->undo);
  return step != NULL ? step->name : NULL;
}

const char *
heddle_document_get_redo_name (HeddleDocument *self)
{
  g_return_val_if_fail (HEDDLE_IS_DOCUMENT (self), NULL);
  const Step *step = g_queue_peek_head (&self->redo);
  return step != NULL ? step->name : NULL;
}

gboolean
heddle_document_get_modified (HeddleDocument *self)
{
  g_return_val_if_fail (HEDDLE_IS_DOCUMENT (self), FALSE);
  return self->snapshot != self->saved;
}

void
heddle_document_set_saved (HeddleDocument *self)
{
  g_return_if_fail (HEDDLE_IS_DOCUMENT (self));
  Shown before = look (self);
  heddle_snapshot_unref (self->saved);
  self->saved = heddle_snapshot_ref (self->snapshot);
  close_step (self);
  notify_changes (self, before, FALSE);
}

void
heddle_document_set_unsaved (HeddleDocument *self)
{
  g_return_if_fail (HEDDLE_IS_DOCUMENT (self));
  Shown before = look (self);
  heddle_snapshot_unref (self->saved);
  self->saved = heddle_snapshot_new ();
  close_step (self);
  notify_changes (self, before, FALSE);
}

void
heddle_document_load (HeddleDocument *self, HeddleSnapshot *snapshot)
{
  g_return_if_fail (HEDDLE_IS_DOCUMENT (self));
  g_return_if_fail (snapshot != NULL);
  Shown before = look (self);
  heddle_snapshot_ref (snapshot);
  clear_steps (&self->undo);
  clear_steps (&self->redo);
  g_clear_pointer (&self->draft, heddle_snapshot_unref);
  heddle_snapshot_unref (self->snapshot);
  heddle_snapshot_unref (self->saved);
  self->snapshot = snapshot;
  self->saved = heddle_snapshot_ref (snapshot);
  notify_changes (self, before, TRUE);
}
