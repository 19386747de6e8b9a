/* SPDX-License-Identifier: MIT */

/* A schedule that is tried: what it would take, before it is kept. */

#include "app/editor/derive-job.h"
#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "app/editor/private.h"
#include "derive/legality/legality.h"

/* Longer than this and a derivation is left to a worker thread while a label is tried, where a frame is drawn besides. */
#define SLOW_TRIAL_MS 4.0

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
         && (self->flat_diagram->operations->len <= HEDDLE_QUICK_OPERATIONS
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

gboolean
heddle_editor_commit_preview (HeddleEditor *self, const char *name)
{
  HeddleSchedule *schedule = NULL;
  gboolean done;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);

  if (self->preview_schedule == NULL)
    return FALSE;
  /* The edit drops the preview: hold on to it until then. */
  schedule = heddle_schedule_copy (self->preview_schedule);
  done = heddle_editor_replace_schedule (self, name, schedule, heddle_editor_get_label_calls (self));
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
