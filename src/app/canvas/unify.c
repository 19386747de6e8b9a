/* SPDX-License-Identifier: MIT */

/* A wire that is dropped on one of another axis. Whoever draws that means that they are one, mostly to be summed over: it is done at
 * once, and the other readings are offered. */

#include "config.h"

#include <glib/gi18n.h>

#include "app/canvas/unify.h"
#include "app/editor/editor.h"
#include "app/edits/edits.h"
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* The name of the undo step goes with the offer: it holds as long as that is the last one. */
static void
offer_readings (HeddleCanvas *self, const char *text, const HeddleAxisDrag *drag, const HeddleHit *hit)
{
  const char *step = heddle_document_get_undo_name (heddle_editor_get_document (self->editor));

  gtk_widget_activate_action (
      GTK_WIDGET (self), "win.offer-readings", "(ssss)", text, step, drag->axis, hit->axis);
}

gboolean
heddle_canvas_join_different (HeddleCanvas *self, const HeddleAxisDrag *drag, const HeddleHit *hit)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  const char *from = heddle_diagram_get_axis (diagram, drag->axis)->name;
  const char *into = heddle_diagram_get_axis (diagram, hit->axis)->name;
  g_autofree char *text = g_strdup_printf (_ ("%s is %s now, and summed over"), from, into);
  g_autoptr (GError) error = NULL;

  if (drag->value == hit->value)
    return heddle_edits_unify (self->editor, drag->axis, hit->axis, NULL);
  if (!heddle_edits_unify_and_connect (self->editor, drag->value, drag->axis, hit->value, hit->axis, &error))
    {
      heddle_editor_tell (self->editor, "%s", error->message);
      return FALSE;
    }
  offer_readings (self, text, drag, hit);
  return TRUE;
}
