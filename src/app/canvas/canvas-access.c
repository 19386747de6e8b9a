/* SPDX-License-Identifier: MIT */

/* What a screen reader finds on the canvas: an invisible child for each value and operation, as many as stay quick; the outline
 * is the full view. */

#include "config.h"

#include <glib/gi18n.h>

#include "app/canvas/canvas-private.h"
#include "app/describe.h"

/* Adding a child is linear in their number. */
#define MOST 200

static void
add (HeddleCanvas *self, const char *id, const char *text)
{
  GtkWidget *child = g_object_new (GTK_TYPE_LABEL, "can-target", FALSE, "opacity", 0., NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_object_set_data (G_OBJECT (child), "id", (gpointer) id);
  gtk_widget_set_parent (child, GTK_WIDGET (self));
  g_ptr_array_add (self->access, child);
}

void
heddle_canvas_access_update (HeddleCanvas *self)
{
  const HeddleDiagram *diagram = self->editor != NULL ? heddle_editor_get_diagram (self->editor) : NULL;

  g_ptr_array_set_size (self->access, 0);
  for (guint i = 0; diagram != NULL && i < diagram->values->len && self->access->len < MOST; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      g_autofree char *label = heddle_diagram_value_label (diagram, value->id);
      g_autofree char *type = heddle_describe_type (self->editor, value);
      g_autofree char *text = g_strdup_printf ("%s: %s", label, type);

      add (self, value->id, text);
    }
  for (guint i = 0; diagram != NULL && i < diagram->operations->len && self->access->len < MOST; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      g_autofree char *text = heddle_describe_operation (self->editor, operation);

      add (self, operation->id, text);
    }
}

void
heddle_canvas_access_allocate (HeddleCanvas *self)
{
  for (guint i = 0; i < self->access->len; i++)
    {
      GtkWidget *child = g_ptr_array_index (self->access, i);
      graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, 1, 1);
      double x, y;

      heddle_canvas_object_bounds (self, g_object_get_data (G_OBJECT (child), "id"), &bounds);
      heddle_canvas_to_widget (self, bounds.origin.x, bounds.origin.y, &x, &y);
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
      gtk_widget_size_allocate (child,
          &(GtkAllocation){
              x, y, MAX (1, bounds.size.width * self->zoom), MAX (1, bounds.size.height * self->zoom) },
          -1);
    }
}
