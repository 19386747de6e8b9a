/* SPDX-License-Identifier: MIT */

#include "app/export-job.h"

typedef struct
{
  HeddleSnapshot *snapshot;
  char *path, *diagram, *gpu;
  HeddleDtype dtype;
} ExportJob;

static void
export_job_free (gpointer data)
{
  ExportJob *job = data;

  heddle_snapshot_unref (job->snapshot);
  g_free (job->path);
  g_free (job->diagram);
  g_free (job->gpu);
  g_free (job);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const ExportJob *job = data;
  GError *error = NULL;
  HeddleExportOptions options = { .diagram = job->diagram, .gpu = job->gpu, .dtype = job->dtype };
  g_autoptr (GBytes) bytes = heddle_export (job->snapshot, job->path, &options, cancellable, &error);
  gsize length = 0;
  const char *content = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

  if (bytes != NULL && heddle_file_save (job->path, content, length, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
heddle_export_async (HeddleSnapshot *snapshot, const char *path, const char *diagram, const char *gpu,
    HeddleDtype dtype, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  ExportJob *job = g_new0 (ExportJob, 1);

  *job = (ExportJob){ heddle_snapshot_ref (snapshot), g_strdup (path), g_strdup (diagram), g_strdup (gpu),
    dtype };
  g_task_set_task_data (task, job, export_job_free);
  g_task_run_in_thread (task, run);
}

gboolean
heddle_export_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
