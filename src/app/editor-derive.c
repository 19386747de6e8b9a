/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>

#include "app/derive-job.h"
#include "app/editor-private.h"
#include "app/settings.h"

/* Longer than this and a derivation is made by a worker thread, so that typing never waits for it. */
#define SLOW_MS 20.0
/* The same of a label that is tried, where a frame is drawn besides. */
#define SLOW_TRIAL_MS 4.0
/* How large a diagram is taken to be quick before one of it was derived. */
#define QUICK_OPERATIONS 64

static const HeddleMachine *
find_machine (HeddleEditor *self, const char *name)
{
  for (guint i = 0; i < self->machines->len; i++)
    {
      const HeddleMachine *machine = g_ptr_array_index (self->machines, i);

      if (g_strcmp0 (machine->name, name) == 0)
        return machine;
    }
  return NULL;
}

void
heddle_editor_read_defaults (HeddleEditor *self)
{
  g_autofree char *dtype = heddle_settings_dup_string ("dtype", "f16");

  self->default_gpu = heddle_settings_dup_string ("gpu", "h100-sxm");
  if (!heddle_dtype_from_string (dtype, &self->default_dtype))
    self->default_dtype = HEDDLE_DTYPE_F16;
}

static HeddleMachine *
machine_or_default (HeddleEditor *self, const char *name)
{
  const HeddleMachine *machine = find_machine (self, name != NULL ? name : self->default_gpu);

  if (machine == NULL && name != NULL)
    {
      HeddleMachine *other = heddle_machine_find (name, 0, NULL);

      if (other != NULL)
        return other;
    }
  if (machine == NULL && self->machines->len > 0)
    machine = g_ptr_array_index (self->machines, 0);
  return machine != NULL ? heddle_machine_copy (machine) : NULL;
}

/* Whose target holds: a definition is for what the document's first diagram is for, unless it says more. */
static const HeddleSchedule *
target_schedule (HeddleEditor *self)
{
  const HeddleDiagram *top = heddle_snapshot_get_diagram (self->snapshot, NULL);
  const HeddleSchedule *own
      = self->diagram != NULL ? heddle_snapshot_find_schedule (self->snapshot, self->diagram) : NULL;

  if (own != NULL && (own->gpu != NULL || own->dtype != HEDDLE_DTYPE_UNSET))
    return own;
  return top != NULL ? heddle_snapshot_find_schedule (self->snapshot, top) : NULL;
}

void
heddle_editor_update_target (HeddleEditor *self)
{
  const HeddleSchedule *schedule = target_schedule (self);
  const char *name = schedule != NULL ? schedule->gpu : NULL;

  if (self->machine == NULL || name == NULL || g_strcmp0 (self->machine->name, name) != 0)
    {
      g_clear_pointer (&self->machine, heddle_machine_free);
      self->machine = machine_or_default (self, name);
    }
  self->dtype = schedule != NULL ? schedule->dtype : HEDDLE_DTYPE_UNSET;
  if (self->dtype == HEDDLE_DTYPE_UNSET)
    self->dtype = self->default_dtype;
}

static char *
reason_against_deriving (HeddleEditor *self)
{
  if (self->diagram == NULL || self->diagram->operations->len == 0)
    return g_strdup (_ ("There is nothing to derive yet"));
  if (heddle_problems_have_errors (self->problems))
    return g_strdup (_ ("The diagram has problems"));
  if (self->flat_sizes == NULL)
    return g_strdup (self->sizes_error);
  if (self->machine == NULL)
    return g_strdup (_ ("No machine is known: the data files are missing"));
  return NULL;
}

static HeddleDeriveJob *
new_job (HeddleEditor *self, const HeddleSchedule *schedule)
{
  HeddleDeriveOptions options;

  heddle_editor_get_derive_options (self, &options);
  return heddle_derive_job_new (
      heddle_editor_get_flat_snapshot (self), self->flat_diagram, schedule, self->flat_sizes, &options);
}

HeddleDeriveJob *
heddle_editor_new_derive_job (HeddleEditor *self, const HeddleSchedule *schedule)
{
  HeddleDeriveJob *job = NULL;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);

  if (self->flat_sizes == NULL || self->machine == NULL)
    return NULL;
  job = new_job (self, schedule);
  heddle_derive_job_set_earlier (job, self->derivation, heddle_editor_get_schedule (self));
  return job;
}

