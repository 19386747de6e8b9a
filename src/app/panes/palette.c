/* SPDX-License-Identifier: MIT */

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/edits/palette-entry.h"
#include "app/panes/palette.h"
#include "app/widgets/drag-escape.h"
#include "app/widgets/scene-paintable.h"
#include "app/widgets/settings.h"
#include "app/widgets/tooltip.h"

/* Of tiles as they are with text as it usually is; larger ones have no more room. */
#define COLUMNS 4
#define LEAST_COLUMNS 3

struct _HeddlePalette
{
  GtkBox parent_instance;
  HeddleEditor *editor;
  GtkWidget *search, *list; /* list: whether the names stand beside the signs */
  GtkWidget *groups; /* holds a heading and a grid for each group */
};

G_DEFINE_FINAL_TYPE (HeddlePalette, heddle_palette, GTK_TYPE_BOX)

static void
insert_entry (HeddlePalette *self, const HeddlePaletteEntry *entry)
{
  g_autoptr (GError) error = NULL;

  if (self->editor == NULL || heddle_palette_entry_add (entry, self->editor, &error))
    return;
  if (heddle_palette_entry_needs_partner (entry, self->editor))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.insert-like", "s", entry->title);
  else
    heddle_editor_report (self->editor, "%s", error->message);
}

static void
on_clicked (GtkButton *button, HeddlePalette *self)
{
  insert_entry (self, g_object_get_data (G_OBJECT (button), "entry"));
}

static GdkContentProvider *
on_prepare (GtkDragSource *source, double x, double y, const HeddlePaletteEntry *entry)
{
  return gdk_content_provider_new_typed (HEDDLE_TYPE_PALETTE_ENTRY, entry);
}

static void
on_drag_begin (GtkDragSource *source, GdkDrag *drag, const HeddlePaletteEntry *entry)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autoptr (GdkPaintable) paintable = heddle_palette_entry_paintable (entry, dark);

  gtk_drag_source_set_icon (source, paintable, gdk_paintable_get_intrinsic_width (paintable) / 2,
      gdk_paintable_get_intrinsic_height (paintable) / 2);
}

static gboolean
shows_list (HeddlePalette *self)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->list));
}

static GtkWidget *
new_named (GtkWidget *picture, const char *name)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10), *label = gtk_label_new (name);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), picture);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static GtkWidget *
new_tile (HeddlePalette *self, const HeddlePaletteEntry *entry, gboolean dark)
{
  g_autoptr (GdkPaintable) paintable = heddle_palette_entry_paintable (entry, dark);
  GtkWidget *picture = heddle_image_new (paintable, 40);
  GtkWidget *button = gtk_button_new ();
  GtkDragSource *source = gtk_drag_source_new ();

  if (shows_list (self))
    gtk_button_set_child (GTK_BUTTON (button), new_named (picture, entry->title));
  else
    gtk_button_set_child (GTK_BUTTON (button), picture);
  gtk_widget_set_size_request (button, 48 * heddle_text_scale (), 48 * heddle_text_scale ());
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "palette-tile");
  gtk_widget_set_tooltip_text (button, entry->title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, entry->title, -1);
  g_object_set_data (G_OBJECT (button), "entry", (gpointer) entry);
  g_signal_connect (button, "clicked", G_CALLBACK (on_clicked), self);

  gtk_drag_source_set_actions (source, GDK_ACTION_COPY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (source), GTK_PHASE_CAPTURE);
  g_signal_connect (source, "prepare", G_CALLBACK (on_prepare), (gpointer) entry);
  g_signal_connect (source, "drag-begin", G_CALLBACK (on_drag_begin), (gpointer) entry);
  heddle_drag_escape_watch (source);
  gtk_widget_add_controller (button, GTK_EVENT_CONTROLLER (source));
  return button;
}

static GtkWidget *
new_group (HeddlePalette *self, const char *title)
{
  GtkWidget *label = gtk_label_new (title);
  GtkWidget *grid = gtk_grid_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "palette-group");
  gtk_widget_set_margin_top (label, 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 8);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 8);
  gtk_box_append (GTK_BOX (self->groups), label);
  gtk_box_append (GTK_BOX (self->groups), grid);
  return grid;
}

static void
show_nothing_found (HeddlePalette *self)
{
  GtkWidget *label = gtk_label_new (_ ("Nothing of that name"));

  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_margin_top (label, 24);
  gtk_box_append (GTK_BOX (self->groups), label);
}

