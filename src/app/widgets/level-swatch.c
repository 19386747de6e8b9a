/* SPDX-License-Identifier: MIT */

#include "app/widgets/level-swatch.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"

#include <adwaita.h>

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer level)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  HeddleColor color;
  double line_width, dash[8];
  guint n_dashes;

  if (!heddle_level_style (
          level, dark ? HEDDLE_THEME_DARK : HEDDLE_THEME_LIGHT, &color, &line_width, dash, &n_dashes))
    return;
  cairo_set_source_rgba (cr, color.r, color.g, color.b, color.a);
  cairo_set_line_width (cr, line_width);
  cairo_set_dash (cr, dash, n_dashes, 0);
  if (n_dashes > 0 && dash[0] < 1) /* dots */
    cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_move_to (cr, 0, height / 2. + .5);
  cairo_line_to (cr, width, height / 2. + .5);
  cairo_stroke (cr);
}

static gboolean
has_style (const char *level)
{
  HeddleColor color;
  double line_width, dash[8];
  guint n_dashes;

  return heddle_level_style (level, HEDDLE_THEME_LIGHT, &color, &line_width, dash, &n_dashes);
}

GtkWidget *
heddle_level_swatch_new (const char *level)
{
  GtkWidget *area = gtk_drawing_area_new ();

  gtk_widget_set_visible (area, has_style (level)); /* memories beyond the GPU are on no wire */

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), 26);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), 12);
  gtk_widget_set_valign (area, GTK_ALIGN_CENTER);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, g_strdup (level), g_free);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
      G_CALLBACK (gtk_widget_queue_draw), area, G_CONNECT_SWAPPED);
  return area;
}