static void
take_derivation (HeddleEditor *self, HeddleSharedDerivation *derivation, const GError *error)
{
  heddle_editor_forget_trials (self);
  g_clear_pointer (&self->derivation, heddle_shared_derivation_unref);
  g_clear_pointer (&self->derivation_error, g_free);
  self->derivation = derivation;
  if (derivation != NULL)
    self->derive_milliseconds = derivation->derivation->milliseconds;
  else if (error != NULL)
    self->derivation_error = g_strdup (error->message);
}

static void
on_derived (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  HeddleSharedDerivation *derivation = heddle_derive_job_run_finish (result, &error);
  HeddleEditor *self = data;

  /* A cancelled one was overtaken by another, or by the end of the editor. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->deriving);
  take_derivation (self, derivation, error);
  g_signal_emit (self, heddle_editor_signals[DERIVATION_CHANGED], 0);
}

gboolean
heddle_editor_is_quick (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);

  if (self->flat_diagram == NULL)
    return TRUE;
  if (self->derive_milliseconds > 0)
    return self->derive_milliseconds < SLOW_MS;
  return self->flat_diagram->operations->len <= QUICK_OPERATIONS;
}

static void
derive_now (HeddleEditor *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleDeriveJob) job = new_job (self, heddle_editor_get_schedule (self));
  HeddleSharedDerivation *derivation = heddle_derive_job_run_shared (job, NULL, &error);

  take_derivation (self, derivation, error);
}

static void
derive_in_thread (HeddleEditor *self)
{
  take_derivation (self, NULL, NULL);
  self->deriving = g_cancellable_new ();
  heddle_derive_job_run_async (
      new_job (self, heddle_editor_get_schedule (self)), self->deriving, on_derived, self);
}

static void
stop_search (HeddleEditor *self)
{
  if (self->searching != NULL)
    g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
}

void
heddle_editor_rederive (HeddleEditor *self)
{
  g_autofree char *against = reason_against_deriving (self);

  self->gave_up = FALSE;
  stop_search (self); /* what it looks for is no longer asked */
  if (self->deriving != NULL)
    g_cancellable_cancel (self->deriving);
  g_clear_object (&self->deriving);

  if (against != NULL)
    {
      take_derivation (self, NULL, NULL);
      self->derivation_error = g_steal_pointer (&against);
    }
  else if (heddle_editor_is_quick (self))
    derive_now (self);
  else
    derive_in_thread (self);
}

gboolean
heddle_editor_is_deriving (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);
  return self->deriving != NULL;
}

GCancellable *
heddle_editor_begin_search (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);

  stop_search (self);
  self->searching = g_cancellable_new ();
  g_signal_emit (self, heddle_editor_signals[DERIVATION_CHANGED], 0);
  return self->searching;
}

void
heddle_editor_end_search (HeddleEditor *self, GCancellable *search)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  if (search != self->searching)
    return; /* another began meanwhile */
  g_clear_object (&self->searching);
  g_signal_emit (self, heddle_editor_signals[DERIVATION_CHANGED], 0);
}

gboolean
heddle_editor_is_searching (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);
  return self->searching != NULL;
}

void
heddle_editor_cancel_deriving (HeddleEditor *self)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  if (self->searching != NULL)
    {
      stop_search (self);
      g_signal_emit (self, heddle_editor_signals[DERIVATION_CHANGED], 0);
    }
  if (self->deriving == NULL)
    return;
  g_cancellable_cancel (self->deriving);
  g_clear_object (&self->deriving);
  self->derivation_error = g_strdup (_ ("Deriving was cancelled"));
  self->gave_up = TRUE;
  g_signal_emit (self, heddle_editor_signals[DERIVATION_CHANGED], 0);
}

gboolean
heddle_editor_can_derive_again (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);
  return self->gave_up;
}

void
heddle_editor_derive_again (HeddleEditor *self)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  heddle_editor_rederive (self);
  g_signal_emit (self, heddle_editor_signals[DERIVATION_CHANGED], 0);
}

GPtrArray *
heddle_editor_get_machines (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->machines;
}

