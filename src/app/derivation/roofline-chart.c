/* SPDX-License-Identifier: MIT */

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/widgets/format.h"
#include "app/derivation/kernel-list.h"
#include "app/derivation/roofline-chart.h"
#include "app/derivation/roofline-plot.h"
#include "app/editor/derive.h"
#include "app/editor/measured.h"
#include "app/editor/preview.h"
#include "app/editor/target.h"
#include "app/widgets/explain.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "derive/report/forecast.h"
#include "derive/report/roofline.h"
#include "diagram/document/schedule.h"

#define WIDTH_IN_LINES 15
#define NEAR 5 /* px from a point or a roof within which the pointer is on it */

struct _HeddleRooflineChart
{
  GtkDrawingArea parent_instance;

  HeddleEditor *editor;
  HeddleOutlook *outlook;
  GPtrArray *roofs; /* of HeddleRoof */
  HeddlePlotPoint points[HEDDLE_N_PLOT_POINTS];
  GPtrArray *measured; /* of HeddleBenchResult */
  HeddleKernelTimes *kernels; /* or NULL */
};

G_DEFINE_FINAL_TYPE (HeddleRooflineChart, heddle_roofline_chart, GTK_TYPE_DRAWING_AREA)

static void
draw_nothing (HeddleRooflineChart *self, const HeddlePlot *plot, cairo_t *cr, int width, int height)
{
  g_autoptr (PangoLayout) layout = heddle_plot_new_text (
      GTK_WIDGET (self), _ ("This machine has no rates, so there are no roofs"), 1, FALSE);
  int text_width, text_height;

  pango_layout_get_pixel_size (layout, &text_width, &text_height);
  heddle_plot_set_ink (plot, cr, .6);
  cairo_move_to (cr, (width - text_width) / 2., (height - text_height) / 2.);
  pango_cairo_show_layout (cr, layout);
}

static HeddlePlot
make_plot (HeddleRooflineChart *self, int width, int height)
{
  return heddle_plot_make (GTK_WIDGET (self), self->roofs, self->points, self->measured,
      self->kernels != NULL ? self->kernels->longest : NULL, width, height);
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  HeddleRooflineChart *self = HEDDLE_ROOFLINE_CHART (area);
  HeddlePlot plot = make_plot (self, width, height);

  if (self->roofs == NULL || self->roofs->len == 0)
    {
      draw_nothing (self, &plot, cr, width, height);
      return;
    }
  heddle_plot_draw (&plot, GTK_WIDGET (self), cr);
}

static char *
describe_measured (const HeddleBenchResult *self)
{
  g_autofree char *median = heddle_format_seconds (self->median_s),
                  *least = heddle_format_seconds (self->least_s);
  g_autofree char *most = heddle_format_seconds (self->most_s), *day = heddle_bench_result_day (self);

  return g_strdup_printf (
      _ ("%s measured on %s, %s: %s, from %s to %s"), self->diagram, self->gpu, day, median, least, most);
}

/* Returns what the point of the kernels, or of what was before it, says; NULL: none is there. */
static char *
explain_point (HeddleRooflineChart *self, const HeddlePlot *plot, double x, double y)
{
  for (guint i = 0; i < HEDDLE_N_PLOT_POINTS; i++)
    {
      const HeddlePlotPoint *point = &self->points[i];
      g_autofree char *intensity = NULL, *rate = NULL;

      if (!point->shown
          || hypot (heddle_plot_x (plot, point->at.intensity) - x,
                 heddle_plot_y (plot, point->at.flops_per_s) - y)
                 > NEAR)
        continue;
      intensity = heddle_format_number (point->at.intensity, 3);
      rate = heddle_format_number (point->at.flops_per_s / 1e12, 3);
      return g_strdup_printf (
          _ ("The farther right, the more is computed for each byte; the higher, the faster.\n"
             "%s, %s FLOP/B, %s TFLOP/s"),
          point->title, intensity, rate);
    }
  return NULL;
}

