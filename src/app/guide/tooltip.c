/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <adwaita.h>

#include "app/guide/tooltip.h"

/* "Ctrl+Z"; NULL: no key does it. Newly allocated. */
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

static void
set_name (GtkWidget *button, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* GTK 4.8 names a button without a text after the class of what it shows. That of a menu or of two parts is what is pressed inside it. */
static void
name_button (GtkWidget *button, const char *name)
{
  if (GTK_IS_MENU_BUTTON (button) && gtk_menu_button_get_label (GTK_MENU_BUTTON (button)) == NULL)
    {
      set_name (button, name);
      set_name (gtk_widget_get_first_child (button), name);
    }
  else if (ADW_IS_SPLIT_BUTTON (button))
    set_name (gtk_widget_get_first_child (button), name);
  else if (GTK_IS_BUTTON (button) && gtk_button_get_label (GTK_BUTTON (button)) == NULL)
    set_name (button, name);
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
