/* SPDX-License-Identifier: MIT */

/* Editing a label where it stands: an axis (`x`, or `x = 4096`), a value's name (also as that of the operation that makes it), a map's
 * function (`$0 * 2`) with the name of what it makes (`S = $0 * 2`, or `S`). */

#include <glib/gi18n.h>

#include "app/canvas/edit.h"
#include "app/canvas/private.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "app/edits/label.h"
#include "diagram/document/ornament.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "figure/scene/scene.h"

#define LINE_END "\342\217\216" /* a line's end within an entry of one line */
#define MIN_WIDTH 90

static void
close_entry (HeddleCanvas *self)
{
  GtkWidget *entry = g_steal_pointer (&self->entry);
  GtkWidget *error = g_steal_pointer (&self->entry_error);

  g_clear_handle_id (&self->leaving, g_source_remove);
  if (entry == NULL)
    return;
  self->edited = NULL;
  if (error != NULL)
    gtk_widget_unparent (error);
  gtk_widget_unparent (entry);
}

/* Closes the entry without keeping the text, and gives the focus back to the canvas. */
static void
cancel (HeddleCanvas *self)
{
  gboolean had_focus = self->entry != NULL;

  close_entry (self);
  if (had_focus && gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
show_error (HeddleCanvas *self, const char *message)
{
  if (self->entry_error == NULL)
    {
      GtkWidget *label = gtk_label_new (NULL);

      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_max_width_chars (GTK_LABEL (label), 40);
      self->entry_error = gtk_popover_new ();
      gtk_popover_set_autohide (GTK_POPOVER (self->entry_error), FALSE);
      gtk_popover_set_child (GTK_POPOVER (self->entry_error), label);
      gtk_widget_set_parent (self->entry_error, self->entry);
    }
  gtk_label_set_text (GTK_LABEL (gtk_popover_get_child (GTK_POPOVER (self->entry_error))), message);
  gtk_widget_add_css_class (self->entry, "error");
  gtk_popover_popup (GTK_POPOVER (self->entry_error));
}

/* Returns how many arrays an axis is on, to say how far a new name reached. */
static guint
count_arrays (const HeddleDiagram *diagram, const char *axis)
{
  guint n = 0;

  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      n += heddle_ids_contain (value->axes, axis);
    }
  return n;
}

/* Returns the definition that a call calls, whose name its box has; NULL means that it is no call. */
static const HeddleDiagram *
callee_of (HeddleCanvas *self, const HeddleOperation *operation)
{
  return operation != NULL && operation->kind->form == HEDDLE_FORM_CALL
             ? heddle_definitions_get_callee (self->editor, operation)
             : NULL;
}

static gboolean
apply (HeddleCanvas *self, const char *text, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  const HeddleAxis *axis = heddle_diagram_get_axis (diagram, self->edited);
  const char *id = self->edited;
  g_autofree char *old = axis != NULL ? g_strdup (axis->name) : NULL;

  if (heddle_editor_find_ornament (self->editor, id, NULL) != NULL)
    {
      g_auto (GStrv) lines = g_strsplit (text, LINE_END, -1);
      g_autofree char *joined = g_strjoinv ("\n", lines);

      return heddle_edits_set_text (self->editor, id, joined, error);
    }
  if (callee_of (self, heddle_diagram_get_operation (diagram, id)) != NULL)
    return heddle_definitions_rename (self->editor, id, text, error);
  if (heddle_diagram_get_operation (diagram, id) != NULL)
    return heddle_edits_apply_function (self->editor, id, text, error);
  if (!heddle_edits_apply_label (self->editor, id, text, error))
    return FALSE;
  diagram = heddle_editor_get_diagram (self->editor);
  axis = heddle_diagram_get_axis (diagram, id);
  if (axis != NULL && g_strcmp0 (axis->name, old) != 0)
    {
      guint n = count_arrays (diagram, id);

      heddle_editor_report (self->editor,
          ngettext ("Renamed %s to %s on %u array", "Renamed %s to %s on %u arrays", n), old, axis->name, n);
    }
  return TRUE;
}

static void
on_activate (GtkEntry *entry, HeddleCanvas *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry)));
  g_autoptr (GtkWidget) held = g_object_ref (GTK_WIDGET (entry)); /* a change closes it */

  if (apply (self, text, &error))
    cancel (self);
  else if (self->entry != NULL)
    show_error (self, error->message);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, HeddleCanvas *self)
{
  if (key != GDK_KEY_Escape)
    return FALSE;
  cancel (self);
  return TRUE;
}

/* Going elsewhere keeps what is valid and forgets what is not. */
void
heddle_canvas_edit_finish (HeddleCanvas *self)
{
  g_autofree char *text = NULL;
  g_autoptr (GtkWidget) held = NULL;

  if (self->leaving == 0)
    return;
  g_clear_handle_id (&self->leaving, g_source_remove);
  if (self->entry == NULL || self->editor == NULL)
    return;
  held = g_object_ref (self->entry);
  text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  if (!apply (self, text, NULL) || self->entry != NULL)
    close_entry (self);
}

static gboolean
on_left (gpointer data)
{
  HeddleCanvas *self = data;

  heddle_canvas_edit_finish (self);
  return G_SOURCE_REMOVE;
}

/* The focus is on its way from the entry, which has to stay where it is until it has arrived elsewhere. */
static void
on_leave (GtkEventControllerFocus *controller, HeddleCanvas *self)
{
  if (self->entry != NULL && self->leaving == 0)
    self->leaving = g_idle_add_full (G_PRIORITY_HIGH_IDLE, on_left, self, NULL);
}

