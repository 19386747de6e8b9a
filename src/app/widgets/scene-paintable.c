/* SPDX-License-Identifier: MIT */

#include <adwaita.h>

#include "app/widgets/scene-paintable.h"
#include "figure/scene/draw.h"
#include "figure/typeset/label.h"

struct _HeddleScenePaintable
{
  GObject parent_instance;
  HeddleScene *scene;
  double x, y, width, height;
  double max_scale;
};

static int
get_intrinsic_width (GdkPaintable *paintable)
{
  return MAX (1, (int) ceil (HEDDLE_SCENE_PAINTABLE (paintable)->width));
}

static int
get_intrinsic_height (GdkPaintable *paintable)
{
  return MAX (1, (int) ceil (HEDDLE_SCENE_PAINTABLE (paintable)->height));
}

static GdkPaintableFlags
get_flags (GdkPaintable *paintable)
{
  return GDK_PAINTABLE_STATIC_CONTENTS | GDK_PAINTABLE_STATIC_SIZE;
}

static void
snapshot (GdkPaintable *paintable, GdkSnapshot *gdk_snapshot, double width, double height)
{
  HeddleScenePaintable *self = HEDDLE_SCENE_PAINTABLE (paintable);
  GtkSnapshot *target = GTK_SNAPSHOT (gdk_snapshot);
  graphene_rect_t area = GRAPHENE_RECT_INIT (0, 0, width, height);
  double scale;
  cairo_t *cr = NULL;

  if (self->width <= 0 || self->height <= 0)
    return;
  scale = MIN (width / self->width, height / self->height);
  if (self->max_scale > 0)
    scale = MIN (scale, self->max_scale);

  cr = gtk_snapshot_append_cairo (target, &area);
  cairo_translate (cr, (width - scale * self->width) / 2, (height - scale * self->height) / 2);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -self->x, -self->y);
  heddle_scene_draw (self->scene, cr);
  cairo_destroy (cr);
}

static void
paintable_init (GdkPaintableInterface *interface)
{
  interface->snapshot = snapshot;
  interface->get_flags = get_flags;
  interface->get_intrinsic_width = get_intrinsic_width;
  interface->get_intrinsic_height = get_intrinsic_height;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (HeddleScenePaintable, heddle_scene_paintable, G_TYPE_OBJECT,
    G_IMPLEMENT_INTERFACE (GDK_TYPE_PAINTABLE, paintable_init))

static void
heddle_scene_paintable_finalize (GObject *object)
{
  heddle_scene_unref (HEDDLE_SCENE_PAINTABLE (object)->scene);
  G_OBJECT_CLASS (heddle_scene_paintable_parent_class)->finalize (object);
}

static void
heddle_scene_paintable_class_init (HeddleScenePaintableClass *class)
{
  G_OBJECT_CLASS (class)->finalize = heddle_scene_paintable_finalize;
}

static void
heddle_scene_paintable_init (HeddleScenePaintable *self)
{
}

GdkPaintable *
heddle_scene_paintable_new (HeddleScene *scene, double max_scale)
{
  HeddleScenePaintable *self = NULL;

  g_return_val_if_fail (scene != NULL, NULL);

  self = g_object_new (HEDDLE_TYPE_SCENE_PAINTABLE, NULL);
  self->scene = heddle_scene_ref (scene);
  self->max_scale = max_scale;
  heddle_scene_get_bounds (scene, &self->x, &self->y, &self->width, &self->height);
  return GDK_PAINTABLE (self);
}

GdkPaintable *
heddle_math_paintable_new (const char *source, double size, gboolean dark)
{
  static const HeddleColor light_ink = { 0.1, 0.1, 0.1, 1 }, dark_ink = { 0.95, 0.95, 0.95, 1 };
  g_autoptr (HeddleScene) scene = heddle_scene_new ();

  heddle_math_layout (scene, HEDDLE_PART_VALUE_LABEL, NULL, source, HEDDLE_FONT_MATH,
      size * heddle_text_scale (), dark ? dark_ink : light_ink, 0, 0, NULL, NULL);
  return heddle_scene_paintable_new (scene, 1);
}

HeddleTheme
heddle_theme_of_desktop (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  return adw_style_manager_get_dark (style)            ? HEDDLE_THEME_DARK
         : adw_style_manager_get_high_contrast (style) ? HEDDLE_THEME_CONTRAST
                                                       : HEDDLE_THEME_LIGHT;
}

double
heddle_text_scale (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  int dpi = 0; /* in 1024ths */

  if (settings != NULL)
    g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  return MAX (1, dpi / (96 * 1024.));
}

GtkWidget *
heddle_image_new (GdkPaintable *paintable, double size)
{
  GtkWidget *image = gtk_image_new_from_paintable (paintable);

  gtk_image_set_pixel_size (GTK_IMAGE (image), size * heddle_text_scale ());
  return image;
}
