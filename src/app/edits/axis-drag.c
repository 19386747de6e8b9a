/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/edits/axis-drag.h"
#include "app/widgets/scene-paintable.h"
#include "figure/scene/scene.h"

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

gboolean
heddle_axis_drag_is_in (const HeddleAxisDrag *self, const HeddleDiagram *diagram)
{
  return diagram != NULL && (self->axis == NULL || heddle_diagram_get_axis (diagram, self->axis) != NULL)
         && (self->value == NULL || heddle_diagram_get_value (diagram, self->value) != NULL);
}

gboolean
heddle_axis_drag_check (const HeddleAxisDrag *self, HeddleEditor *editor)
{
  if (heddle_axis_drag_is_in (self, heddle_editor_get_diagram (editor)))
    return TRUE;
  heddle_editor_report (editor,
      _ ("This wire belongs to another diagram: copy the operation that makes it, and paste it here"));
  return FALSE;
}

void
heddle_axis_drag_set_icon (GdkDrag *drag, const char *name, gboolean dark)
{
  g_autoptr (GdkPaintable) paintable = heddle_math_paintable_new (name, 20, dark);
  GtkWidget *picture = gtk_picture_new_for_paintable (paintable);

  gtk_widget_add_css_class (picture, "axis-chip");
  gtk_picture_set_can_shrink (GTK_PICTURE (picture), FALSE);
  gtk_drag_icon_set_child (GTK_DRAG_ICON (gtk_drag_icon_get_for_drag (drag)), picture);
  gdk_drag_set_hotspot (drag, -8, -8);
}
