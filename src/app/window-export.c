/* SPDX-License-Identifier: MIT */

/* Export: where to, and as what; the suffix says. */

#include "config.h"

#include <glib/gi18n.h>

#include "app/export-job.h"
#include "app/window-private.h"

static const struct
{
  const char *suffix, *title;
} formats[] = {
  { ".svg", N_ ("Figure with its source (.svg)") },
  { ".pdf", N_ ("Figure (.pdf)") },
  { ".png", N_ ("Picture (.png)") },
  { ".tex", N_ ("Figure for LaTeX (.tex)") },
  { ".cu", N_ ("CUDA source (.cu)") },
  { ".h", N_ ("CUDA header (.h)") },
  { ".py", N_ ("PyTorch module (.py)") },
  { ".ptx", N_ ("PTX assembly (.ptx)") },
  { ".cubin", N_ ("GPU binary (.cubin)") },
  { ".so", N_ ("Library with a launcher (.so)") },
  { ".eq", N_ ("Equations (.eq)") },
};

static char *
stem_of (HeddleWindow *self)
{
  char *title = heddle_editor_dup_title (self->editor);
  char *dot = strrchr (title, '.');

  if (dot != NULL && dot != title)
    *dot = '\0';
  return title;
}

static int
format_of_filter (GtkFileChooser *chooser)
{
  GtkFileFilter *filter = gtk_file_chooser_get_filter (chooser);
  const char *name = filter != NULL ? gtk_file_filter_get_name (filter) : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (name, _ (formats[i].title)) == 0)
      return i;
  return 0;
}

static gboolean
has_format (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_has_suffix (path, formats[i].suffix))
      return TRUE;
  return g_str_has_suffix (path, ".ncd");
}

typedef struct
{
  HeddleWindow *window;
  char *name;
} Exporting;

static void
on_exported (GObject *source, GAsyncResult *result, gpointer data)
{
  Exporting *exporting = data;
  g_autoptr (GError) error = NULL;
  gboolean done = heddle_export_finish (result, &error);
  g_autofree char *text
      = done ? g_strdup_printf (_ ("Exported “%s”"), exporting->name)
             : g_strdup_printf (_ ("“%s” was not exported: %s"), exporting->name, error->message);

  if (gtk_widget_get_realized (GTK_WIDGET (exporting->window)))
    heddle_window_show_toast (exporting->window, text);
  g_object_unref (exporting->window);
  g_free (exporting->name);
  g_free (exporting);
}

static void
export_to (HeddleWindow *self, const char *path)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);
  const HeddleDiagram *diagram = NULL;
  Exporting *exporting = g_new0 (Exporting, 1);

  heddle_equation_bar_flush (HEDDLE_EQUATION_BAR (self->equation_bar));
  diagram = heddle_editor_get_diagram (self->editor);
  exporting->window = g_object_ref (self);
  exporting->name = g_path_get_basename (path);
  heddle_export_async (heddle_editor_get_snapshot (self->editor), path,
      diagram != NULL ? diagram->name : NULL, machine != NULL ? machine->name : NULL,
      heddle_editor_get_dtype (self->editor), NULL, on_exported, exporting);
}

static void
on_response (GtkNativeDialog *native, int response, HeddleWindow *self)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (native);
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (chooser);
  path = file != NULL ? g_file_get_path (file) : NULL;
  if (path != NULL && !has_format (path))
    {
      g_autofree char *bare = g_steal_pointer (&path);

      path = g_strconcat (bare, formats[format_of_filter (chooser)].suffix, NULL);
    }
  g_clear_object (&self->chooser);
  if (path != NULL)
    export_to (self, path);
}

/* Another kind of file, another suffix. */
static void
on_filter_changed (GtkFileChooser *chooser, GParamSpec *pspec, HeddleWindow *self)
{
  g_autofree char *stem = stem_of (self);
  g_autofree char *name = g_strconcat (stem, formats[format_of_filter (chooser)].suffix, NULL);

  gtk_file_chooser_set_current_name (chooser, name);
}

void
heddle_window_choose_export (HeddleWindow *self)
{
  g_autofree char *stem = stem_of (self);
  g_autofree char *name = g_strconcat (stem, formats[0].suffix, NULL);
  GtkFileChooser *chooser = NULL;

  g_clear_object (&self->chooser);
  self->chooser = gtk_file_chooser_native_new (
      _ ("Export"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"), _ ("_Cancel"));
  chooser = GTK_FILE_CHOOSER (self->chooser);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
      g_autofree char *pattern = g_strconcat ("*", formats[i].suffix, NULL);

      gtk_file_filter_set_name (filter, _ (formats[i].title));
      gtk_file_filter_add_pattern (filter, pattern);
      gtk_file_chooser_add_filter (chooser, filter);
    }
  gtk_file_chooser_set_current_name (chooser, name);
  g_signal_connect (chooser, "notify::filter", G_CALLBACK (on_filter_changed), self);
  g_signal_connect (chooser, "response", G_CALLBACK (on_response), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}
