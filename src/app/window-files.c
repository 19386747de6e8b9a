/* SPDX-License-Identifier: MIT */

/* Opening, saving, and what happens to unsaved work. */

#include "config.h"

#include <glib/gi18n.h>

#include "app/window-private.h"
#include "files/files.h"

/* A dialog is no place for a longer list. */
#define MOST_PROBLEMS 8

static void
show_problems (HeddleWindow *self, const char *heading, GPtrArray *problems, const GError *error)
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
  dialog = adw_message_dialog_new (GTK_WINDOW (self), heading, text->str);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

gboolean
heddle_window_open_file (HeddleWindow *self, GFile *file)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSnapshot) snapshot = NULL;
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *name = g_file_get_basename (file);

  g_return_val_if_fail (HEDDLE_IS_WINDOW (self), FALSE);

  if (path != NULL)
    snapshot = heddle_file_load (path, problems, &error);
  else
    g_set_error_literal (
        &error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _ ("Only files on this machine can be opened"));
  if (snapshot == NULL)
    {
      g_autofree char *heading = g_strdup_printf (_ ("Could Not Open “%s”"), name);

      show_problems (self, heading, problems, error);
      return FALSE;
    }
  heddle_window_open_snapshot (self, snapshot, name);
  heddle_editor_set_file (self->editor, file);
  g_object_notify (G_OBJECT (heddle_editor_get_document (self->editor)), "modified"); /* the title follows */
  return TRUE;
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
open_in_a_window (HeddleWindow *self, GFile *file)
{
  HeddleWindow *window = self;

  if (!heddle_window_is_empty (self))
    window = HEDDLE_WINDOW (heddle_window_new (gtk_window_get_application (GTK_WINDOW (self))));
  if (heddle_window_open_file (window, file) || window == self)
    gtk_window_present (GTK_WINDOW (window));
  else
    {
      /* The reason is shown by a window that is there. */
      gtk_window_destroy (GTK_WINDOW (window));
      heddle_window_open_file (self, file);
    }
}

static void
on_open_response (GtkNativeDialog *chooser, int response, HeddleWindow *self)
{
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_clear_object (&self->chooser);
  if (file != NULL)
    open_in_a_window (self, file);
}

void
heddle_window_choose_open (HeddleWindow *self)
{
  static const char *const all[] = { "*.ncd", "*.eq", "*.svg", NULL }, *const diagrams[] = { "*.ncd", NULL },
                           *const equations[] = { "*.eq", NULL }, *const figures[] = { "*.svg", NULL };
  GtkFileChooser *chooser
      = new_chooser (self, _ ("Open a Diagram"), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"));

  add_filter (chooser, _ ("All that can be opened"), all);
  add_filter (chooser, _ ("Diagrams (.ncd)"), diagrams);
  add_filter (chooser, _ ("Equations (.eq)"), equations);
  add_filter (chooser, _ ("Figures with their source (.svg)"), figures);
  g_signal_connect (chooser, "response", G_CALLBACK (on_open_response), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- saving --- */

static gboolean
write_file (HeddleWindow *self, GFile *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *data = NULL;
  gsize length = 0;

  heddle_equation_bar_flush (HEDDLE_EQUATION_BAR (self->equation_bar));
  data = heddle_ncd_write (heddle_editor_get_snapshot (self->editor), &length, &error);
  if (data == NULL || !heddle_file_save (path, data, length, &error))
    {
      g_autofree char *text = g_strdup_printf (_ ("Not saved: %s"), error->message);

      heddle_window_show_toast (self, text);
      return FALSE;
    }
  heddle_editor_set_file (self->editor, file);
  heddle_document_set_saved (heddle_editor_get_document (self->editor));
  g_object_notify (G_OBJECT (heddle_editor_get_document (self->editor)), "modified"); /* the title follows */
  return TRUE;
}

static GFile *
with_suffix (GFile *file, const char *suffix)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *full = NULL;

  if (g_str_has_suffix (path, suffix))
    return g_object_ref (file);
  full = g_strconcat (path, suffix, NULL);
  return g_file_new_for_path (full);
}

static void
close_if_wanted (HeddleWindow *self, gboolean saved)
{
  gboolean wanted = self->close_after_save && saved;

  self->close_after_save = FALSE;
  if (wanted)
    gtk_window_close (GTK_WINDOW (self));
}

static void
on_save_response (GtkNativeDialog *chooser, int response, HeddleWindow *self)
{
  g_autoptr (GFile) chosen = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    chosen = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_clear_object (&self->chooser);
  if (chosen != NULL)
    {
      g_autoptr (GFile) file = with_suffix (chosen, ".ncd");

      close_if_wanted (self, write_file (self, file));
    }
  else
    self->close_after_save = FALSE;
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
  add_filter (chooser, _ ("Diagrams (.ncd)"), diagrams);
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
  GFile *file = heddle_editor_get_file (self->editor);

  if (!is_diagram_file (file) || heddle_editor_get_snapshot (self->editor)->read_only)
    heddle_window_save_as (self);
  else
    {
      g_autoptr (GFile) held = g_object_ref (file);

      close_if_wanted (self, write_file (self, held));
    }
}

/* --- closing --- */

static void
on_close_response (AdwMessageDialog *dialog, const char *response, HeddleWindow *self)
{
  if (g_strcmp0 (response, "discard") == 0)
    {
      self->closing = TRUE;
      gtk_window_close (GTK_WINDOW (self));
    }
  else if (g_strcmp0 (response, "save") == 0)
    {
      self->close_after_save = TRUE;
      heddle_window_save (self);
    }
}

gboolean
heddle_window_ask_before_closing (HeddleWindow *self)
{
  GtkWidget *dialog = NULL;

  if (self->closing || self->editor == NULL)
    return FALSE;
  heddle_equation_bar_flush (HEDDLE_EQUATION_BAR (self->equation_bar));
  if (!heddle_document_get_modified (heddle_editor_get_document (self->editor)))
    return FALSE;
  dialog = adw_message_dialog_new (GTK_WINDOW (self), _ ("Save Changes?"),
      _ ("This diagram has changes that are not saved. What is not saved is lost."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "discard",
      _ ("_Discard"), "save", _ ("_Save"), NULL);
  adw_message_dialog_set_response_appearance (
      ADW_MESSAGE_DIALOG (dialog), "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_close_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}
