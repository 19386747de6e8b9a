/* SPDX-License-Identifier: MIT */

/* This file shares work among the threads of one pool. The work is cut into pieces that write different
 * places, so that results do not depend on which thread does which piece. */

#include <gio/gio.h>
#include "diagram/evaluate/share.h"

typedef struct
{
  gatomicrefcount ref_count;
  GMutex mutex;
  GCond idle;
  HeddleShare share;
  gpointer data;
  GCancellable *cancellable;
  gint64 n, piece;
  gint64 next; /* under the mutex, as all below */
  guint busy; /* pieces being worked at */
  GError *error; /* the first one; no piece is begun after it */
} Job;

static gint most_threads; /* atomic; 0: one for each processor */

static void
job_unref (Job *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->idle);
  g_clear_error (&self->error);
  g_free (self);
}

/* Takes the next piece of work, with the mutex held. Returns FALSE if there is none left or the job has ended
 * early. */
static gboolean
take_piece (Job *self, gint64 *begin, gint64 *end)
{
  if (self->next >= self->n || self->error != NULL
      || g_cancellable_set_error_if_cancelled (self->cancellable, &self->error))
    return FALSE;
  *begin = self->next;
  *end = self->n - self->next > self->piece ? self->next + self->piece : self->n;
  self->next = *end;
  self->busy++;
  return TRUE;
}

static void
job_work (Job *self)
{
  gint64 begin, end;

  g_mutex_lock (&self->mutex);
  while (take_piece (self, &begin, &end))
    {
      GError *error = NULL;

      g_mutex_unlock (&self->mutex);
      self->share (begin, end, self->data, &error);
      g_mutex_lock (&self->mutex);
      if (self->error == NULL)
        self->error = g_steal_pointer (&error);
      g_clear_error (&error);
      if (--self->busy == 0)
        g_cond_signal (&self->idle);
    }
  g_mutex_unlock (&self->mutex);
}

static void
help (gpointer job, gpointer data)
{
  job_work (job);
  job_unref (job);
}

/* Returns the pool that all evaluations of the process share. Who asks for help works too, so that none waits
 * for a free thread. */
static GThreadPool *
get_pool (void)
{
  static gsize pool = 0;

  if (g_once_init_enter (&pool))
    g_once_init_leave (
        &pool, (gsize) g_thread_pool_new (help, NULL, (gint) g_get_num_processors (), FALSE, NULL));
  return (GThreadPool *) pool;
}

static void
ask_for_help (Job *self, gint64 n_pieces)
{
  guint limit = (guint) g_atomic_int_get (&most_threads);
  gint64 n = MIN (n_pieces, limit > 0 ? limit : g_get_num_processors ());

  for (gint64 i = 1; i < n; i++)
    {
      g_atomic_ref_count_inc (&self->ref_count);
      if (!g_thread_pool_push (get_pool (), self, NULL))
        {
          job_unref (self);
          return;
        }
    }
}

/* Waits for the other threads. Those that come too late find nothing to do, even if the job is not done, and
 * touch nothing but the job. */
static void
wait_for_others (Job *self)
{
  g_mutex_lock (&self->mutex);
  while (self->busy > 0)
    g_cond_wait (&self->idle, &self->mutex);
  self->next = self->n;
  g_mutex_unlock (&self->mutex);
}

gboolean
heddle_evaluation_share (
    HeddleEvaluation *self, gint64 n, gint64 piece, HeddleShare share, gpointer data, GError **error)
{
  Job *job = g_new0 (Job, 1);
  gboolean done;

  g_atomic_ref_count_init (&job->ref_count);
  g_mutex_init (&job->mutex);
  g_cond_init (&job->idle);
  job->share = share;
  job->data = data;
  job->cancellable = self->cancellable;
  job->n = n;
  job->piece = MAX (piece, 1);
  ask_for_help (job, (n - 1) / job->piece + 1);
  job_work (job);
  wait_for_others (job);
  done = job->error == NULL;
  if (!done)
    g_propagate_error (error, g_steal_pointer (&job->error));
  job_unref (job);
  return done;
}

void
heddle_evaluate_set_threads (guint n)
{
  g_atomic_int_set (&most_threads, (gint) MIN (n, G_MAXINT));
}
