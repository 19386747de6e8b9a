/* SPDX-License-Identifier: MIT */

#include "config.h"

#include "app/derivation/kernel-job.h"

/* What goes to the worker. */
typedef struct
{
  HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram;
  char *gpu;
  HeddleDtype dtype;
  gboolean verify;
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  heddle_snapshot_unref (self->snapshot);
  g_free (self->gpu);
  g_free (self);
}

void
heddle_kernel_job_free (HeddleKernelJob *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->compilations, g_ptr_array_unref);
  g_clear_pointer (&self->plan, heddle_plan_free);
  g_clear_pointer (&self->snapshot, heddle_snapshot_unref);
  g_clear_error (&self->failure);
  g_free (self->verified);
  g_free (self);
}

static gboolean
compile_all (HeddleKernelJob *self, GCancellable *cancellable, GError **error)
{
  self->compilations = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_compilation_free);
  for (guint i = 0; i < self->plan->texts->len; i++)
    {
      HeddleCompilation *compilation
          = heddle_compile (g_ptr_array_index (self->plan->texts, i), cancellable, error);

      if (compilation == NULL)
        {
          g_clear_pointer (&self->compilations, g_ptr_array_unref);
          return FALSE;
        }
      g_ptr_array_add (self->compilations, compilation);
    }
  return TRUE;
}

/* The texts with what was found out in their heads. */
static void
tell_verified (HeddleKernelJob *self)
{
  const HeddlePlan *plan = self->plan;
  GPtrArray *texts = heddle_codegen_emit_all (plan->diagram, plan->derivation, plan->sizes, plan->machine,
      plan->dtype, plan->family, self->verified, &self->failure);

  if (texts == NULL)
    return;
  g_ptr_array_unref (self->plan->texts);
  self->plan->texts = texts;
}

static void
verify (HeddleKernelJob *self, GCancellable *cancellable)
{
  if (compile_all (self, cancellable, &self->failure))
    self->verified = heddle_plan_verify_line (self->plan, 1, cancellable, &self->failure);
  if (self->verified != NULL)
    tell_verified (self);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Request *request = data;
  g_autoptr (HeddleKernelJob) self = g_new0 (HeddleKernelJob, 1);
  GError *error = NULL;

  self->snapshot = heddle_snapshot_ref (request->snapshot);
  self->diagram = request->diagram;
  self->plan = heddle_plan_new (self->diagram, heddle_snapshot_find_schedule (self->snapshot, self->diagram),
      request->gpu, request->dtype, HEDDLE_FAMILY_AUTO, NULL, cancellable, &error);
  if (self->plan != NULL && request->verify)
    verify (self, cancellable);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&self), (GDestroyNotify) heddle_kernel_job_free);
}

void
heddle_kernel_job_run_async (HeddleEditor *editor, gboolean verify, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (editor, cancellable, callback, data);
  Request *request = g_new0 (Request, 1);

  request->snapshot = heddle_snapshot_ref (heddle_editor_get_flat_snapshot (editor));
  request->diagram = heddle_editor_get_flat_diagram (editor);
  request->gpu = g_strdup (heddle_editor_get_machine (editor)->name);
  request->dtype = heddle_editor_get_dtype (editor);
  request->verify = verify;
  g_task_set_task_data (task, request, request_free);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, run);
}

HeddleKernelJob *
heddle_kernel_job_run_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
