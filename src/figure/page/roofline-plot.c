/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "derive/report/roofline.h"
#include "diagram/base/dtype.h"
#include "figure/page/roofline-plot.h"
#include "figure/paint/paint.h"
#include "figure/scene/path.h"
#include "figure/scene/theme.h"
#include "figure/typeset/label.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define WIDTH HEDDLE_ROOFLINE_WIDTH
#define HEIGHT HEDDLE_ROOFLINE_HEIGHT
#define SIZE HEDDLE_ROOFLINE_TEXT
#define GAP HEDDLE_ROOFLINE_GAP
#define RADIUS 5.
#define STEP_RADIUS 9.
#define DIAMOND 7.
#define TICK 4. /* half of a bar's end */
#define LEGEND_LINE 36. /* the line of a slope with the gap to its name */
#define LEGEND_STEP (1.3 * SIZE)

typedef HeddleRooflinePlot Plot;
typedef HeddleRooflineBox Box;

/* Returns the x in px of an @intensity in FLOP/byte, on the logarithmic axis. */
static double
roofline_plot_x (const HeddleRooflinePlot *self, double intensity)
{
  return (log10 (intensity) - self->x0) / (self->x1 - self->x0) * WIDTH;
}

/* Returns the y in px of a @rate in FLOP/s, on the logarithmic axis; y grows downwards. */
static double
roofline_plot_y (const HeddleRooflinePlot *self, double rate)
{
  return HEIGHT - (log10 (rate) - self->y0) / (self->y1 - self->y0) * HEIGHT;
}

/* --- names ------------------------------------------------------------------------------------------------- */

/* Returns the width in px of a text in the plot's letters. */
static double
roofline_plot_text_width (const char *text)
{
  return heddle_math_layout (NULL, HEDDLE_PART_ANNOTATION, NULL, text, HEDDLE_FONT_SANS, SIZE,
      (HeddleColor){ 0 }, 0., 0., NULL, NULL);
}

/* Returns the link that the slope is of, or NULL where it is of a memory or no slope. */
static const HeddleLink *
link_of (const Plot *self, const HeddleRoof *roof)
{
  int l = roof->ceiling ? -1 : heddle_machine_find_link (self->chart->machine, roof->name);

  return l >= 0 ? g_ptr_array_index (self->chart->machine->links, (guint) l) : NULL;
}

static const char *
title_of (const Plot *self, const HeddleRoof *roof)
{
  int i = heddle_machine_find_level (self->chart->machine, roof->name);
  const HeddleLink *link = link_of (self, roof);

  if (link != NULL)
    return link->title;
  if (!roof->ceiling && i >= 0)
    return ((HeddleLevel *) g_ptr_array_index (self->chart->machine->levels, (guint) i))->title;
  return g_str_equal (roof->name, "tensor")    ? _ ("tensor cores")
         : g_str_equal (roof->name, "special") ? _ ("special functions")
                                               : roof->name;
}

/* Returns "GMEM, 3.35 TB/s"; of a link, which has its slope where its share of the bytes takes as long:
 * "NVLink node, 0.45 TB/s, 12 % of the bytes moved". */
static char *
slope_text (const Plot *self, const HeddleRoof *roof)
{
  const HeddleLink *link = link_of (self, roof);

  if (link == NULL)
    return g_strdup_printf (_ ("%s, %.3g TB/s"), title_of (self, roof), roof->rate / 1e12);
  return g_strdup_printf (_ ("%s, %.3g TB/s, %.3g %% of the bytes moved"), link->title,
      link->bandwidth / 1e12, 100. * link->bandwidth / roof->rate);
}

/* Returns where the names of the slopes stand, their lines included. */
static Box
legend_box (const Plot *self)
{
  double widest = 0.;
  guint n = 0;

  for (guint i = 0; i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);
      g_autofree char *text = slope_text (self, roof);

      if (roof->ceiling)
        continue;
      widest = MAX (widest, roofline_plot_text_width (text));
      n++;
    }
  return (Box){ WIDTH - GAP - widest - LEGEND_LINE, HEIGHT - 2. * GAP - n * LEGEND_STEP, widest + LEGEND_LINE,
    n * LEGEND_STEP };
}

