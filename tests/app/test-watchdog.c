/* SPDX-License-Identifier: MIT */

/* The watchdog sees what the main loop is held up by. How long things take is for the benchmarks: here something takes as long as it is told. */

#include "watchdog.h"

#include <time.h>

#define BUSY_MS 25.

static double
own_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static gboolean
be_busy (gpointer done)
{
  const double end = own_time () + BUSY_MS;

  while (own_time () < end)
    ;
  *(gboolean *) done = TRUE;
  return G_SOURCE_REMOVE;
}

static void
run_until (gboolean *done)
{
  while (!*done)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_counts_stalls (void)
{
  watchdog_start ();
  g_assert_cmpuint (watchdog_count_stalls (BUSY_MS), ==, 0);
  for (guint i = 1; i <= 3; i++)
    {
      gboolean done = FALSE;

      g_idle_add (be_busy, &done);
      run_until (&done);
      g_main_context_iteration (NULL, FALSE); /* the turn ends where the loop waits again */
      g_assert_cmpuint (watchdog_count_stalls (BUSY_MS), ==, i);
    }
  watchdog_stop ();
}

static gboolean
be_done (gpointer done)
{
  *(gboolean *) done = TRUE;
  return G_SOURCE_REMOVE;
}

/* What waits holds nobody up. */
static void
test_waiting_is_none (void)
{
  gboolean done = FALSE;

  watchdog_start ();
  g_timeout_add ((guint) (2 * BUSY_MS), be_done, &done);
  run_until (&done);
  g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (watchdog_count_stalls (BUSY_MS), ==, 0);
  watchdog_stop ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/watchdog/counts-stalls", test_counts_stalls);
  g_test_add_func ("/watchdog/waiting-is-none", test_waiting_is_none);
  return g_test_run ();
}
