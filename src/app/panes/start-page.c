/* SPDX-License-Identifier: MIT */

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/documents/recent.h"
#include "app/panes/examples.h"
#include "app/panes/start-page.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/scene-paintable.h"
#include "app/widgets/wrap-box.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/figure.h"
#include "figure/scene/scene.h"
#include "files/exchange/load.h"

struct _HeddleStartPage
{
  GtkBox parent_instance;
  GtkWidget *examples, *search, *nothing, *recent_heading, *recent;
};

G_DEFINE_FINAL_TYPE (HeddleStartPage, heddle_start_page, GTK_TYPE_BOX)

#define PICTURE_WIDTH 300
#define MOST_RECENT 4

/* Returns the drawing of an example. */
static GdkPaintable *
example_picture (const char *path)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot = heddle_file_load (path, problems, NULL);
  g_autoptr (HeddleScene) scene = NULL;
  HeddleFigure figure = { .theme = heddle_theme_of_desktop () };

  if (snapshot == NULL || heddle_snapshot_get_diagram (snapshot, NULL) == NULL)
    return NULL;
  figure.diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  scene = heddle_figure_render (&figure);
  return heddle_scene_paintable_new (scene, 1);
}

static void
on_example_clicked (GtkButton *button, HeddleStartPage *self)
{
  g_signal_emit_by_name (self, "example-chosen", g_object_get_data (G_OBJECT (button), "path"));
}

static void
add_example (HeddleStartPage *self, GtkWidget *group, const char *path)
{
  g_autofree char *title = heddle_example_title (path);
  g_autoptr (GdkPaintable) paintable = example_picture (path);
  GtkWidget *button = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *picture = gtk_picture_new_for_paintable (paintable), *label = gtk_label_new (title);
  GtkWidget *clamp = adw_clamp_new ();

  if (paintable == NULL)
    {
      g_object_ref_sink (button);
      g_object_unref (button);
      return;
    }
  gtk_widget_set_size_request (picture, PICTURE_WIDTH, 150);
  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  /* A long diagram does not ask for a wider card. */
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), PICTURE_WIDTH);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (clamp), PICTURE_WIDTH);
  adw_clamp_set_child (ADW_CLAMP (clamp), picture);
  gtk_widget_add_css_class (picture, "example-picture");
  gtk_widget_add_css_class (label, "example-title");
  gtk_widget_add_css_class (label, "heading");
  gtk_box_append (GTK_BOX (box), clamp);
  gtk_box_append (GTK_BOX (box), label);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "card");
  gtk_widget_add_css_class (button, "example-card");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_object_set_data_full (G_OBJECT (button), "path", g_strdup (path), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (on_example_clicked), self);
  gtk_flow_box_insert (GTK_FLOW_BOX (group), button, -1);
  gtk_widget_set_focusable (gtk_widget_get_parent (button), FALSE);
}

static gboolean
is_wanted (GtkFlowBoxChild *card, gpointer data)
{
  const char *path = g_object_get_data (G_OBJECT (gtk_flow_box_child_get_child (card)), "path");

  return heddle_example_matches (
      path, gtk_editable_get_text (GTK_EDITABLE (HEDDLE_START_PAGE (data)->search)));
}

/* A row of cards below the name of what they have in common. Returns the box of the cards. */
static GtkWidget *
add_group (HeddleStartPage *self, const char *title)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12), *label = gtk_label_new (title);
  GtkWidget *cards = gtk_flow_box_new ();

  g_object_set (cards, "selection-mode", GTK_SELECTION_NONE, "homogeneous", TRUE, "column-spacing", 18,
      "row-spacing", 18, "max-children-per-line", 4, "min-children-per-line", 1, NULL);
  gtk_flow_box_set_filter_func (GTK_FLOW_BOX (cards), is_wanted, self, NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_accessible_update_property (GTK_ACCESSIBLE (cards), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), cards);
  gtk_box_append (GTK_BOX (self->examples), box);
  return cards;
}

