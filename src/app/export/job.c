/* SPDX-License-Identifier: MIT */

#include "app/export/job.h"
#include "derive/report/roofline.h"
#include "diagram/document/snapshot.h"
#include "files/base/save.h"
#include "files/exchange/export.h"

typedef struct
{
  HeddleSnapshot *snapshot;
  char *path, *diagram, *gpu;
  GPtrArray *measured; /* or NULL */
  HeddleExportOptions options;
} ExportJob;

static gpointer
copy_measurement (gconstpointer measurement, gpointer data)
{
  const HeddleBenchResult *self = measurement;
  HeddleBenchResult *copy = g_memdup2 (self, sizeof *self);

  copy->diagram = g_strdup (self->diagram);
  copy->machine = g_strdup (self->machine);
  copy->gpu = g_strdup (self->gpu);
  copy->date = g_strdup (self->date);
  copy->path = g_strdup (self->path);
  return copy;
}

static void
export_job_free (gpointer data)
{
  ExportJob *job = data;

  heddle_snapshot_unref (job->snapshot);
  g_free (job->path);
  g_free (job->diagram);
  g_free (job->gpu);
  g_clear_pointer (&job->measured, g_ptr_array_unref);
  g_free (job);
}

static ExportJob *
export_job_new (HeddleSnapshot *snapshot, const char *path, const HeddleExportOptions *options)
{
  ExportJob *job = g_new0 (ExportJob, 1);

  *job = (ExportJob){ .snapshot = heddle_snapshot_ref (snapshot),
    .path = g_strdup (path),
    .diagram = g_strdup (options->diagram),
    .gpu = g_strdup (options->gpu),
    .options = *options };
  if (options->measured != NULL)
    {
      job->measured = g_ptr_array_copy ((GPtrArray *) options->measured, copy_measurement, NULL);
      g_ptr_array_set_free_func (job->measured, (GDestroyNotify) heddle_bench_result_free);
    }
  job->options.measured = job->measured;
  job->options.diagram = job->diagram;
  job->options.gpu = job->gpu;
  job->options.sizes = NULL;
  return job;
}

static gboolean
export_to (const ExportJob *job, const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GBytes) bytes = heddle_export (job->snapshot, path, &job->options, cancellable, error);
  gsize length = 0;
  const char *content = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

  return bytes != NULL && heddle_file_save (path, content, length, error);
}

static void
run_export (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const ExportJob *job = data;
  GError *error = NULL;
  g_autofree char *overlay = heddle_export_overlay_path (job->path, &job->options);

  if ((overlay == NULL || export_to (job, overlay, cancellable, &error))
      && export_to (job, job->path, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
heddle_export_async (HeddleSnapshot *snapshot, const char *path, const HeddleExportOptions *options,
    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  /* What was written when it was cancelled is written. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, export_job_new (snapshot, path, options), export_job_free);
  g_task_run_in_thread (task, run_export);
}

gboolean
heddle_export_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
run_proof (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const ExportJob *job = data;
  GError *error = NULL;
  HeddleProof *proof = heddle_export_proof (job->snapshot, &job->options, cancellable, &error);

  if (proof != NULL)
    g_task_return_pointer (task, proof, (GDestroyNotify) heddle_proof_free);
  else
    g_task_return_error (task, error);
}

void
heddle_proof_async (HeddleSnapshot *snapshot, const HeddleExportOptions *options, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_task_data (task, export_job_new (snapshot, NULL, options), export_job_free);
  g_task_run_in_thread (task, run_proof);
}

HeddleProof *
heddle_proof_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
