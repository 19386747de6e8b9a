/* SPDX-License-Identifier: MIT */

#include "app/derivation/figure-job.h"
#include "app/editor/derive-job.h"
#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/figure.h"
#include "figure/scene/scene.h"

typedef struct
{
  HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram;
  GPtrArray *jobs; /* of HeddleDeriveJob */
  HeddleTheme theme;
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  g_ptr_array_unref (self->jobs);
  heddle_snapshot_unref (self->snapshot);
  g_free (self);
}

static HeddleScene *
render (const Request *request, HeddleDeriveJob *job, GCancellable *cancellable)
{
  g_autoptr (HeddleDerivation) derivation = heddle_derive_job_run (job, cancellable, NULL);
  const HeddlePresentation *given = heddle_snapshot_find_presentation (request->snapshot, request->diagram);
  HeddlePresentation untitled;
  HeddleFigure figure = { .diagram = request->diagram,
    .schedule = job->schedule,
    .derivation = derivation,
    .sizes = job->sizes,
    .theme = request->theme,
    .show = HEDDLE_SHOW_LABELS };

  if (given != NULL)
    {
      untitled = *given;
      untitled.title = NULL; /* each figure has that of its step */
      figure.presentation = &untitled;
    }
  return heddle_figure_render (&figure);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Request *request = data;
  g_autoptr (GPtrArray) scenes = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_scene_unref);

  for (guint i = 0; i < request->jobs->len && !g_cancellable_is_cancelled (cancellable); i++)
    g_ptr_array_add (scenes, render (request, g_ptr_array_index (request->jobs, i), cancellable));
  if (!g_task_return_error_if_cancelled (task))
    g_task_return_pointer (task, g_steal_pointer (&scenes), (GDestroyNotify) g_ptr_array_unref);
}

void
heddle_figure_job_run_async (HeddleEditor *editor, GPtrArray *schedules, HeddleTheme theme,
    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  Request *request = g_new0 (Request, 1);
  HeddleDeriveOptions options;

  heddle_editor_get_derive_options (editor, &options);
  request->snapshot = heddle_snapshot_ref (heddle_editor_get_flat_snapshot (editor));
  request->diagram = heddle_editor_get_flat_diagram (editor);
  request->theme = theme;
  request->jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_derive_job_free);
  for (guint i = 0; i < schedules->len; i++)
    g_ptr_array_add (request->jobs,
        heddle_derive_job_new (request->snapshot, request->diagram, g_ptr_array_index (schedules, i),
            heddle_editor_get_flat_sizes (editor), &options));
  g_ptr_array_unref (schedules);
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, run);
}

GPtrArray *
heddle_figure_job_run_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
