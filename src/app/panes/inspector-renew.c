/* SPDX-License-Identifier: MIT */

/* A page of the inspector is made anew: where it says the same things with other words, the words go into
 * the page that is there, and where it takes that page's place, the keyboard's focus goes on where it was.
 * */

#include <adwaita.h>

#include "app/panes/inspector-renew.h"

static gboolean
has_focus (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

/* --- words --- */

static gboolean
is_like (GtkWidget *old, GtkWidget *new)
{
  if (G_OBJECT_TYPE (old) != G_OBJECT_TYPE (new)
      || g_object_get_data (G_OBJECT (old), "id") != g_object_get_data (G_OBJECT (new), "id"))
    return FALSE;
  if (GTK_IS_EDITABLE (old))
    return TRUE; /* its parts are its own */
  old = gtk_widget_get_first_child (old);
  new = gtk_widget_get_first_child (new);
  while (old != NULL && new != NULL && is_like (old, new))
    {
      old = gtk_widget_get_next_sibling (old);
      new = gtk_widget_get_next_sibling (new);
    }
  return old == NULL && new == NULL;
}

static void
copy_property (GtkWidget *old, GtkWidget *new, const char *name)
{
  g_auto (GValue) before = G_VALUE_INIT, after = G_VALUE_INIT;

  g_object_get_property (G_OBJECT (old), name, &before);
  g_object_get_property (G_OBJECT (new), name, &after);
  if (g_param_values_cmp (g_object_class_find_property (G_OBJECT_GET_CLASS (old), name), &before, &after)
      != 0)
    g_object_set_property (G_OBJECT (old), name, &after);
}

static void
copy_words (GtkWidget *old, GtkWidget *new)
{
  if (GTK_IS_IMAGE (old) && gtk_image_get_storage_type (GTK_IMAGE (new)) == GTK_IMAGE_PAINTABLE)
    gtk_image_set_from_paintable (GTK_IMAGE (old), gtk_image_get_paintable (GTK_IMAGE (new)));
  if (ADW_IS_PREFERENCES_ROW (old))
    copy_property (old, new, "title");
  if (ADW_IS_ACTION_ROW (old))
    copy_property (old, new, "subtitle");
  if (GTK_IS_EDITABLE (old))
    {
      if (!has_focus (old)) /* somebody may be at it */
        copy_property (old, new, "text");
      return;
    }
  if (GTK_IS_LABEL (old))
    {
      copy_property (old, new, "label");
      copy_property (old, new, "wrap");
    }
  old = gtk_widget_get_first_child (old);
  new = gtk_widget_get_first_child (new);
  for (; old != NULL; old = gtk_widget_get_next_sibling (old), new = gtk_widget_get_next_sibling (new))
    copy_words (old, new);
}

gboolean
heddle_inspector_take_words (GtkWidget *old, GtkWidget *new)
{
  if (old == NULL || !is_like (old, new))
    return FALSE;
  copy_words (old, new);
  return TRUE;
}

/* --- focus --- */

static guint
number_of (GtkWidget *child)
{
  guint n = 0;

  while ((child = gtk_widget_get_prev_sibling (child)) != NULL)
    n++;
  return n;
}

GArray *
heddle_inspector_find_focus (GtkWidget *page)
{
  GtkRoot *root = gtk_widget_get_root (page);
  GArray *way = NULL;

  if (!has_focus (page))
    return NULL;
  way = g_array_new (FALSE, FALSE, sizeof (guint));
  for (GtkWidget *at = gtk_root_get_focus (root); at != page; at = gtk_widget_get_parent (at))
    {
      guint n = number_of (at);

      g_array_prepend_val (way, n);
    }
  return way;
}

static GtkWidget *
nth_child (GtkWidget *widget, guint n)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  while (n-- > 0 && child != NULL)
    child = gtk_widget_get_next_sibling (child);
  return child;
}

void
heddle_inspector_give_focus (GtkWidget *page, const GArray *way)
{
  GtkWidget *at = page;

  for (guint i = 0; i < way->len; i++)
    {
      GtkWidget *child = nth_child (at, g_array_index (way, guint, i));

      if (child == NULL)
        break;
      at = child;
    }
  /* Where the way ends in what takes no focus, the line that it is in may. */
  while (at != page && !gtk_widget_grab_focus (at))
    at = gtk_widget_get_parent (at);
  if (GTK_IS_TEXT (at))
    gtk_editable_set_position (GTK_EDITABLE (at), -1);
}
