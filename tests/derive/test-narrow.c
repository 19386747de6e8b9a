/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <math.h>

#include "derive/region/narrow.h"

/* Cuts of long runs against all ways to make them: of at most twice as many operations as a part may have, two cuts
 * are enough, since of four parts two neighbours are together no longer than one may be. */

#define MOST HEDDLE_MOST_OPERATIONS

static gboolean
is_valid (guint first, guint second, guint n)
{
  return first <= MOST && second - first <= MOST && n - second <= MOST;
}

/* Returns the least that cuts cost; with @second equal to @first there is one. */
static double
least_of_all (const double *losses, guint n)
{
  double least = n <= MOST ? 0. : INFINITY;

  for (guint first = 1; first < n; first++)
    for (guint second = first; second < n; second++)
      if (is_valid (first, second, n))
        least = MIN (least, losses[first] + (second > first ? losses[second] : 0.));
  return least;
}

static double
cost_of (const GArray *ends, const double *losses, guint n)
{
  double cost = 0.;
  guint begin = 0;

  for (guint i = 0; i < ends->len; i++)
    {
      guint end = g_array_index (ends, guint, i);

      g_assert_cmpuint (end, >, begin);
      g_assert_cmpuint (end - begin, <=, MOST);
      cost += end < n ? losses[end] : 0.;
      begin = end;
    }
  g_assert_cmpuint (begin, ==, n);
  return cost;
}

static void
test_least (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint times = 0; times < 200; times++)
    {
      guint n = (guint) g_rand_int_range (random, 1, 2 * MOST + 1);
      double losses[2 * MOST];
      g_autoptr (GArray) ends = NULL;

      for (guint i = 0; i < n; i++)
        losses[i] = g_rand_int_range (random, 0, 40);
      ends = heddle_narrow_cuts (losses, n);
      g_assert_cmpfloat (cost_of (ends, losses, n), ==, least_of_all (losses, n));
    }
}

/* Cuts that cost nothing are none more than there must be. */
static void
test_free (void)
{
  const double losses[5 * MOST] = { 0. };

  for (guint n = 1; n <= 5 * MOST; n++)
    {
      g_autoptr (GArray) ends = heddle_narrow_cuts (losses, n);

      g_assert_cmpuint (ends->len, ==, (n + MOST - 1) / MOST);
    }
}

/* A long run is cut wherever it is narrow, and nowhere else. */
static void
test_narrow (void)
{
  enum
  {
    EVERY = 50,
    N = 20 * EVERY
  };
  double losses[N];
  g_autoptr (GArray) ends = NULL;

  for (guint i = 0; i < N; i++)
    losses[i] = i % EVERY == 0 ? 1. : 100.;
  ends = heddle_narrow_cuts (losses, N);
  g_assert_cmpuint (ends->len, ==, N / EVERY);
  for (guint i = 0; i < ends->len; i++)
    g_assert_cmpuint (g_array_index (ends, guint, i), ==, (i + 1) * EVERY);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/narrow/least", test_least);
  g_test_add_func ("/narrow/free", test_free);
  g_test_add_func ("/narrow/narrow", test_narrow);
  return g_test_run ();
}
