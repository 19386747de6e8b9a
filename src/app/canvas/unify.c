/* SPDX-License-Identifier: MIT */

/* Two ends of different axes do not contract; that they are one axis after all is for the person to say. */

#include "config.h"

#include <glib/gi18n.h>

#include "app/canvas/canvas.h"
#include "app/canvas/unify.h"
#include "app/editor/editor.h"
#include "app/edits/edits.h"
#include "app/widgets/message-dialog.h"
#include "diagram/graph/diagram.h"
#include "app/canvas/private.h"

typedef struct
{
  HeddleEditor *editor;
  const char *from, *into;
} Unification;

static void
free_unification (gpointer data, GClosure *closure)
{
  Unification *unification = data;

  g_object_unref (unification->editor);
  g_free (unification);
}

static void
on_unify_response (AdwMessageDialog *dialog, const char *response, Unification *unification)
{
  if (g_strcmp0 (response, "unify") == 0)
    heddle_edits_unify (unification->editor, unification->from, unification->into, NULL);
}

void
heddle_canvas_offer_to_unify (HeddleCanvas *self, const char *from, const char *into, const char *reason)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  const HeddleAxis *left = heddle_diagram_get_axis (diagram, from);
  const HeddleAxis *right = heddle_diagram_get_axis (diagram, into);
  Unification *unification = g_new0 (Unification, 1);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *dialog = heddle_message_dialog_new (GTK_WINDOW (root), NULL, reason);

  *unification = (Unification){ g_object_ref (self->editor), from, into };
  adw_message_dialog_format_heading (
      ADW_MESSAGE_DIALOG (dialog), _ ("%s and %s Are Different Axes"), left->name, right->name);
  adw_message_dialog_add_responses (
      ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "unify", _ ("_Unify"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "unify", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "unify");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_data (
      dialog, "response", G_CALLBACK (on_unify_response), unification, free_unification, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}