/* Returns what a roof of @rate bytes or FLOP per second means at @intensity FLOP per byte. */
static char *
describe_roof (const char *name, gboolean ceiling, double rate, double intensity)
{
  const char *title = g_str_equal (name, "gmem") ? "GMEM" : heddle_format_unit (name);
  g_autofree char *most = heddle_format_number ((ceiling ? rate : rate * intensity) / 1e12, 3);
  g_autofree char *bytes = heddle_format_rate (rate), *at = heddle_format_number (intensity, 3);

  if (ceiling)
    return g_strdup_printf (
        _ ("No kernel that computes on this unit is faster.\n%s: at most %s TFLOP/s"), title, most);
  return g_strdup_printf (_ ("A kernel with so few operations for each byte waits for this memory.\n"
                             "%s: %s × %s FLOP/B = %s TFLOP/s at most"),
      title, bytes, at, most);
}

/* Returns what the roof there says; NULL: none is there. */
static char *
explain_roof (const HeddlePlot *plot, double x, double y)
{
  double intensity, rate;

  heddle_plot_read (plot, x, y, &intensity, &rate);
  for (guint i = 0; plot->roofs != NULL && i < plot->roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (plot->roofs, i);

      if (fabs (heddle_plot_y (plot, roof->ceiling ? roof->rate : roof->rate * intensity) - y) <= NEAR)
        return describe_roof (roof->name, roof->ceiling, roof->rate, intensity);
    }
  return NULL;
}

static char *
explain (GtkWidget *widget, double x, double y, gpointer data)
{
  HeddleRooflineChart *self = HEDDLE_ROOFLINE_CHART (widget);
  HeddlePlot plot = make_plot (self, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  const HeddleBenchResult *measured = heddle_plot_find_measured (&plot, x, y);
  const HeddleKernelTime *kernel = heddle_plot_find_kernel (&plot, x, y);
  g_autofree char *text = NULL, *across = NULL, *up = NULL;
  double intensity, rate;

  if (measured != NULL)
    return describe_measured (measured);
  text = explain_point (self, &plot, x, y);
  if (text == NULL && kernel != NULL)
    return heddle_kernel_list_describe (kernel);
  if (text == NULL)
    text = explain_roof (&plot, x, y);
  if (text != NULL)
    return g_steal_pointer (&text);
  heddle_plot_read (&plot, x, y, &intensity, &rate);
  across = heddle_format_number (intensity, 3);
  up = heddle_format_number (rate / 1e12, 3);
  return g_strdup_printf (_ ("%s FLOP/B, %s TFLOP/s"), across, up);
}

/* --- what is shown --- */

static void
clear_point (HeddlePlotPoint *point)
{
  g_free (point->title);
  g_free (point->text);
  *point = (HeddlePlotPoint){ 0 };
}

static gboolean
is_positive (double number)
{
  return isfinite (number) && number > 0;
}

/* Sets a point; @what is said of it, before its time. */
static void
set_point (HeddleRooflineChart *self, HeddlePlotKind kind, const HeddleForecast *forecast, const char *what)
{
  HeddlePlotPoint *point = &self->points[kind];
  g_autofree char *time = NULL, *intensity = NULL;

  if (forecast == NULL || !heddle_forecast_is_timed (forecast) || !is_positive (forecast->point.intensity)
      || !is_positive (forecast->point.flops_per_s))
    return;
  time = heddle_format_seconds (forecast->seconds);
  intensity = heddle_format_number (forecast->point.intensity, forecast->point.intensity < 10 ? 2 : 3);
  point->shown = TRUE;
  point->at = forecast->point;
  point->title = g_strdup_printf ("%s: %s", what, time);
  point->text = kind == HEDDLE_PLOT_NOW ? g_strdup_printf (
                    _ ("%s FLOP/B, on the %s roof"), intensity, heddle_format_unit (forecast->bound))
                                        : g_strdup ("");
}

static gboolean
forecast_of (HeddleRooflineChart *self, HeddleForecast *forecast, HeddleDerivation *derivation,
    const HeddleSchedule *schedule)
{
  if (derivation == NULL || schedule == NULL || schedule->regions->len == 0)
    return FALSE;
  *forecast = heddle_editor_forecast (self->editor, derivation);
  return TRUE;
}

static void
update_points (HeddleRooflineChart *self)
{
  const HeddleForecast *baseline = heddle_outlook_get_baseline (self->outlook);
  const HeddleForecast *suggestion = heddle_outlook_get_suggestion (self->outlook, NULL);
  gboolean previewing = heddle_editor_get_preview_schedule (self->editor) != NULL;
  HeddleForecast now, kept;
  gboolean has_now = forecast_of (self, &now, heddle_editor_get_shown_derivation (self->editor),
      heddle_editor_get_shown_schedule (self->editor));
  gboolean has_kept = previewing
                      && forecast_of (self, &kept, heddle_editor_get_derivation (self->editor, NULL),
                          heddle_editor_get_schedule (self->editor))
                      && heddle_forecast_is_timed (&kept);

  for (guint i = 0; i < HEDDLE_N_PLOT_POINTS; i++)
    clear_point (&self->points[i]);
  if (has_now)
    {
      set_point (self, HEDDLE_PLOT_NOW, &now, _ ("now"));
      set_point (self, HEDDLE_PLOT_BEFORE, has_kept ? &kept : baseline,
          has_kept ? _ ("before") : _ ("one at a time"));
    }
  else
    set_point (self, HEDDLE_PLOT_NOW, heddle_outlook_get_start (self->outlook), _ ("one at a time"));
  if (!previewing)
    set_point (self, HEDDLE_PLOT_SUGGESTED, suggestion, _ ("suggested"));
}

/* Wide enough for a plot between its texts, however large these are. */
static void
update_width (HeddleRooflineChart *self)
{
  g_autoptr (PangoLayout) layout = heddle_plot_new_text (GTK_WIDGET (self), "0", 1, FALSE);
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (self), WIDTH_IN_LINES * height);
}

