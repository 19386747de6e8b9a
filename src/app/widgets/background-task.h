/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

/* Runs @run as g_task_run_in_thread () does, but in a thread of its own with a lower priority, for work
 * that takes long and that nobody waits for first. It begins in a later turn of the main loop, so that the
 * rest of this turn can begin something urgent, and waits while anything urgent runs. @run returns the
 * task's result. */
void heddle_task_run_in_background (GTask *task, GTaskThreadFunc run);

/* Begins an urgent piece of work, in any thread. No background task begins before heddle_task_end_urgent (), so
 * urgent work must not wait for one. */
void heddle_task_begin_urgent (void);
/* Ends what heddle_task_begin_urgent () began, once for each call; after the last one background tasks
 * begin again. */
void heddle_task_end_urgent (void);
