/* SPDX-License-Identifier: MIT */

/* How long it takes to lay out and to pick, by the number of operations: prints the times and how they grow. */

#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/figure.h"
#include "figure/scene/scene.h"
#include "large.h"

#include <stdio.h>

static double
time_layout (const HeddleDiagram *diagram, HeddleScene **scene)
{
  const HeddleFigure figure = { .diagram = diagram };
  const gint64 before = g_get_monotonic_time ();

  *scene = heddle_figure_render (&figure);
  return (g_get_monotonic_time () - before) / 1e6;
}

static double
time_picks (const HeddleScene *scene, guint n, guint *hits)
{
  double x, y, width, height;

  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  heddle_scene_pick (scene, x, y, 0.);
  const gint64 before = g_get_monotonic_time ();
  for (guint i = 0; i < n; i++)
    *hits += heddle_scene_pick (
                 scene, x + width * g_rand_double (random), y + height * g_rand_double (random), 4.)
             != NULL;
  return (g_get_monotonic_time () - before) / 1e6 / n;
}

static void
measure (const char *name, HeddleDiagram *(*make) (guint n_operations))
{
  double before = 0.;

  for (guint n = 100; n <= 10000; n *= 10)
    {
      g_autoptr (HeddleDiagram) diagram = make (n);
      g_autoptr (HeddleScene) scene = NULL;
      guint hits = 0;
      const double cold = time_layout (diagram, &scene);
      g_clear_pointer (&scene, heddle_scene_unref);
      const double seconds = time_layout (diagram, &scene);
      const double pick = time_picks (scene, 1000, &hits);
      printf ("%-8s %6u operations: %8.2f ms (first %8.2f ms), %6u items, pick %6.2f us (%u of 1000 hit)",
          name, n, 1e3 * seconds, 1e3 * cold, heddle_scene_get_n_items (scene), 1e6 * pick, hits);
      if (before > 0.)
        printf (", %.1f times the time for 10 times the operations", seconds / before);
      printf ("\n");
      before = seconds;
    }
}

int
main (void)
{
  measure ("network", large_network);
  measure ("random", large_random);
  return 0;
}
