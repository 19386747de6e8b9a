/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "figure/scene/figure-theme.h"

G_BEGIN_DECLS

/* The diagram with the labels of each of several schedules, drawn by a worker. @schedules: of HeddleSchedule, taken. */
void heddle_figure_job_run_async (HeddleEditor *editor, GPtrArray *schedules, HeddleTheme theme,
    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
/* Of HeddleScene, one for each; NULL when it was cancelled. Transfer full. */
GPtrArray *heddle_figure_job_run_finish (GAsyncResult *result, GError **error);

G_END_DECLS
