/* SPDX-License-Identifier: MIT */

#include "config.h"

#include "app/equation-writing.h"

typedef struct
{
  HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram; /* of it */
} Writing;

static void
writing_free (gpointer data)
{
  Writing *self = data;

  heddle_snapshot_unref (self->snapshot);
  g_free (self);
}

static gpointer
write_in_thread (gpointer data)
{
  GTask *task = data;
  const Writing *self = g_task_get_task_data (task);

  g_task_return_pointer (task, heddle_equations_write_snapshot (self->snapshot, self->diagram), g_free);
  g_object_unref (task);
  return NULL;
}

void
heddle_writing_async (HeddleSnapshot *snapshot, const HeddleDiagram *diagram, gpointer source,
    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  GTask *task = g_task_new (source, cancellable, callback, data);
  Writing *self = g_new (Writing, 1);

  *self = (Writing){ heddle_snapshot_ref (snapshot), diagram };
  g_task_set_task_data (task, self, writing_free);
  /* A thread of its own, since one of a pool would keep what it allocated for the next task. */
  g_thread_unref (g_thread_new ("equations", write_in_thread, task));
}

char *
heddle_writing_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
