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

/* A hit is an object that was found, with the diagram of the document that has it. */
typedef struct
{
  const char *diagram, *id;
} Hit;

struct _HeddleFindBar
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  HeddleCanvas *canvas; /* not held: the bar lies on it */
  GtkWidget *entry, *count;
  GArray *found; /* of Hit, in the order of the document's diagrams */
  int at;
};

G_DEFINE_FINAL_TYPE (HeddleFindBar, heddle_find_bar, GTK_TYPE_BOX)

/* Adds the object if the text that it has contains what is looked for; an object has several texts, one after the
 * other. */
static void
consider (
    HeddleFindBar *self, const HeddleDiagram *diagram, const char *id, const char *text, const char *needle)
{
  g_autofree char *folded = text != NULL ? heddle_fold_case (text) : NULL;
  const Hit hit = { diagram->id, id };
  const Hit *last = self->found->len > 0 ? &g_array_index (self->found, Hit, self->found->len - 1) : NULL;

  if (folded != NULL && strstr (folded, needle) != NULL
      && (last == NULL || last->id != id || last->diagram != diagram->id))
    g_array_append_val (self->found, hit);
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

      consider (self, diagram, operation->id, _ (operation->kind->title), needle);
      consider (self, diagram, operation->id, operation->kind->id, needle);
      consider (self, diagram, operation->id, callee != NULL ? callee->name : NULL, needle);
      if (operation->body != NULL)
        {
          g_autofree char *body = heddle_describe_body (diagram, operation);

          consider (self, diagram, operation->id, body, needle);
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

      consider (self, diagram, note->id, note->text, needle);
      consider (self, diagram, note->id, note->title, needle);
    }
  for (guint i = 0; presentation != NULL && i < presentation->blocks->len; i++)
    {
      const HeddleBlock *block = g_ptr_array_index (presentation->blocks, i);

      consider (self, diagram, block->id, block->title, needle);
    }
}

static void
find_in (HeddleFindBar *self, const HeddleDiagram *diagram, const char *needle)
{
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      consider (self, diagram, axis->id, axis->name, needle);
    }
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      consider (self, diagram, value->id, value->name, needle);
    }
  find_operations (self, diagram, needle);
  find_notes (self, diagram, needle);
}

/* Looks through the document: what a model is made of lies in its definitions. */
static void
find_all (HeddleFindBar *self)
{
  g_autofree char *needle = heddle_fold_case (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  const HeddleSnapshot *snapshot;

  g_array_set_size (self->found, 0);
  if (self->editor == NULL || heddle_editor_get_diagram (self->editor) == NULL || *needle == '\0')
    return;
  snapshot = heddle_editor_get_snapshot (self->editor);
  for (guint i = 0; i < snapshot->diagrams->len; i++)
    find_in (self, g_ptr_array_index (snapshot->diagrams, i), needle);
}

/* Returns the number of the first hit in the diagram that is shown; 0: there is none. */
static int
first_shown (const HeddleFindBar *self)
{
  const char *shown = self->found->len > 0 ? heddle_editor_get_diagram (self->editor)->id : NULL;

  for (guint i = 0; i < self->found->len; i++)
    if (g_array_index (self->found, Hit, i).diagram == shown)
      return (int) i;
  return 0;
}

static gboolean
is_shown (const HeddleFindBar *self)
{
  return g_array_index (self->found, Hit, self->at).diagram == heddle_editor_get_diagram (self->editor)->id;
}

static void
say (HeddleFindBar *self)
{
  const gboolean asked = *gtk_editable_get_text (GTK_EDITABLE (self->entry)) != '\0';
  g_autofree char *text = NULL;

  if (self->found->len == 0)
    text = g_strdup (asked ? _ ("nothing found") : "");
  else if (is_shown (self))
    text = g_strdup_printf (_ ("%d of %u"), self->at + 1, self->found->len);
  else
    text = g_strdup_printf (_ ("%u in definitions: Enter"), self->found->len);
  gtk_label_set_text (GTK_LABEL (self->count), text);
  if (self->found->len == 0 && asked)
    gtk_widget_add_css_class (self->entry, "error");
  else
    gtk_widget_remove_css_class (self->entry, "error");
}

/* Shows the diagram of the present hit. */
static void
open_hit (HeddleFindBar *self)
{
  HeddleSnapshot *snapshot = heddle_editor_get_snapshot (self->editor);
  const HeddleDiagram *diagram
      = heddle_snapshot_get_diagram_by_id (snapshot, g_array_index (self->found, Hit, self->at).diagram);

  if (diagram == heddle_snapshot_get_diagram (snapshot, NULL))
    heddle_editor_show_diagram (self->editor, NULL);
  else if (diagram != NULL)
    heddle_editor_open_diagram (self->editor, diagram);
}

/* Selects the present hit, if its diagram is the one shown. */
static void
show (HeddleFindBar *self)
{
  say (self);
  if (self->found->len == 0 || !is_shown (self))
    return;
  heddle_editor_select (self->editor, g_array_index (self->found, Hit, self->at).id);
  heddle_canvas_reveal (self->canvas, g_array_index (self->found, Hit, self->at).id);
}

/* While a word is typed no other diagram is opened for it. */
static void
on_changed (HeddleFindBar *self)
{
  find_all (self);
  self->at = first_shown (self);
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
    {
      self->at = MIN (self->at, (int) self->found->len - 1);
      /* the first one elsewhere was told of only */
      if (is_shown (self) || direction < 0)
        self->at = (self->at + direction + (int) self->found->len) % (int) self->found->len;
      if (!is_shown (self))
        open_hit (self);
    }
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

  self->found = g_array_new (FALSE, FALSE, sizeof (Hit));
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
