/* SPDX-License-Identifier: MIT */

/* What can be shown later is not begun before what a person waits for is done. What threads free goes back. */

#include "app/widgets/background-task.h"
#include "app/widgets/heap-trim.h"

static int n_begun; /* atomic */

static void
begin (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_atomic_int_inc (&n_begun);
  g_task_return_boolean (task, TRUE);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer n_done)
{
  g_assert_true (g_task_propagate_boolean (G_TASK (result), NULL));
  (*(guint *) n_done)++;
}

static void
run (guint *n_done)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_done, n_done);

  heddle_task_run_in_background (task, begin);
}

/* Long enough for the threads to begin, were they to. */
static void
turn (void)
{
  for (guint i = 0; i < 20; i++)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

static void
test_urgent_first (void)
{
  guint n_done = 0;

  /* What is called urgent later in the same turn of the main loop comes first too. */
  run (&n_done);
  heddle_task_begin_urgent ();
  heddle_task_begin_urgent ();
  run (&n_done);
  turn ();
  g_assert_cmpint (g_atomic_int_get (&n_begun), ==, 0);
  heddle_task_end_urgent ();
  turn ();
  g_assert_cmpint (g_atomic_int_get (&n_begun), ==, 0);
  heddle_task_end_urgent ();
  while (n_done < 2)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (g_atomic_int_get (&n_begun), ==, 2);

  run (&n_done);
  while (n_done < 3)
    g_main_context_iteration (NULL, TRUE);
}

/* What the environment asks for, as that of the tests does, is not told here. */
static void
test_slices (void)
{
  heddle_heap_trim_init ();
#ifdef __GLIBC__
  if (glib_check_version (2, 76, 0) != NULL)
    {
      G_GNUC_BEGIN_IGNORE_DEPRECATIONS
      g_assert_true (g_slice_get_config (G_SLICE_CONFIG_ALWAYS_MALLOC));
      G_GNUC_END_IGNORE_DEPRECATIONS
    }
#endif
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/background-task/urgent-first", test_urgent_first);
  g_test_add_func ("/background-task/slices", test_slices);
  return g_test_run ();
}
