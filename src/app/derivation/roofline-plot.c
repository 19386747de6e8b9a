/* SPDX-License-Identifier: MIT */

/* The frame of a roofline chart: its window, grid and roofs. */

#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/widgets/format.h"
#include "app/derivation/roofline-plot.h"
#include "app/derivation/roofline-points.h"
#include "derive/report/roofline.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"

#define MARGIN_TOP 8
#define SMALL .82
/* Between a tick and its text. */
#define GAP 6
#define NARROW_IN_LINES 26

double
heddle_plot_x (const HeddlePlot *self, double intensity)
{
  return self->left + (log2 (intensity) - self->x0) / (self->x1 - self->x0) * self->width;
}

double
heddle_plot_y (const HeddlePlot *self, double rate)
{
  return self->top + self->height - (log10 (rate) - self->y0) / (self->y1 - self->y0) * self->height;
}

void
heddle_plot_read (const HeddlePlot *self, double x, double y, double *intensity, double *rate)
{
  *intensity = exp2 (self->x0 + (x - self->left) / self->width * (self->x1 - self->x0));
  *rate = pow (10, self->y0 + (self->top + self->height - y) / self->height * (self->y1 - self->y0));
}

/* --- the window --- */

static double
find_ceiling (const GPtrArray *roofs, const char *name)
{
  double highest = 0;

  for (guint i = 0; roofs != NULL && i < roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (roofs, i);

      if (roof->ceiling && (name == NULL || g_str_equal (roof->name, name)))
        highest = MAX (highest, roof->rate);
    }
  return highest;
}

/* Where slopes end: the tensor cores' roof, or the highest there is. */
static double
main_ceiling (const GPtrArray *roofs)
{
  double tensor = find_ceiling (roofs, "tensor"), any = find_ceiling (roofs, NULL);

  return tensor > 0 ? tensor : any > 0 ? any : 1e12;
}

static void
include_corners (HeddlePlot *self)
{
  double ceiling = main_ceiling (self->roofs);

  for (guint i = 0; self->roofs != NULL && i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);

      if (roof->ceiling)
        continue;
      self->x0 = MIN (self->x0, floor (log2 (ceiling / roof->rate)) - 2);
      self->x1 = MAX (self->x1, ceil (log2 (ceiling / roof->rate)) + 3);
    }
}

static void
include_point (HeddlePlot *self, const HeddleRooflinePoint *point)
{
  self->x0 = MIN (self->x0, floor (log2 (point->intensity)) - 1);
  self->x1 = MAX (self->x1, ceil (log2 (point->intensity)) + 1);
  self->y0 = MIN (self->y0, log10 (point->flops_per_s) - .45);
}

static void
include_points (HeddlePlot *self)
{
  for (guint i = 0; i < HEDDLE_N_PLOT_POINTS; i++)
    {
      const HeddlePlotPoint *point = &self->points[i];

      if (point->shown)
        include_point (self, &point->at);
    }
  for (guint i = 0; i < self->measured->len; i++)
    {
      HeddleRooflinePoint at = heddle_bench_result_point (g_ptr_array_index (self->measured, i));

      include_point (self, &at);
    }
}

static void
measure (GtkWidget *widget, const char *text, double *width, double *height)
{
  g_autoptr (PangoLayout) layout = heddle_plot_new_text (widget, text, SMALL, FALSE);
  int w, h;

  pango_layout_get_pixel_size (layout, &w, &h);
  *width = w;
  *height = h;
}

static char *
ceiling_title (const HeddleRoof *roof)
{
  return g_strdup_printf ("%s %.0f", heddle_format_unit (roof->name), roof->rate / 1e12);
}

/* What texts need beside the chart. */
static void
make_room (HeddlePlot *self, GtkWidget *widget, int width, int height)
{
  double rate, ceiling = 0, line;

  measure (widget, "0000", &rate, &self->line);
  measure (widget, "4096", &self->tick, &line);
  for (guint i = 0; self->roofs != NULL && i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);
      g_autofree char *title = ceiling_title (roof);
      double wide = 0;

      if (roof->ceiling)
        measure (widget, title, &wide, &line);
      ceiling = MAX (ceiling, wide);
    }
  self->left = rate + 2 * GAP;
  self->inside = width < NARROW_IN_LINES * self->line;
  self->right
      = self->inside ? MAX (GAP, .5 * self->tick) : ceiling + 2 * GAP; /* half of the last tick's text */
  self->top = MARGIN_TOP;
  self->width = MAX (10, width - self->left - self->right);
  self->height = MAX (10, height - self->top - 2 * self->line - GAP);
}

