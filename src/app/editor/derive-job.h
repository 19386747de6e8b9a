/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/shared-derivation.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/machine.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* HeddleDeriveJob is one derivation to be made, on a snapshot that no longer changes; it runs at once or in
 * a worker thread. */
typedef struct
{
  HeddleSnapshot *snapshot; /* keeps @diagram */
  const HeddleDiagram *diagram;
  HeddleSchedule *schedule;
  HeddleSizes *sizes;
  HeddleMachine *machine;
  HeddleDeriveOptions options;
  HeddleSharedDerivation *earlier; /* or NULL; */
  const HeddleSchedule *then; /* and what it was made with, in @snapshot or NULL */
  HeddleSchedule *rest; /* or NULL: what completes @schedule when it is run */
} HeddleDeriveJob;

/* Everything is copied or held; @schedule NULL: an empty one. */
HeddleDeriveJob *heddle_derive_job_new (HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, HeddleSizes *sizes, const HeddleDeriveOptions *options);
/* Shares kernels with @earlier (NULL: none), which was derived with the schedule @then of the same snapshot; the rest is the job's. */
void heddle_derive_job_set_earlier (
    HeddleDeriveJob *self, HeddleSharedDerivation *earlier, const HeddleSchedule *then);
/* Completes the schedule with kernels of @rest, as heddle_schedule_complete() does, when it is run: thousands take longer to copy than a frame.
 * @rest: (nullable): may be freed before, and is not changed any more */
void heddle_derive_job_set_rest (HeddleDeriveJob *self, const HeddleSchedule *rest);
/* Frees the job and lets go of the snapshot that it holds. */
void heddle_derive_job_free (HeddleDeriveJob *self);
/* Derives in the calling thread. Returns the derivation, owned by the caller; NULL with @error where it
 * cannot be derived or @cancellable was cancelled. */
HeddleDerivation *heddle_derive_job_run (HeddleDeriveJob *self, GCancellable *cancellable, GError **error);
/* Does the same, and adds up the kernels. */
HeddleSharedDerivation *heddle_derive_job_run_shared (
    HeddleDeriveJob *self, GCancellable *cancellable, GError **error);
/* Takes the job. */
void heddle_derive_job_run_async (
    HeddleDeriveJob *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
/* Returns the derivation, a reference that the caller owns; NULL with @error where it failed or was
 * cancelled. */
HeddleSharedDerivation *heddle_derive_job_run_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleDeriveJob, heddle_derive_job_free)
