/* SPDX-License-Identifier: MIT */

#include "config.h"

#include "app/widgets/accessible-name.h"
#include "app/widgets/tooltip.h"

static void
set (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* NULL: it has the keyboard itself. */
static GtkWidget *
part_with_keyboard (GtkWidget *widget)
{
  GtkEditable *delegate = GTK_IS_EDITABLE (widget) ? gtk_editable_get_delegate (GTK_EDITABLE (widget)) : NULL;

  if (GTK_IS_MENU_BUTTON (widget) || GTK_IS_DROP_DOWN (widget) || ADW_IS_SPLIT_BUTTON (widget)
      || ADW_IS_STATUS_PAGE (widget))
    return gtk_widget_get_first_child (widget);
  return delegate != NULL ? GTK_WIDGET (delegate) : NULL;
}

/* The lists that the rows of an expander are in. */
static void
name_lists (GtkWidget *root, const char *name)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_BOX (child))
      set (child, name);
    else
      name_lists (child, name);
}

void
heddle_accessible_name_set (GtkWidget *widget, const char *name)
{
  GtkWidget *part = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget) && name != NULL);

  part = part_with_keyboard (widget);
  set (widget, name);
  if (part != NULL)
    set (part, name);
  if (ADW_IS_EXPANDER_ROW (widget))
    name_lists (widget, name);
}

/* What libadwaita 1.2 has for a tab is private, but it knows its page; the keyboard is at what holds it. */
static void
name_tabs (GtkWidget *root)
{
  if (g_str_equal (G_OBJECT_TYPE_NAME (root), "AdwTab"))
    {
      g_autoptr (AdwTabPage) page = NULL;

      g_object_get (root, "page", &page, NULL);
      if (page != NULL)
        set (gtk_widget_get_parent (root), adw_tab_page_get_title (page));
      heddle_tooltip_complete (root);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    name_tabs (child);
}

static void
on_attached (AdwTabView *view, AdwTabPage *page, int position, GtkWidget *bar)
{
  g_signal_connect_object (page, "notify::title", G_CALLBACK (name_tabs), bar, G_CONNECT_SWAPPED);
  name_tabs (bar);
}

void
heddle_accessible_name_follow_tabs (AdwTabBar *bar)
{
  g_return_if_fail (ADW_IS_TAB_BAR (bar));

  g_signal_connect_object (
      adw_tab_bar_get_view (bar), "page-attached", G_CALLBACK (on_attached), bar, G_CONNECT_AFTER);
}
