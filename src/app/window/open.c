/* SPDX-License-Identifier: MIT */

/* This file opens diagrams, equations, figures and examples at once, a model of others by a worker thread;
 * and files that are dropped on the window. */

#include <glib/gi18n.h>

#include "app/documents/recent.h"
#include "app/documents/session.h"
#include "app/edits/definitions.h"
#include "app/panes/examples.h"
#include "app/widgets/message-dialog.h"
#include "app/window/chooser.h"
#include "app/window/open.h"
#include "app/window/pages.h"
#include "app/window/private.h"
#include "app/window/toasts.h"
#include "diagram/base/problem.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/onnx/import.h"
#include "files/onnx/onnx.h"

/* A dialog is no place for a longer list; of a model the command line has all of it. */
#define MOST_PROBLEMS 8
#define MOST_RECENT 8
#define MOST_LISTED 200
#define LIST_CHARS 32 /* of a line: the list is as high as it takes in a question of the usual width */

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

void
heddle_window_open_snapshot (HeddleWindow *self, HeddleSnapshot *snapshot, const char *name)
{
  g_autoptr (HeddleSession) session = NULL;

  g_return_if_fail (HEDDLE_IS_WINDOW (self));
  g_return_if_fail (snapshot != NULL);

  session = heddle_session_new (snapshot, name);
  heddle_window_add_session (self, session);
}

/* --- models of others ------------------------------------------------------------------------------ */

typedef struct
{
  char *path;
  HeddleSnapshot *snapshot; /* what was read */
  HeddleOnnxReport report;
} Import;

static void
import_free (gpointer data)
{
  Import *self = data;

  g_free (self->path);
  g_clear_pointer (&self->snapshot, heddle_snapshot_unref);
  heddle_onnx_report_clear (&self->report);
  g_free (self);
}

static void
read_model (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Import *self = data;
  GError *error = NULL;

  self->snapshot = heddle_onnx_import (self->path, NULL, NULL, FALSE, &self->report, &error);
  if (self->snapshot == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static char *
coverage (const HeddleOnnxReport *report)
{
  return g_strdup_printf (
      ngettext ("%u of %u operator understood", "%u of %u operators understood", report->n_operators),
      report->n_understood, report->n_operators);
}

/* Lists what became a box and why, what would have to be known, and what was assumed. */
static char *
list_rest (const HeddleOnnxReport *report)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (report->opaque->len, MOST_LISTED); i++)
    {
      const HeddleOnnxOpaque *opaque = g_ptr_array_index (report->opaque, i);

      g_autofree char *node = heddle_describe_isolated (g_strdup (opaque->node));

      /* Translators: a type of operator, the name of one, and why it is not understood. */
      g_string_append_printf (text, _ ("%s (%s): %s"), opaque->op, node, opaque->why);
      g_string_append_c (text, '\n');
    }
  if (report->opaque->len > MOST_LISTED)
    g_string_append_printf (text,
        ngettext ("and %u more\n", "and %u more\n", report->opaque->len - MOST_LISTED),
        report->opaque->len - MOST_LISTED);
  for (guint i = 0; i < MIN (report->assumed->len, MOST_LISTED); i++)
    {
      g_string_append_printf (text, _ ("Assumed: %s"), (char *) g_ptr_array_index (report->assumed, i));
      g_string_append_c (text, '\n');
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
show_rest (HeddleWindow *self, const char *heading, const char *list)
{
  GtkWidget *dialog = heddle_message_dialog_new (GTK_WINDOW (self), heading,
      _ ("Operators that are not understood are drawn as boxes of which only the types are known."));
  GtkWidget *scrolled = gtk_scrolled_window_new (), *label = gtk_label_new (list);

  g_object_set (label, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "xalign", 0., "yalign", 0.,
      "selectable", TRUE, "max-width-chars", LIST_CHARS, NULL);
  g_object_set (scrolled, "child", label, "propagate-natural-height", TRUE, "max-content-height", 320,
      "hscrollbar-policy", GTK_POLICY_NEVER, NULL);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), scrolled);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
show_report (HeddleWindow *self, const HeddleOnnxReport *report)
{
  g_autofree char *heading = coverage (report), *list = list_rest (report);

  if (*list != '\0')
    show_rest (self, heading, list);
  else
    heddle_window_show_toast (self, heading);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  HeddleWindow *self = HEDDLE_WINDOW (source);
  Import *import = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  g_autofree char *name = g_path_get_basename (import->path);

  if (self->tab_view == NULL) /* it was closed meanwhile */
    return;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      g_autoptr (GPtrArray) none = g_ptr_array_new ();
      g_autofree char *heading = g_strdup_printf (_ ("Could Not Open “%s”"), name);

      heddle_window_show_problems (self, heading, none, error);
      return;
    }
  file = g_file_new_for_path (import->path);
  heddle_window_open_snapshot (self, import->snapshot, name);
  heddle_recent_add (file);
  show_report (self, &import->report);
}