HeddlePlot
heddle_plot_make (GtkWidget *widget, GPtrArray *roofs, const HeddlePlotPoint *points,
    const GPtrArray *measured, int width, int height)
{
  double ceiling = log10 (main_ceiling (roofs)), highest = log10 (MAX (1e9, find_ceiling (roofs, NULL)));
  HeddlePlot self = { .roofs = roofs,
    .points = points,
    .measured = measured,
    .x0 = 4,
    .x1 = 12,
    .y0 = ceiling - 1.35,
    .y1 = MAX (ceiling + .3, MIN (highest, ceiling + .8) + .15),
    .dark = adw_style_manager_get_dark (adw_style_manager_get_default ()) };

  make_room (&self, widget, width, height);
  include_corners (&self);
  include_points (&self);
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &self.ink);
  return self;
}

/* --- text --- */

PangoLayout *
heddle_plot_new_text (GtkWidget *widget, const char *text, double scale, gboolean bold)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, text);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (scale));
  if (bold)
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  return layout;
}

static void
draw_text (GtkWidget *widget, cairo_t *cr, double x, double y, double align, const char *text)
{
  g_autoptr (PangoLayout) layout = heddle_plot_new_text (widget, text, SMALL, FALSE);
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_move_to (cr, x - align * width, y - height / 2.0);
  pango_cairo_show_layout (cr, layout);
}

void
heddle_plot_set_ink (const HeddlePlot *self, cairo_t *cr, double alpha)
{
  cairo_set_source_rgba (cr, self->ink.red, self->ink.green, self->ink.blue, self->ink.alpha * alpha);
}

/* --- grid --- */

static void
draw_line (const HeddlePlot *self, cairo_t *cr, double x0, double y0, double x1, double y1)
{
  heddle_plot_set_ink (self, cr, .12);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
  cairo_stroke (cr);
  heddle_plot_set_ink (self, cr, .6);
}

static void
draw_intensities (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr)
{
  int step = 2;

  while (step * self->width / (self->x1 - self->x0) < 1.3 * self->tick)
    step *= 2;
  for (int power = ceil (self->x0 / step) * step; power <= self->x1; power += step)
    {
      double x = round (heddle_plot_x (self, exp2 (power))) + .5;
      g_autofree char *text = g_strdup_printf (power < 0 ? "1/%.0f" : "%.0f", exp2 (ABS (power)));

      draw_line (self, cr, x, self->top, x, self->top + self->height);
      draw_text (widget, cr, x, self->top + self->height + .65 * self->line, .5, text);
    }
  draw_text (widget, cr, self->left + self->width / 2, self->top + self->height + 1.65 * self->line, .5,
      _ ("FLOP per byte moved"));
}

static void
draw_rates (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr)
{
  /* 1, 2, 5, 10 … while there is room for so many; else only powers of ten. */
  int more = (self->y1 - self->y0) * 3 * self->line < self->height ? 1 : 9;

  for (int decade = floor (self->y0); decade <= self->y1; decade++)
    for (int digit = 1; digit <= 5; digit += digit == 1 ? more : 3)
      {
        double rate = digit * pow (10, decade), y = round (heddle_plot_y (self, rate)) + .5;
        g_autofree char *text = g_strdup_printf (rate < 1e12 ? "%.2g" : "%.0f", rate / 1e12);

        if (log10 (rate) < self->y0 || log10 (rate) > self->y1)
          continue;
        draw_line (self, cr, self->left, y, self->left + self->width, y);
        draw_text (widget, cr, self->left - 6, y, 1, text);
      }
}

/* --- roofs --- */

