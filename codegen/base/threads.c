/* SPDX-License-Identifier: MIT */
#include "codegen/base/threads.h"

typedef struct
{
  void (*job) (guint i, gpointer data);
  gpointer data;
  guint n;
  int next; /* atomic: the first that nobody has begun */
} Work;

static gpointer
work (gpointer data)
{
  Work *self = data;

  for (;;)
    {
      guint i = (guint) g_atomic_int_add (&self->next, 1);

      if (i >= self->n)
        return NULL;
      self->job (i, self->data);
    }
}

void
heddle_threads_run (guint n, guint most, void (*job) (guint i, gpointer data), gpointer data)
{
  Work self = { job, data, n, 0 };
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();
  guint wanted = MIN (n, most > 0 ? most : g_get_num_processors ());

  for (guint i = 1; i < wanted; i++)
    {
      GThread *thread = g_thread_try_new ("kernels", work, &self, NULL);

      if (thread != NULL)
        g_ptr_array_add (threads, thread);
    }
  work (&self);
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (g_ptr_array_index (threads, i));
}
