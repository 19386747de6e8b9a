/* SPDX-License-Identifier: MIT */

/* Each fault of the figure for print has a button that points it out. */

#include <glib/gi18n.h>

#include "app/export/checks.h"
#include "app/export/preview.h"
#include "app/widgets/option-rows.h"
#include "diagram/base/problem.h"
#include "app/export/dialog-private.h"

static void
on_show_me (GtkButton *button, HeddleExportDialog *self)
{
  heddle_export_preview_point_out (
      HEDDLE_EXPORT_PREVIEW (self->preview), g_object_get_data (G_OBJECT (button), "object"));
  if (adw_flap_get_folded (ADW_FLAP (self->flap)))
    adw_flap_set_reveal_flap (ADW_FLAP (self->flap), FALSE);
}

/* Messages go on behind the name of a file elsewhere. As markup; NULL: @message is NULL. */
static char *
as_sentence (const char *message)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (message == NULL)
    return NULL;
  g_string_append_unichar (text, g_unichar_toupper (g_utf8_get_char (message)));
  g_string_append (text, g_utf8_next_char (message));
  return g_markup_escape_text (text->str, text->len);
}

static void
add_check (HeddleExportDialog *self, const HeddleProblem *problem)
{
  g_autofree char *title = as_sentence (problem->message);
  g_autofree char *remedy = as_sentence (problem->remedy);
  GtkWidget *row = adw_action_row_new (), *icon = gtk_image_new_from_icon_name ("dialog-warning-symbolic");

  g_object_set (row, "title", title, "subtitle", remedy, "title-lines", 0, "subtitle-lines", 0, NULL);
  gtk_widget_add_css_class (icon, "warning");
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  if (problem->object_id != NULL)
    {
      GtkWidget *button = gtk_button_new_with_label (_ ("Show Me"));

      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      g_object_set_data (G_OBJECT (button), "object", (gpointer) problem->object_id);
      g_signal_connect (button, "clicked", G_CALLBACK (on_show_me), self);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
    }
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->checks), row);
}

static void
add_praise (HeddleExportDialog *self)
{
  GtkWidget *row = adw_action_row_new (), *icon = gtk_image_new_from_icon_name ("object-select-symbolic");

  g_object_set (row, "title", _ ("Ready for print"), "subtitle",
      _ ("Width, text, lines, and colours in grey and for colour-blind readers"), "subtitle-lines", 0, NULL);
  gtk_widget_add_css_class (icon, "success");
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->checks), row);
}

/* In a narrow dialog the checks are folded away with the options: the button that brings them says that something is wrong. */
void
heddle_export_dialog_mark_options (HeddleExportDialog *self, guint n_wrong)
{
  g_autofree char *text
      = n_wrong > 0 ? g_strdup_printf (
            ngettext ("Options; %u check failed", "Options; %u checks failed", n_wrong), n_wrong)
                    : g_strdup (_ ("Options"));

  gtk_button_set_icon_name (
      GTK_BUTTON (self->options), n_wrong > 0 ? "dialog-warning-symbolic" : "emblem-system-symbolic");
  gtk_widget_set_tooltip_text (self->options, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->options), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

void
heddle_export_dialog_show_checks (HeddleExportDialog *self, GPtrArray *problems)
{
  heddle_export_dialog_mark_options (self, problems != NULL ? problems->len : 0);
  if (self->checks != NULL)
    gtk_box_remove (GTK_BOX (self->checks_box), self->checks);
  self->checks = NULL;
  if (problems == NULL)
    return;
  self->checks = heddle_option_group (self->checks_box, _ ("Checks"));
  for (guint i = 0; i < problems->len; i++)
    add_check (self, g_ptr_array_index (problems, i));
  if (problems->len == 0)
    add_praise (self);
}
