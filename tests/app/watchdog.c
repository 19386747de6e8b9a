/* SPDX-License-Identifier: MIT */

#include "watchdog.h"

#include <time.h>

static GPollFunc real_poll;
static GArray *turns;
static GArray *stalls; /* of double: ms of the turns that held the loop up, which are kept */
static WatchdogTurn began; /* the turn at hand */

static double
read_clock (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static WatchdogTurn
look (void)
{
  return (WatchdogTurn){ read_clock (CLOCK_MONOTONIC), read_clock (CLOCK_THREAD_CPUTIME_ID) };
}

static void
end_turn (void)
{
  const WatchdogTurn ended = look ();
  const WatchdogTurn turn = { ended.wall - began.wall, ended.cpu - began.cpu };

  g_array_append_val (turns, turn);
  if (turn.cpu >= WATCHDOG_STALL_MS)
    g_array_append_val (stalls, turn.cpu);
}

static gint
watched_poll (GPollFD *files, guint n_files, gint timeout)
{
  gint result;

  end_turn ();
  result = real_poll (files, n_files, timeout);
  began = look ();
  return result;
}

void
watchdog_start (void)
{
  g_assert_null (turns);
  turns = g_array_new (FALSE, FALSE, sizeof (WatchdogTurn));
  stalls = g_array_new (FALSE, FALSE, sizeof (double));
  real_poll = g_main_context_get_poll_func (NULL);
  began = look ();
  g_main_context_set_poll_func (NULL, watched_poll);
}

void
watchdog_stop (void)
{
  g_main_context_set_poll_func (NULL, real_poll);
  g_clear_pointer (&turns, g_array_unref);
  g_clear_pointer (&stalls, g_array_unref);
}

guint
watchdog_count_stalls (double ms)
{
  guint n = 0;

  for (guint i = 0; i < stalls->len; i++)
    n += g_array_index (stalls, double, i) >= ms;
  return n;
}

static WatchdogTurn marked;

void
watchdog_begin (void)
{
  marked = look ();
}

WatchdogTurn
watchdog_end (void)
{
  const WatchdogTurn now = look ();

  return (WatchdogTurn){ now.wall - marked.wall, now.cpu - marked.cpu };
}

GArray *
watchdog_take (void)
{
  GArray *taken = turns;

  end_turn (); /* the one at hand, so far */
  turns = g_array_new (FALSE, FALSE, sizeof (WatchdogTurn));
  began = look ();
  return taken;
}
