/* SPDX-License-Identifier: MIT */

/* Opening and saving. */

#include "config.h"

#include <glib/gi18n.h>

#include "app/documents/page.h"
#include "app/documents/recent.h"
#include "app/documents/session.h"
#include "app/editor/editor.h"
#include "app/panes/examples.h"
#include "app/widgets/message-dialog.h"
#include "app/window/close.h"
#include "app/window/files.h"
#include "app/window/import.h"
#include "app/window/pages.h"
#include "app/window/place.h"
#include "app/window/window.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/onnx/import.h"

/* A dialog is no place for a longer list. */
#define MOST_PROBLEMS 8
#define MOST_RECENT 8

void
heddle_window_show_problems (
    HeddleWindow *self, const char *heading, GPtrArray *problems, const GError *error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GtkWidget *dialog = NULL;

  for (guint i = 0; i < problems->len && i < MOST_PROBLEMS; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);

      if (problem->line > 0)
        g_string_append_printf (text, _ ("Line %u, column %u: "), problem->line, problem->column);
      g_string_append_printf (text, "%s\n", problem->message);
    }
  if (text->len == 0 && error != NULL)
    g_string_append (text, error->message);
  dialog = heddle_message_dialog_new (GTK_WINDOW (self), heading, text->str);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

static HeddleSession *
open_session (HeddleWindow *self, GFile *file)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;
  HeddleSession *session = heddle_session_open (file, problems, &error);

  if (session == NULL)
    {
      g_autofree char *name = g_file_get_basename (file);
      g_autofree char *heading = g_strdup_printf (_ ("Could Not Open “%s”"), name);

      heddle_window_show_problems (self, heading, problems, error);
    }
  return session;
}

gboolean
heddle_window_open_file (HeddleWindow *self, GFile *file)
{
  g_autoptr (HeddleSession) session = NULL;
  g_autofree char *path = NULL;

  g_return_val_if_fail (HEDDLE_IS_WINDOW (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  path = g_file_get_path (file);
  if (path != NULL && heddle_onnx_is (path))
    {
      heddle_window_open_model (self, path);
      return TRUE;
    }
  session = open_session (self, file);
  if (session == NULL)
    return FALSE;
  heddle_window_add_session (self, session);
  heddle_recent_add (file);
  return TRUE;
}

gboolean
heddle_window_open_example (HeddleWindow *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *title = heddle_example_title (path);
  g_autoptr (HeddleSession) session = NULL;

  g_return_val_if_fail (HEDDLE_IS_WINDOW (self), FALSE);

  session = open_session (self, file);
  if (session == NULL)
    return FALSE;
  heddle_session_set_template (session, title);
  heddle_window_add_session (self, session);
  return TRUE;
}

void
heddle_window_open_snapshot (HeddleWindow *self, HeddleSnapshot *snapshot, const char *name)
{
  g_autoptr (HeddleSession) session = NULL;

  g_return_if_fail (HEDDLE_IS_WINDOW (self));
  g_return_if_fail (snapshot != NULL);

  session = heddle_session_new (snapshot, name);
  heddle_window_add_session (self, session);
}

void
heddle_window_open_new (HeddleWindow *self)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_new ();

  g_return_if_fail (HEDDLE_IS_WINDOW (self));

  heddle_snapshot_add_diagram (snapshot, heddle_diagram_new ("untitled"));
  heddle_window_open_snapshot (self, snapshot, NULL);
  gtk_widget_grab_focus (self->equation_bar);
}

/* --- recent files --- */

static void
fill_recent (HeddleWindow *self)
{
  g_autoptr (GPtrArray) files = heddle_recent_list (MOST_RECENT);

  g_menu_remove_all (self->recent_menu);
  for (guint i = 0; i < files->len; i++)
    {
      GFile *file = g_ptr_array_index (files, i);
      g_autofree char *name = g_file_get_basename (file);
      g_autofree char *uri = g_file_get_uri (file);
      g_auto (GStrv) parts = g_strsplit (name, "_", -1);
      g_autofree char *label = g_strjoinv ("__", parts); /* it is no mnemonic */
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target (item, "win.open-uri", "s", uri);
      g_menu_append_item (self->recent_menu, item);
    }
}

void
heddle_window_watch_recent (HeddleWindow *self)
{
  g_signal_connect_object (
      gtk_recent_manager_get_default (), "changed", G_CALLBACK (fill_recent), self, G_CONNECT_SWAPPED);
  fill_recent (self);
}

/* A file is open once, wherever that is. */
void
heddle_window_show_or_open (HeddleWindow *self, GFile *file)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  GList *windows = application != NULL ? gtk_application_get_windows (application) : NULL;

  for (GList *l = windows; l != NULL; l = l->next)
    if (HEDDLE_IS_WINDOW (l->data) && heddle_window_show_file (l->data, file))
      {
        gtk_window_present (l->data);
        return;
      }
  heddle_window_open_file (self, file);
}

/* --- choosing --- */

static void
add_filter (GtkFileChooser *chooser, const char *name, const char *const *patterns)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  for (; *patterns != NULL; patterns++)
    gtk_file_filter_add_pattern (filter, *patterns);
  gtk_file_chooser_add_filter (chooser, filter);
}

static GtkFileChooser *
new_chooser (HeddleWindow *self, const char *title, GtkFileChooserAction action, const char *accept)
{
  g_clear_object (&self->chooser);
  self->chooser = gtk_file_chooser_native_new (title, GTK_WINDOW (self), action, accept, _ ("_Cancel"));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  return GTK_FILE_CHOOSER (self->chooser);
}

static void
on_open_response (GtkNativeDialog *chooser, int response, HeddleWindow *self)
{
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_clear_object (&self->chooser);
  if (file != NULL)
    heddle_window_show_or_open (self, file);
}

void
heddle_window_choose_open (HeddleWindow *self)
{
  static const char *const all[]
      = { "*.ncd", "*.eq", "*.svg", "*.pdf", "*.tex", "*.onnx", NULL },
      *const diagrams[] = { "*.ncd", NULL }, *const equations[] = { "*.eq", NULL },
             *const figures[] = { "*.svg", "*.pdf", "*.tex", NULL }, *const networks[] = { "*.onnx", NULL };
  GtkFileChooser *chooser
      = new_chooser (self, _ ("Open a Diagram"), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"));

  add_filter (chooser, _ ("All that can be opened"), all);
  add_filter (chooser, _ ("Diagrams (.ncd)"), diagrams);
  add_filter (chooser, _ ("Equations (.eq)"), equations);
  add_filter (chooser, _ ("Figures with their source (.svg, .pdf, .tex)"), figures);
  add_filter (chooser, _ ("Models (.onnx)"), networks);
  g_signal_connect (chooser, "response", G_CALLBACK (on_open_response), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- saving --- */

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

static char *
suggest_name (HeddleWindow *self)
{
  g_autofree char *title = heddle_editor_dup_title (self->editor);
  char *dot = strrchr (title, '.');

  if (dot != NULL && dot != title)
    *dot = '\0';
  return g_strconcat (title, ".ncd", NULL);
}

void
heddle_window_save_as (HeddleWindow *self)
{
  static const char *const diagrams[] = { "*.ncd", NULL };
  GtkFileChooser *chooser
      = new_chooser (self, _ ("Save the Diagram"), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"));
  g_autofree char *name = suggest_name (self);

  gtk_file_chooser_set_current_name (chooser, name);
  heddle_window_begin_beside (self, chooser, NULL);
  add_filter (chooser, _ ("Diagrams (.ncd)"), diagrams);
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
