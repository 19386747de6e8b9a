/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

/* A watch for Ctrl-C beside the work: what is being done is given up at its next step, and nothing
 * half-written is left. */
typedef struct
{
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  GCancellable *cancellable;
} HeddleWatch;

/* Starts a thread that waits for SIGINT and SIGTERM and then cancels the cancellable of @self.
 * heddle_watch_end() must follow. */
void heddle_watch_begin (HeddleWatch *self);
/* Stops and joins the thread and frees what @self holds; its cancellable is not to be used after that. */
void heddle_watch_end (HeddleWatch *self);