/* --- what is shown ---------------------------------------------------------------------------------- */

/* Returns where slopes end: at the tensor cores' roof, or the highest there is. */
static double
main_ceiling (const Plot *self)
{
  double highest = 0.;

  for (guint i = 0; i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);

      if (roof->ceiling && g_str_equal (roof->name, "tensor"))
        return roof->rate;
      highest = roof->ceiling ? MAX (highest, roof->rate) : highest;
    }
  return highest;
}

static void
include (Plot *self, double intensity, double rate)
{
  if (!(intensity > 0. && rate > 0.))
    return;
  self->x0 = MIN (self->x0, log10 (intensity) - .3);
  self->x1 = MAX (self->x1, log10 (intensity) + .5);
  self->y0 = MIN (self->y0, log10 (rate) - .4);
}

/* Makes room below a point that would lie on the legend, which is in the corner that no roof reaches. */
static void
include_above_legend (Plot *self, double intensity, double rate)
{
  Box legend = legend_box (self);
  double room = HEIGHT - legend.y + 2. * RADIUS;

  if (!(intensity > 0. && rate > 0.) || roofline_plot_x (self, intensity) < legend.x - RADIUS
      || roofline_plot_y (self, rate) < HEIGHT - room)
    return;
  self->y0 = (log10 (rate) - self->y1 * room / HEIGHT) / (1. - room / HEIGHT);
}

static void
choose_window (Plot *self)
{
  double ceiling = main_ceiling (self);

  self->x0 = 0.;
  self->x1 = 3.;
  self->y0 = log10 (ceiling) - 2.;
  self->y1 = log10 (ceiling) + .35;
  for (guint i = 0; i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);

      if (!roof->ceiling)
        self->x1 = MAX (self->x1, log10 (ceiling / roof->rate) + .6);
    }
  for (guint i = 0; i < self->marks->len; i++)
    {
      const HeddleRooflineMark *mark = &g_array_index (self->marks, HeddleRooflineMark, i);

      include (self, mark->intensity, mark->rate);
    }
  for (guint i = 0; self->chart->steps != NULL && i < self->chart->steps->len; i++)
    {
      const HeddleRooflinePoint *step = &g_array_index (self->chart->steps, HeddleRooflinePoint, i);

      include (self, step->intensity, step->flops_per_s);
    }
  for (guint i = 0; i < self->marks->len; i++)
    {
      const HeddleRooflineMark *mark = &g_array_index (self->marks, HeddleRooflineMark, i);

      include_above_legend (
          self, mark->intensity, mark->kind == HEDDLE_MARK_MEASURED ? mark->least : mark->rate);
    }
}

/* --- texts that keep off one another -------------------------------------------------------------------- */

static gboolean
overlaps (const Plot *self, const Box *box)
{
  for (guint i = 0; i < self->boxes->len; i++)
    {
      const Box *other = &g_array_index (self->boxes, Box, i);

      if (box->x < other->x + other->width && other->x < box->x + box->width
          && box->y < other->y + other->height && other->y < box->y + box->height)
        return TRUE;
    }
  return box->x < 0. || box->x + box->width > WIDTH || box->y < 0. || box->y + box->height > HEIGHT;
}

/* On paper, so that lines behind it do not cross it. */
static void
paint_text (Plot *self, const char *text, const Box *box)
{
  HeddleItem *item
      = heddle_paint_path (&self->painter, HEDDLE_PART_BACKGROUND, NULL, NULL, &self->painter.paper);

  heddle_item_rectangle (item, box->x - 1., box->y, box->width + 2., box->height, 0.);
  heddle_paint_label (&self->painter, HEDDLE_PART_ANNOTATION, NULL, text, HEDDLE_FONT_SANS, SIZE, NULL,
      box->x, box->y + .77 * box->height, 0.);
  g_array_append_val (self->boxes, *box);
}

/* Paints a text in the first of the places, given by their top left corners, where it covers nothing. Returns whether
 * there is one. */
