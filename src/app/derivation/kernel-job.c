/* SPDX-License-Identifier: MIT */

#include <string.h>

#include <glib/gi18n.h>

#include "app/widgets/format.h"
#include "app/derivation/kernel-job.h"
#include "app/editor/flat.h"
#include "app/editor/target.h"
#include "codegen/compile/compile.h"
#include "codegen/emit/emit.h"
#include "codegen/plan/plan.h"
#include "codegen/verify/bench.h"
#include "codegen/verify/plan.h"
#include "codegen/verify/sizes.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/snapshot.h"
#include "files/base/save.h"
#include "files/measure/bench-result.h"

#define LAUNCHES 50

/* A request is what goes to the worker. */
typedef struct
{
  HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram;
  char *gpu;
  HeddleDtype dtype;
  HeddleKernelTask task;
  HeddleKernelProgress progress;
  GObject *object; /* for it; held */
} Request;

/* A step is on its way to the main thread. */
typedef struct
{
  HeddleKernelProgress progress;
  GObject *object;
  GCancellable *cancellable;
  guint done, n;
  char *words;
} Step;

static void
step_free (gpointer data)
{
  Step *self = data;

  g_object_unref (self->object);
  g_object_unref (self->cancellable);
  g_free (self->words);
  g_free (self);
}

static gboolean
on_step (gpointer data)
{
  const Step *self = data;

  if (!g_cancellable_is_cancelled (self->cancellable))
    self->progress (self->done, self->n, self->words, self->object);
  return G_SOURCE_REMOVE;
}

static void
report_step (const Request *request, GCancellable *cancellable, guint done, guint n, char *words)
{
  Step *step = g_new0 (Step, 1);

  *step = (Step){ request->progress, g_object_ref (request->object), g_object_ref (cancellable), done, n,
    words };
  g_idle_add_full (G_PRIORITY_DEFAULT, on_step, step, step_free);
}

static void
request_free (gpointer data)
{
  Request *self = data;

  heddle_snapshot_unref (self->snapshot);
  g_object_unref (self->object);
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
  g_clear_pointer (&self->bench, heddle_bench_free);
  g_free (self->verified);
  g_free (self->ran);
  g_free (self);
}

static gboolean
compile_all (HeddleKernelJob *self, const Request *request, GCancellable *cancellable, GError **error)
{
  const guint n = self->plan->texts->len;

  self->compilations = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_compilation_free);
  for (guint i = 0; i < n; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->plan->texts, i);
      HeddleCompilation *compilation;

      report_step (request, cancellable, i, n + 1, g_strdup_printf (_ ("Compiling %s…"), text->entry));
      compilation = heddle_compile (text, cancellable, error);
      if (compilation == NULL)
        {
          g_clear_pointer (&self->compilations, g_ptr_array_unref);
          return FALSE;
        }
      g_ptr_array_add (self->compilations, compilation);
    }
  return TRUE;
}

/* Emits the texts again, with how they were verified in their heads. */
static void
emit_verified (HeddleKernelJob *self)
{
  const HeddlePlan *plan = self->plan;
  GPtrArray *texts = heddle_codegen_emit_all (plan->diagram, plan->derivation, plan->sizes, plan->machine,
      plan->dtype, plan->family, self->verified, &self->failure);

  if (texts == NULL)
    return;
  g_ptr_array_unref (self->plan->texts);
  self->plan->texts = texts;
}

/* An export has verified the kernels it wrote, and labels may be back where they were. */
static void
recall (HeddleKernelJob *self, const Request *request, GCancellable *cancellable)
{
  g_autofree char *verified = heddle_plan_recall_line (self->plan);

  if (verified == NULL || !compile_all (self, request, cancellable, &self->failure))
    return;
  self->verified = g_steal_pointer (&verified);
  emit_verified (self);
}

static void
verify (HeddleKernelJob *self, const Request *request, GCancellable *cancellable)
{
  const guint n = self->plan->texts->len;

  if (!compile_all (self, request, cancellable, &self->failure))
    return;
  report_step (request, cancellable, n, n + 1, g_strdup (_ ("Verifying on the CPU…")));
  self->verified = heddle_plan_verify_line (self->plan, 1, cancellable, &self->failure);
  if (self->verified != NULL)
    emit_verified (self);
}

