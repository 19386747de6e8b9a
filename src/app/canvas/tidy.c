/* SPDX-License-Identifier: MIT */

/* Tidying puts what was moved by hand back to where the layout has it. The document is tidy at once; the
 * drawing glides there, unless motion is to be reduced. */

#include <glib/gi18n.h>

#include <adwaita.h>
#include "app/canvas/drag.h"
#include "app/canvas/move.h"
#include "app/canvas/private.h"
#include "app/canvas/scene.h"
#include "app/canvas/tidy.h"
#include "app/editor/editor.h"
#include "app/edits/move.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"

#define DURATION_US 260000.

static GArray *
dup_nudges (HeddleCanvas *self)
{
  const HeddlePresentation *presentation = heddle_snapshot_find_presentation (
      heddle_editor_get_snapshot (self->editor), heddle_editor_get_diagram (self->editor));

  return presentation != NULL ? g_array_copy (presentation->nudges) : NULL;
}

/* Makes the presentation with @share of the way still to go. */
static HeddlePresentation *
on_the_way (HeddleCanvas *self, double share)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  const HeddlePresentation *present
      = heddle_snapshot_find_presentation (heddle_editor_get_snapshot (self->editor), diagram);
  HeddlePresentation *presentation
      = present != NULL ? heddle_presentation_copy (present) : heddle_presentation_new (diagram->id);

  for (guint i = 0; i < self->glide_from->len; i++)
    {
      const HeddleNudge *nudge = &g_array_index (self->glide_from, HeddleNudge, i);
      double x, y;

      heddle_presentation_get_nudge (presentation, nudge->object, &x, &y);
      heddle_presentation_set_nudge (
          presentation, nudge->object, x + (nudge->dx - x) * share, y + (nudge->dy - y) * share);
    }
  return presentation;
}

static void
show (HeddleCanvas *self, double share)
{
  g_clear_pointer (&self->live, heddle_presentation_free);
  self->live = on_the_way (self, share);
  heddle_canvas_invalidate (self);
}

/* Ends the animation at once; the scene is laid out as the document has it. */
static void
end_glide (HeddleCanvas *self)
{
  if (self->glide_from == NULL)
    return;
  gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->glide_tick);
  g_clear_pointer (&self->glide_from, g_array_unref);
  g_clear_pointer (&self->live, heddle_presentation_free);
  heddle_canvas_invalidate (self);
}

/* The drawing glides fast at first, then slower. */
static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  HeddleCanvas *self = HEDDLE_CANVAS (widget);
  const gint64 now = gdk_frame_clock_get_frame_time (clock);
  double left;

  if (self->glide_start == 0)
    self->glide_start = now;
  left = 1 - (now - self->glide_start) / DURATION_US;
  if (left > 0)
    show (self, left * left * left);
  else
    end_glide (self);
  return G_SOURCE_CONTINUE; /* the end has taken it away */
}

static void
glide (HeddleCanvas *self, GArray *from)
{
  self->glide_from = from;
  self->glide_start = 0;
  self->glide_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
  show (self, 1);
}

void
heddle_canvas_tidy (HeddleCanvas *self)
{
  GArray *from = NULL;

  g_return_if_fail (HEDDLE_IS_CANVAS (self));

  if (self->editor == NULL || heddle_editor_get_diagram (self->editor) == NULL)
    return;
  heddle_canvas_cancel_drag (self);
  from = dup_nudges (self);
  if (!heddle_edits_tidy (self->editor))
    {
      heddle_editor_report (self->editor, _ ("Nothing there was moved by hand"));
      g_clear_pointer (&from, g_array_unref);
    }
  else if (heddle_canvas_is_quick (self) && adw_get_enable_animations (GTK_WIDGET (self)))
    glide (self, from);
  else
    g_array_unref (from);
}

void
heddle_canvas_tidy_init (HeddleCanvas *self)
{
  g_signal_connect (self, "let-go", G_CALLBACK (end_glide), NULL);
}