static gboolean
paint_text_where_free (Plot *self, const char *text, const double (*places)[2], guint n_places)
{
  double width = roofline_plot_text_width (text);

  for (guint i = 0; i < n_places; i++)
    {
      Box here = { places[i][0], places[i][1], width, SIZE * 1.2 };

      if (overlaps (self, &here))
        continue;
      paint_text (self, text, &here);
      return TRUE;
    }
  return FALSE;
}

/* Does the same, in the first of all places where there is none such. */
static void
roofline_plot_paint_text (
    HeddleRooflinePlot *self, const char *text, const double (*places)[2], guint n_places)
{
  Box box = { places[0][0], places[0][1], roofline_plot_text_width (text), SIZE * 1.2 };

  if (!paint_text_where_free (self, text, places, n_places))
    paint_text (self, text, &box);
}

/* --- frame ---------------------------------------------------------------------------------------------------- */

static void
paint_line (
    Plot *self, HeddlePart part, const HeddleStroke *stroke, double x1, double y1, double x2, double y2)
{
  HeddleItem *item = heddle_paint_path (&self->painter, part, NULL, stroke, NULL);

  heddle_item_move_to (item, x1, y1);
  heddle_item_line_to (item, x2, y2);
}

static void
paint_tick (Plot *self, const char *text, double x, double y, double align)
{
  heddle_paint_label (
      &self->painter, HEDDLE_PART_ANNOTATION, NULL, text, HEDDLE_FONT_SANS, SIZE, NULL, x, y, align);
}

static void
paint_grid (Plot *self)
{
  HeddleStroke faint = { .color = self->painter.dim, .width = 1. };

  faint.color.a = .25;
  for (int k = (int) ceil (self->x0 - 1e-9); k <= self->x1; k++)
    {
      g_autofree char *text = g_strdup_printf ("%.6g", pow (10., k));
      double x = roofline_plot_x (self, pow (10., k));

      paint_line (self, HEDDLE_PART_BACKGROUND, &faint, x, 0., x, HEIGHT);
      paint_tick (self, text, x, HEIGHT + SIZE + GAP, .5);
    }
  for (int k = (int) ceil (self->y0 - 1e-9); k <= self->y1; k++)
    {
      g_autofree char *text = g_strdup_printf ("%.6g", pow (10., k) / 1e12);
      double y = roofline_plot_y (self, pow (10., k));

      paint_line (self, HEDDLE_PART_BACKGROUND, &faint, 0., y, WIDTH, y);
      paint_tick (self, text, -2. * GAP, y + .35 * SIZE, 1.);
    }
}

static void
paint_frame (Plot *self)
{
  const HeddleStroke line = { .color = self->painter.ink, .width = 1. };
  HeddleItem *frame = heddle_paint_path (&self->painter, HEDDLE_PART_ANNOTATION, NULL, &line, NULL);
  g_autofree char *title = g_strdup_printf (
      self->chart->machine->measured != NULL ? _ ("%s on %s, rates measured") : _ ("%s on %s"),
      self->chart->diagram->name, self->chart->machine->title);

  heddle_item_rectangle (frame, 0., 0., WIDTH, HEIGHT, 0.);
  paint_tick (self, _ ("TFLOP/s"), 0., -2. * GAP, .5);
  paint_tick (self, title, WIDTH, -2. * GAP, 1.);
  paint_tick (self, _ ("FLOP per byte moved"), WIDTH / 2., HEIGHT + 2. * SIZE + 3. * GAP, .5);
}

/* --- roofs ---------------------------------------------------------------------------------------------------- */

static HeddleStroke
roof_stroke (const Plot *self, const char *name)
{
  HeddleStroke stroke = { .color = self->painter.ink, .width = 1.5, .dash = { 2., 3. }, .n_dashes = 2 };

  heddle_level_style (name, self->chart->theme, &stroke.color, &stroke.width, stroke.dash, &stroke.n_dashes);
  stroke.width = MAX (1.5, stroke.width);
  return stroke;
}

/* From where it comes into the window up to the ceiling. */
static void
paint_slope (Plot *self, const HeddleRoof *roof)
{
  HeddleStroke stroke = roof_stroke (self, roof->name);
  double bottom = pow (10., self->y0), left = pow (10., self->x0), ceiling = main_ceiling (self);
  double from = MAX (left, bottom / roof->rate), to = ceiling / roof->rate;

  if (from < to)
    paint_line (self, HEDDLE_PART_WIRE, &stroke, roofline_plot_x (self, from),
        roofline_plot_y (self, from * roof->rate), roofline_plot_x (self, to),
        roofline_plot_y (self, ceiling));
}

