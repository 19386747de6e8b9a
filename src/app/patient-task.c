/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <sys/resource.h>
#include <unistd.h>

#include "app/patient-task.h"

/* A tenth of a processor that others want as well. */
#define NICENESS 10

typedef struct
{
  GTask *task;
  GTaskThreadFunc run;
} Work;

static gpointer
work (gpointer data)
{
  g_autofree Work *self = data;
  g_autoptr (GTask) task = self->task;

#ifdef __linux__
  /* There each thread has a niceness of its own, which it cannot lower again: so it is none of a pool. */
  setpriority (PRIO_PROCESS, (id_t) gettid (), NICENESS);
#endif
  self->run (
      task, g_task_get_source_object (task), g_task_get_task_data (task), g_task_get_cancellable (task));
  return NULL;
}

void
heddle_task_run_patiently (GTask *task, GTaskThreadFunc run)
{
  Work *self = NULL;

  g_return_if_fail (G_IS_TASK (task));
  g_return_if_fail (run != NULL);

  self = g_new (Work, 1);
  *self = (Work){ g_object_ref (task), run };
  g_thread_unref (g_thread_new ("patient", work, self));
}
