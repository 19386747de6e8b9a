/* SPDX-License-Identifier: MIT */

/* A screen reader finds an invisible child on the canvas for each value and operation, as many as stay
 * quick; the outline is the full view. */

#include "app/canvas/access.h"
#include "app/canvas/private.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "diagram/graph/diagram.h"

/* Adding a child is linear in their number. */
#define MOST 200

/* @text names it, @description says more. */
static void
add (HeddleCanvas *self, const char *id, const char *text, const char *description)
{
  GtkWidget *child = g_object_new (GTK_TYPE_LABEL, "can-target", FALSE, "opacity", 0., "accessible-role",
      GTK_ACCESSIBLE_ROLE_OPTION, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
  g_object_set_data (G_OBJECT (child), "id", (gpointer) id);
  gtk_widget_set_parent (child, GTK_WIDGET (self));
  g_ptr_array_add (self->access, child);
}

static void
add_value (HeddleCanvas *self, const HeddleDiagram *diagram, const HeddleValue *value)
{
  g_autofree char *label = heddle_diagram_value_label (diagram, value->id);
  g_autofree char *type = heddle_describe_type (self->editor, value);
  g_autofree char *path = heddle_describe_path (self->editor, value);
  g_autofree char *text = g_strdup_printf ("%s: %s", label, type);

  add (self, value->id, text, path);
}

static void
add_operation (HeddleCanvas *self, const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  const HeddleValue *result = heddle_diagram_get_value (diagram, operation->result);
  g_autofree char *text = heddle_describe_operation (self->editor, operation);
  g_autofree char *type = result != NULL ? heddle_describe_type (self->editor, result) : g_strdup ("");

  add (self, operation->id, text, type);
}

/* An axis is selected as a whole: it stands for itself. */
static void
add_axis (HeddleCanvas *self, const HeddleDiagram *diagram, const HeddleAxis *axis)
{
  g_autofree char *text = heddle_describe_object (self->editor, axis->id);
  g_autofree char *size = heddle_describe_size (diagram, axis);

  add (self, axis->id, text, size != NULL ? size : "");
}

/* A screen reader reads what is selected while the canvas has the focus. */
static void
follow_selection (HeddleCanvas *self)
{
  GtkWidget *active = NULL;

  for (guint i = 0; i < self->access->len; i++)
    {
      GtkWidget *child = g_ptr_array_index (self->access, i);
      const gboolean selected
          = heddle_editor_is_selected (self->editor, g_object_get_data (G_OBJECT (child), "id"));

      gtk_accessible_update_state (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_STATE_SELECTED, selected, -1);
      if (selected)
        active = child;
    }
  if (active != NULL)
    gtk_accessible_update_relation (
        GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT, active, -1);
  else
    gtk_accessible_reset_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT);
}

/* Makes an invisible child for each thing that a screen reader can name, unless the diagram means what it meant before. */
static void
update (HeddleCanvas *self)
{
  const HeddleDiagram *diagram = self->editor != NULL ? heddle_editor_get_diagram (self->editor) : NULL;
  const guint meaning = diagram != NULL ? heddle_editor_get_meaning (self->editor) : 0;

  /* Where things stand is no part of what is read. */
  if (meaning != 0 && meaning == self->access_meaning)
    return;
  self->access_meaning = meaning;
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT);
  g_ptr_array_set_size (self->access, 0);
  if (diagram == NULL)
    return;
  for (guint i = 0; i < diagram->values->len && self->access->len < MOST; i++)
    add_value (self, diagram, g_ptr_array_index (diagram->values, i));
  for (guint i = 0; i < diagram->operations->len && self->access->len < MOST; i++)
    add_operation (self, diagram, g_ptr_array_index (diagram->operations, i));
  for (guint i = 0; i < diagram->axes->len && self->access->len < MOST; i++)
    add_axis (self, diagram, g_ptr_array_index (diagram->axes, i));
  follow_selection (self);
}

static void
allocate (HeddleCanvas *self)
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

static void
on_editor_changed (HeddleCanvas *self)
{
  self->access_meaning = 0;
  if (self->editor != NULL)
    g_signal_connect_object (
        self->editor, "selection-changed", G_CALLBACK (follow_selection), self, G_CONNECT_SWAPPED);
}

static void
on_closing (HeddleCanvas *self)
{
  g_clear_pointer (&self->access, g_ptr_array_unref);
}

void
heddle_canvas_access_init (HeddleCanvas *self)
{
  self->access = g_ptr_array_new_with_free_func ((GDestroyNotify) gtk_widget_unparent);
  g_signal_connect (self, "editor-changed", G_CALLBACK (on_editor_changed), NULL);
  g_signal_connect (self, "document-changed", G_CALLBACK (update), NULL);
  g_signal_connect (self, "allocate", G_CALLBACK (allocate), NULL);
  g_signal_connect (self, "closing", G_CALLBACK (on_closing), NULL);
}
