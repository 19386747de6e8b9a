/* SPDX-License-Identifier: MIT */

#include "app/equations/equation-writing.h"
#include "app/widgets/background-task.h"
#include "diagram/document/snapshot.h"
#include "files/equations/write.h"

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

static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Writing *self = data;

  g_task_return_pointer (task, heddle_equations_write_snapshot (self->snapshot, self->diagram), g_free);
}

void
heddle_writing_async (HeddleSnapshot *snapshot, const HeddleDiagram *diagram, gpointer source,
    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, data);
  Writing *self = g_new (Writing, 1);

  *self = (Writing){ heddle_snapshot_ref (snapshot), diagram };
  g_task_set_task_data (task, self, writing_free);
  heddle_task_run_in_background (task, write_in_thread);
}

char *
heddle_writing_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