static gboolean
is_in_window (const Plot *self, double rate)
{
  return log10 (rate) > self->y0 && log10 (rate) < self->y1;
}

static void
paint_ceiling (Plot *self, const HeddleRoof *roof)
{
  HeddleStroke stroke = roof_stroke (self, roof->name);
  double y = roofline_plot_y (self, roof->rate), steepest = 0.;

  for (guint i = 0; i < self->roofs->len; i++)
    {
      const HeddleRoof *slope = g_ptr_array_index (self->roofs, i);

      steepest = slope->ceiling ? steepest : MAX (steepest, slope->rate);
    }
  if (is_in_window (self, roof->rate))
    paint_line (self, HEDDLE_PART_WIRE, &stroke,
        steepest > 0. ? MAX (0., roofline_plot_x (self, roof->rate / steepest)) : 0., y, WIDTH, y);
}

static void
paint_ceiling_title (Plot *self, const HeddleRoof *roof)
{
  gboolean tensor = g_str_equal (roof->name, "tensor");
  g_autofree char *text = g_strdup_printf (tensor ? "%s, %s: %.4g" : "%s%s: %.4g", title_of (self, roof),
      tensor ? heddle_dtype_to_string (roof->dtype) : "", roof->rate / 1e12);
  double x = WIDTH - GAP - roofline_plot_text_width (text), y = roofline_plot_y (self, roof->rate);
  const double places[][2] = { { x, y - 1.2 * SIZE - 2. }, { x, y + 3. },
    { x - .35 * WIDTH, y - 1.2 * SIZE - 2. }, { x - .35 * WIDTH, y + 3. } };

  if (is_in_window (self, roof->rate))
    roofline_plot_paint_text (self, text, places, G_N_ELEMENTS (places));
}

/* The slopes' names and bandwidths, in the corner that no roof reaches. */
static void
paint_legend (Plot *self)
{
  Box legend = legend_box (self);
  double y = HEIGHT - 2. * GAP, x = legend.x + LEGEND_LINE;

  for (guint i = 0; i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, self->roofs->len - 1 - i);
      g_autofree char *text = slope_text (self, roof);
      HeddleStroke stroke = roof_stroke (self, roof->name);
      Box box = { x, y - 1.2 * SIZE + 2., legend.width - LEGEND_LINE, 1.2 * SIZE };

      if (roof->ceiling)
        continue;
      paint_text (self, text, &box);
      paint_line (self, HEDDLE_PART_WIRE, &stroke, x - LEGEND_LINE, y - .35 * SIZE, x - 8., y - .35 * SIZE);
      y -= LEGEND_STEP;
    }
}

static void
paint_roofs (Plot *self)
{
  for (guint i = 0; i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);

      (roof->ceiling ? paint_ceiling : paint_slope) (self, roof);
    }
  paint_legend (self);
}

/* The highest first, which has the room above it. */
static gint
compare_roofs (gconstpointer a, gconstpointer b)
{
  double x = (*(const HeddleRoof *const *) a)->rate, y = (*(const HeddleRoof *const *) b)->rate;

  return (x < y) - (x > y);
}

static void
paint_ceiling_titles (Plot *self)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new ();

  for (guint i = 0; i < self->roofs->len; i++)
    if (((HeddleRoof *) g_ptr_array_index (self->roofs, i))->ceiling)
      g_ptr_array_add (ceilings, g_ptr_array_index (self->roofs, i));
  g_ptr_array_sort (ceilings, compare_roofs);
  for (guint i = 0; i < ceilings->len; i++)
    paint_ceiling_title (self, g_ptr_array_index (ceilings, i));
}

static void roofline_plot_paint_steps (HeddleRooflinePlot *self);
static void roofline_plot_paint_mark_titles (HeddleRooflinePlot *self);

static void roofline_plot_paint_marks (HeddleRooflinePlot *self);

