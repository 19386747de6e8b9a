/* SPDX-License-Identifier: MIT */

#include "app/widgets/drag-escape.h"
#include "app/widgets/level-drag.h"
#include "app/widgets/level-swatch.h"

static HeddleLevelDrag *
level_drag_copy (const HeddleLevelDrag *self)
{
  return g_memdup2 (self, sizeof *self);
}

static void
level_drag_free (HeddleLevelDrag *self)
{
  g_free (self);
}

G_DEFINE_BOXED_TYPE (HeddleLevelDrag, heddle_level_drag, level_drag_copy, level_drag_free)

static GdkContentProvider *
on_prepare (GtkDragSource *source, double x, double y, const HeddleLevelDrag *level)
{
  return gdk_content_provider_new_typed (HEDDLE_TYPE_LEVEL_DRAG, level);
}

/* A chip with its line and its name follows the pointer. */
static void
on_begin (GtkDragSource *source, GdkDrag *drag, const HeddleLevelDrag *level)
{
  GtkWidget *chip = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (chip), heddle_level_swatch_new (level->level));
  gtk_box_append (GTK_BOX (chip), gtk_label_new (level->title));
  gtk_widget_add_css_class (chip, "axis-chip");
  gtk_drag_icon_set_child (GTK_DRAG_ICON (gtk_drag_icon_get_for_drag (drag)), chip);
  gdk_drag_set_hotspot (drag, -8, -8);
}

static void
free_level (gpointer data, GClosure *closure)
{
  level_drag_free (data);
}

void
heddle_level_drag_offer (GtkWidget *widget, const char *level, const char *title)
{
  HeddleLevelDrag *drag = g_new0 (HeddleLevelDrag, 1);
  GtkDragSource *source = gtk_drag_source_new ();

  g_return_if_fail (GTK_IS_WIDGET (widget));

  *drag = (HeddleLevelDrag){ g_intern_string (level), g_intern_string (title) };
  gtk_drag_source_set_actions (source, GDK_ACTION_COPY);
  g_signal_connect_data (source, "prepare", G_CALLBACK (on_prepare), drag, free_level, 0);
  g_signal_connect (source, "drag-begin", G_CALLBACK (on_begin), drag);
  heddle_drag_escape_watch (source);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (source));
  gtk_widget_set_cursor_from_name (widget, "grab");
}
