/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "figure/chart.h"
#include "figure/paint.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* 240 by 150 points in print, texts of 7.5 points. */
#define WIDTH 480.
#define HEIGHT 300.
#define SIZE 15.
#define RADIUS 5.
#define GAP 4.

typedef struct
{
  double intensity, rate;
  const char *name;
  gboolean hollow;
} Point;

typedef struct
{
  double x, y, width, height;
} Box;

typedef struct
{
  HeddlePainter painter;
  const HeddleChart *chart;
  GPtrArray *roofs; /* of HeddleRoof */
  GArray *points; /* of Point */
  GArray *boxes; /* of Box: texts keep off them */
  double x0, x1, y0, y1; /* the window: log10 of FLOP/byte and of FLOP/s */
} Plot;

static double
place_x (const Plot *self, double intensity)
{
  return (log10 (intensity) - self->x0) / (self->x1 - self->x0) * WIDTH;
}

static double
place_y (const Plot *self, double rate)
{
  return HEIGHT - (log10 (rate) - self->y0) / (self->y1 - self->y0) * HEIGHT;
}

/* --- what is shown ---------------------------------------------------------------------------------- */

static void
add_point (Plot *self, double flops, double intensity, double seconds, const char *name, gboolean hollow)
{
  Point point = { intensity, seconds > 0. ? flops / seconds : 0., name, hollow };

  if (point.intensity > 0. && point.rate > 0.)
    g_array_append_val (self->points, point);
}

static void
collect_points (Plot *self)
{
  const HeddleDerivation *derivation = self->chart->derivation, *apart = self->chart->apart;

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      add_point (self, kernel->flops, kernel->intensity, kernel->expected_s, kernel->name, FALSE);
    }
  if (apart != NULL && apart->kernels->len > derivation->kernels->len && apart->transfer_bytes > 0)
    add_point (self, apart->flops, apart->flops / (double) apart->transfer_bytes, apart->expected_s,
        _ ("one kernel each"), TRUE);
}

/* All kernels as if they were one, for the roof of the special functions. */
static HeddleKernel
total_work (const HeddleDerivation *derivation)
{
  HeddleKernel total = { .flops = 0. };

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      total.flops += kernel->flops;
      total.special_ops += kernel->special_ops;
    }
  return total;
}

/* Where slopes end: at the tensor cores' roof, or the highest there is. */
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
  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = &g_array_index (self->points, Point, i);

      self->x0 = MIN (self->x0, log10 (point->intensity) - .3);
      self->x1 = MAX (self->x1, log10 (point->intensity) + .5);
      self->y0 = MIN (self->y0, log10 (point->rate) - .4);
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