void
heddle_editor_reload_machines (HeddleEditor *self)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  heddle_editor_drop_preview (self);
  g_ptr_array_unref (self->machines);
  self->machines = heddle_machines_load (NULL);
  g_clear_pointer (&self->machine, heddle_machine_free);
  heddle_editor_update_target (self);
  heddle_editor_derive_again (self);
}

const HeddleMachine *
heddle_editor_get_machine (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->machine;
}

typedef struct
{
  HeddleEditor *editor;
  const char *gpu;
  HeddleDtype dtype;
  const HeddleSchedule *schedule;
} TargetEdit;

static gboolean
edit_target (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  const TargetEdit *edit = data;
  HeddleSchedule *schedule
      = heddle_snapshot_get_schedule (snapshot, heddle_editor_diagram_in (edit->editor, snapshot));

  if (edit->gpu != NULL)
    {
      g_free (schedule->gpu);
      schedule->gpu = g_strdup (edit->gpu);
    }
  if (edit->dtype != HEDDLE_DTYPE_UNSET)
    schedule->dtype = edit->dtype;
  return TRUE;
}

void
heddle_editor_set_machine (HeddleEditor *self, const char *name)
{
  TargetEdit edit = { self, name, HEDDLE_DTYPE_UNSET, NULL };
  g_autofree char *title = NULL;
  const HeddleMachine *machine = NULL;

  g_return_if_fail (HEDDLE_IS_EDITOR (self));
  g_return_if_fail (name != NULL);

  machine = find_machine (self, name);
  if (machine == NULL || self->diagram == NULL || g_strcmp0 (self->machine->name, name) == 0)
    return;
  title = g_strdup_printf (_ ("Target %s"), machine->title);
  if (heddle_editor_edit (self, title, NULL, edit_target, &edit, NULL))
    heddle_settings_set_string ("gpu", name);
}

HeddleDtype
heddle_editor_get_dtype (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), HEDDLE_DTYPE_UNSET);
  return self->dtype;
}

void
heddle_editor_set_dtype (HeddleEditor *self, HeddleDtype dtype)
{
  TargetEdit edit = { self, NULL, dtype, NULL };
  g_autofree char *title = NULL;

  g_return_if_fail (HEDDLE_IS_EDITOR (self));
  g_return_if_fail (dtype != HEDDLE_DTYPE_UNSET);

  if (self->diagram == NULL || self->dtype == dtype)
    return;
  title = g_strdup_printf (_ ("Data type %s"), heddle_dtype_to_string (dtype));
  if (heddle_editor_edit (self, title, NULL, edit_target, &edit, NULL))
    heddle_settings_set_string ("dtype", heddle_dtype_to_string (dtype));
}

const HeddleSchedule *
heddle_editor_get_schedule (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->flat_diagram != NULL
             ? heddle_snapshot_find_schedule (heddle_editor_get_flat_snapshot (self), self->flat_diagram)
             : NULL;
}

HeddleDerivation *
heddle_editor_get_derivation (HeddleEditor *self, const char **why)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);

  if (why != NULL)
    *why = self->derivation_error;
  return heddle_shared_derivation_get (self->derivation);
}

void
heddle_editor_get_derive_options (HeddleEditor *self, HeddleDeriveOptions *options)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (self);

  g_return_if_fail (HEDDLE_IS_EDITOR (self));
  g_return_if_fail (options != NULL);

  *options = (HeddleDeriveOptions){ .machine = self->machine,
    .dtype = self->dtype,
    .divisors = heddle_schedule_divisors (schedule, 0),
    .budget_bytes = schedule != NULL ? schedule->budget : 0 };
}

static void
stop_previewing (HeddleEditor *self)
{
  if (self->previewing != NULL)
    g_cancellable_cancel (self->previewing);
  g_clear_object (&self->previewing);
}

void
heddle_editor_drop_preview (HeddleEditor *self)
{
  stop_previewing (self);
  g_clear_pointer (&self->preview_schedule, heddle_schedule_free);
  g_clear_pointer (&self->preview, heddle_shared_derivation_unref);
  g_clear_pointer (&self->refusal, heddle_refusal_free);
}

static void
on_previewed (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  HeddleSharedDerivation *preview = heddle_derive_job_run_finish (result, &error);
  HeddleEditor *self = data;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->previewing);
  g_clear_pointer (&self->preview, heddle_shared_derivation_unref);
  self->preview = preview;
  g_signal_emit (self, heddle_editor_signals[PREVIEW_CHANGED], 0);
}

