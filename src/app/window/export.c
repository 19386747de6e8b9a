/* SPDX-License-Identifier: MIT */

/* A dialog of its own says how an export is to be, then it is said where it goes. */

#include <glib/gi18n.h>

#include "app/derivation/pane.h"
#include "app/documents/page.h"
#include "app/editor/editor.h"
#include "app/export/dialog.h"
#include "app/export/job.h"
#include "app/export/options.h"
#include "app/window/chooser.h"
#include "app/window/export.h"
#include "app/window/pages.h"
#include "app/window/place.h"
#include "app/window/toasts.h"
#include "app/window/panes.h"
#include "files/exchange/export.h"

/* An export is what a document was last exported as, and where to: it is kept with it while it is open. */
typedef struct
{
  HeddleExportChoice *choice;
  char *path;
} LastExport;

static void
last_export_free (gpointer data)
{
  LastExport *last = data;

  heddle_export_choice_free (last->choice);
  g_free (last->path);
  g_free (last);
}

#define LAST_EXPORT "heddle-last-export"

static LastExport *
get_last (HeddleWindow *self)
{
  return g_object_get_data (G_OBJECT (heddle_page_get_session (self->page)), LAST_EXPORT);
}

static void
remember (HeddleWindow *self, const HeddleExportChoice *choice, const char *path)
{
  LastExport *last = g_new (LastExport, 1);

  *last = (LastExport){ heddle_export_choice_copy (choice), g_strdup (path) };
  g_object_set_data_full (
      G_OBJECT (heddle_page_get_session (self->page)), LAST_EXPORT, last, last_export_free);
}

/* --- the work --- */

/* A figure is soon there; of what takes longer it is told that it goes on. Kernels are compiled and run by an interpreter first. */
#define PAUSE_MS 700

typedef struct
{
  HeddleWindow *window;
  GCancellable *cancellable;
  char *name;
  guint pause; /* until it is told; 0: it is */
} Exporting;

static void
exporting_free (Exporting *self)
{
  g_clear_handle_id (&self->pause, g_source_remove);
  g_object_unref (self->cancellable);
  g_object_unref (self->window);
  g_free (self->name);
  g_free (self);
}

static gboolean
end_pause (gpointer data)
{
  Exporting *exporting = data;

  exporting->pause = 0;
  g_signal_emit_by_name (exporting->window, "notices-changed");
  return G_SOURCE_REMOVE;
}

char *
heddle_window_dup_exports (HeddleWindow *self)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; self->exports != NULL && i < self->exports->len; i++)
    {
      const Exporting *exporting = g_ptr_array_index (self->exports, i);

      if (exporting->pause == 0)
        {
          g_string_append (names, names->len > 0 ? ", " : "");
          g_string_append_printf (names, _ ("“%s”"), exporting->name);
        }
    }
  return names->len > 0 ? g_string_free (g_steal_pointer (&names), FALSE) : NULL;
}

void
heddle_window_cancel_exports (HeddleWindow *self)
{
  for (guint i = 0; self->exports != NULL && i < self->exports->len; i++)
    g_cancellable_cancel (((const Exporting *) g_ptr_array_index (self->exports, i))->cancellable);
}

/* The kernel page says that its kernels are verified, if it is these that were exported. */
static void
recall_verification (HeddleWindow *self)
{
  HeddleDerivationPane *pane = heddle_window_get_derivation_pane (self);

  if (pane != NULL)
    heddle_derivation_pane_recall (pane);
}

static void
on_exported (GObject *source, GAsyncResult *result, gpointer data)
{
  Exporting *exporting = data;
  HeddleWindow *window = exporting->window;
  g_autoptr (GError) error = NULL;
  const gboolean done = heddle_export_finish (result, &error);
  g_autofree char *text
      = done ? g_strdup_printf (_ ("Exported “%s”"), exporting->name)
        : g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
            ? g_strdup_printf (_ ("“%s” was not exported"), exporting->name)
            : g_strdup_printf (_ ("“%s” was not exported: %s"), exporting->name, error->message);

  if (window->exports != NULL)
    g_ptr_array_remove (window->exports, exporting);
  if (gtk_widget_get_realized (GTK_WIDGET (window)))
    {
      g_signal_emit_by_name (window, "notices-changed");
      heddle_window_show_toast (window, text);
      recall_verification (window);
    }
  exporting_free (exporting);
  g_application_release (g_application_get_default ());
}

