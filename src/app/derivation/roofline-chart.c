/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/derivation/format.h"
#include "app/derivation/roofline-chart.h"
#include "figure/figure.h"

#define MARGIN_LEFT 52
#define MARGIN_RIGHT 86
#define MARGIN_TOP 14
#define MARGIN_BOTTOM 36

struct _HeddleRooflineChart
{
  GtkDrawingArea parent_instance;

  HeddleEditor *editor;
  GPtrArray *roofs; /* of HeddleRoof */
  HeddleRooflinePoint now, before;
  gboolean has_now, has_before;
  char *now_text, *before_text;
};

G_DEFINE_FINAL_TYPE (HeddleRooflineChart, heddle_roofline_chart, GTK_TYPE_DRAWING_AREA)

/* The window of the chart, as powers of two (intensity) and ten (FLOP/s), and where it is drawn. */
typedef struct
{
  double x0, x1, y0, y1; /* log2 of FLOP/byte, log10 of FLOP/s */
  double left, top, width, height;
  gboolean dark;
  GdkRGBA ink;
} Frame;

static double
place_x (const Frame *frame, double intensity)
{
  return frame->left + (log2 (intensity) - frame->x0) / (frame->x1 - frame->x0) * frame->width;
}

static double
place_y (const Frame *frame, double rate)
{
  return frame->top + frame->height - (log10 (rate) - frame->y0) / (frame->y1 - frame->y0) * frame->height;
}

static double
highest_ceiling (HeddleRooflineChart *self)
{
  double highest = 1e12;

  for (guint i = 0; self->roofs != NULL && i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);

      if (roof->ceiling)
        highest = MAX (highest, roof->rate);
    }
  return highest;
}

static void
include_point (Frame *frame, const HeddleRooflinePoint *point)
{
  if (!(point->intensity > 0) || !(point->flops_per_s > 0))
    return;
  frame->x0 = MIN (frame->x0, floor (log2 (point->intensity)) - 1);
  frame->x1 = MAX (frame->x1, ceil (log2 (point->intensity)) + 1);
  frame->y0 = MIN (frame->y0, log10 (point->flops_per_s) - 0.3);
}

static Frame
make_frame (HeddleRooflineChart *self, int width, int height)
{
  double top = log10 (highest_ceiling (self));
  Frame frame
      = { .x0 = 4, .x1 = 12, .y0 = top - 1.6, .y1 = top + 0.25, .left = MARGIN_LEFT, .top = MARGIN_TOP };

  frame.width = MAX (10, width - MARGIN_LEFT - MARGIN_RIGHT);
  frame.height = MAX (10, height - MARGIN_TOP - MARGIN_BOTTOM);
  if (self->has_now)
    include_point (&frame, &self->now);
  if (self->has_before)
    include_point (&frame, &self->before);
  frame.dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &frame.ink);
  return frame;
}

/* --- text --- */

static void
draw_text (HeddleRooflineChart *self, cairo_t *cr, double x, double y, double align, const char *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_move_to (cr, x - align * width, y - height / 2.0);
  pango_cairo_show_layout (cr, layout);
}

static void
set_ink (cairo_t *cr, const Frame *frame, double alpha)
{
  cairo_set_source_rgba (cr, frame->ink.red, frame->ink.green, frame->ink.blue, frame->ink.alpha * alpha);
}

/* --- axes --- */

static void
draw_grid (HeddleRooflineChart *self, cairo_t *cr, const Frame *frame)
{
  cairo_set_line_width (cr, 1);
  for (int power = ceil (frame->x0); power <= frame->x1; power += 2)
    {
      double x = round (place_x (frame, exp2 (power))) + .5;
      g_autofree char *text = g_strdup_printf (power < 0 ? "1/%.0f" : "%.0f", exp2 (ABS (power)));

      set_ink (cr, frame, .12);
      cairo_move_to (cr, x, frame->top);
      cairo_line_to (cr, x, frame->top + frame->height);
      cairo_stroke (cr);
      set_ink (cr, frame, .6);
      draw_text (self, cr, x, frame->top + frame->height + 10, .5, text);
    }
  for (int decade = floor (frame->y0); decade <= frame->y1; decade++)
    for (int digit = 1; digit <= 5; digit += digit == 1 ? 1 : 3)
      {
        double rate = digit * pow (10, decade), y = round (place_y (frame, rate)) + .5;
        g_autofree char *text = g_strdup_printf (rate < 1e12 ? "%.2g" : "%.0f", rate / 1e12);

        if (log10 (rate) < frame->y0 || log10 (rate) > frame->y1)
          continue;
        set_ink (cr, frame, .12);
        cairo_move_to (cr, frame->left, y);
        cairo_line_to (cr, frame->left + frame->width, y);
        cairo_stroke (cr);
        set_ink (cr, frame, .6);
        draw_text (self, cr, frame->left - 6, y, 1, text);
      }
  set_ink (cr, frame, .6);
  draw_text (self, cr, frame->left + frame->width / 2, frame->top + frame->height + 26, .5,
      _ ("FLOP per byte moved"));
}

