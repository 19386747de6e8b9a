/* SPDX-License-Identifier: MIT */

#include <adwaita.h>

#include "app/documents/notice.h"
#include "app/widgets/wrap-box.h"

/* Characters that a line of the words has at least. */
#define LEAST_WORDS 24

static GtkWidget *
choices_of (GtkWidget *notice)
{
  return gtk_widget_get_last_child (gtk_widget_get_last_child (notice));
}

GtkWidget *
heddle_notice_new (const char *text)
{
  GtkWidget *self = g_object_new (GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL);
  GtkWidget *icon = gtk_image_new_from_icon_name ("dialog-information-symbolic");
  GtkWidget *label = gtk_label_new (text), *choices = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *rows = heddle_wrap_box_new (6); /* the choices stand below the words in a narrow window */

  g_object_set (label, "wrap", TRUE, "xalign", 0., "hexpand", TRUE, "width-chars", LEAST_WORDS, NULL);
  gtk_widget_set_valign (choices, GTK_ALIGN_CENTER);
  gtk_box_set_spacing (GTK_BOX (self), 9);
  gtk_box_append (GTK_BOX (self), icon);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (rows), label);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (rows), choices);
  gtk_widget_set_hexpand (rows, TRUE);
  gtk_box_append (GTK_BOX (self), rows);
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
