/* SPDX-License-Identifier: MIT */

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "app/edits/move.h"
#include "app/panes/outline.h"
#include "app/widgets/scene-paintable.h"
#include "diagram/base/problem.h"
#include "diagram/graph/diagram.h"
#include "figure/scene/scene.h"

struct _HeddleOutline
{
  GtkBox parent_instance;
  HeddleEditor *editor;
  GtkWidget *list;
  gboolean stale; /* to be made anew when it is next seen */
  gboolean syncing; /* the list follows the editor, not the other way round */
};

G_DEFINE_FINAL_TYPE (HeddleOutline, heddle_outline, GTK_TYPE_BOX)

static const char *
row_id (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "id");
}

static void
add_row (HeddleOutline *self, const char *id, GtkWidget *symbol, const char *text)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 20);
  gtk_widget_set_size_request (symbol, 28, 24);
  gtk_widget_set_valign (symbol, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), symbol);
  gtk_box_append (GTK_BOX (box), label);
  gtk_widget_add_css_class (box, "outline-row");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_object_set_data (G_OBJECT (row), "id", (gpointer) id);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static GtkWidget *
new_symbol (const char *name)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autoptr (GdkPaintable) paintable = heddle_math_paintable_new (name, 17, dark);

  return heddle_image_new (paintable, 22);
}

static void
add_problems (HeddleOutline *self)
{
  GPtrArray *problems = heddle_editor_get_problems (self->editor);

  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);
      gboolean error = problem->severity == HEDDLE_SEVERITY_ERROR;
      GtkWidget *icon
          = gtk_image_new_from_icon_name (error ? "dialog-error-symbolic" : "dialog-warning-symbolic");

      gtk_widget_add_css_class (icon, error ? "error" : "warning");
      add_row (self, problem->object_id, icon, problem->message);
    }
}

static void
add_values (HeddleOutline *self, const HeddleDiagram *diagram)
{
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      if (heddle_diagram_get_producer (diagram, value->id) == NULL)
        {
          g_autofree char *label = heddle_diagram_value_label (diagram, value->id);
          g_autofree char *type = heddle_describe_type (self->editor, value);
          g_autofree char *path = heddle_describe_path (self->editor, value);
          g_autofree char *text = g_strdup_printf ("%s, %s", type, path);

          add_row (self, value->id, new_symbol (label), text);
        }
    }
}

static void
add_operations (HeddleOutline *self, const HeddleDiagram *diagram)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      g_autofree char *label = heddle_diagram_value_label (diagram, operation->result);
      g_autofree char *text = heddle_describe_operation (self->editor, operation);

      add_row (self, operation->id, new_symbol (label), text);
    }
}

static void
show_selection (HeddleOutline *self)
{
  GtkListBoxRow *row = NULL;

  self->syncing = TRUE;
  gtk_list_box_unselect_all (GTK_LIST_BOX (self->list));
  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL; i++)
    if (row_id (row) != NULL && heddle_editor_is_selected (self->editor, row_id (row)))
      gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
  self->syncing = FALSE;
}

static void
rebuild (HeddleOutline *self)
{
  const HeddleDiagram *diagram = NULL;
  GtkListBoxRow *row = NULL;

  self->syncing = TRUE;
  while ((row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row));
  diagram = self->editor != NULL ? heddle_editor_get_diagram (self->editor) : NULL;
  if (diagram != NULL)
    {
      add_problems (self);
      add_values (self, diagram);
      add_operations (self, diagram);
    }
  self->syncing = FALSE;
  if (diagram != NULL)
    show_selection (self);
}

static void
collect_row (GtkListBox *list, GtkListBoxRow *row, gpointer ids)
{
  if (row_id (row) != NULL)
    heddle_ids_append (ids, row_id (row));
}

static void
on_rows_selected (GtkListBox *list, HeddleOutline *self)
{
  g_autoptr (GArray) ids = NULL;

  if (self->syncing || self->editor == NULL)
    return;
  ids = heddle_ids_new ();
  gtk_list_box_selected_foreach (list, collect_row, ids);
  heddle_editor_select_ids (self->editor, ids);
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, HeddleOutline *self)
{
  if (row_id (row) != NULL)
    g_signal_emit_by_name (self, "reveal", row_id (row));
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, HeddleOutline *self)
{
  if (self->editor == NULL || (key != GDK_KEY_Delete && key != GDK_KEY_KP_Delete))
    return FALSE;
  heddle_edits_delete_selection (self->editor);
  return TRUE;
}

/* A long list costs time: it is made when it is looked at. */
static void
refresh (HeddleOutline *self)
{
  self->stale = !gtk_widget_get_mapped (GTK_WIDGET (self));
  if (!self->stale)
    rebuild (self);
}

static void
on_map (HeddleOutline *self)
{
  if (self->stale)
    rebuild (self);
  self->stale = FALSE;
}

static void
on_selection_changed (HeddleOutline *self)
{
  if (!self->stale)
    show_selection (self);
}

void
heddle_outline_set_editor (HeddleOutline *self, HeddleEditor *editor)
{
  g_return_if_fail (HEDDLE_IS_OUTLINE (self));

  if (self->editor != NULL)
    g_signal_handlers_disconnect_by_data (self->editor, self);
  g_set_object (&self->editor, editor);
  if (editor != NULL)
    {
      g_signal_connect_object (editor, "changed", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (
          editor, "selection-changed", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
    }
  refresh (self);
}

static void
heddle_outline_dispose (GObject *object)
{
  HeddleOutline *self = HEDDLE_OUTLINE (object);

  if (self->editor != NULL)
    g_signal_handlers_disconnect_by_data (self->editor, self);
  g_clear_object (&self->editor);
  G_OBJECT_CLASS (heddle_outline_parent_class)->dispose (object);
}

static void
heddle_outline_class_init (HeddleOutlineClass *class)
{
  G_OBJECT_CLASS (class)->dispose = heddle_outline_dispose;
  g_signal_new (
      "reveal", HEDDLE_TYPE_OUTLINE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
heddle_outline_init (HeddleOutline *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_MULTIPLE);
  gtk_list_box_set_activate_on_single_click (GTK_LIST_BOX (self->list), FALSE);
  gtk_widget_add_css_class (self->list, "navigation-sidebar");
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Outline"), -1);
  g_signal_connect (self->list, "selected-rows-changed", G_CALLBACK (on_rows_selected), self);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (self->list, keys);
  g_object_set (scrolled, "vexpand", TRUE, "hscrollbar-policy", GTK_POLICY_NEVER, "child", self->list, NULL);
  gtk_box_append (GTK_BOX (self), scrolled);
  g_object_set (scrolled, "hexpand", TRUE, NULL);
  g_signal_connect (self, "map", G_CALLBACK (on_map), NULL);
  g_signal_connect_object (
      adw_style_manager_get_default (), "notify::dark", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
}
