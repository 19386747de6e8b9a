/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor.h"
#include "codegen/codegen.h"

G_BEGIN_DECLS

/* What the kernel page has a worker thread make of a snapshot that no longer changes. */
typedef struct
{
  HeddleSnapshot *snapshot; /* keeps the diagram that the plan speaks of */
  const HeddleDiagram *diagram;
  HeddlePlan *plan;
  GPtrArray *compilations; /* of HeddleCompilation, one per kernel; NULL: not compiled */
  char *verified; /* a line; NULL: not verified */
  GError *failure; /* of compiling or verifying: the texts are there all the same */
} HeddleKernelJob;

/* Called on the main thread: @done of @n steps are, and @words is what the next one does. */
typedef void (*HeddleKernelProgress) (guint done, guint n, const char *words, gpointer data);

void heddle_kernel_job_free (HeddleKernelJob *self);
/* @verify: also compile every kernel and verify it on the CPU, and tell @progress of it for as long as @cancellable is not cancelled.
 * @object: (transfer full): what both callbacks are given: @callback unrefs it */
void heddle_kernel_job_run_async (HeddleEditor *editor, gboolean verify, GCancellable *cancellable,
    HeddleKernelProgress progress, GAsyncReadyCallback callback, GObject *object);
HeddleKernelJob *heddle_kernel_job_run_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleKernelJob, heddle_kernel_job_free)

G_END_DECLS
