/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Ctrl-C is waited for beside the work: what is being done is given up at its next step, and nothing half-written is left. */
typedef struct
{
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  GCancellable *cancellable;
} HeddleWatch;

void heddle_watch_begin (HeddleWatch *self);
void heddle_watch_end (HeddleWatch *self);

G_END_DECLS