/* The text of a note on one line, its line ends as signs; NULL: @id is none. */
static char *
note_to_edit (HeddleCanvas *self, const char *id)
{
  const HeddleOrnamentKind *kind = NULL;
  gpointer ornament = heddle_editor_find_ornament (self->editor, id, &kind);
  const char *text = NULL;

  for (const HeddleField *field = ornament != NULL ? kind->fields : NULL;
       field != NULL && field->name != NULL; field++)
    if (g_str_equal (field->name, g_str_equal (kind->element, "annotation") ? "text"
                                  : g_str_equal (kind->element, "block")    ? "title"
                                                                            : "name"))
      text = heddle_field_at (field, ornament, char *);
  if (ornament == NULL)
    return NULL;
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  return g_strjoinv (LINE_END, lines);
}

static char *
text_to_edit (HeddleCanvas *self, const char *id)
{
  if (heddle_editor_find_ornament (self->editor, id, NULL) != NULL)
    return note_to_edit (self, id);

  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  const HeddleAxis *axis = heddle_diagram_get_axis (diagram, id);
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, id);

  if (axis != NULL)
    {
      g_autofree char *size = heddle_describe_size (diagram, axis);

      return size != NULL ? g_strdup_printf ("%s = %s", axis->name, size) : g_strdup (axis->name);
    }
  if (callee_of (self, operation) != NULL)
    return g_strdup (callee_of (self, operation)->name);
  if (operation != NULL && operation->body != NULL)
    {
      g_autofree char *name = heddle_diagram_value_label (diagram, operation->result);
      g_autofree char *body = heddle_describe_body (diagram, operation);

      return g_strdup_printf ("%s = %s", name, body);
    }
  return heddle_diagram_value_label (diagram, id);
}

/* Where the label stands: that of @value's wire if it has one, else the first of the object. */
static gboolean
find_label (HeddleCanvas *self, const char *id, const char *value, double *x, double *y)
{
  gboolean found = FALSE;
  graphene_rect_t bounds;

  for (guint i = 0; self->scene != NULL && i < heddle_scene_get_n_items (self->scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (self->scene, i);
      gboolean label
          = (item->part == HEDDLE_PART_AXIS_LABEL && (item->axis == id || item->object == id))
            || (item->part == HEDDLE_PART_VALUE_LABEL && (item->value == id || item->object == id));

      if (!label || (found && item->value != value))
        continue;
      heddle_item_get_bounds (item, x, y, &(double){ 0 }, &(double){ 0 });
      found = TRUE;
      if (item->value == value)
        return TRUE;
    }
  if (found || !heddle_canvas_object_bounds (self, id, &bounds))
    return found;
  *x = bounds.origin.x;
  *y = bounds.origin.y;
  return TRUE;
}

static void
open_entry (HeddleCanvas *self, const char *text)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->entry = gtk_entry_new ();
  gtk_widget_add_css_class (self->entry, "label-entry");
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_editable_set_width_chars (
      GTK_EDITABLE (self->entry), CLAMP ((int) g_utf8_strlen (text, -1) + 3, 8, 40));
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Label"), -1);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (self->entry, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (self->entry, keys);
  g_signal_connect (focus, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (self->entry, focus);
  gtk_widget_set_parent (self->entry, GTK_WIDGET (self));
  gtk_widget_grab_focus (self->entry);
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

/* An operation without a text of its own goes by the name of what it makes. */
static const char *
object_to_edit (HeddleCanvas *self, const char *id)
{
  const HeddleOperation *operation
      = heddle_diagram_get_operation (heddle_editor_get_diagram (self->editor), id);

  if (operation == NULL || operation->kind->form == HEDDLE_FORM_MAP || callee_of (self, operation) != NULL)
    return id;
  return operation->result;
}

gboolean
heddle_canvas_edit_label (HeddleCanvas *self, const char *id, const char *value)
{
  g_autofree char *text = NULL;

  heddle_canvas_edit_finish (self);
  heddle_canvas_ensure_scene (self);
  cancel (self);
  id = object_to_edit (self, id);
  text = text_to_edit (self, id);
  if (text == NULL || !find_label (self, id, value, &self->entry_x, &self->entry_y))
    return FALSE;
  self->edited = id;
  open_entry (self, text);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  return TRUE;
}

gboolean
heddle_canvas_edit_selected_label (HeddleCanvas *self)
{
  const char *value = NULL, *id = NULL;

  g_return_val_if_fail (HEDDLE_IS_CANVAS (self), FALSE);

  if (self->editor == NULL)
    return FALSE;
  id = heddle_editor_get_selected (self->editor);
  heddle_editor_get_wire (self->editor, &value, NULL);
  return id != NULL && heddle_canvas_edit_label (self, id, value);
}

static void
allocate (HeddleCanvas *self)
{
  int width, height, area_width = gtk_widget_get_width (GTK_WIDGET (self));
  double x, y;

  if (self->entry == NULL)
    return;
  gtk_widget_measure (self->entry, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_measure (self->entry, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  width = MAX (width, MIN_WIDTH);
  heddle_canvas_to_widget (self, self->entry_x, self->entry_y, &x, &y);
  x = CLAMP (x - 10, 0, MAX (0, area_width - width));
  gtk_widget_size_allocate (self->entry, &(GtkAllocation){ x, MAX (0, y - 6), width, height }, -1);
  if (self->entry_error != NULL)
    gtk_popover_present (GTK_POPOVER (self->entry_error));
}

static void
draw (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  if (self->entry != NULL)
    gtk_widget_snapshot_child (GTK_WIDGET (self), self->entry, snapshot);
}

void
heddle_canvas_edit_init (HeddleCanvas *self)
{
  g_signal_connect (self, "let-go", G_CALLBACK (cancel), NULL);
  g_signal_connect (self, "allocate", G_CALLBACK (allocate), NULL);
  g_signal_connect (self, "draw", G_CALLBACK (draw), NULL);
}
