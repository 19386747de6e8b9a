/* SPDX-License-Identifier: MIT */
#include <glib-unix.h>

#include "cli/watch.h"

static gboolean
stop (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_CONTINUE;
}

static gpointer
watch_run (gpointer data)
{
  HeddleWatch *self = data;

  g_main_context_push_thread_default (self->context);
  g_main_loop_run (self->loop);
  g_main_context_pop_thread_default (self->context);
  return NULL;
}

void
heddle_watch_begin (HeddleWatch *self)
{
  const int signals[] = { SIGINT, SIGTERM };

  self->cancellable = g_cancellable_new ();
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      g_autoptr (GSource) source = g_unix_signal_source_new (signals[i]);

      g_source_set_callback (source, stop, self->cancellable, NULL);
      g_source_attach (source, self->context);
    }
  self->thread = g_thread_new ("signals", watch_run, self);
}

static gboolean
quit (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

void
heddle_watch_end (HeddleWatch *self)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_callback (source, quit, self->loop, NULL);
  g_source_attach (source, self->context);
  g_thread_join (self->thread);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_object_unref (self->cancellable);
}