static void
paint_all (Plot *self)
{
  paint_grid (self);
  paint_frame (self);
  paint_roofs (self);
  roofline_plot_paint_steps (self);
  roofline_plot_paint_marks (self);
  paint_ceiling_titles (self);
  roofline_plot_paint_mark_titles (self);
}

static GArray *roofline_marks_new (const HeddleChart *chart);

HeddleScene *
heddle_chart_render_roofline (const HeddleChart *self)
{
  HeddleKernel work = heddle_derivation_total_work (self->derivation);
  g_autoptr (GPtrArray) roofs = heddle_roofline_roofs (self->machine, self->dtype, &work);
  g_autoptr (GArray) marks = roofline_marks_new (self);
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  Plot plot = { .chart = self, .roofs = roofs, .marks = marks, .boxes = boxes };

  heddle_roofline_add_links (roofs, self->derivation, self->machine);
  plot.painter = heddle_painter_for (self->theme);
  if (main_ceiling (&plot) <= 0.)
    {
      heddle_scene_unref (plot.painter.scene);
      return NULL;
    }
  choose_window (&plot);
  paint_all (&plot);
  return plot.painter.scene;
}

/* --- what there is ------------------------------------------------------------------- */

static void
mark_clear (gpointer data)
{
  g_free (((HeddleRooflineMark *) data)->name);
}

/* Returns the name of a mark, with the memory whose roof it is under in parentheses unless that is global memory,
 * as most are: "S (L2)". Newly allocated. */
static char *
mark_name (const HeddleChart *chart, const HeddleRooflinePoint *at, const char *name)
{
  int i = at->memory != NULL ? heddle_machine_find_level (chart->machine, at->memory) : -1;

  if (i <= 0 || g_str_equal (at->memory, "gmem"))
    return g_strdup (name);
  return g_strdup_printf (
      "%s (%s)", name, ((HeddleLevel *) g_ptr_array_index (chart->machine->levels, (guint) i))->title);
}

static void
add_mark (
    GArray *marks, const HeddleChart *chart, HeddleMarkKind kind, HeddleRooflinePoint at, const char *name)
{
  HeddleRooflineMark mark = { kind, at.intensity, at.flops_per_s, 0., 0., NULL };

  if (!(at.intensity > 0. && at.flops_per_s > 0.))
    return;
  mark.name = mark_name (chart, &at, name);
  g_array_append_val (marks, mark);
}

/* Returns the title of a measurement; of another diagram, its name too. */
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
      g_autofree char *title = measured_title (chart, measurement);
      HeddleRooflineMark mark
          = { HEDDLE_MARK_MEASURED, at.intensity, at.flops_per_s, measurement->flops / measurement->most_s,
              measurement->flops / measurement->least_s, mark_name (chart, &at, title) };

      g_array_append_val (marks, mark);
    }
}

/* Returns the points of a roofline plot, of HeddleRooflineMark: kernels, the same apart, and what was measured. The
 * caller owns the array. */
static GArray *
roofline_marks_new (const HeddleChart *chart)
{
  const HeddleDerivation *derivation = chart->derivation, *apart = chart->apart;
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (HeddleRooflineMark));

  g_array_set_clear_func (marks, mark_clear);
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      add_mark (marks, chart, HEDDLE_MARK_KERNEL, heddle_roofline_kernel_point (kernel), kernel->title);
    }
  /* Where steps are shown it is the first of them. */
  if (chart->steps == NULL && apart != NULL && apart->kernels->len > derivation->kernels->len)
    add_mark (marks, chart, HEDDLE_MARK_APART, heddle_roofline_point (apart), _ ("one kernel each"));
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

/* Paints a circle for each kernel, a ring for the same with a kernel for each statement, and a diamond with a bar
 * from its least to its most for each measurement. */
static void
roofline_plot_paint_marks (HeddleRooflinePlot *self)
{
  for (guint i = 0; i < self->marks->len; i++)
    {
      const HeddleRooflineMark *mark = &g_array_index (self->marks, HeddleRooflineMark, i);
      double x = roofline_plot_x (self, mark->intensity);
      double y = roofline_plot_y (self, mark->rate);

      if (mark->kind != HEDDLE_MARK_MEASURED)
        {
          paint_circle (self, x, y, mark->kind == HEDDLE_MARK_APART);
          continue;
        }
      paint_bar (self, x, roofline_plot_y (self, mark->least), roofline_plot_y (self, mark->most));
      paint_diamond (self, x, y);
    }
}

