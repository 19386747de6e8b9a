/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/editor/label-trial.h"
#include "app/editor/private.h"
#include "app/editor/shared-derivation.h"
#include "codegen/plan/tiles.h"
#include "derive/kernel/divisors-machine.h"
#include "derive/report/symbols.h"
#include "diagram/base/problem.h"
#include "diagram/document/snapshot.h"

/* Longer than this and a derivation is made by a worker thread, so that typing never waits for it. */
#define SLOW_MS 20.0
/* The kernels of which prices are written as formulas. */
#define MOST_FORMULAS 6

static gboolean
has_mistakes (HeddleEditor *self)
{
  for (guint i = 0; i < self->problems->len; i++)
    if (heddle_editor_is_mistake (self, g_ptr_array_index (self->problems, i)))
      return TRUE;
  return FALSE;
}

/* Writes prices as formulas where sizes are missing, and these are quickly made. */
static void
update_formulas (HeddleEditor *self)
{
  HeddleDeriveOptions options;

  g_clear_pointer (&self->formulas, g_free);
  if (self->flat_diagram == NULL || self->flat_sizes != NULL || has_mistakes (self))
    return;
  heddle_editor_get_derive_options (self, &options);
  if (options.machine != NULL && self->flat_diagram->operations->len <= HEDDLE_QUICK_OPERATIONS)
    self->formulas = heddle_prices_symbolic (
        self->flat_diagram, heddle_editor_get_schedule (self), NULL, &options, MOST_FORMULAS);
}

static char *
reason_against_deriving (HeddleEditor *self)
{
  if (self->diagram == NULL || self->diagram->operations->len == 0)
    return g_strdup (_ ("There is nothing to derive yet"));
  if (has_mistakes (self))
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
  return self->flat_diagram->operations->len <= HEDDLE_QUICK_OPERATIONS;
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

  update_formulas (self);
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

void
heddle_editor_abandon_deriving (HeddleEditor *self)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  stop_search (self);
  if (self->deriving != NULL)
    g_cancellable_cancel (self->deriving);
  g_clear_object (&self->deriving);
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

const char *
heddle_editor_get_formulas (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->formulas;
}

void
heddle_editor_get_derive_options (HeddleEditor *self, HeddleDeriveOptions *options)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (self);

  g_return_if_fail (HEDDLE_IS_EDITOR (self));
  g_return_if_fail (options != NULL);

  *options = (HeddleDeriveOptions){ .machine = self->machine,
    .dtype = self->dtype,
    .product_shares = heddle_plan_product_shares,
    .divisors = heddle_schedule_divisors (schedule, 0),
    .budget_bytes = schedule != NULL ? schedule->budget : 0 };
}