/* Returns the worst of the results in words; %NULL means that one failed. */
static char *
describe_results (GPtrArray *results, GError **error)
{
  const HeddleVerification *worst = NULL;

  for (guint i = 0; i < results->len; i++)
    {
      const HeddleVerification *result = g_ptr_array_index (results, i);

      if (!result->passed)
        {
          g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_VERIFY, _ ("%s is wrong: %s"),
              result->kernel, result->detail != NULL ? result->detail : "");
          return NULL;
        }
      worst = worst == NULL || result->relative_error > worst->relative_error ? result : worst;
    }
  return worst == NULL ? g_strdup ("")
                       : g_strdup_printf (_ ("relative error %.2g of %.2g allowed"), worst->relative_error,
                           worst->tolerance);
}

static void
run_on_gpu (HeddleKernelJob *self, const Request *request, GCancellable *cancellable)
{
  const guint n = self->plan->texts->len;
  g_autoptr (HeddleSizes) sizes = heddle_plan_small_sizes (self->plan);
  g_autoptr (GPtrArray) results = NULL;
  g_autofree char *error = NULL, *took = NULL, *expected = NULL;

  if (!compile_all (self, request, cancellable, &self->failure))
    return;
  report_step (request, cancellable, n, n + 1, g_strdup (_ ("Running on the GPU…")));
  results = heddle_plan_verify (self->plan, sizes, HEDDLE_VERIFY_GPU, 1, cancellable, &self->failure);
  error = results != NULL ? describe_results (results, &self->failure) : NULL;
  if (error != NULL)
    self->bench = heddle_plan_bench (self->plan, LAUNCHES, cancellable, &self->failure);
  if (self->bench == NULL)
    return;
  took = heddle_format_seconds (self->bench->total.median_s);
  expected = heddle_format_seconds (self->bench->total.expected_s);
  self->ran = g_strdup_printf (_ ("Ran on %s: %s (%s expected), the median of %u launches; %s"),
      self->bench->gpu, took, expected, self->bench->launches, error);
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
  if (self->plan != NULL && request->task == HEDDLE_KERNEL_TASK_PLAN)
    recall (self, request, cancellable);
  if (self->plan != NULL && request->task == HEDDLE_KERNEL_TASK_VERIFY)
    verify (self, request, cancellable);
  if (self->plan != NULL && request->task == HEDDLE_KERNEL_TASK_RUN)
    run_on_gpu (self, request, cancellable);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&self), (GDestroyNotify) heddle_kernel_job_free);
}

/* Beside the program's other data, so that the command line can draw it too; where that cannot be, it is known here all the same. */
HeddleBenchResult *
heddle_kernel_job_keep_result (const HeddleKernelJob *self)
{
  HeddleBenchResult *result = heddle_bench_result_new (self->plan, self->bench);
  g_autofree char *json = heddle_bench_write (self->plan, self->bench);
  g_autofree char *name = g_strdup_printf ("%s-%s.json", self->diagram->name, self->bench->date);
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "heddle", "results", NULL);
  g_autofree char *path = g_build_filename (folder, g_strdelimit (name, ":/", '-'), NULL);

  if (g_mkdir_with_parents (folder, 0755) == 0 && heddle_file_save (path, json, strlen (json), NULL))
    result->path = g_steal_pointer (&path);
  return result;
}

void
heddle_kernel_job_run_async (HeddleEditor *editor, HeddleKernelTask what, GCancellable *cancellable,
    HeddleKernelProgress progress, GAsyncReadyCallback callback, GObject *object)
{
  g_autoptr (GTask) task = g_task_new (editor, cancellable, callback, object);
  Request *request = g_new0 (Request, 1);

  request->snapshot = heddle_snapshot_ref (heddle_editor_get_flat_snapshot (editor));
  request->diagram = heddle_editor_get_flat_diagram (editor);
  request->gpu = g_strdup (heddle_editor_get_machine (editor)->name);
  request->dtype = heddle_editor_get_dtype (editor);
  request->task = what;
  request->progress = progress;
  request->object = g_object_ref (object);
  g_task_set_task_data (task, request, request_free);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, run);
}

HeddleKernelJob *
heddle_kernel_job_run_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