/* Returns whether the circles of two kernels lie on each other, so that a name stands for both. */
static gboolean
share_place (const HeddleRooflinePlot *self, const HeddleRooflineMark *a, const HeddleRooflineMark *b)
{
  return a->kind == HEDDLE_MARK_KERNEL && b->kind == HEDDLE_MARK_KERNEL
         && hypot (roofline_plot_x (self, a->intensity) - roofline_plot_x (self, b->intensity),
                roofline_plot_y (self, a->rate) - roofline_plot_y (self, b->rate))
                < 2. * RADIUS;
}

/* Returns what stands beside the mark @at, "Q (L2)" or "Q (L2) and 3 more"; NULL where the name of one before it
 * stands for it. Newly allocated. */
static char *
title_of_mark (const HeddleRooflinePlot *self, guint at)
{
  const HeddleRooflineMark *mark = &g_array_index (self->marks, HeddleRooflineMark, at);
  guint n = 0;

  for (guint i = 0; i < self->marks->len; i++)
    {
      const HeddleRooflineMark *other = &g_array_index (self->marks, HeddleRooflineMark, i);

      if (i == at || !share_place (self, mark, other))
        continue;
      if (i < at)
        return NULL;
      n++;
    }
  return n == 0 ? g_strdup (mark->name)
                : g_strdup_printf (ngettext ("%s and %u more", "%s and %u more", n), mark->name, n);
}

/* Paints the name of each mark beside it, in the first of the places where it covers nothing; where there is none such
 * the mark stands without it. */
static void
roofline_plot_paint_mark_titles (HeddleRooflinePlot *self)
{
  for (guint i = 0; i < self->marks->len; i++)
    {
      const HeddleRooflineMark *mark = &g_array_index (self->marks, HeddleRooflineMark, i);
      g_autofree char *title = title_of_mark (self, i);
      double x = roofline_plot_x (self, mark->intensity);
      double y = roofline_plot_y (self, mark->rate);
      double width = title != NULL ? roofline_plot_text_width (title) : 0., high = 1.2 * SIZE;
      double right = x + 3. * GAP, left = x - 3. * GAP - width, middle = x - width / 2.;
      double below = y + 2. * GAP, above = y - high - 2. * GAP;
      const double places[][2] = { { right, y - high / 2. }, { left, y - high / 2. }, { middle, below },
        { middle, above }, { right, below }, { right, above }, { left, below }, { left, above },
        { right, y + 3. * GAP + high } };

      if (title != NULL)
        paint_text_where_free (self, title, places, G_N_ELEMENTS (places));
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

  heddle_item_move_to (item, roofline_plot_x (self, a->intensity), roofline_plot_y (self, a->flops_per_s));
  heddle_item_line_to (item, roofline_plot_x (self, b->intensity), roofline_plot_y (self, b->flops_per_s));
}

static void
paint_number (HeddleRooflinePlot *self, const HeddleRooflinePoint *step, guint number)
{
  const HeddleStroke line = { .color = self->painter.ink, .width = 1. };
  double x = roofline_plot_x (self, step->intensity);
  double y = roofline_plot_y (self, step->flops_per_s);
  g_autofree char *text = g_strdup_printf ("%u", number);
  HeddleItem *item = heddle_paint_path (&self->painter, HEDDLE_PART_GLYPH, NULL, &line, &self->painter.paper);

  heddle_item_arc (item, x, y, STEP_RADIUS, 0, 4, FALSE);
  heddle_item_close (item);
  heddle_paint_label (
      &self->painter, HEDDLE_PART_ANNOTATION, NULL, text, HEDDLE_FONT_SANS, 13., NULL, x, y + 4.5, .5);
  keep_off (self, x, y, STEP_RADIUS);
}

/* Paints the way from step to step of the derivation, leaving out steps without a time, and a number at each but the
 * last, which has its own mark. */
static void
roofline_plot_paint_steps (HeddleRooflinePlot *self)
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