static double
width_of (const char *text)
{
  return heddle_math_layout (NULL, HEDDLE_PART_ANNOTATION, NULL, text, HEDDLE_FONT_SANS, SIZE,
      (HeddleColor){ 0 }, 0., 0., NULL, NULL);
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

/* In the first of the places, by their top left corners, where it covers nothing; in the first of all where there is none. */
static void
paint_free_text (Plot *self, const char *text, const double (*places)[2], guint n_places)
{
  Box box = { places[0][0], places[0][1], width_of (text), SIZE * 1.2 };

  for (guint i = 0; i < n_places; i++)
    {
      Box here = { places[i][0], places[i][1], box.width, box.height };

      if (overlaps (self, &here))
        continue;
      paint_text (self, text, &here);
      return;
    }
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
      double x = place_x (self, pow (10., k));

      paint_line (self, HEDDLE_PART_BACKGROUND, &faint, x, 0., x, HEIGHT);
      paint_tick (self, text, x, HEIGHT + SIZE + GAP, .5);
    }
  for (int k = (int) ceil (self->y0 - 1e-9); k <= self->y1; k++)
    {
      g_autofree char *text = g_strdup_printf ("%.6g", pow (10., k) / 1e12);
      double y = place_y (self, pow (10., k));

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

static const char *
title_of (const Plot *self, const HeddleRoof *roof)
{
  int i = heddle_machine_find_level (self->chart->machine, roof->name);

  if (!roof->ceiling && i >= 0)
    return ((HeddleLevel *) g_ptr_array_index (self->chart->machine->levels, (guint) i))->title;
  return g_str_equal (roof->name, "tensor")    ? _ ("tensor cores")
         : g_str_equal (roof->name, "special") ? _ ("special functions")
                                               : roof->name;
}

/* From where it comes into the window up to the ceiling. */
static void
paint_slope (Plot *self, const HeddleRoof *roof)
{
  HeddleStroke stroke = roof_stroke (self, roof->name);
  double bottom = pow (10., self->y0), left = pow (10., self->x0), ceiling = main_ceiling (self);
  double from = MAX (left, bottom / roof->rate), to = ceiling / roof->rate;

  if (from < to)
    paint_line (self, HEDDLE_PART_WIRE, &stroke, place_x (self, from), place_y (self, from * roof->rate),
        place_x (self, to), place_y (self, ceiling));
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
  double y = place_y (self, roof->rate), steepest = 0.;

  for (guint i = 0; i < self->roofs->len; i++)
    {
      const HeddleRoof *slope = g_ptr_array_index (self->roofs, i);

      steepest = slope->ceiling ? steepest : MAX (steepest, slope->rate);
    }
  if (is_in_window (self, roof->rate))
    paint_line (self, HEDDLE_PART_WIRE, &stroke,
        steepest > 0. ? MAX (0., place_x (self, roof->rate / steepest)) : 0., y, WIDTH, y);
}

static void
paint_ceiling_title (Plot *self, const HeddleRoof *roof)
{
  gboolean tensor = g_str_equal (roof->name, "tensor");
  g_autofree char *text = g_strdup_printf (tensor ? "%s, %s: %.4g" : "%s%s: %.4g", title_of (self, roof),
      tensor ? heddle_dtype_to_string (self->chart->dtype) : "", roof->rate / 1e12);
  double x = WIDTH - GAP - width_of (text), y = place_y (self, roof->rate);
  const double places[][2] = { { x, y - 1.2 * SIZE - 2. }, { x, y + 3. },
    { x - .35 * WIDTH, y - 1.2 * SIZE - 2. }, { x - .35 * WIDTH, y + 3. } };

  if (is_in_window (self, roof->rate))
    paint_free_text (self, text, places, G_N_ELEMENTS (places));
}

/* The slopes' names and bandwidths, in the corner that no roof reaches. */
static void
paint_legend (Plot *self)
{
  double y = HEIGHT - 2. * GAP, widest = 0.;

  for (int paint = 0; paint < 2; paint++)
    for (guint i = 0; i < self->roofs->len; i++)
      {
        const HeddleRoof *roof = g_ptr_array_index (self->roofs, self->roofs->len - 1 - i);
        g_autofree char *text
            = g_strdup_printf (_ ("%s, %.3g TB/s"), title_of (self, roof), roof->rate / 1e12);
        HeddleStroke stroke = roof_stroke (self, roof->name);
        Box box = { WIDTH - GAP - widest, y - 1.2 * SIZE + 2., widest, 1.2 * SIZE };

        if (roof->ceiling)
          continue;
        widest = paint ? widest : MAX (widest, width_of (text));
        if (!paint)
          continue;
        paint_text (self, text, &box);
        paint_line (self, HEDDLE_PART_WIRE, &stroke, box.x - 36., y - .35 * SIZE, box.x - 8., y - .35 * SIZE);
        y -= 1.3 * SIZE;
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

/* --- points --------------------------------------------------------------------------------------------------- */

static void
paint_point (Plot *self, const Point *point)
{
  const HeddleStroke line = { .color = self->painter.ink, .width = 1.5 };
  double x = place_x (self, point->intensity), y = place_y (self, point->rate);
  HeddleItem *item = heddle_paint_path (&self->painter, HEDDLE_PART_GLYPH, NULL, &line,
      point->hollow ? &self->painter.paper : &self->painter.ink);
  Box box = { x - RADIUS, y - RADIUS, 2. * RADIUS, 2. * RADIUS };

  heddle_item_arc (item, x, y, RADIUS, 0, 4, FALSE);
  heddle_item_close (item);
  g_array_append_val (self->boxes, box);
}

static void
paint_point_title (Plot *self, const Point *point)
{
  double x = place_x (self, point->intensity), y = place_y (self, point->rate);
  double width = width_of (point->name), high = 1.2 * SIZE;
  const double places[][2] = { { x + 3. * GAP, y - high / 2. }, { x - 3. * GAP - width, y - high / 2. },
    { x - width / 2., y + 2. * GAP }, { x - width / 2., y - high - 2. * GAP }, { x + 3. * GAP, y + 2. * GAP },
    { x + 3. * GAP, y + 3. * GAP + high } };

  paint_free_text (self, point->name, places, G_N_ELEMENTS (places));
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

static void
paint_all (Plot *self)
{
  paint_grid (self);
  paint_frame (self);
  paint_roofs (self);
  for (guint i = 0; i < self->points->len; i++)
    paint_point (self, &g_array_index (self->points, Point, i));
  paint_ceiling_titles (self);
  for (guint i = 0; i < self->points->len; i++)
    paint_point_title (self, &g_array_index (self->points, Point, i));
}

HeddleScene *
heddle_chart_render_roofline (const HeddleChart *self)
{
  HeddleKernel work = total_work (self->derivation);
  g_autoptr (GPtrArray) roofs = heddle_roofline_roofs (self->machine, self->dtype, &work);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (Point));
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  Plot plot = { .chart = self, .roofs = roofs, .points = points, .boxes = boxes };

  plot.painter = heddle_painter_for (self->theme);
  if (main_ceiling (&plot) <= 0.)
    {
      heddle_scene_unref (plot.painter.scene);
      return NULL;
    }
  collect_points (&plot);
  choose_window (&plot);
  paint_all (&plot);
  return plot.painter.scene;
}
