/* SPDX-License-Identifier: MIT */

#include "config.h"

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

void
heddle_tooltip_set (GtkWidget *button, const char *text)
{
  g_autofree char *keys = keys_of (gtk_actionable_get_action_name (GTK_ACTIONABLE (button)));
  g_autofree char *full = keys != NULL ? g_strdup_printf ("%s (%s)", text, keys) : g_strdup (text);

  gtk_widget_set_tooltip_text (button, full);
}

void
heddle_tooltip_complete (GtkWidget *root)
{
  g_autofree char *text = g_strdup (gtk_widget_get_tooltip_text (root));

  if (text != NULL && GTK_IS_ACTIONABLE (root))
    heddle_tooltip_set (root, text);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    heddle_tooltip_complete (child);
}
