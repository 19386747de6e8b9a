/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * heddle_task_run_patiently:
 *
 * As g_task_run_in_thread(), in a thread of its own that leaves the processors to the main thread and to the other workers where there
 * are too few of them: what it makes takes long and is not what a person waits for first. It begins in a later turn of the main loop, so
 * that the rest of this turn may call something urgent, and not while anything is. @run returns the task's result.
 */
void heddle_task_run_patiently (GTask *task, GTaskThreadFunc run);

/* Between these, which any thread may call, no patient task begins: so nothing urgent may wait for one. */
void heddle_task_begin_urgent (void);
/* Ends what heddle_task_begin_urgent () began, once for each call; after the last one patient tasks begin
 * again. */
void heddle_task_end_urgent (void);

G_END_DECLS
