/* SPDX-License-Identifier: MIT */

#include <adwaita.h>

#include "names.h"

/* What stands for it where it is read: a text is part of its entry. */
static GtkWidget *
speaker_of (GtkWidget *widget)
{
  GtkWidget *entry = GTK_IS_TEXT (widget)
                         ? gtk_widget_get_ancestor (gtk_widget_get_parent (widget), GTK_TYPE_EDITABLE)
                         : NULL;

  if (entry != NULL)
    return entry;
  while (widget != NULL
         && gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)) == GTK_ACCESSIBLE_ROLE_NONE)
    widget = gtk_widget_get_parent (widget);
  return widget;
}

/* A tooltip is none: GTK 4.8 reads what has only that after the name of its class. */
static gboolean
has_name (GtkWidget *widget)
{
  GtkAccessible *accessible = GTK_ACCESSIBLE (widget);

  if (gtk_test_accessible_has_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL))
    {
      g_autofree char *is
          = gtk_test_accessible_check_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, "");

      return is != NULL;
    }
  return gtk_test_accessible_has_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

static char *
path_of (GtkWidget *widget, GtkWidget *root)
{
  GString *path = g_string_new (G_OBJECT_TYPE_NAME (widget));
  const char *tooltip = gtk_widget_get_tooltip_text (widget);

  if (tooltip != NULL)
    g_string_append_printf (path, " “%s”", tooltip);
  for (GtkWidget *at = widget; at != root && at != NULL; at = gtk_widget_get_parent (at))
    g_string_append_printf (path, " < %s", G_OBJECT_TYPE_NAME (gtk_widget_get_parent (at)));
  return g_string_free (path, FALSE);
}

/* The keyboard stops at what scrolls only where there is nothing to stop at within; tabs, while the last one goes, have libadwaita's own. */
static gboolean
is_passed_through (GtkWidget *widget, gboolean focusable_within)
{
  return GTK_IS_SCROLLED_WINDOW (widget)
         && (focusable_within || gtk_widget_get_ancestor (widget, ADW_TYPE_TAB_BAR) != NULL);
}

/* How many the keyboard can come to. */
static guint
look (GtkWidget *widget, GtkWidget *root, GPtrArray *missing)
{
  guint n = 0;

  if (!gtk_widget_get_mapped (widget) || !gtk_widget_get_can_focus (widget))
    return 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += look (child, root, missing);
  if (gtk_widget_get_focusable (widget) && !is_passed_through (widget, n > 0))
    {
      GtkWidget *speaker = speaker_of (widget);

      n++;
      if (speaker == NULL || !has_name (speaker))
        g_ptr_array_add (missing, path_of (widget, root));
    }
  return n;
}

GPtrArray *
names_find_missing (GtkWidget *root, guint *n)
{
  GPtrArray *missing = g_ptr_array_new_with_free_func (g_free);

  *n += look (root, root, missing);
  return missing;
}
