/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "figure/scene/figure-theme.h"

/* Starts to draw, in a worker, the diagram with the labels of each of several schedules; @schedules (of
 * HeddleSchedule) is taken. */
void heddle_figure_job_run_async (HeddleEditor *editor, GPtrArray *schedules, HeddleTheme theme,
    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
/* Returns a HeddleScene for each schedule, transfer full; NULL means that it was cancelled. */
GPtrArray *heddle_figure_job_run_finish (GAsyncResult *result, GError **error);
