/* SPDX-License-Identifier: MIT */

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/editor/selection.h"
#include "app/edits/palette-entry.h"
#include "app/panes/quick-insert.h"
#include "app/panes/quick-offer.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/scene-paintable.h"

struct _HeddleQuickInsert
{
  GtkPopover parent_instance;
  HeddleEditor *editor;
  GtkWidget *search, *list;
};

G_DEFINE_FINAL_TYPE (HeddleQuickInsert, heddle_quick_insert, GTK_TYPE_POPOVER)

static GtkWidget *
new_row (HeddleOffer *offer)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autoptr (GdkPaintable) paintable = heddle_palette_entry_paintable (&offer->entry, dark);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *picture = heddle_image_new (paintable, 34);
  GtkWidget *text = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *title = gtk_label_new (offer->entry.title);
  GtkWidget *detail = gtk_label_new (offer->reason != NULL ? offer->reason : offer->entry.group);

  g_object_set (title, "xalign", 0., NULL);
  g_object_set (detail, "xalign", 0., "ellipsize", PANGO_ELLIPSIZE_END, "max-width-chars", 42, "tooltip-text",
      offer->reason, NULL);
  gtk_widget_add_css_class (detail, "dim-label");
  gtk_widget_add_css_class (detail, "caption");
  gtk_box_append (GTK_BOX (text), title);
  gtk_box_append (GTK_BOX (text), detail);
  gtk_box_append (GTK_BOX (box), picture);
  gtk_box_append (GTK_BOX (box), text);
  gtk_widget_set_opacity (box, offer->reason != NULL ? .55 : 1);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, offer->entry.title, -1);
  g_object_set_data_full (G_OBJECT (row), "offer", offer, (GDestroyNotify) heddle_offer_free);
  return row;
}

static void
rebuild (HeddleQuickInsert *self)
{
  g_autoptr (GPtrArray) offers = NULL;
  GtkListBoxRow *row = NULL;

  while ((row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row));
  if (self->editor == NULL)
    return;
  offers = heddle_offers_find (self->editor, gtk_editable_get_text (GTK_EDITABLE (self->search)));
  for (guint i = 0; i < offers->len; i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), new_row (g_ptr_array_index (offers, i)));
  gtk_list_box_select_row (
      GTK_LIST_BOX (self->list), gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0));
}

static void
take (HeddleQuickInsert *self, GtkListBoxRow *row)
{
  const HeddleOffer *offer = g_object_get_data (G_OBJECT (row), "offer");
  g_autoptr (HeddleEditor) editor = g_object_ref (self->editor);
  g_autoptr (GError) error = NULL;

  gtk_popover_popdown (GTK_POPOVER (self));
  if (offer->reason != NULL)
    heddle_editor_report (editor, "%s", offer->reason);
  else if (!heddle_offer_take (offer, editor, &error))
    heddle_editor_report (editor, "%s", error->message);
  else if (heddle_editor_get_selected (editor) != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.reveal", "s", heddle_editor_get_selected (editor));
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, HeddleQuickInsert *self)
{
  if (self->editor != NULL)
    take (self, row);
}

static void
on_search_activate (GtkEntry *entry, HeddleQuickInsert *self)
{
  GtkListBoxRow *row = NULL;

  rebuild (self); /* the search may lag behind the typing */
  row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));
  if (row != NULL)
    take (self, row);
}

/* The arrows move in the list while the text goes on being typed. */
static gboolean
on_key (
    GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, HeddleQuickInsert *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));
  int step = key == GDK_KEY_Down || key == GDK_KEY_KP_Down ? 1
             : key == GDK_KEY_Up || key == GDK_KEY_KP_Up   ? -1
                                                           : 0;

  if (step == 0)
    return FALSE;
  row = gtk_list_box_get_row_at_index (
      GTK_LIST_BOX (self->list), row != NULL ? gtk_list_box_row_get_index (row) + step : 0);
  if (row != NULL)
    gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
  return TRUE;
}

/* A window that closes may leave it behind: GTK 4.8 does not let go of a widget when the focus was in it, or below it, and in another that is hidden
 * in the same frame. It takes no document with it. */
static void
on_closed (HeddleQuickInsert *self)
{
  g_clear_object (&self->editor);
}

static GtkWidget *
new_placeholder (void)
{
  GtkWidget *label = gtk_label_new (_ ("Nothing found. A formula is written * k^-0.5 or exp($0), where $0 is "
                                       "the selection; an array Q[y=4096, k=128]."));

  g_object_set (label, "wrap", TRUE, "max-width-chars", 36, "margin-top", 18, "margin-start", 12,
      "margin-end", 12, "justify", GTK_JUSTIFY_CENTER, NULL);
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

void
heddle_quick_insert_open (HeddleQuickInsert *self, HeddleEditor *editor, const char *text)
{
  g_return_if_fail (HEDDLE_IS_QUICK_INSERT (self));

  g_set_object (&self->editor, editor);
  gtk_editable_set_text (GTK_EDITABLE (self->search), text);
  rebuild (self);
  gtk_popover_popup (GTK_POPOVER (self));
  gtk_widget_grab_focus (self->search);
  gtk_editable_set_position (GTK_EDITABLE (self->search), -1);
}

static void
heddle_quick_insert_dispose (GObject *object)
{
  g_clear_object (&HEDDLE_QUICK_INSERT (object)->editor);
  G_OBJECT_CLASS (heddle_quick_insert_parent_class)->dispose (object);
}

static void
heddle_quick_insert_class_init (HeddleQuickInsertClass *class)
{
  G_OBJECT_CLASS (class)->dispose = heddle_quick_insert_dispose;
}

static void
heddle_quick_insert_init (HeddleQuickInsert *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->search = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->search), _ ("Add an operation: softmax, sum, * 2 …"));
  gtk_entry_set_icon_from_icon_name (
      GTK_ENTRY (self->search), GTK_ENTRY_ICON_PRIMARY, "system-search-symbolic");
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Add an operation"), -1);
  g_signal_connect_swapped (self->search, "changed", G_CALLBACK (rebuild), self);
  g_signal_connect (self->search, "activate", G_CALLBACK (on_search_activate), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (self->search, keys);

  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_BROWSE);
  gtk_widget_add_css_class (self->list, "navigation-sidebar");
  gtk_widget_add_css_class (self->list, "quick-insert");
  gtk_list_box_set_placeholder (GTK_LIST_BOX (self->list), new_placeholder ());
  heddle_accessible_name_set (self->list, _ ("Add an operation"));
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row_activated), self);

  g_object_set (scrolled, "child", self->list, "hscrollbar-policy", GTK_POLICY_NEVER, "min-content-height",
      280, "max-content-height", 280, NULL);
  gtk_box_append (GTK_BOX (box), self->search);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_widget_set_size_request (box, 340, -1);
  gtk_popover_set_child (GTK_POPOVER (self), box);
  g_signal_connect (self, "closed", G_CALLBACK (on_closed), NULL);
}

GtkWidget *
heddle_quick_insert_new (void)
{
  return g_object_new (HEDDLE_TYPE_QUICK_INSERT, NULL);
}
