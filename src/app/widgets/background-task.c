/* SPDX-License-Identifier: MIT */

#include <sys/resource.h>
#include <unistd.h>

#include "app/widgets/background-task.h"

/* A tenth of a processor that others want as well. */
#define NICENESS 10

typedef struct
{
  GTask *task;
  GTaskThreadFunc run;
} Work;

static GMutex lock; /* of: */
static guint n_urgent;
static GCond nothing_urgent;

void
heddle_task_begin_urgent (void)
{
  g_mutex_lock (&lock);
  n_urgent++;
  g_mutex_unlock (&lock);
}

void
heddle_task_end_urgent (void)
{
  g_mutex_lock (&lock);
  g_assert (n_urgent > 0);
  if (--n_urgent == 0)
    g_cond_broadcast (&nothing_urgent);
  g_mutex_unlock (&lock);
}

static void
let_urgent_go_first (void)
{
  g_mutex_lock (&lock);
  while (n_urgent > 0)
    g_cond_wait (&nothing_urgent, &lock);
  g_mutex_unlock (&lock);
}

static gpointer
work (gpointer data)
{
  g_autofree Work *self = data;
  g_autoptr (GTask) task = self->task;

#ifdef __linux__
  /* There each thread has a niceness of its own, which it cannot lower again: so it is none of a pool. */
  setpriority (PRIO_PROCESS, (id_t) gettid (), NICENESS);
#endif
  let_urgent_go_first ();
  self->run (
      task, g_task_get_source_object (task), g_task_get_task_data (task), g_task_get_cancellable (task));
  return NULL;
}

static gboolean
start (gpointer data)
{
  g_thread_unref (g_thread_new ("background", work, data));
  return G_SOURCE_REMOVE;
}

void
heddle_task_run_in_background (GTask *task, GTaskThreadFunc run)
{
  Work *self = NULL;

  g_return_if_fail (G_IS_TASK (task));
  g_return_if_fail (run != NULL);

  self = g_new (Work, 1);
  *self = (Work){ g_object_ref (task), run };
  g_idle_add_full (G_PRIORITY_DEFAULT, start, self, NULL);
}