/* Tells whoever cannot see the chart what it shows. */
static char *
speak (HeddleRooflineChart *self, const HeddlePlotPoint *now)
{
  const guint n = self->measured->len;
  g_autofree char *last = n > 0 ? describe_measured (g_ptr_array_index (self->measured, n - 1)) : NULL;

  if (!now->shown)
    return g_strdup (_ ("Roofline, nothing derived"));
  if (last == NULL)
    return g_strdup_printf (_ ("Roofline, %s, %s"), now->title, now->text);
  return g_strdup_printf (_ ("Roofline, %s, %s; %s"), now->title, now->text, last);
}

void
heddle_roofline_chart_update (HeddleRooflineChart *self, const HeddleKernelTimes *kernels)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);
  HeddleKernel work = heddle_derivation_total_work (heddle_editor_get_shown_derivation (self->editor));
  const HeddlePlotPoint *now = &self->points[HEDDLE_PLOT_NOW];
  g_autofree char *spoken = NULL;

  g_clear_pointer (&self->roofs, g_ptr_array_unref);
  g_clear_pointer (&self->measured, g_ptr_array_unref);
  self->measured = heddle_editor_get_measured (self->editor);
  g_clear_pointer (&self->kernels, heddle_kernel_times_free);
  self->kernels = heddle_kernel_times_copy (kernels);
  if (machine != NULL)
    self->roofs = heddle_roofline_roofs (machine, heddle_editor_get_dtype (self->editor), &work);
  if (machine != NULL)
    heddle_roofline_add_links (self->roofs, heddle_editor_get_shown_derivation (self->editor), machine);
  update_points (self);
  update_width (self);
  spoken = speak (self, now);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
heddle_roofline_chart_dispose (GObject *object)
{
  HeddleRooflineChart *self = HEDDLE_ROOFLINE_CHART (object);

  g_clear_object (&self->outlook);
  g_clear_object (&self->editor);
  g_clear_pointer (&self->roofs, g_ptr_array_unref);
  g_clear_pointer (&self->measured, g_ptr_array_unref);
  g_clear_pointer (&self->kernels, heddle_kernel_times_free);
  for (guint i = 0; i < HEDDLE_N_PLOT_POINTS; i++)
    clear_point (&self->points[i]);
  G_OBJECT_CLASS (heddle_roofline_chart_parent_class)->dispose (object);
}

static void
heddle_roofline_chart_class_init (HeddleRooflineChartClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_roofline_chart_dispose;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
heddle_roofline_chart_init (HeddleRooflineChart *self)
{
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  heddle_explain_set (GTK_WIDGET (self), explain, NULL, HEDDLE_PAGE_DERIVING);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (self), 260);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self), 160);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self), draw, NULL, NULL);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
      G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

GtkWidget *
heddle_roofline_chart_new (HeddleEditor *editor, HeddleOutlook *outlook)
{
  HeddleRooflineChart *self = g_object_new (HEDDLE_TYPE_ROOFLINE_CHART, NULL);

  self->editor = g_object_ref (editor);
  self->outlook = g_object_ref (outlook);
  heddle_roofline_chart_update (self, NULL);
  return GTK_WIDGET (self);
}
