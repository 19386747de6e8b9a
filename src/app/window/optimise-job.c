/* SPDX-License-Identifier: MIT */
#include "app/window/optimise-job.h"
#include "diagram/document/snapshot.h"
#include "files/optimise/save.h"

typedef struct
{
  HeddleSnapshot *snapshot;
  char *diagram;
  HeddleOptimiseProgress progress;
  GObject *object;
  GCancellable *cancellable;
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  heddle_snapshot_unref (self->snapshot);
  g_free (self->diagram);
  g_free (self);
}

/* A step is on its way to the main thread. */
typedef struct
{
  HeddleOptimiseProgress progress;
  GObject *object;
  GCancellable *cancellable;
  double fraction;
  char *what;
} Step;

static void
step_free (gpointer data)
{
  Step *self = data;

  g_object_unref (self->object);
  g_clear_object (&self->cancellable);
  g_free (self->what);
  g_free (self);
}

static gboolean
show_step (gpointer data)
{
  Step *self = data;

  if (!g_cancellable_is_cancelled (self->cancellable))
    self->progress (self->fraction, self->what, self->object);
  return G_SOURCE_REMOVE;
}

static void
report_progress (double fraction, const char *what, gpointer data)
{
  const Job *job = data;
  Step *step = g_new (Step, 1);

  *step = (Step){ job->progress, g_object_ref (job->object), g_object_ref (job->cancellable), fraction,
    g_strdup (what) };
  g_idle_add_full (G_PRIORITY_DEFAULT, show_step, step, step_free);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  const HeddleOptimiseOptions options = { .diagram = job->diagram };
  GError *error = NULL;
  HeddleOptimised *made
      = heddle_optimise (job->snapshot, &options, report_progress, job, cancellable, &error);

  if (made != NULL)
    g_task_return_pointer (task, made, (GDestroyNotify) heddle_optimised_free);
  else
    g_task_return_error (task, error);
}

void
heddle_optimise_async (HeddleSnapshot *snapshot, const char *diagram, HeddleOptimiseProgress progress,
    GCancellable *cancellable, GAsyncReadyCallback callback, GObject *object)
{
  g_autoptr (GTask) task = g_task_new (object, cancellable, callback, NULL);
  Job *job = g_new (Job, 1);

  *job = (Job){ heddle_snapshot_ref (snapshot), g_strdup (diagram), progress, object, cancellable };
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run);
}

HeddleOptimised *
heddle_optimise_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- saving ------------------------------------------------------------------------- */

typedef struct
{
  const HeddleOptimised *made;
  char *folder;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *self = data;

  g_free (self->folder);
  g_free (self);
}

static void
run_save (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Saving *saving = data;
  GError *error = NULL;

  if (heddle_optimised_save (saving->made, saving->folder, NULL, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
heddle_optimised_save_async (const HeddleOptimised *made, const char *folder, GCancellable *cancellable,
    GAsyncReadyCallback callback, GObject *object)
{
  g_autoptr (GTask) task = g_task_new (object, cancellable, callback, NULL);
  Saving *saving = g_new (Saving, 1);

  *saving = (Saving){ made, g_strdup (folder) };
  g_task_set_task_data (task, saving, saving_free);
  g_task_run_in_thread (task, run_save);
}

gboolean
heddle_optimised_save_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