static void
rebuild (HeddleStartPage *self)
{
  g_autoptr (GPtrArray) paths = heddle_examples_list ();
  GtkWidget *child = NULL, *group = NULL;
  const char *title = NULL;

  while ((child = gtk_widget_get_first_child (self->examples)) != NULL)
    gtk_box_remove (GTK_BOX (self->examples), child);
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);

      if (g_strcmp0 (title, heddle_example_group (path)) != 0)
        group = add_group (self, title = heddle_example_group (path));
      add_example (self, group, path);
    }
}

/* Groups of which nothing is left go, and where nothing is left at all that is said. */
static void
on_search (HeddleStartPage *self)
{
  gboolean any = FALSE;

  for (GtkWidget *group = gtk_widget_get_first_child (self->examples); group != NULL;
       group = gtk_widget_get_next_sibling (group))
    {
      GtkWidget *cards = gtk_widget_get_last_child (group);
      gboolean left = FALSE;

      gtk_flow_box_invalidate_filter (GTK_FLOW_BOX (cards));
      for (GtkWidget *card = gtk_widget_get_first_child (cards); card != NULL && !left;
           card = gtk_widget_get_next_sibling (card))
        left = is_wanted (GTK_FLOW_BOX_CHILD (card), self);
      gtk_widget_set_visible (group, left);
      any |= left;
    }
  gtk_widget_set_visible (self->nothing, !any);
}

static void
on_recent_activated (GtkListBox *list, GtkListBoxRow *row, HeddleStartPage *self)
{
  gtk_widget_activate_action (
      GTK_WIDGET (self), "win.open-uri", "s", g_object_get_data (G_OBJECT (row), "uri"));
}

static void
add_recent (HeddleStartPage *self, GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *escaped = g_markup_escape_text (name, -1);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *place = folder != NULL ? g_file_get_parse_name (folder) : NULL;
  g_autofree char *subtitle = place != NULL ? g_markup_escape_text (place, -1) : NULL;
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), escaped);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data_full (G_OBJECT (row), "uri", g_file_get_uri (file), g_free);
  gtk_list_box_append (GTK_LIST_BOX (self->recent), row);
}

static void
update_recent (HeddleStartPage *self)
{
  g_autoptr (GPtrArray) files = heddle_recent_list (MOST_RECENT);
  GtkWidget *child = NULL;

  while ((child = gtk_widget_get_first_child (self->recent)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->recent), child);
  for (guint i = 0; i < files->len; i++)
    add_recent (self, g_ptr_array_index (files, i));
  gtk_widget_set_visible (self->recent_heading, files->len > 0);
  gtk_widget_set_visible (self->recent, files->len > 0);
}

/* The pictures are drawn when the page is seen, not by every window that opens a file. */
static void
on_map (HeddleStartPage *self)
{
  if (gtk_widget_get_first_child (self->examples) == NULL)
    rebuild (self);
  update_recent (self);
}

static void
on_theme_changed (HeddleStartPage *self)
{
  if (gtk_widget_get_first_child (self->examples) != NULL)
    rebuild (self);
}

static void
heddle_start_page_class_init (HeddleStartPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  g_signal_new ("example-chosen", HEDDLE_TYPE_START_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
      1, G_TYPE_STRING);
  g_type_ensure (HEDDLE_TYPE_WRAP_BOX);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/heddle/Heddle/start-page.ui");
  gtk_widget_class_bind_template_child (widget_class, HeddleStartPage, examples);
  gtk_widget_class_bind_template_child (widget_class, HeddleStartPage, search);
  gtk_widget_class_bind_template_child (widget_class, HeddleStartPage, nothing);
  gtk_widget_class_bind_template_child (widget_class, HeddleStartPage, recent_heading);
  gtk_widget_class_bind_template_child (widget_class, HeddleStartPage, recent);
  gtk_widget_class_bind_template_callback (widget_class, on_map);
  gtk_widget_class_bind_template_callback (widget_class, on_search);
  gtk_widget_class_bind_template_callback (widget_class, on_recent_activated);
}

static void
heddle_start_page_init (HeddleStartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  heddle_accessible_name_set (self->search, _ ("Search the examples"));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_theme_changed),
      self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::high-contrast",
      G_CALLBACK (on_theme_changed), self, G_CONNECT_SWAPPED);
}
