/* SPDX-License-Identifier: MIT */

/* Saving the document that is shown, and what is asked where that does not go. */

#include <glib/gi18n.h>

#include "app/documents/page.h"
#include "app/documents/recent.h"
#include "app/documents/session.h"
#include "app/editor/editor.h"
#include "app/widgets/message-dialog.h"
#include "app/window/chooser.h"
#include "app/window/pages.h"
#include "app/window/place.h"
#include "app/window/private.h"
#include "app/window/save.h"

static void
on_failure_response (AdwMessageDialog *dialog, const char *response, HeddleWindow *self)
{
  if (!heddle_window_return_to_page (self, dialog))
    return;
  if (g_strcmp0 (response, "save-as") == 0)
    heddle_window_save_as (self);
  else if (g_strcmp0 (response, "overwrite") == 0)
    {
      heddle_session_keep (heddle_page_get_session (self->page));
      heddle_window_save (self);
    }
  else
    self->closing = self->close_after_save = FALSE;
}

/* Where a file could not be written the person must know, and have another way to keep the work. */
static void
show_failure (HeddleWindow *self, GFile *file, const GError *error)
{
  const gboolean changed = g_error_matches (error, HEDDLE_SESSION_ERROR, HEDDLE_SESSION_ERROR_CHANGED);
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *heading = g_strdup_printf (_ ("“%s” Was Not Saved"), name);
  GtkWidget *widget = heddle_message_dialog_new (GTK_WINDOW (self), heading, error->message);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);

  adw_message_dialog_add_response (dialog, "close", _ ("_Close"));
  if (changed)
    {
      adw_message_dialog_add_response (dialog, "overwrite", _ ("_Overwrite"));
      adw_message_dialog_set_response_appearance (dialog, "overwrite", ADW_RESPONSE_DESTRUCTIVE);
    }
  adw_message_dialog_add_response (dialog, "save-as", _ ("Save _As…"));
  adw_message_dialog_set_response_appearance (dialog, "save-as", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "save-as");
  adw_message_dialog_set_close_response (dialog, "close");
  heddle_window_ask_about_page (self, dialog);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_failure_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* The person was asked about what stands in the way, where it is another file. */
static void
write_file (HeddleWindow *self, GFile *file, gpointer unused)
{
  HeddleSession *session = heddle_page_get_session (self->page);
  g_autoptr (GError) error = NULL;

  heddle_window_flush (self);
  if (!heddle_session_save (session, file, FALSE, &error))
    {
      show_failure (self, file, error);
      return;
    }
  heddle_recent_add (file);
  if (self->close_after_save)
    {
      self->close_after_save = FALSE;
      if (heddle_page_get_text (self->page) != NULL)
        heddle_page_give_up (self->page); /* the person was told that it is lost */
      heddle_window_go_on_closing (self);
    }
}

static void
on_save_response (GtkNativeDialog *chooser, int response, HeddleWindow *self)
{
  g_autoptr (GFile) chosen = NULL;
  const gboolean there = heddle_window_return_to_page (self, chooser);

  if (response == GTK_RESPONSE_ACCEPT)
    chosen = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_clear_object (&self->chooser);
  if (chosen != NULL && there)
    heddle_window_take_place (self, chosen, ".ncd", write_file, NULL, NULL);
  else
    self->closing = self->close_after_save = FALSE;
}

void
heddle_window_save_as (HeddleWindow *self)
{
  static const char *const diagrams[] = { "*.ncd", NULL };
  GtkFileChooser *chooser
      = heddle_window_new_chooser (self, _ ("Save the Diagram"), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"));
  g_autofree char *name = heddle_window_suggest_name (self, ".ncd");

  gtk_file_chooser_set_current_name (chooser, name);
  heddle_window_begin_beside (self, chooser, NULL);
  heddle_window_add_filter (chooser, _ ("Diagrams (.ncd)"), diagrams);
  heddle_window_ask_about_page (self, chooser);
  g_signal_connect (chooser, "response", G_CALLBACK (on_save_response), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* Equations and figures hold less than the document: those are saved as a diagram beside them. */
static gboolean
is_diagram_file (GFile *file)
{
  g_autofree char *name = file != NULL ? g_file_get_basename (file) : NULL;

  return name != NULL && g_str_has_suffix (name, ".ncd");
}

void
heddle_window_save (HeddleWindow *self)
{
  HeddleSession *session = heddle_page_get_session (self->page);
  GFile *file = heddle_session_get_file (session);

  if (!is_diagram_file (file) || heddle_editor_get_snapshot (self->editor)->read_only
      || (heddle_session_get_state (session) & HEDDLE_SESSION_READ_ONLY))
    heddle_window_save_as (self);
  else
    {
      g_autoptr (GFile) held = g_object_ref (file);

      write_file (self, held, NULL);
    }
}