static gboolean
is_quick_to_try (HeddleEditor *self)
{
  return heddle_editor_is_quick (self)
         && (self->flat_diagram->operations->len <= QUICK_OPERATIONS
             || self->derive_milliseconds < SLOW_TRIAL_MS);
}

/* What a large diagram promised last stays until the worker knows better. */
static void
derive_preview (HeddleEditor *self)
{
  HeddleDeriveJob *job = heddle_editor_new_derive_job (self, self->preview_schedule);

  if (!is_quick_to_try (self))
    {
      self->previewing = g_cancellable_new ();
      heddle_derive_job_run_async (job, self->previewing, on_previewed, self);
      return;
    }
  g_clear_pointer (&self->preview, heddle_shared_derivation_unref);
  self->preview = heddle_derive_job_run_shared (job, NULL, NULL);
  heddle_derive_job_free (job);
}

void
heddle_editor_set_preview_schedule (HeddleEditor *self, HeddleSchedule *schedule)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  if (schedule == NULL && self->preview_schedule == NULL)
    return;
  stop_previewing (self);
  g_clear_pointer (&self->preview_schedule, heddle_schedule_free);
  self->preview_schedule = schedule;
  if (schedule != NULL && self->flat_sizes != NULL && self->machine != NULL)
    derive_preview (self);
  else
    g_clear_pointer (&self->preview, heddle_shared_derivation_unref);
  g_signal_emit (self, heddle_editor_signals[PREVIEW_CHANGED], 0);
}

const HeddleSchedule *
heddle_editor_get_preview_schedule (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->preview_schedule;
}

HeddleDerivation *
heddle_editor_get_preview_derivation (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return heddle_shared_derivation_get (self->preview);
}

static gboolean
edit_schedule (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  const TargetEdit *edit = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (edit->editor, snapshot);
  HeddleSchedule *schedule = heddle_snapshot_get_schedule (snapshot, diagram);
  guint index = 0;

  g_ptr_array_find (snapshot->schedules, schedule, &index);
  heddle_schedule_free (schedule);
  snapshot->schedules->pdata[index] = heddle_schedule_copy (edit->schedule);
  return TRUE;
}

gboolean
heddle_editor_commit_preview (HeddleEditor *self, const char *name)
{
  TargetEdit edit = { .editor = self };
  HeddleSchedule *schedule = NULL;
  gboolean done;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);

  if (self->preview_schedule == NULL)
    return FALSE;
  /* The edit drops the preview: hold on to it until then. */
  schedule = heddle_schedule_copy (self->preview_schedule);
  edit.schedule = schedule;
  done = heddle_editor_edit_schedule (self, name, NULL, edit_schedule, &edit, NULL);
  heddle_schedule_free (schedule);
  return done;
}

const HeddleSchedule *
heddle_editor_get_shown_schedule (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->preview_schedule != NULL ? self->preview_schedule : heddle_editor_get_schedule (self);
}

HeddleDerivation *
heddle_editor_get_shown_derivation (HeddleEditor *self)
{
  return heddle_shared_derivation_get (heddle_editor_share_derivation (self));
}

HeddleForecast
heddle_editor_forecast (HeddleEditor *self, const HeddleDerivation *derivation)
{
  if (derivation == heddle_shared_derivation_get (self->preview))
    return self->preview->forecast;
  g_assert (derivation == heddle_shared_derivation_get (self->derivation));
  return self->derivation->forecast;
}

HeddleSharedDerivation *
heddle_editor_share_derivation (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  if (self->preview_schedule == NULL || (self->preview == NULL && self->previewing != NULL))
    return self->derivation;
  return self->preview;
}

const HeddleRefusal *
heddle_editor_get_refusal (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->refusal;
}

void
heddle_editor_set_refusal (HeddleEditor *self, HeddleRefusal *refusal)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  if (refusal == NULL && self->refusal == NULL)
    return;
  g_clear_pointer (&self->refusal, heddle_refusal_free);
  self->refusal = refusal;
  g_signal_emit (self, heddle_editor_signals[PREVIEW_CHANGED], 0);
}