void
heddle_window_open_model (HeddleWindow *self, const char *path)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, on_read, NULL);
  Import *import = g_new0 (Import, 1);

  import->path = g_strdup (path);
  g_task_set_task_data (task, import, import_free);
  g_task_run_in_thread (task, read_model);
}

/* --- files ----------------------------------------------------------------------------------------- */

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
heddle_window_open_new (HeddleWindow *self)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_new ();

  g_return_if_fail (HEDDLE_IS_WINDOW (self));

  heddle_snapshot_add_diagram (snapshot, heddle_diagram_new ("untitled"));
  heddle_window_open_snapshot (self, snapshot, NULL);
  gtk_widget_grab_focus (self->equation_bar);
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

/* --- choosing -------------------------------------------------------------------------------------- */

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
      = heddle_window_new_chooser (self, _ ("Open a Diagram"), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"));

  heddle_window_add_filter (chooser, _ ("All that can be opened"), all);
  heddle_window_add_filter (chooser, _ ("Diagrams (.ncd)"), diagrams);
  heddle_window_add_filter (chooser, _ ("Equations (.eq)"), equations);
  heddle_window_add_filter (chooser, _ ("Figures with their source (.svg, .pdf, .tex)"), figures);
  heddle_window_add_filter (chooser, _ ("Models (.onnx)"), networks);
  g_signal_connect (chooser, "response", G_CALLBACK (on_open_response), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

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

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, HeddleWindow *self)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));

  for (GSList *file = files; file != NULL; file = file->next)
    heddle_window_show_or_open (self, file->data);
  return files != NULL;
}

/* A drop comes up to here where what would have taken it has just gone. GTK 4.8 leaves whoever dragged it waiting for an answer for good: a
 * tab that is dragged would be in no window any more. */
static gboolean
refuse_drop (GtkEventController *controller, GdkEvent *event)
{
  if (gdk_event_get_event_type (event) != GDK_DROP_START)
    return FALSE;
  gdk_drop_finish (gdk_dnd_event_get_drop (event), 0);
  return TRUE;
}

/* Documents, equations, figures and models can be dropped anywhere. */
static void
take_files (HeddleWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  GtkEventController *rest = gtk_event_controller_legacy_new ();

  /* What is added first has its turn last. */
  gtk_event_controller_set_propagation_phase (rest, GTK_PHASE_BUBBLE);
  g_signal_connect (rest, "event", G_CALLBACK (refuse_drop), NULL);
  gtk_widget_add_controller (GTK_WIDGET (self), rest);
  g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

void
heddle_window_open_init (HeddleWindow *self)
{
  g_signal_connect_object (
      gtk_recent_manager_get_default (), "changed", G_CALLBACK (fill_recent), self, G_CONNECT_SWAPPED);
  fill_recent (self);
  take_files (self);
}
