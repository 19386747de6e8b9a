/* SPDX-License-Identifier: MIT */

#include "app/widgets/tooltip.h"

/* Returns the keys of an action, "Ctrl+Z", newly allocated, or NULL. */
static char *
keys_of (const char *action)
{
  GApplication *application = g_application_get_default ();
  g_auto (GStrv) accels = NULL;
  GdkModifierType modifiers;
  guint key;

  if (application == NULL || action == NULL)
    return NULL;
  accels = gtk_application_get_accels_for_action (GTK_APPLICATION (application), action);
  if (accels[0] == NULL || !gtk_accelerator_parse (accels[0], &key, &modifiers))
    return NULL;
  return gtk_accelerator_get_label (key, modifiers);
}

/* Where a text is shown, it is the name. */
static void
name_button (GtkWidget *button, const char *name)
{
  const char *shown = NULL;

  if (GTK_IS_MENU_BUTTON (button))
    shown = gtk_menu_button_get_label (GTK_MENU_BUTTON (button));
  else if (ADW_IS_SPLIT_BUTTON (button))
    shown = adw_split_button_get_label (ADW_SPLIT_BUTTON (button));
  else if (!GTK_IS_BUTTON (button) || gtk_button_get_label (GTK_BUTTON (button)) != NULL)
    return;
  if (shown != NULL)
    {
      g_auto (GStrv) parts = g_strsplit (shown, "_", 2); /* without the mark of its key */
      g_autofree char *text = g_strjoinv ("", parts);

      heddle_accessible_name_set (button, text);
    }
  else
    heddle_accessible_name_set (button, name);
}

gboolean
heddle_menu_is_open (GtkWidget *widget)
{
  GtkWidget *toggle
      = GTK_IS_MENU_BUTTON (widget) || GTK_IS_DROP_DOWN (widget) ? gtk_widget_get_first_child (widget) : NULL;

  return GTK_IS_TOGGLE_BUTTON (toggle) && gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (toggle));
}

static gboolean
on_query (GtkWidget *button, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  if (heddle_menu_is_open (button))
    g_signal_stop_emission_by_name (button, "query-tooltip");
  return FALSE;
}

void
heddle_tooltip_yield_to_menu (GtkWidget *button)
{
  g_signal_connect (button, "query-tooltip", G_CALLBACK (on_query), NULL);
}

void
heddle_tooltip_set (GtkWidget *button, const char *text)
{
  g_autofree char *keys = keys_of (gtk_actionable_get_action_name (GTK_ACTIONABLE (button)));
  g_autofree char *full = keys != NULL ? g_strdup_printf ("%s (%s)", text, keys) : g_strdup (text);

  gtk_widget_set_tooltip_text (button, full);
  name_button (button, text);
}

void
heddle_tooltip_complete (GtkWidget *root)
{
  g_autofree char *text = g_strdup (gtk_widget_get_tooltip_text (root));

  if (text != NULL && GTK_IS_ACTIONABLE (root))
    heddle_tooltip_set (root, text);
  else if (text != NULL)
    name_button (root, text);
  if (text != NULL && (GTK_IS_MENU_BUTTON (root) || GTK_IS_DROP_DOWN (root)))
    heddle_tooltip_yield_to_menu (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    heddle_tooltip_complete (child);
}

GtkWidget *
heddle_icon_button_new (const char *icon, const char *tip)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, tip);
  name_button (button, tip);
  return button;
}

GtkWidget *
heddle_menu_button_new (const char *label, const char *tip)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), label);
  gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (button), TRUE);
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (button), GTK_ARROW_UP);
  gtk_widget_set_tooltip_text (button, tip);
  heddle_tooltip_yield_to_menu (button);
  name_button (button, tip);
  return button;
}

static void
set (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* Returns the part that has the keyboard, or NULL where the widget has it itself. */
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

/* Names the tabs. What libadwaita 1.2 has for a tab is private, but it knows its page; the keyboard is at
 * what holds it. */
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
