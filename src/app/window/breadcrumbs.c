/* SPDX-License-Identifier: MIT */

#include "app/editor/editor.h"
#include "app/widgets/tooltip.h"
#include "app/window/breadcrumbs.h"
#include "app/window/private.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"

/* A name is no longer than that. */
#define MOST_CHARS 24

static const char *
name_of (HeddleWindow *self, const char *id)
{
  const HeddleDiagram *diagram
      = heddle_snapshot_get_diagram_by_id (heddle_editor_get_snapshot (self->editor), id);

  return diagram != NULL ? diagram->name : id;
}

static void
on_crumb (GtkButton *button, HeddleWindow *self)
{
  if (self->editor != NULL)
    heddle_editor_go_back_to (self->editor, g_object_get_data (G_OBJECT (button), "diagram"));
}

static GtkWidget *
new_name (const char *name)
{
  GtkWidget *label = gtk_label_new (name);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_CHARS);
  return label;
}

static void
add (HeddleWindow *self, const char *id, gboolean last)
{
  const char *name = name_of (self, id);
  GtkWidget *crumb = last ? new_name (name) : gtk_button_new ();

  if (last)
    gtk_widget_add_css_class (crumb, "heading");
  else
    {
      gtk_button_set_child (GTK_BUTTON (crumb), new_name (name));
      heddle_accessible_name_set (crumb, name);
      gtk_widget_add_css_class (crumb, "flat");
      g_object_set_data (G_OBJECT (crumb), "diagram", (gpointer) id);
      g_signal_connect_object (crumb, "clicked", G_CALLBACK (on_crumb), self, 0);
    }
  gtk_box_append (GTK_BOX (self->breadcrumbs), crumb);
  if (!last)
    gtk_box_append (GTK_BOX (self->breadcrumbs), gtk_label_new ("›"));
}

/* Made again only where the way is another one: the focus may be in it. */
static gboolean
is_shown (HeddleWindow *self, const GArray *path)
{
  guint place = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (self->breadcrumbs); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_BUTTON (child)
        && (place + 1 >= path->len
            || g_object_get_data (G_OBJECT (child), "diagram") != heddle_ids_index (path, place++)))
      return FALSE;
  return place + 1 == path->len
         && g_strcmp0 (gtk_label_get_text (GTK_LABEL (gtk_widget_get_last_child (self->breadcrumbs))),
                name_of (self, heddle_ids_index (path, place)))
                == 0;
}

static void
update (HeddleWindow *self)
{
  const gboolean inside = self->editor != NULL && heddle_editor_can_go_back (self->editor);
  g_autoptr (GArray) path = inside ? heddle_editor_list_path (self->editor) : NULL;
  GtkWidget *child;

  gtk_widget_set_visible (self->breadcrumbs, inside);
  if (!inside || (gtk_widget_get_first_child (self->breadcrumbs) != NULL && is_shown (self, path)))
    return;
  while ((child = gtk_widget_get_first_child (self->breadcrumbs)) != NULL)
    gtk_box_remove (GTK_BOX (self->breadcrumbs), child);
  for (guint i = 0; i < path->len; i++)
    add (self, heddle_ids_index (path, i), i + 1 == path->len);
}

void
heddle_window_breadcrumbs_init (HeddleWindow *self)
{
  g_signal_connect (self, "state-changed", G_CALLBACK (update), NULL);
}