/* --- roofs --- */

/* A slope is drawn in the style of the level it leads into: what it moves through. */
static void
set_roof_style (cairo_t *cr, const Frame *frame, const char *name)
{
  HeddleColor color = { frame->ink.red, frame->ink.green, frame->ink.blue, .7 };
  double width = 1.2, dash[8];
  guint n_dashes = 0;

  if (!heddle_level_style (
          name, frame->dark ? HEDDLE_THEME_DARK : HEDDLE_THEME_LIGHT, &color, &width, dash, &n_dashes))
    {
      dash[0] = dash[1] = 3;
      n_dashes = 2;
    }
  cairo_set_source_rgba (cr, color.r, color.g, color.b, color.a);
  cairo_set_line_width (cr, MAX (1.5, width));
  cairo_set_dash (cr, dash, n_dashes, 0);
}

static const char *
roof_title (const char *name)
{
  return g_strcmp0 (name, "gmem") == 0 ? "GMEM" : heddle_format_unit (name);
}

static void
draw_slope (HeddleRooflineChart *self, cairo_t *cr, const Frame *frame, const HeddleRoof *roof)
{
  double ceiling = highest_ceiling (self), knee = ceiling / roof->rate;
  double x0 = MAX (exp2 (frame->x0), pow (10, frame->y0) / roof->rate), x1 = MIN (knee, exp2 (frame->x1));
  double x, y, angle;
  g_autoptr (PangoLayout) layout
      = gtk_widget_create_pango_layout (GTK_WIDGET (self), roof_title (roof->name));
  int width, height;

  if (x0 >= x1)
    return;
  cairo_move_to (cr, place_x (frame, x0), place_y (frame, x0 * roof->rate));
  cairo_line_to (cr, place_x (frame, x1), place_y (frame, x1 * roof->rate));
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  x = place_x (frame, x0 * pow (x1 / x0, .12));
  y = place_y (frame, x0 * pow (x1 / x0, .12) * roof->rate);
  angle = atan2 (place_y (frame, x1 * roof->rate) - y, place_x (frame, x1) - x);
  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_rotate (cr, angle);
  cairo_move_to (cr, 0, -height - 1);
  pango_cairo_show_layout (cr, layout);
  cairo_restore (cr);
}

static void
draw_ceiling (HeddleRooflineChart *self, cairo_t *cr, const Frame *frame, const HeddleRoof *roof)
{
  double y = place_y (frame, roof->rate);
  g_autofree char *text = g_strdup_printf ("%s %.0f", roof_title (roof->name), roof->rate / 1e12);

  if (log10 (roof->rate) < frame->y0 || log10 (roof->rate) > frame->y1)
    return;
  cairo_move_to (cr, frame->left, y);
  cairo_line_to (cr, frame->left + frame->width, y);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  draw_text (self, cr, frame->left + frame->width + 6, y, 0, text);
}

static void
draw_roofs (HeddleRooflineChart *self, cairo_t *cr, const Frame *frame)
{
  for (guint i = 0; self->roofs != NULL && i < self->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (self->roofs, i);

      if (!(roof->rate > 0))
        continue;
      set_roof_style (cr, frame, roof->name);
      if (roof->ceiling)
        draw_ceiling (self, cr, frame, roof);
      else
        draw_slope (self, cr, frame, roof);
    }
}

/* --- points --- */

