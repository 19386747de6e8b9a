/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "codegen/base/codegen.h"
#include "derive/report/roofline.h"
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* A job says what a worker thread makes for the kernel page of a snapshot that no longer changes. */
typedef struct
{
  HeddleSnapshot *snapshot; /* keeps the diagram that the plan speaks of */
  const HeddleDiagram *diagram;
  HeddlePlan *plan;
  GPtrArray *compilations; /* of HeddleCompilation, one per kernel; NULL: not compiled */
  char *verified; /* a line; NULL: not verified */
  char *ran; /* a line; NULL: not run on a GPU */
  HeddleBench *bench; /* what running took; NULL: not run */
  GError *failure; /* of what came after planning: the texts are there all the same */
} HeddleKernelJob;

/* A task says how far a job goes. */
typedef enum
{
  HEDDLE_KERNEL_TASK_PLAN,
  HEDDLE_KERNEL_TASK_VERIFY, /* compile every kernel and verify it on the CPU */
  HEDDLE_KERNEL_TASK_RUN, /* compile every kernel, verify and time it on the GPU of this machine */
} HeddleKernelTask;

/* Is called on the main thread: @done of @n steps are done, and @words says what the next one does. */
typedef void (*HeddleKernelProgress) (guint done, guint n, const char *words, gpointer data);

/* Frees the job with its plan, compilations and lines; NULL is allowed. */
void heddle_kernel_job_free (HeddleKernelJob *self);
/* Starts the job. What comes after planning is reported to @progress for as long as @cancellable is not
 * cancelled. @object (transfer full) is given to both callbacks; @callback unrefs it. */
void heddle_kernel_job_run_async (HeddleEditor *editor, HeddleKernelTask what, GCancellable *cancellable,
    HeddleKernelProgress progress, GAsyncReadyCallback callback, GObject *object);
/* Returns what a job that ran measured, transfer full, and keeps it in a file beside the program's other
 * data, so that the command line can draw it too; where that cannot be, it is known here all the same. */
HeddleBenchResult *heddle_kernel_job_keep_result (const HeddleKernelJob *self);
/* Returns the finished job, owned by the caller; NULL with @error where planning failed or it was cancelled.
 * What failed after planning is in the job's failure. */
HeddleKernelJob *heddle_kernel_job_run_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleKernelJob, heddle_kernel_job_free)