/* In the style of the level or unit. */
static void
set_roof_style (const HeddlePlot *self, cairo_t *cr, const char *name)
{
  HeddleColor color = { self->ink.red, self->ink.green, self->ink.blue, .55 };
  double width = 1.5, dash[8] = { 2, 3 };
  guint n_dashes = 2;

  heddle_level_style (
      name, self->dark ? HEDDLE_THEME_DARK : HEDDLE_THEME_LIGHT, &color, &width, dash, &n_dashes);
  cairo_set_source_rgba (cr, color.r, color.g, color.b, color.a);
  cairo_set_line_width (cr, MAX (1.3, width));
  cairo_set_dash (cr, dash, n_dashes, 0);
  /* The dots of L2 are round caps of dashes without length. */
  cairo_set_line_cap (cr, n_dashes > 0 && dash[0] < 1 ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
}

/* A link's slope is not at its bandwidth, but where its share of the bytes takes as long. */
static char *
slope_title (const HeddleRoof *roof)
{
  HeddleColor color;
  double width, dash[8];
  guint n_dashes;

  if (!heddle_level_style (roof->name, HEDDLE_THEME_LIGHT, &color, &width, dash, &n_dashes))
    return g_strdup (roof->name);

  const char *title = g_str_equal (roof->name, "gmem") ? "GMEM" : heddle_format_unit (roof->name);

  return g_strdup_printf ("%s %.3g", title, roof->rate / 1e12);
}

static gboolean
is_slowest (const HeddlePlot *self, const HeddleRoof *roof)
{
  for (guint i = 0; i < self->roofs->len; i++)
    {
      const HeddleRoof *other = g_ptr_array_index (self->roofs, i);

      if (!other->ceiling && other->rate < roof->rate)
        return FALSE;
    }
  return TRUE;
}

/* Along the line: below the slowest, above the others, so that neighbours keep apart. */
static void
draw_slope_title (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr, const HeddleRoof *roof, double x0,
    double y0, double x1, double y1)
{
  g_autofree char *title = slope_title (roof);
  g_autoptr (PangoLayout) layout = heddle_plot_new_text (widget, title, SMALL, TRUE);
  double length = hypot (x1 - x0, y1 - y0);
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_save (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_translate (cr, x0, y0);
  cairo_rotate (cr, atan2 (y1 - y0, x1 - x0));
  if (is_slowest (self, roof))
    cairo_move_to (cr, MIN (10, length - width), 1);
  else
    cairo_move_to (cr, CLAMP ((length - width) / 2, 12, .3 * length), -height - 1);
  pango_cairo_show_layout (cr, layout);
  cairo_restore (cr);
}

static void
draw_slope (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr, const HeddleRoof *roof)
{
  double knee = main_ceiling (self->roofs) / roof->rate;
  double from = MAX (exp2 (self->x0), pow (10, self->y0) / roof->rate), to = MIN (knee, exp2 (self->x1));
  double x0 = heddle_plot_x (self, from), y0 = heddle_plot_y (self, from * roof->rate);
  double x1 = heddle_plot_x (self, to), y1 = heddle_plot_y (self, to * roof->rate);

  if (from >= to)
    return;
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
  cairo_stroke (cr);
  draw_slope_title (self, widget, cr, roof, x0, y0, x1, y1);
}

/* The tensor roof begins where the fastest memory reaches it. */
static double
ceiling_start (const HeddlePlot *self, const HeddleRoof *roof)
{
  double fastest = 0;

  for (guint i = 0; i < self->roofs->len; i++)
    {
      const HeddleRoof *other = g_ptr_array_index (self->roofs, i);

      if (!other->ceiling)
        fastest = MAX (fastest, other->rate);
    }
  return fastest > 0 ? MAX (self->left, heddle_plot_x (self, roof->rate / fastest)) : self->left;
}

static void
draw_ceiling (
    const HeddlePlot *self, GtkWidget *widget, cairo_t *cr, const HeddleRoof *roof, double *last_text)
{
  double y = heddle_plot_y (self, roof->rate), at;
  g_autofree char *text = ceiling_title (roof);

  if (log10 (roof->rate) < self->y0 || log10 (roof->rate) > self->y1)
    return;
  cairo_move_to (cr, ceiling_start (self, roof), y);
  cairo_line_to (cr, self->left + self->width, y);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (self->inside)
    {
      at = y - .55 * self->line;
      if (at < .5 * self->line) /* cut off by the edge */
        at = y + .55 * self->line;
      draw_text (widget, cr, self->left + self->width - 2, at, 1, text);
      return;
    }
  at = fabs (y - *last_text) < self->line ? *last_text + (y < *last_text ? -self->line : self->line) : y;
  *last_text = at;
  draw_text (widget, cr, self->left + self->width + 7, at, 0, text);
}

static void
draw_roofs (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr)
{
  double last_text = -1e6;

  for (guint i = 0; self->roofs != NULL && i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);

      set_roof_style (self, cr, roof->name);
      if (roof->ceiling)
        draw_ceiling (self, widget, cr, roof, &last_text);
      else
        draw_slope (self, widget, cr, roof);
    }
}

void
heddle_plot_draw (const HeddlePlot *self, GtkWidget *widget, cairo_t *cr)
{
  draw_intensities (self, widget, cr);
  draw_rates (self, widget, cr);
  cairo_save (cr);
  cairo_rectangle (cr, self->left, 0., self->width + self->right, self->top + self->height);
  cairo_clip (cr);
  draw_roofs (self, widget, cr);
  cairo_restore (cr);
  heddle_plot_draw_points (self, widget, cr);
}
