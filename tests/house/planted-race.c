/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <gio/gio.h>

/* Does one piece of work in several threads by each of the ways of GLib that the program uses: `ordered`, as they are meant, or `raced`, where two threads
 * write the same number. ThreadSanitizer has to be silent about the first and to tell of the second. */

static gboolean is_raced;
static GMutex mutex;
static GCond done;
static guint n_done;
static double total;

static gpointer
add (gpointer data)
{
  for (guint i = 0; i < 1000; i++)
    {
      if (!is_raced)
        g_mutex_lock (&mutex);
      total += i;
      if (!is_raced)
        g_mutex_unlock (&mutex);
    }
  return NULL;
}

static void
help (gpointer item, gpointer data)
{
  *(double *) item += 1.;
  add (NULL);
  g_mutex_lock (&mutex);
  n_done++;
  g_cond_signal (&done);
  g_mutex_unlock (&mutex);
}

static void
run_pool (void)
{
  GThreadPool *pool = g_thread_pool_new (help, NULL, 4, FALSE, NULL);
  double items[8];

  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    {
      items[i] = i;
      g_thread_pool_push (pool, &items[i], NULL);
    }
  g_mutex_lock (&mutex);
  while (n_done < G_N_ELEMENTS (items))
    g_cond_wait (&done, &mutex);
  g_mutex_unlock (&mutex);
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    g_assert_cmpfloat (items[i], ==, i + 1.);
  g_thread_pool_free (pool, FALSE, TRUE);
}

static void
work (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  double *made = g_new (double, 1);

  *made = *(double *) data + 1.;
  add (NULL);
  g_task_return_pointer (task, made, g_free);
}

static void
finish (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autofree double *made = g_task_propagate_pointer (G_TASK (result), NULL);

  g_assert_cmpfloat (*made, ==, 3.);
  g_main_loop_quit (data);
}

static void
run_task (void)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, finish, loop);
  double *given = g_new (double, 1);

  *given = 2.;
  g_task_set_task_data (task, given, g_free);
  g_task_run_in_thread (task, work);
  add (NULL);
  g_main_loop_run (loop);
}

int
main (int argc, char **argv)
{
  GThread *thread;

  is_raced = argc > 1 && strcmp (argv[1], "raced") == 0;
  thread = g_thread_new ("add", add, NULL);
  add (NULL);
  g_thread_join (thread);
  run_pool ();
  run_task ();
  return total > 0. ? 0 : 1;
}
