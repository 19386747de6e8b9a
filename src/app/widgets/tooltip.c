/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <adwaita.h>

#include "app/widgets/accessible-name.h"
#include "app/widgets/tooltip.h"

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

GtkWidget *
heddle_menu_button_new (const char *label, const char *tip)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), label);
  gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (button), TRUE);
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (button), GTK_ARROW_UP);
  gtk_widget_set_tooltip_text (button, tip);
  name_button (button, tip);
  return button;
}
