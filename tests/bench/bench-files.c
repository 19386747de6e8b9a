/* SPDX-License-Identifier: MIT */

/* Opening and exporting diagrams of growing size: time per operation as a ratio to that of the smallest. */

#include <string.h>

#include "diagram/base/problem.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/figure.h"
#include "figure/scene/scene.h"
#include "files/base/files.h"
#include "files/equations/document.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"
#include "files/picture/svg.h"

/* A chain of maps, each an array of its own, that @n operations long. */
static char *
chain_text (guint n)
{
  g_autoptr (GString) text = g_string_new ("A0 : f32[x=64, y=32]\n");

  for (guint i = 1; i <= n; i++)
    g_string_append_printf (text, "A%u[x,y] = exp(A%u[x,y])\n", i, i - 1);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

typedef struct
{
  double import, write, open, check, layout, svg; /* ms */
} Times;

static double
milliseconds_since (gint64 *start)
{
  gint64 now = g_get_monotonic_time ();
  double elapsed = (now - *start) / 1e3;

  *start = now;
  return elapsed;
}

static Times
measure (guint n)
{
  g_autofree char *text = chain_text (n), *ncd = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot = NULL, opened = NULL;
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (HeddleScene) scene = NULL;
  g_autoptr (GBytes) svg = NULL;
  HeddlePictureOptions options = { 0 };
  HeddleFigure figure = { 0 };
  gint64 start = g_get_monotonic_time ();
  gsize length;
  Times times;

  snapshot = heddle_equations_read (text, -1, "chain.eq", problems);
  g_assert_nonnull (snapshot);
  times.import = milliseconds_since (&start);
  ncd = heddle_ncd_write (snapshot, &length, NULL);
  times.write = milliseconds_since (&start);
  opened = heddle_ncd_read (ncd, length, "chain.ncd", problems);
  g_assert_nonnull (opened);
  times.open = milliseconds_since (&start);
  found = heddle_check_snapshot (opened);
  g_assert_cmpuint (found->len, ==, 0);
  times.check = milliseconds_since (&start);
  figure.diagram = heddle_snapshot_get_diagram (opened, NULL);
  scene = heddle_figure_render (&figure);
  times.layout = milliseconds_since (&start);
  svg = heddle_svg_write (scene, &options, NULL);
  g_assert_nonnull (svg);
  times.svg = milliseconds_since (&start);
  return times;
}

int
main (int argc, char **argv)
{
  static const guint sizes[] = { 100, 1000, 10000 };
  Times first = measure (sizes[0]);

  g_print ("%8s %22s %22s %22s %22s %22s %22s\n", "n", "import", "write", "open", "check", "layout", "svg");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Times times = measure (sizes[i]);
      const double *now = (const double *) &times, *base = (const double *) &first;

      g_print ("%8u", sizes[i]);
      for (guint j = 0; j < sizeof times / sizeof *now; j++)
        g_print (" %9.1f ms, x %6.2f", now[j], now[j] / base[j] * sizes[0] / sizes[i]);
      g_print ("\n");
    }
  g_print ("x: time per operation beside that at n = %u\n", sizes[0]);
  return 0;
}