static void
rebuild (HeddlePalette *self)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const char *query = gtk_editable_get_text (GTK_EDITABLE (self->search));
  const guint n_tiles = MAX (LEAST_COLUMNS, (guint) (COLUMNS / heddle_text_scale ()));
  const guint n_columns = shows_list (self) ? 1 : n_tiles;
  guint n_entries, column = 0;
  const HeddlePaletteEntry *entries = heddle_palette_entries (&n_entries);
  const char *group = NULL;
  GtkWidget *grid = NULL, *child = NULL;

  while ((child = gtk_widget_get_first_child (self->groups)) != NULL)
    gtk_box_remove (GTK_BOX (self->groups), child);
  for (guint i = 0; i < n_entries; i++)
    {
      if (heddle_palette_entry_match (&entries[i], query) == 0)
        continue;
      if (g_strcmp0 (group, entries[i].group) != 0)
        {
          group = entries[i].group;
          grid = new_group (self, group);
          column = 0;
        }
      gtk_grid_attach (
          GTK_GRID (grid), new_tile (self, &entries[i], dark), column % n_columns, column / n_columns, 1, 1);
      column++;
    }
  if (grid == NULL)
    show_nothing_found (self);
}

/* Enter takes the best match. */
static void
on_search_activate (GtkSearchEntry *search, HeddlePalette *self)
{
  const char *query = gtk_editable_get_text (GTK_EDITABLE (search));
  guint n_entries, best_score = 0;
  const HeddlePaletteEntry *entries = heddle_palette_entries (&n_entries), *best = NULL;

  for (guint i = 0; i < n_entries && *query != '\0'; i++)
    {
      guint score = heddle_palette_entry_match (&entries[i], query);

      if (score > best_score)
        best = &entries[i];
      best_score = MAX (best_score, score);
    }
  if (best != NULL)
    insert_entry (self, best);
}

void
heddle_palette_set_editor (HeddlePalette *self, HeddleEditor *editor)
{
  g_return_if_fail (HEDDLE_IS_PALETTE (self));

  g_set_object (&self->editor, editor);
}

static void
heddle_palette_dispose (GObject *object)
{
  g_clear_object (&HEDDLE_PALETTE (object)->editor);
  G_OBJECT_CLASS (heddle_palette_parent_class)->dispose (object);
}

static void
heddle_palette_class_init (HeddlePaletteClass *class)
{
  G_OBJECT_CLASS (class)->dispose = heddle_palette_dispose;
}

static gboolean
is_empty (GBinding *binding, const GValue *from, GValue *to, gpointer data)
{
  const char *text = g_value_get_string (from);

  g_value_set_boolean (to, text == NULL || *text == '\0');
  return TRUE;
}

/* The key that does without the palette; it makes room for what is typed. */
static GtkWidget *
new_key_hint (HeddlePalette *self)
{
  GtkWidget *label = gtk_label_new ("/");

  gtk_widget_add_css_class (label, "key-hint");
  g_object_set (label, "halign", GTK_ALIGN_END, "valign", GTK_ALIGN_CENTER, "margin-end", 14, "can-target",
      FALSE, NULL);
  gtk_accessible_update_state (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  g_object_bind_property_full (
      self->search, "text", label, "visible", G_BINDING_SYNC_CREATE, is_empty, NULL, NULL, NULL);
  return label;
}

/* Names beside the signs are a legend of them; it is remembered. */
static GtkWidget *
new_list_toggle (void)
{
  GtkWidget *toggle = gtk_toggle_button_new ();

  gtk_button_set_icon_name (GTK_BUTTON (toggle), "view-list-symbolic");
  gtk_widget_add_css_class (toggle, "flat");
  gtk_widget_set_margin_end (toggle, 12);
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  heddle_tooltip_set (toggle, _ ("Names Beside the Signs"));
  if (heddle_settings_get () != NULL)
    g_settings_bind (heddle_settings_get (), "palette-list", toggle, "active", G_SETTINGS_BIND_DEFAULT);
  return toggle;
}

static void
heddle_palette_init (HeddlePalette *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *overlay = gtk_overlay_new ();
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->search = gtk_search_entry_new ();
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Search"), -1);
  g_object_set (self->search, "placeholder-text", _ ("Search"), "margin-start", 12, "margin-end", 6,
      "margin-top", 6, "margin-bottom", 6, NULL);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (rebuild), self);
  g_signal_connect (self->search, "activate", G_CALLBACK (on_search_activate), self);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), self->search);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), new_key_hint (self));
  gtk_widget_set_hexpand (overlay, TRUE);
  self->list = new_list_toggle ();
  g_signal_connect_swapped (self->list, "toggled", G_CALLBACK (rebuild), self);
  gtk_box_append (GTK_BOX (head), overlay);
  gtk_box_append (GTK_BOX (head), self->list);
  gtk_box_append (GTK_BOX (self), head);

  self->groups = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  g_object_set (
      self->groups, "margin-start", 12, "margin-end", 12, "margin-top", 4, "margin-bottom", 12, NULL);
  g_object_set (
      scrolled, "vexpand", TRUE, "hscrollbar-policy", GTK_POLICY_NEVER, "child", self->groups, NULL);
  gtk_box_append (GTK_BOX (self), scrolled);
  g_signal_connect_object (
      adw_style_manager_get_default (), "notify::dark", G_CALLBACK (rebuild), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (
      gtk_settings_get_default (), "notify::gtk-xft-dpi", G_CALLBACK (rebuild), self, G_CONNECT_SWAPPED);
  rebuild (self);
}
