/* SPDX-License-Identifier: MIT */

#include <string.h>

#include <glib/gi18n.h>

#include "app/canvas/view.h"
#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "app/widgets/format.h"
#include "app/widgets/tooltip.h"
#include "app/window/find-bar.h"
#include "diagram/document/ornament.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"

struct _HeddleFindBar
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  HeddleCanvas *canvas; /* not held: the bar lies on it */
  GtkWidget *entry, *count;
  GArray *found; /* of const char * */
  int at;
};

G_DEFINE_FINAL_TYPE (HeddleFindBar, heddle_find_bar, GTK_TYPE_BOX)

static void
consider (HeddleFindBar *self, const char *id, const char *text, const char *needle)
{
  g_autofree char *folded = text != NULL ? heddle_fold_case (text) : NULL;

  if (folded != NULL && strstr (folded, needle) != NULL && !heddle_ids_contain (self->found, id))
    heddle_ids_append (self->found, id);
}

static void
find_operations (HeddleFindBar *self, const HeddleDiagram *diagram, const char *needle)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      const HeddleDiagram *callee = operation->callee != NULL ? heddle_snapshot_get_diagram_by_id (
                                        heddle_editor_get_snapshot (self->editor), operation->callee)
                                                              : NULL;

      consider (self, operation->id, _ (operation->kind->title), needle);
      consider (self, operation->id, operation->kind->id, needle);
      consider (self, operation->id, callee != NULL ? callee->name : NULL, needle);
      if (operation->body != NULL)
        {
          g_autofree char *body = heddle_describe_body (diagram, operation);

          consider (self, operation->id, body, needle);
        }
    }
}

static void
find_notes (HeddleFindBar *self, const HeddleDiagram *diagram, const char *needle)
{
  const HeddlePresentation *presentation
      = heddle_snapshot_find_presentation (heddle_editor_get_snapshot (self->editor), diagram);

  for (guint i = 0; presentation != NULL && i < presentation->annotations->len; i++)
    {
      const HeddleAnnotation *note = g_ptr_array_index (presentation->annotations, i);

      consider (self, note->id, note->text, needle);
      consider (self, note->id, note->title, needle);
    }
  for (guint i = 0; presentation != NULL && i < presentation->blocks->len; i++)
    {
      const HeddleBlock *block = g_ptr_array_index (presentation->blocks, i);

      consider (self, block->id, block->title, needle);
    }
}

static void
find_all (HeddleFindBar *self)
{
  const HeddleDiagram *diagram = self->editor != NULL ? heddle_editor_get_diagram (self->editor) : NULL;
  g_autofree char *needle = heddle_fold_case (gtk_editable_get_text (GTK_EDITABLE (self->entry)));

  g_array_set_size (self->found, 0);
  if (diagram == NULL || *needle == '\0')
    return;
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      consider (self, axis->id, axis->name, needle);
    }
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      consider (self, value->id, value->name, needle);
    }
  find_operations (self, diagram, needle);
  find_notes (self, diagram, needle);
}

static void
show (HeddleFindBar *self)
{
  const gboolean none = self->found->len == 0;
  const gboolean asked = *gtk_editable_get_text (GTK_EDITABLE (self->entry)) != '\0';
  g_autofree char *text = none ? g_strdup (asked ? _ ("nothing found") : "")
                               : g_strdup_printf (_ ("%d of %u"), self->at + 1, self->found->len);

  gtk_label_set_text (GTK_LABEL (self->count), text);
  if (none && asked)
    gtk_widget_add_css_class (self->entry, "error");
  else
    gtk_widget_remove_css_class (self->entry, "error");
  if (none)
    return;
  heddle_editor_select (self->editor, heddle_ids_index (self->found, self->at));
  heddle_canvas_reveal (self->canvas, heddle_ids_index (self->found, self->at));
}

static void
on_changed (HeddleFindBar *self)
{
  find_all (self);
  self->at = 0;
  show (self);
}

