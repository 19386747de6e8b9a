/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "derive/machine/machine.h"
#include "derive/report/comparison.h"
#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

#define HEDDLE_N_COMPARED 2

/* A job says what a worker thread prices for the compare page: one column for each target. */
typedef struct
{
  HeddleSnapshot *snapshot; /* keeps @diagram */
  const HeddleDiagram *diagram;
  HeddleSizes *sizes;
  HeddleSchedule *schedule;
  HeddleDtype declared; /* of arrays that declare none */
  gboolean crossings; /* what would move the bounds is found, too, which takes many derivations */
  HeddleMachine *machines[HEDDLE_N_COMPARED];
  HeddleDtype dtypes[HEDDLE_N_COMPARED]; /* UNSET: as declared */
  HeddleComparison *columns[HEDDLE_N_COMPARED]; /* the results; NULL: it failed */
  char *failures[HEDDLE_N_COMPARED]; /* then why */
} HeddleCompareJob;

/* Returns a new job for what the editor shows now, as `heddle compare` would have it of the file: what is
 * not fused at all is fused whole. With @keep_labels every machine has the document's tiles, not its best.
 * NULL means that sizes are missing, and nothing can be priced. */
HeddleCompareJob *heddle_compare_job_new (HeddleEditor *editor, gboolean keep_labels);
/* Sets what @column (below HEDDLE_N_COMPARED) is priced for; @machine is copied. A column is set once. */
void heddle_compare_job_set_target (
    HeddleCompareJob *self, guint column, const HeddleMachine *machine, HeddleDtype dtype);
/* Frees the job with its machines and results; NULL is allowed. */
void heddle_compare_job_free (HeddleCompareJob *self);
/* Takes the job, and gives it back with its columns. */
void heddle_compare_job_run_async (
    HeddleCompareJob *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
/* Returns the job with its columns, owned by the caller; NULL with @error where it was cancelled. The
 * failure of one column is in the job's failures instead. */
HeddleCompareJob *heddle_compare_job_run_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleCompareJob, heddle_compare_job_free)
