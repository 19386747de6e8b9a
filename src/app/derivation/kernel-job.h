/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "codegen/base/codegen.h"
#include "derive/report/roofline.h"
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* What the kernel page has a worker thread make of a snapshot that no longer changes. */
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

/* How far it goes. */
typedef enum
{
  HEDDLE_KERNEL_TASK_PLAN,
  HEDDLE_KERNEL_TASK_VERIFY, /* compile every kernel and verify it on the CPU */
  HEDDLE_KERNEL_TASK_RUN, /* compile every kernel, verify and time it on the GPU of this machine */
} HeddleKernelTask;

/* Called on the main thread: @done of @n steps are, and @words is what the next one does. */
typedef void (*HeddleKernelProgress) (guint done, guint n, const char *words, gpointer data);

/* Frees the job with its plan, compilations and lines; NULL is allowed. */
void heddle_kernel_job_free (HeddleKernelJob *self);
/* What comes after planning is told to @progress for as long as @cancellable is not cancelled.
 * @object: (transfer full): what both callbacks are given: @callback unrefs it */
void heddle_kernel_job_run_async (HeddleEditor *editor, HeddleKernelTask what, GCancellable *cancellable,
    HeddleKernelProgress progress, GAsyncReadyCallback callback, GObject *object);
/* Of a job that ran: what was measured, which is kept in a file too. Transfer full. */
HeddleBenchResult *heddle_kernel_job_keep_result (const HeddleKernelJob *self);
/* Returns the finished job, owned by the caller; NULL with @error where planning failed or it was cancelled.
 * What failed after planning is in the job's failure. */
HeddleKernelJob *heddle_kernel_job_run_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleKernelJob, heddle_kernel_job_free)

G_END_DECLS
