/* SPDX-License-Identifier: MIT */

/* Where something is to be written, and whether another file may be replaced there. */

#include <glib/gi18n.h>
#include <string.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "app/editor/editor.h"
#include "app/widgets/message-dialog.h"
#include "app/window/pages.h"
#include "app/window/place.h"

/* A question waits for the answer. */
typedef struct
{
  GFile *file;
  HeddlePlaceFunc write;
  gpointer data;
  GDestroyNotify free_data;
} Place;

static const char asked_place[] = "heddle-place";

static void
place_free (gpointer data)
{
  Place *place = data;

  g_object_unref (place->file);
  if (place->free_data != NULL)
    place->free_data (place->data);
  g_free (place);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Place, place_free)

void
heddle_window_begin_beside (HeddleWindow *self, GtkFileChooser *chooser, const char *before)
{
  GFile *file = heddle_editor_get_file (self->editor);
  const char *own = file != NULL ? g_file_peek_path (file) : NULL;
  const char *beside = before != NULL ? before : own;
  g_autofree char *folder = beside != NULL ? g_path_get_dirname (beside) : NULL;

  if (folder != NULL && g_access (folder, W_OK) == 0)
    {
      g_autoptr (GFile) place = g_file_new_for_path (folder);

      gtk_file_chooser_set_current_folder (chooser, place, NULL);
    }
}

char *
heddle_window_suggest_name (HeddleWindow *self, const char *suffix)
{
  g_autofree char *title = heddle_editor_dup_title (self->editor);
  char *dot = strrchr (title, '.');

  if (dot != NULL && dot != title)
    *dot = '\0';
  return g_strconcat (title, suffix, NULL);
}

static GFile *
with_suffix (GFile *file, const char *suffix)
{
  g_autofree char *name = g_file_get_basename (file), *full = NULL;
  g_autoptr (GFile) folder = NULL;

  /* What a person typed ends in it, whatever the letters' case: on some disks it is the same name. */
  if (strlen (name) > strlen (suffix)
      && g_ascii_strcasecmp (name + strlen (name) - strlen (suffix), suffix) == 0)
    return g_object_ref (file);
  full = g_strconcat (name, g_str_has_suffix (name, ".") ? suffix + 1 : suffix, NULL);
  folder = g_file_get_parent (file);
  return g_file_get_child (folder, full);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, HeddleWindow *self)
{
  const Place *place = g_object_get_data (G_OBJECT (dialog), asked_place);

  if (!heddle_window_return_to_page (self, dialog))
    return;
  if (g_strcmp0 (response, "replace") == 0)
    place->write (self, place->file, place->data);
  else
    self->closing = self->close_after_save = FALSE;
}

/* Takes @place. */
static void
ask (HeddleWindow *self, Place *place)
{
  g_autofree char *name = g_file_get_basename (place->file);
  g_autofree char *heading = g_strdup_printf (_ ("Replace “%s”?"), name);
  GtkWidget *widget = heddle_message_dialog_new (
      GTK_WINDOW (self), heading, _ ("A file of this name exists already. Its content will be lost."));
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);

  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "replace", _ ("_Replace"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "replace", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (dialog, "cancel");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_object_set_data_full (G_OBJECT (dialog), asked_place, place, place_free);
  heddle_window_ask_about_page (self, dialog);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
heddle_window_take_place (HeddleWindow *self, GFile *chosen, const char *suffix, HeddlePlaceFunc write,
    gpointer data, GDestroyNotify free_data)
{
  g_autoptr (Place) place = g_new (Place, 1);

  *place = (Place){ with_suffix (chosen, suffix), write, data, free_data };
  if (g_file_equal (chosen, place->file) || !g_file_query_exists (place->file, NULL))
    write (self, place->file, data);
  else
    ask (self, g_steal_pointer (&place));
}
