/* SPDX-License-Identifier: MIT */

#include "app/axis-drag.h"
#include "app/scene-paintable.h"

G_DEFINE_BOXED_TYPE (HeddleAxisDrag, heddle_axis_drag, heddle_axis_drag_copy, heddle_axis_drag_free)

HeddleAxisDrag *
heddle_axis_drag_new (const char *axis, const char *value)
{
  HeddleAxisDrag *self = g_new0 (HeddleAxisDrag, 1);

  self->axis = axis;
  self->value = value;
  return self;
}

HeddleAxisDrag *
heddle_axis_drag_copy (const HeddleAxisDrag *self)
{
  return heddle_axis_drag_new (self->axis, self->value);
}

void
heddle_axis_drag_free (HeddleAxisDrag *self)
{
  g_free (self);
}

void
heddle_axis_drag_set_icon (GdkDrag *drag, const char *name, gboolean dark)
{
  g_autoptr (GdkPaintable) paintable = heddle_math_paintable_new (name, HEDDLE_FONT_MATH, 20, dark);
  GtkWidget *picture = gtk_picture_new_for_paintable (paintable);

  gtk_widget_add_css_class (picture, "axis-chip");
  gtk_picture_set_can_shrink (GTK_PICTURE (picture), FALSE);
  gtk_drag_icon_set_child (GTK_DRAG_ICON (gtk_drag_icon_get_for_drag (drag)), picture);
  gdk_drag_set_hotspot (drag, -8, -8);
}
