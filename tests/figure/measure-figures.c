/* SPDX-License-Identifier: MIT */

/* What there is to count in figures: measure-figures FILE… prints for each diagram of each file how often wires cross, and the width, height and
 * area of the figure in px, then the sums. A figure of data/figures is held beside the published one. */

#include "figure-check.h"
#include "published.h"

#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/compose.h"
#include "figure/page/figure.h"
#include "figure/scene/scene.h"
#include "files/exchange/load.h"

#include <stdio.h>

typedef struct
{
  guint crossings;
  double area;
} Sums;

static void
measure_diagram (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const char *name, Sums *sums)
{
  const HeddleFigure figure = {
    .diagram = diagram,
    .presentation = heddle_snapshot_find_presentation (snapshot, diagram),
  };
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  const guint crossings = figure_count_crossings (scene);
  double x, y, width, height;

  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  printf ("%5u %7.0f %7.0f %10.0f  %s %s\n", crossings, width, height, width * height, name, diagram->id);
  sums->crossings += crossings;
  sums->area += width * height;
}

/* Measures a diagram with all that stands beside and below it, as it is exported, beside what it was drawn after. */
static void
measure_whole (const HeddleSnapshot *snapshot, const char *name)
{
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  const HeddleFigure figure = {
    .diagram = diagram,
    .presentation = heddle_snapshot_find_presentation (snapshot, diagram),
  };
  g_autoptr (HeddleScene) scene = heddle_figure_compose (snapshot, &figure);
  double x, y, width, height;

  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  printf ("      %7.0f %7.0f %10.0f  %s whole", width, height, width * height, name);
  const Published *published = published_find (name);
  if (published != NULL)
    printf (", %.2f of the published area; at its width letters of %.1f px",
        published_area (published, width, height), PUBLISHED_LETTERS * published_letters (published, width));
  putchar ('\n');
}

static gboolean
measure (const char *path, Sums *sums)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSnapshot) snapshot = heddle_file_load (path, problems, &error);
  g_autofree char *name = g_path_get_basename (path);

  if (snapshot == NULL)
    {
      fprintf (stderr, "%s: %s\n", path, error != NULL ? error->message : "it is not a diagram");
      return FALSE;
    }
  for (guint i = 0; i < snapshot->diagrams->len; i++)
    measure_diagram (snapshot, snapshot->diagrams->pdata[i], name, sums);
  measure_whole (snapshot, name);
  return TRUE;
}

int
main (int argc, char **argv)
{
  Sums sums = { 0, 0. };
  gboolean good = argc > 1;

  puts ("cross   width  height       area  file");
  for (int i = 1; i < argc; i++)
    good &= measure (argv[i], &sums);
  printf ("%5u %26.0f  all\n", sums.crossings, sums.area);
  return good ? 0 : 1;
}
