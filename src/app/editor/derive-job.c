/* SPDX-License-Identifier: MIT */

#include "app/editor/derive-job.h"
#include "app/editor/kernel-axes.h"
#include "app/widgets/background-task.h"
#include "app/widgets/heap-trim.h"
#include "derive/derivation/derive.h"
#include "derive/report/steps.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/snapshot.h"

HeddleDeriveJob *
heddle_derive_job_new (HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    HeddleSizes *sizes, const HeddleDeriveOptions *options)
{
  HeddleDeriveJob *self = g_new0 (HeddleDeriveJob, 1);

  self->snapshot = heddle_snapshot_ref (snapshot);
  self->diagram = diagram;
  self->schedule = schedule != NULL ? heddle_schedule_copy (schedule) : heddle_schedule_new (diagram->id);
  self->sizes = heddle_sizes_ref (sizes);
  self->machine = heddle_machine_copy (options->machine);
  self->options = *options;
  self->options.machine = self->machine;
  return self;
}

void
heddle_derive_job_set_earlier (
    HeddleDeriveJob *self, HeddleSharedDerivation *earlier, const HeddleSchedule *then)
{
  g_return_if_fail (self != NULL && self->earlier == NULL);

  self->earlier = earlier != NULL ? heddle_shared_derivation_ref (earlier) : NULL;
  self->then = then;
}

void
heddle_derive_job_set_rest (HeddleDeriveJob *self, const HeddleSchedule *rest)
{
  g_return_if_fail (self != NULL && self->rest == NULL);

  if (rest == NULL)
    return;
  self->rest = heddle_schedule_new (rest->diagram);
  g_ptr_array_unref (self->rest->regions);
  self->rest->regions = g_ptr_array_ref (rest->regions);
}

static void
complete (HeddleDeriveJob *self)
{
  HeddleSchedule *partial = self->schedule;

  self->schedule = heddle_schedule_complete (partial, self->rest);
  g_clear_pointer (&self->rest, heddle_schedule_free);
  heddle_schedule_free (partial);
}

void
heddle_derive_job_free (HeddleDeriveJob *self)
{
  g_clear_pointer (&self->rest, heddle_schedule_free);
  g_clear_pointer (&self->earlier, heddle_shared_derivation_unref);
  heddle_snapshot_unref (self->snapshot);
  heddle_schedule_free (self->schedule);
  heddle_sizes_unref (self->sizes);
  heddle_machine_free (self->machine);
  g_free (self);
}

HeddleDerivation *
heddle_derive_job_run (HeddleDeriveJob *self, GCancellable *cancellable, GError **error)
{
  if (self->rest != NULL)
    complete (self);
  if (self->earlier == NULL)
    return heddle_derive (self->diagram, self->schedule, self->sizes, &self->options, cancellable, error);
  return heddle_derive_from (heddle_shared_derivation_get (self->earlier), self->then, self->diagram,
      self->schedule, self->sizes, &self->options, cancellable, error);
}

HeddleSharedDerivation *
heddle_derive_job_run_shared (HeddleDeriveJob *self, GCancellable *cancellable, GError **error)
{
  HeddleDerivation *derivation = heddle_derive_job_run (self, cancellable, error);
  HeddleSharedDerivation *shared = NULL;

  if (derivation == NULL)
    return NULL;
  shared = heddle_shared_derivation_new (derivation, self->diagram, self->sizes, &self->options);
  if (self->earlier == NULL)
    shared->kernels = heddle_kernel_axes_new (derivation, self->diagram);
  return shared;
}

static void
run_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  HeddleSharedDerivation *derivation = heddle_derive_job_run_shared (data, cancellable, &error);

  if (derivation != NULL)
    g_task_return_pointer (task, derivation, (GDestroyNotify) heddle_shared_derivation_unref);
  else
    g_task_return_error (task, error);
}

void
heddle_derive_job_run_async (
    HeddleDeriveJob *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_task_data (task, self, (GDestroyNotify) heddle_derive_job_free);
  heddle_task_run_in_background (task, run_in_thread);
}

HeddleSharedDerivation *
heddle_derive_job_run_finish (GAsyncResult *result, GError **error)
{
  heddle_heap_trim_when_idle ();
  return g_task_propagate_pointer (G_TASK (result), error);
}
