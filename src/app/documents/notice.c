/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <adwaita.h>

#include "app/documents/notice.h"

/* Characters that the words keep beside the buttons. */
#define LEAST_WORDS 17

static GtkWidget *
choices_of (GtkWidget *notice)
{
  return gtk_widget_get_last_child (notice);
}

GtkWidget *
heddle_notice_new (const char *text)
{
  GtkWidget *self = g_object_new (GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL);
  GtkWidget *icon = gtk_image_new_from_icon_name ("dialog-information-symbolic");
  GtkWidget *label = gtk_label_new (text), *choices = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  g_object_set (label, "wrap", TRUE, "xalign", 0., "hexpand", TRUE, "width-chars", LEAST_WORDS,
      "natural-wrap-mode", GTK_NATURAL_WRAP_WORD, NULL);
  gtk_widget_set_valign (choices, GTK_ALIGN_CENTER);
  gtk_box_set_spacing (GTK_BOX (self), 9);
  gtk_box_append (GTK_BOX (self), icon);
  gtk_box_append (GTK_BOX (self), label);
  gtk_box_append (GTK_BOX (self), choices);
  gtk_widget_add_css_class (self, "notice");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  return self;
}

void
heddle_notice_add (GtkWidget *notice, const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  if (gtk_widget_get_first_child (choices_of (notice)) == NULL)
    gtk_widget_add_css_class (button, "suggested-action");
  gtk_box_append (GTK_BOX (choices_of (notice)), button);
}
