/* SPDX-License-Identifier: MIT */

/* The command line that does the same, for a Makefile. */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "app/editor/editor.h"
#include "app/export/choice.h"
#include "app/export/command.h"
#include "app/export/dialog.h"
#include "app/export/options.h"
#include "app/widgets/tooltip.h"
#include "files/base/files.h"
#include "app/export/dialog-private.h"

/* Lines end at spaces, and not after the hyphens of options; long paths where they must. */
static PangoAttrList *
keep_options_whole (const char *command)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  for (const char *option = strstr (command, " -"); option != NULL; option = strstr (option + 1, " -"))
    {
      PangoAttribute *whole = pango_attr_allow_breaks_new (FALSE);

      whole->start_index = option + 1 - command;
      whole->end_index = whole->start_index + strcspn (option + 1, " ");
      pango_attr_list_insert (attributes, whole);
    }
  return attributes;
}

void
heddle_export_dialog_show_command (HeddleExportDialog *self)
{
  const HeddleExportOptions options = heddle_export_dialog_get_options (self);
  const HeddleExportChoice *choice = heddle_export_form_get_choice (self->form);
  g_autofree char *title = heddle_editor_dup_title (self->editor);
  char *dot = strrchr (title, '.');
  g_autofree char *input = NULL;
  g_autofree char *output = NULL;
  g_autofree char *command = NULL;
  PangoAttrList *attributes = NULL;

  if (dot != NULL && dot != title)
    *dot = '\0';
  input = g_strconcat (title, ".ncd", NULL);
  output = g_strconcat (title, choice->suffix, NULL);
  command = heddle_export_choice_command (choice, &options, input, output);
  attributes = keep_options_whole (command);
  gtk_label_set_text (GTK_LABEL (self->command), command);
  gtk_label_set_attributes (GTK_LABEL (self->command), attributes);
  pango_attr_list_unref (attributes);
}

static void
on_copy (HeddleExportDialog *self)
{
  gdk_clipboard_set_text (
      gtk_widget_get_clipboard (GTK_WIDGET (self)), gtk_label_get_text (GTK_LABEL (self->command)));
}

GtkWidget *
heddle_export_dialog_new_command (HeddleExportDialog *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *copy = heddle_icon_button_new ("edit-copy-symbolic", _ ("Copy the Command That Does the Same"));

  self->command = gtk_label_new (NULL);
  g_object_set (self->command, "selectable", TRUE, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "xalign",
      0., "hexpand", TRUE, NULL);
  gtk_widget_add_css_class (self->command, "monospace");
  gtk_widget_add_css_class (self->command, "caption");
  gtk_widget_set_valign (copy, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (copy, "flat");
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (on_copy), self);
  gtk_box_append (GTK_BOX (row), self->command);
  gtk_box_append (GTK_BOX (row), copy);
  return row;
}