void
heddle_find_bar_step (HeddleFindBar *self, int direction)
{
  g_return_if_fail (HEDDLE_IS_FIND_BAR (self));

  if (self->editor == NULL)
    return;
  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    {
      heddle_find_bar_open (self);
      return;
    }
  find_all (self); /* the diagram may have changed */
  if (self->found->len > 0)
    self->at = (self->at + direction + (int) self->found->len) % (int) self->found->len;
  show (self);
}

void
heddle_find_bar_open (HeddleFindBar *self)
{
  g_return_if_fail (HEDDLE_IS_FIND_BAR (self));

  if (self->editor == NULL)
    return;
  gtk_widget_show (GTK_WIDGET (self));
  gtk_widget_grab_focus (self->entry);
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

static void
close_bar (HeddleFindBar *self)
{
  gtk_widget_hide (GTK_WIDGET (self));
  if (self->canvas != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
on_next (HeddleFindBar *self)
{
  heddle_find_bar_step (self, 1);
}

static void
on_previous (HeddleFindBar *self)
{
  heddle_find_bar_step (self, -1);
}

void
heddle_find_bar_set_editor (HeddleFindBar *self, HeddleEditor *editor, HeddleCanvas *canvas)
{
  g_return_if_fail (HEDDLE_IS_FIND_BAR (self));

  g_set_object (&self->editor, editor);
  self->canvas = canvas;
  g_array_set_size (self->found, 0);
  if (editor == NULL)
    gtk_widget_hide (GTK_WIDGET (self));
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, HeddleFindBar *self)
{
  if (key == GDK_KEY_Escape)
    close_bar (self);
  else if ((key == GDK_KEY_Return || key == GDK_KEY_KP_Enter) && (state & GDK_SHIFT_MASK))
    on_previous (self);
  else if (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter || key == GDK_KEY_Down)
    on_next (self);
  else if (key == GDK_KEY_Up)
    on_previous (self);
  else
    return FALSE;
  return TRUE;
}

static void
heddle_find_bar_finalize (GObject *object)
{
  HeddleFindBar *self = HEDDLE_FIND_BAR (object);

  g_clear_object (&self->editor);
  g_clear_pointer (&self->found, g_array_unref);
  G_OBJECT_CLASS (heddle_find_bar_parent_class)->finalize (object);
}

static void
heddle_find_bar_class_init (HeddleFindBarClass *class)
{
  G_OBJECT_CLASS (class)->finalize = heddle_find_bar_finalize;
}

static void
add_button (HeddleFindBar *self, const char *icon, const char *tip, GCallback callback)
{
  GtkWidget *button = heddle_icon_button_new (icon, tip);

  gtk_widget_add_css_class (button, "flat");
  g_signal_connect_swapped (button, "clicked", callback, self);
  gtk_box_append (GTK_BOX (self), button);
}

static void
heddle_find_bar_init (HeddleFindBar *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->found = heddle_ids_new ();
  self->entry = gtk_entry_new ();
  self->count = gtk_label_new ("");
  gtk_widget_add_css_class (GTK_WIDGET (self), "find-bar");
  gtk_box_set_spacing (GTK_BOX (self), 4);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), _ ("Find names, axes, operations"));
  gtk_entry_set_icon_from_icon_name (GTK_ENTRY (self->entry), GTK_ENTRY_ICON_PRIMARY, "edit-find-symbolic");
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), 24);
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Find names, axes, operations"), -1);
  gtk_widget_add_css_class (self->count, "numeric");
  gtk_widget_add_css_class (self->count, "dim-label");
  gtk_box_append (GTK_BOX (self), self->entry);
  gtk_box_append (GTK_BOX (self), self->count);
  add_button (self, "go-up-symbolic", _ ("Previous (Shift+Enter)"), G_CALLBACK (on_previous));
  add_button (self, "go-down-symbolic", _ ("Next (Enter)"), G_CALLBACK (on_next));
  add_button (self, "window-close-symbolic", _ ("Close (Esc)"), G_CALLBACK (close_bar));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (on_changed), self);
  gtk_widget_hide (GTK_WIDGET (self));
}
