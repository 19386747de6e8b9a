/* SPDX-License-Identifier: MIT */

#include <math.h>

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/export/preview.h"
#include "figure/page/scene-titles.h"
#include "figure/scene/draw.h"
#include "files/exchange/export.h"

/* A monitor that does not say how large it is, or says nonsense. */
#define DEFAULT_DPI 96.
#define LEAST_DPI 50.
#define MOST_DPI 400.
#define INCH_MM 25.4
#define INCH_PT 72.
/* What is pointed out, px. */
#define MARGIN 4.
#define LINE 2.5

struct _HeddleExportPreview
{
  GtkWidget parent_instance;
  HeddleProof *proof;
  GdkRGBA paper;
  const char *object; /* interned */
};

G_DEFINE_FINAL_TYPE (HeddleExportPreview, heddle_export_preview, GTK_TYPE_WIDGET)

/* Returns the px of the screen in a pt of paper. */
static double
true_scale (HeddleExportPreview *self)
{
  GtkNative *native = gtk_widget_get_native (GTK_WIDGET (self));
  GdkSurface *surface = native != NULL ? gtk_native_get_surface (native) : NULL;
  GdkMonitor *monitor = surface != NULL
                            ? gdk_display_get_monitor_at_surface (gdk_surface_get_display (surface), surface)
                            : NULL;
  GdkRectangle area;
  double dpi = DEFAULT_DPI;

  if (monitor != NULL && gdk_monitor_get_width_mm (monitor) > 0)
    {
      gdk_monitor_get_geometry (monitor, &area);
      dpi = area.width * INCH_MM / gdk_monitor_get_width_mm (monitor);
    }
  if (dpi < LEAST_DPI || dpi > MOST_DPI)
    dpi = DEFAULT_DPI;
  return dpi / INCH_PT;
}

static void
heddle_export_preview_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
    int *natural, int *minimum_baseline, int *natural_baseline)
{
  HeddleExportPreview *self = HEDDLE_EXPORT_PREVIEW (widget);
  double size = 0.;

  if (self->proof != NULL)
    size = orientation == GTK_ORIENTATION_HORIZONTAL ? self->proof->width_pt : self->proof->height_pt;
  *minimum = *natural = ceil (size * true_scale (self));
}

/* Where an object is, px of the widget. FALSE: it is not drawn. */
static gboolean
bounds_of (HeddleExportPreview *self, const char *object, graphene_rect_t *bounds)
{
  const HeddleProof *proof = self->proof;
  const double scale = true_scale (self) * proof->width_pt / proof->width;
  gboolean found = FALSE;

  for (guint i = 0; i < heddle_scene_get_n_items (proof->scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (proof->scene, i);
      double x, y, width, height;
      graphene_rect_t part;

      if (item->object != object && item->axis != object && item->value != object)
        continue;
      heddle_item_get_bounds (item, &x, &y, &width, &height);
      part = GRAPHENE_RECT_INIT (
          (x - proof->x) * scale, (y - proof->y) * scale, width * scale, height * scale);
      if (found)
        graphene_rect_union (bounds, &part, bounds);
      else
        *bounds = part;
      found = TRUE;
    }
  return found;
}

static void
snapshot_pointed_out (HeddleExportPreview *self, GtkSnapshot *snapshot)
{
  graphene_rect_t bounds;
  GskRoundedRect outline;
  GdkRGBA color;

  if (self->object == NULL || !bounds_of (self, self->object, &bounds))
    return;
  gtk_style_context_lookup_color (
      gtk_widget_get_style_context (GTK_WIDGET (self)), "accent_bg_color", &color);
  graphene_rect_inset (&bounds, -MARGIN, -MARGIN);
  gsk_rounded_rect_init_from_rect (&outline, &bounds, MARGIN);
  gtk_snapshot_append_border (
      snapshot, &outline, (float[]){ LINE, LINE, LINE, LINE }, (GdkRGBA[]){ color, color, color, color });
}

static void
heddle_export_preview_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  HeddleExportPreview *self = HEDDLE_EXPORT_PREVIEW (widget);
  graphene_rect_t area
      = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  cairo_t *cr = NULL;
  double scale;

  if (self->proof == NULL)
    return;
  scale = true_scale (self) * self->proof->width_pt / self->proof->width;
  gtk_snapshot_append_color (snapshot, &self->paper, &area);
  cr = gtk_snapshot_append_cairo (snapshot, &area);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -self->proof->x, -self->proof->y);
  heddle_scene_draw (self->proof->scene, cr);
  cairo_destroy (cr);
  snapshot_pointed_out (self, snapshot);
}

static void
heddle_export_preview_dispose (GObject *object)
{
  HeddleExportPreview *self = HEDDLE_EXPORT_PREVIEW (object);

  g_clear_pointer (&self->proof, heddle_proof_free);
  G_OBJECT_CLASS (heddle_export_preview_parent_class)->dispose (object);
}

static void
heddle_export_preview_class_init (HeddleExportPreviewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = heddle_export_preview_dispose;
  widget_class->measure = heddle_export_preview_measure;
  widget_class->snapshot = heddle_export_preview_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget_class, "export-preview");
}

static void
heddle_export_preview_init (HeddleExportPreview *self)
{
}

GtkWidget *
heddle_export_preview_new (void)
{
  return g_object_new (
      HEDDLE_TYPE_EXPORT_PREVIEW, "halign", GTK_ALIGN_CENTER, "valign", GTK_ALIGN_CENTER, NULL);
}

void
heddle_export_preview_set_proof (HeddleExportPreview *self, HeddleProof *proof, const HeddleColor *paper)
{
  const char *description = NULL;
  const char *title = NULL;

  g_return_if_fail (HEDDLE_IS_EXPORT_PREVIEW (self));

  g_clear_pointer (&self->proof, heddle_proof_free);
  self->proof = proof;
  self->paper = (GdkRGBA){ paper->r, paper->g, paper->b, 1 };
  if (proof != NULL)
    title = heddle_scene_get_figure_title (proof->scene, &description);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
      title != NULL ? title : _ ("Figure"), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
      description != NULL ? description : "", -1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* The middle of the view is where it is. */
static void
centre (GtkAdjustment *adjustment, double place)
{
  gtk_adjustment_set_value (adjustment, place - gtk_adjustment_get_page_size (adjustment) / 2);
}

void
heddle_export_preview_point_out (HeddleExportPreview *self, const char *object)
{
  GtkWidget *scrolled = NULL;
  graphene_rect_t bounds;

  g_return_if_fail (HEDDLE_IS_EXPORT_PREVIEW (self));

  self->object = object;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  scrolled = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  if (scrolled == NULL || object == NULL || self->proof == NULL || !bounds_of (self, object, &bounds))
    return;
  centre (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scrolled)),
      bounds.origin.x + bounds.size.width / 2);
  centre (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled)),
      bounds.origin.y + bounds.size.height / 2);
}

const char *
heddle_export_preview_get_pointed_out (HeddleExportPreview *self)
{
  g_return_val_if_fail (HEDDLE_IS_EXPORT_PREVIEW (self), NULL);
  return self->object;
}
