/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/kernel/derived-kernel.h"
#include "derive/report/roofline.h"
#include "figure/page/chart.h"
#include "figure/page/roofline-marks.h"
#include "figure/page/roofline-plot.h"
#include "figure/page/roofline-private.h"
#include "figure/paint/paint.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

#include <glib/gi18n-lib.h>

#define RADIUS 5.
#define STEP_RADIUS 9.
#define DIAMOND 7.
#define TICK 4. /* half of a bar's end */
#define GAP HEDDLE_ROOFLINE_GAP
#define SIZE HEDDLE_ROOFLINE_TEXT

/* --- what there is ------------------------------------------------------------------- */

static void
mark_clear (gpointer data)
{
  g_free (((HeddleRooflineMark *) data)->name);
}

/* @name: taken */
static void
add_mark (GArray *marks, HeddleMarkKind kind, double flops, double intensity, double seconds, char *name)
{
  HeddleRooflineMark mark = { kind, intensity, seconds > 0. ? flops / seconds : 0., 0., 0., name };

  if (mark.intensity > 0. && mark.rate > 0.)
    g_array_append_val (marks, mark);
  else
    g_free (name);
}

/* Of another diagram, its name too. */
static char *
measured_title (const HeddleChart *chart, const HeddleBenchResult *measurement)
{
  g_autofree char *day = heddle_bench_result_day (measurement);

  if (g_strcmp0 (measurement->diagram, chart->diagram->name) != 0)
    return g_strdup_printf (_ ("%s measured, %s, %s"), measurement->diagram, measurement->gpu, day);
  return g_strdup_printf (_ ("measured, %s, %s"), measurement->gpu, day);
}

static void
add_measured (GArray *marks, const HeddleChart *chart)
{
  for (guint i = 0; chart->measured != NULL && i < chart->measured->len; i++)
    {
      const HeddleBenchResult *measurement = g_ptr_array_index (chart->measured, i);
      HeddleRooflinePoint at = heddle_bench_result_point (measurement);
      HeddleRooflineMark mark
          = { HEDDLE_MARK_MEASURED, at.intensity, at.flops_per_s, measurement->flops / measurement->most_s,
              measurement->flops / measurement->least_s, measured_title (chart, measurement) };

      g_array_append_val (marks, mark);
    }
}

GArray *
heddle_roofline_marks_new (const HeddleChart *chart)
{
  const HeddleDerivation *derivation = chart->derivation, *apart = chart->apart;
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (HeddleRooflineMark));

  g_array_set_clear_func (marks, mark_clear);
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      add_mark (marks, HEDDLE_MARK_KERNEL, kernel->flops, kernel->intensity, kernel->expected_s,
          g_strdup (kernel->name));
    }
  /* Where steps are shown it is the first of them. */
  if (chart->steps == NULL && apart != NULL && apart->kernels->len > derivation->kernels->len
      && apart->transfer_bytes > 0)
    add_mark (marks, HEDDLE_MARK_APART, apart->flops, apart->flops / (double) apart->transfer_bytes,
        apart->expected_s, g_strdup (_ ("one kernel each")));
  add_measured (marks, chart);
  return marks;
}

/* --- marks --------------------------------------------------------------------------- */

static void
keep_off (HeddleRooflinePlot *self, double x, double y, double half)
{
  HeddleRooflineBox box = { x - half, y - half, 2. * half, 2. * half };

  g_array_append_val (self->boxes, box);
}

static void
paint_circle (HeddleRooflinePlot *self, double x, double y, gboolean hollow)
{
  const HeddleStroke line = { .color = self->painter.ink, .width = 1.5 };
  HeddleItem *item = heddle_paint_path (
      &self->painter, HEDDLE_PART_GLYPH, NULL, &line, hollow ? &self->painter.paper : &self->painter.ink);

  heddle_item_arc (item, x, y, RADIUS, 0, 4, FALSE);
  heddle_item_close (item);
  keep_off (self, x, y, RADIUS);
}

static void
paint_bar (HeddleRooflinePlot *self, double x, double y1, double y2)
{
  const HeddleStroke line = { .color = self->painter.ink, .width = 1.2 };
  HeddleItem *item = heddle_paint_path (&self->painter, HEDDLE_PART_GLYPH, NULL, &line, NULL);

  heddle_item_move_to (item, x, y1);
  heddle_item_line_to (item, x, y2);
  heddle_item_move_to (item, x - TICK, y1);
  heddle_item_line_to (item, x + TICK, y1);
  heddle_item_move_to (item, x - TICK, y2);
  heddle_item_line_to (item, x + TICK, y2);
}