void
heddle_window_export_to (HeddleWindow *self, const HeddleExportChoice *choice, const char *path)
{
  Exporting *exporting = g_new0 (Exporting, 1);
  HeddleExportOptions options;

  heddle_window_flush (self);
  options = heddle_export_options_of (self->editor, choice);
  exporting->window = g_object_ref (self);
  exporting->cancellable = g_cancellable_new ();
  exporting->name = g_path_get_basename (path);
  exporting->pause = g_timeout_add (PAUSE_MS, end_pause, exporting);
  if (self->exports == NULL)
    self->exports = g_ptr_array_new ();
  g_ptr_array_add (self->exports, exporting);
  remember (self, choice, path);
  /* A window that is closed meanwhile does not end it. */
  g_application_hold (g_application_get_default ());
  heddle_export_async (heddle_editor_get_snapshot (self->editor), path, &options, exporting->cancellable,
      on_exported, exporting);
}

/* --- where to --- */

static void
write_figure (HeddleWindow *self, GFile *file, gpointer data)
{
  g_autofree char *path = g_file_get_path (file);

  if (path != NULL)
    heddle_window_export_to (self, data, path);
}

static void
on_response (GtkNativeDialog *native, int response, HeddleWindow *self)
{
  const HeddleExportChoice *choice = g_object_get_data (G_OBJECT (native), LAST_EXPORT);
  g_autoptr (HeddleExportChoice) copy = heddle_export_choice_copy (choice);
  g_autoptr (GFile) file = NULL;
  const gboolean there = heddle_window_return_to_page (self, native);

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (native));
  g_clear_object (&self->chooser);
  if (file != NULL && there)
    {
      const char *suffix = copy->suffix;

      heddle_window_take_place (self, file, suffix, write_figure, g_steal_pointer (&copy),
          (GDestroyNotify) heddle_export_choice_free);
    }
}

static void
choose_place (HeddleWindow *self, const HeddleExportChoice *choice)
{
  g_autofree char *name = heddle_window_suggest_name (self, choice->suffix);
  g_autofree char *pattern = g_strconcat ("*", choice->suffix, NULL);
  const char *const patterns[] = { pattern, NULL };
  const LastExport *last = get_last (self);
  GtkFileChooser *chooser
      = heddle_window_new_chooser (self, _ ("Export"), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"));

  heddle_window_add_filter (chooser, heddle_export_format_title (choice->suffix), patterns);
  gtk_file_chooser_set_current_name (chooser, name);
  heddle_window_begin_beside (self, chooser, last != NULL ? last->path : NULL);
  g_object_set_data_full (G_OBJECT (chooser), LAST_EXPORT, heddle_export_choice_copy (choice),
      (GDestroyNotify) heddle_export_choice_free);
  heddle_window_ask_about_page (self, chooser);
  g_signal_connect (chooser, "response", G_CALLBACK (on_response), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
on_chosen (HeddleExportDialog *dialog, HeddleWindow *self)
{
  if (heddle_window_return_to_page (self, dialog))
    choose_place (self, heddle_export_dialog_get_choice (dialog));
  gtk_window_close (GTK_WINDOW (dialog));
}

/* Takes @choice. */
static void
open_dialog (HeddleWindow *self, HeddleExportChoice *choice)
{
  GtkWidget *dialog = NULL;

  heddle_window_flush (self);
  dialog = heddle_export_dialog_new (self->editor, GTK_WINDOW (self), choice);
  heddle_window_ask_about_page (self, dialog);
  g_signal_connect_object (dialog, "chosen", G_CALLBACK (on_chosen), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
heddle_window_choose_export (HeddleWindow *self)
{
  open_dialog (self, heddle_export_choice_load ());
}

static void
set_suffix (HeddleExportChoice *choice, const char *suffix)
{
  g_free (choice->suffix);
  choice->suffix = g_strdup (suffix);
}

void
heddle_window_export_picture (HeddleWindow *self, HeddleExportPicture picture)
{
  HeddleExportChoice *choice = heddle_export_choice_load ();

  if (!heddle_export_is_figure (choice->suffix))
    set_suffix (choice, ".svg");
  choice->picture = picture;
  open_dialog (self, choice);
}

void
heddle_window_export_kernel (HeddleWindow *self)
{
  HeddleExportChoice *choice = heddle_export_choice_load ();

  if (heddle_export_is_figure (choice->suffix) || g_str_equal (choice->suffix, ".eq"))
    set_suffix (choice, ".cu");
  open_dialog (self, choice);
}

void
heddle_window_export_module (HeddleWindow *self)
{
  HeddleExportChoice *choice = heddle_export_choice_load ();

  set_suffix (choice, ".py");
  open_dialog (self, choice);
}

void
heddle_window_export_again (HeddleWindow *self)
{
  const LastExport *last = get_last (self);

  if (last == NULL)
    heddle_window_choose_export (self);
  else
    {
      g_autoptr (HeddleExportChoice) choice = heddle_export_choice_copy (last->choice);
      g_autofree char *path = g_strdup (last->path);

      heddle_window_export_to (self, choice, path);
    }
}
