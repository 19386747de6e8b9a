/* SPDX-License-Identifier: MIT */

/* Work that threads share: whoever is late to help finds nothing to do when it has failed or was cancelled. */

#include <gio/gio.h>
#include "diagram/evaluate/private.h"
#include "diagram/evaluate/share.h"

#define N_PIECES 64
#define N_TIMES 500

typedef struct
{
  gint wanted; /* atomic: what is shared is there */
  gint n_late; /* atomic */
  GCancellable *cancellable; /* by the first piece; NULL: it fails */
} Work;

static gboolean
stop (gint64 begin, gint64 end, gpointer data, GError **error)
{
  Work *self = data;

  if (!g_atomic_int_get (&self->wanted))
    g_atomic_int_inc (&self->n_late);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "it fails");
  return self->cancellable != NULL;
}

static void
share (Work *work, GQuark domain, gint code)
{
  HeddleEvaluation evaluation = { .cancellable = work->cancellable };
  g_autoptr (GError) error = NULL;

  g_atomic_int_set (&work->wanted, TRUE);
  g_assert_false (heddle_evaluation_share (&evaluation, N_PIECES, 1, stop, work, &error));
  g_atomic_int_set (&work->wanted, FALSE);
  g_assert_error (error, domain, code);
}

static void
test_failed (void)
{
  Work work = { 0 };

  for (guint i = 0; i < N_TIMES; i++)
    share (&work, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_usleep (50000);
  g_assert_cmpint (g_atomic_int_get (&work.n_late), ==, 0);
}

/* What cancels it is gone, too. */
static void
test_cancelled (void)
{
  Work work = { 0 };

  for (guint i = 0; i < N_TIMES; i++)
    {
      work.cancellable = g_cancellable_new ();
      share (&work, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_finalize_object (work.cancellable);
    }
  g_usleep (50000);
  g_assert_cmpint (g_atomic_int_get (&work.n_late), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  heddle_evaluate_set_threads (4); /* also where there are fewer processors */
  g_test_add_func ("/evaluate/share/failed", test_failed);
  g_test_add_func ("/evaluate/share/cancelled", test_cancelled);
  return g_test_run ();
}