static void
paint_diamond (HeddleRooflinePlot *self, double x, double y)
{
  const HeddleStroke line = { .color = self->painter.ink, .width = 1.5 };
  HeddleItem *item = heddle_paint_path (&self->painter, HEDDLE_PART_GLYPH, NULL, &line, &self->painter.paper);

  heddle_item_move_to (item, x, y - DIAMOND);
  heddle_item_line_to (item, x + DIAMOND, y);
  heddle_item_line_to (item, x, y + DIAMOND);
  heddle_item_line_to (item, x - DIAMOND, y);
  heddle_item_close (item);
  keep_off (self, x, y, DIAMOND);
}

void
heddle_roofline_plot_paint_marks (HeddleRooflinePlot *self)
{
  for (guint i = 0; i < self->marks->len; i++)
    {
      const HeddleRooflineMark *mark = &g_array_index (self->marks, HeddleRooflineMark, i);
      double x = heddle_roofline_plot_x (self, mark->intensity);
      double y = heddle_roofline_plot_y (self, mark->rate);

      if (mark->kind != HEDDLE_MARK_MEASURED)
        {
          paint_circle (self, x, y, mark->kind == HEDDLE_MARK_APART);
          continue;
        }
      paint_bar (
          self, x, heddle_roofline_plot_y (self, mark->least), heddle_roofline_plot_y (self, mark->most));
      paint_diamond (self, x, y);
    }
}

void
heddle_roofline_plot_paint_mark_titles (HeddleRooflinePlot *self)
{
  for (guint i = 0; i < self->marks->len; i++)
    {
      const HeddleRooflineMark *mark = &g_array_index (self->marks, HeddleRooflineMark, i);
      double x = heddle_roofline_plot_x (self, mark->intensity);
      double y = heddle_roofline_plot_y (self, mark->rate);
      double width = heddle_roofline_plot_text_width (mark->name), high = 1.2 * SIZE;
      const double places[][2] = { { x + 3. * GAP, y - high / 2. }, { x - 3. * GAP - width, y - high / 2. },
        { x - width / 2., y + 2. * GAP }, { x - width / 2., y - high - 2. * GAP },
        { x + 3. * GAP, y + 2. * GAP }, { x + 3. * GAP, y + 3. * GAP + high } };

      heddle_roofline_plot_paint_text (self, mark->name, places, G_N_ELEMENTS (places));
    }
}

/* --- steps --------------------------------------------------------------------------- */

static gboolean
is_timed (const HeddleRooflinePoint *step)
{
  return step->intensity > 0. && step->flops_per_s > 0.;
}

static void
paint_way (HeddleRooflinePlot *self, const HeddleRooflinePoint *a, const HeddleRooflinePoint *b)
{
  const HeddleStroke dots = { .color = self->painter.ink, .width = 1.2, .dash = { 2., 3. }, .n_dashes = 2 };
  HeddleItem *item = heddle_paint_path (&self->painter, HEDDLE_PART_GLYPH, NULL, &dots, NULL);

  heddle_item_move_to (
      item, heddle_roofline_plot_x (self, a->intensity), heddle_roofline_plot_y (self, a->flops_per_s));
  heddle_item_line_to (
      item, heddle_roofline_plot_x (self, b->intensity), heddle_roofline_plot_y (self, b->flops_per_s));
}

static void
paint_number (HeddleRooflinePlot *self, const HeddleRooflinePoint *step, guint number)
{
  const HeddleStroke line = { .color = self->painter.ink, .width = 1. };
  double x = heddle_roofline_plot_x (self, step->intensity);
  double y = heddle_roofline_plot_y (self, step->flops_per_s);
  g_autofree char *text = g_strdup_printf ("%u", number);
  HeddleItem *item = heddle_paint_path (&self->painter, HEDDLE_PART_GLYPH, NULL, &line, &self->painter.paper);

  heddle_item_arc (item, x, y, STEP_RADIUS, 0, 4, FALSE);
  heddle_item_close (item);
  heddle_paint_label (
      &self->painter, HEDDLE_PART_ANNOTATION, NULL, text, HEDDLE_FONT_SANS, 13., NULL, x, y + 4.5, .5);
  keep_off (self, x, y, STEP_RADIUS);
}

/* The last step is where the derivation is, and has its point. */
void
heddle_roofline_plot_paint_steps (HeddleRooflinePlot *self)
{
  const GArray *steps = self->chart->steps;
  const HeddleRooflinePoint *last = NULL;

  for (guint i = 0; steps != NULL && i < steps->len; i++)
    {
      const HeddleRooflinePoint *step = &g_array_index (steps, HeddleRooflinePoint, i);

      if (is_timed (step) && last != NULL)
        paint_way (self, last, step);
      last = is_timed (step) ? step : last;
    }
  for (guint i = 0; steps != NULL && i + 1 < steps->len; i++)
    if (is_timed (&g_array_index (steps, HeddleRooflinePoint, i)))
      paint_number (self, &g_array_index (steps, HeddleRooflinePoint, i), i + 1);
}
