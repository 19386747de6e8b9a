/* SPDX-License-Identifier: MIT */

#include <string.h>

#include <glib/gi18n.h>

#include "app/guide/help-window.h"
#include "app/guide/markdown.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/lost-focus.h"
#include "derive/machine/find.h"
#include "diagram/base/texts.h"

struct _HeddleHelpWindow
{
  AdwWindow parent_instance;
  GtkWidget *leaflet, *list, *page, *back;
  char *shown; /* the file's name */
};

G_DEFINE_FINAL_TYPE (HeddleHelpWindow, heddle_help_window, ADW_TYPE_WINDOW)

static char *
help_folder (void)
{
  return g_build_filename (heddle_data_directory (), "help", NULL);
}

/* In the first of the person's languages that has the page; English is the folder's own. */
static char *
find_page (const char *name)
{
  g_autofree char *folder = help_folder ();
  const char *const *languages = g_get_language_names ();

  for (guint i = 0; languages[i] != NULL && !g_str_has_prefix (languages[i], "en"); i++)
    {
      g_autofree char *path = g_build_filename (folder, languages[i], name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }
  return g_build_filename (folder, name, NULL);
}

static char *
read_page (const char *name)
{
  g_autofree char *path = find_page (name);
  char *text = NULL;

  /* The names come from links: none leads out of the folder. */
  if (strchr (name, '/') != NULL || !g_str_has_suffix (name, ".md")
      || !g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  return text;
}

static gboolean
on_link (GtkLabel *label, const char *uri, gpointer data)
{
  return heddle_help_window_show (data, uri);
}

gboolean
heddle_help_window_show (HeddleHelpWindow *self, const char *name)
{
  g_autofree char *text = NULL;
  GtkWidget *content = NULL;
  GtkListBoxRow *row = NULL;

  g_return_val_if_fail (HEDDLE_IS_HELP_WINDOW (self), FALSE);

  text = read_page (name);
  if (text == NULL)
    return FALSE;
  g_free (self->shown);
  self->shown = g_strdup (name);
  content = heddle_markdown_new (text, G_CALLBACK (on_link), self);
  gtk_widget_add_css_class (content, "help-page");
  adw_clamp_set_child (ADW_CLAMP (self->page), content);
  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL; i++)
    if (g_strcmp0 (gtk_widget_get_name (GTK_WIDGET (row)), name) == 0)
      gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
  return TRUE;
}

const char *
heddle_help_window_get_page (HeddleHelpWindow *self)
{
  g_return_val_if_fail (HEDDLE_IS_HELP_WINDOW (self), NULL);
  return self->shown;
}

static GPtrArray *
list_pages (void)
{
  g_autofree char *folder = help_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".md"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, heddle_texts_compare);
  return names;
}

static void
add_row (HeddleHelpWindow *self, const char *name)
{
  g_autofree char *text = read_page (name);
  g_autofree char *title = text != NULL ? heddle_markdown_title (text) : NULL;
  GtkWidget *row = gtk_list_box_row_new (), *label = gtk_label_new (title != NULL ? title : name);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  heddle_accessible_name_set (row, gtk_label_get_text (GTK_LABEL (label)));
  gtk_widget_set_name (row, name);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, HeddleHelpWindow *self)
{
  heddle_help_window_show (self, gtk_widget_get_name (GTK_WIDGET (row)));
  adw_leaflet_navigate (ADW_LEAFLET (self->leaflet), ADW_NAVIGATION_DIRECTION_FORWARD);
}

static void
on_back (HeddleHelpWindow *self)
{
  adw_leaflet_navigate (ADW_LEAFLET (self->leaflet), ADW_NAVIGATION_DIRECTION_BACK);
}

static GtkWidget *
new_side (HeddleHelpWindow *self)
{
  GtkWidget *side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scrolled = gtk_scrolled_window_new ();
  GtkWidget *header = adw_header_bar_new ();

  self->list = gtk_list_box_new ();
  gtk_widget_add_css_class (self->list, "navigation-sidebar");
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Pages"), -1);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
  g_object_set (scrolled, "child", self->list, "hscrollbar-policy", GTK_POLICY_NEVER, "vexpand", TRUE, NULL);
  g_object_bind_property (self->leaflet, "folded", header, "show-end-title-buttons", G_BINDING_SYNC_CREATE);
  gtk_box_append (GTK_BOX (side), header);
  gtk_box_append (GTK_BOX (side), scrolled);
  gtk_widget_set_size_request (side, 210, -1);
  return side;
}

static GtkWidget *
new_content (HeddleHelpWindow *self)
{
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scrolled = gtk_scrolled_window_new ();
  GtkWidget *header = adw_header_bar_new (),
            *back = heddle_icon_button_new ("go-previous-symbolic", _ ("Pages"));

  self->page = adw_clamp_new ();
  adw_clamp_set_maximum_size (ADW_CLAMP (self->page), 640);
  g_signal_connect_swapped (back, "clicked", G_CALLBACK (on_back), self);
  g_object_bind_property (self->leaflet, "folded", back, "visible", G_BINDING_SYNC_CREATE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), back);
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), gtk_label_new (NULL));
  g_object_set (scrolled, "child", self->page, "hscrollbar-policy", GTK_POLICY_NEVER, "vexpand", TRUE, NULL);
  gtk_box_append (GTK_BOX (content), header);
  gtk_box_append (GTK_BOX (content), scrolled);
  gtk_widget_set_size_request (content, 300, -1);
  gtk_widget_set_hexpand (content, TRUE);
  gtk_widget_add_css_class (content, "view");
  return content;
}

static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  gtk_window_close (GTK_WINDOW (widget));
  return TRUE;
}

static void
heddle_help_window_finalize (GObject *object)
{
  g_free (HEDDLE_HELP_WINDOW (object)->shown);
  G_OBJECT_CLASS (heddle_help_window_parent_class)->finalize (object);
}

static void
heddle_help_window_class_init (HeddleHelpWindowClass *class)
{
  G_OBJECT_CLASS (class)->finalize = heddle_help_window_finalize;
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, on_escape, NULL);
  heddle_lost_focus_guard (GTK_WINDOW_CLASS (class));
}

static void
heddle_help_window_init (HeddleHelpWindow *self)
{
  g_autoptr (GPtrArray) pages = list_pages ();

  self->leaflet = adw_leaflet_new ();
  adw_leaflet_append (ADW_LEAFLET (self->leaflet), new_side (self));
  adw_leaflet_append (ADW_LEAFLET (self->leaflet), new_content (self));
  adw_leaflet_set_can_navigate_back (ADW_LEAFLET (self->leaflet), TRUE);
  adw_leaflet_navigate (ADW_LEAFLET (self->leaflet), ADW_NAVIGATION_DIRECTION_FORWARD);
  adw_window_set_content (ADW_WINDOW (self), self->leaflet);
  for (guint i = 0; i < pages->len; i++)
    add_row (self, g_ptr_array_index (pages, i));
  if (pages->len > 0)
    heddle_help_window_show (self, g_ptr_array_index (pages, 0));
}

/* It stays beside the window, to be read while one works. */
GtkWidget *
heddle_help_window_new (GtkWindow *parent)
{
  return g_object_new (HEDDLE_TYPE_HELP_WINDOW, "title", _ ("Help"), "transient-for", parent,
      "destroy-with-parent", TRUE, "default-width", 860, "default-height", 640, NULL);
}