static void
draw_point (HeddleRooflineChart *self, cairo_t *cr, const Frame *frame, const HeddleRooflinePoint *point,
    gboolean ghost, const char *text)
{
  static const double dashes[] = { 3, 3 };
  double x = place_x (frame, point->intensity), y = place_y (frame, point->flops_per_s);
  gboolean left = x > frame->left + frame->width * .6;

  if (ghost)
    {
      set_ink (cr, frame, .7);
      cairo_set_line_width (cr, 1.5);
      cairo_set_dash (cr, dashes, 2, 0);
      cairo_arc (cr, x, y, 6, 0, 2 * G_PI);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
    }
  else
    {
      cairo_set_source_rgba (cr, .208, .518, .894, .25);
      cairo_arc (cr, x, y, 11, 0, 2 * G_PI);
      cairo_fill (cr);
      cairo_set_source_rgb (cr, .208, .518, .894);
      cairo_arc (cr, x, y, 6, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  set_ink (cr, frame, ghost ? .6 : 1);
  draw_text (self, cr, x + (left ? -14 : 14), y + (ghost ? 16 : 14), left, text);
}

static gboolean
can_draw (const HeddleRooflinePoint *point)
{
  return isfinite (point->intensity) && isfinite (point->flops_per_s) && point->intensity > 0
         && point->flops_per_s > 0;
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  HeddleRooflineChart *self = HEDDLE_ROOFLINE_CHART (area);
  Frame frame = make_frame (self, width, height);

  draw_grid (self, cr, &frame);
  cairo_save (cr);
  cairo_rectangle (cr, frame.left, frame.top, frame.width + MARGIN_RIGHT, frame.height);
  cairo_clip (cr);
  draw_roofs (self, cr, &frame);
  cairo_restore (cr);
  if (self->has_before)
    draw_point (self, cr, &frame, &self->before, TRUE, self->before_text);
  if (self->has_now)
    draw_point (self, cr, &frame, &self->now, FALSE, self->now_text);
}

/* --- what is shown --- */

static char *
describe (const char *format, const HeddleDerivation *derivation, const HeddleRooflinePoint *point)
{
  g_autofree char *time = heddle_format_seconds (derivation->expected_s);

  return g_strdup_printf (format, time, point->intensity);
}

static gboolean
on_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  HeddleRooflineChart *self = HEDDLE_ROOFLINE_CHART (widget);
  Frame frame = make_frame (self, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  double intensity = exp2 (frame.x0 + (x - frame.left) / frame.width * (frame.x1 - frame.x0));
  double rate = pow (10, frame.y0 + (frame.top + frame.height - y) / frame.height * (frame.y1 - frame.y0));
  g_autofree char *text = g_strdup_printf (_ ("%.3g FLOP/B, %.3g TFLOP/s"), intensity, rate / 1e12);

  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

void
heddle_roofline_chart_update (HeddleRooflineChart *self)
{
  HeddleDerivation *committed = heddle_editor_get_derivation (self->editor, NULL);
  HeddleDerivation *shown = heddle_editor_get_shown_derivation (self->editor);
  const HeddleKernel *kernel
      = shown && shown->kernels->len > 0 ? g_ptr_array_index (shown->kernels, 0) : NULL;
  g_autofree char *spoken = NULL;

  g_clear_pointer (&self->roofs, g_ptr_array_unref);
  self->roofs = heddle_roofline_roofs (
      heddle_editor_get_machine (self->editor), heddle_editor_get_dtype (self->editor), kernel);
  g_clear_pointer (&self->now_text, g_free);
  g_clear_pointer (&self->before_text, g_free);
  self->has_now = self->has_before = FALSE;
  if (shown != NULL)
    {
      self->now = heddle_roofline_point (shown);
      self->has_now = can_draw (&self->now);
      self->now_text = describe (_ ("now: %s\n%.0f FLOP/B"), shown, &self->now);
    }
  if (committed != NULL && committed != shown)
    {
      self->before = heddle_roofline_point (committed);
      self->has_before = can_draw (&self->before);
      self->before_text = describe (_ ("before: %s\n%.0f FLOP/B"), committed, &self->before);
    }
  spoken = g_strdup_printf (_ ("Roofline, %s"), self->now_text ? self->now_text : _ ("nothing derived"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
heddle_roofline_chart_finalize (GObject *object)
{
  HeddleRooflineChart *self = HEDDLE_ROOFLINE_CHART (object);

  g_clear_object (&self->editor);
  g_clear_pointer (&self->roofs, g_ptr_array_unref);
  g_free (self->now_text);
  g_free (self->before_text);
  G_OBJECT_CLASS (heddle_roofline_chart_parent_class)->finalize (object);
}

static void
heddle_roofline_chart_class_init (HeddleRooflineChartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = heddle_roofline_chart_finalize;
  GTK_WIDGET_CLASS (klass)->query_tooltip = on_tooltip;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
heddle_roofline_chart_init (HeddleRooflineChart *self)
{
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self), draw, NULL, NULL);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
      G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

GtkWidget *
heddle_roofline_chart_new (HeddleEditor *editor)
{
  HeddleRooflineChart *self = g_object_new (HEDDLE_TYPE_ROOFLINE_CHART, NULL);

  self->editor = g_object_ref (editor);
  heddle_roofline_chart_update (self);
  return GTK_WIDGET (self);
}
