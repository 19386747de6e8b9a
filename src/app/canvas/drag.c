/* SPDX-License-Identifier: MIT */

/* Dragging with the first button moves an operation, draws a rubber band on empty canvas, carries a wire or
 * its label away as an axis (to another wire, or to a memory level outside the canvas), and with Space pans
 * the view. */

#include "app/canvas/drag.h"
#include "app/canvas/move.h"
#include "app/canvas/pick.h"
#include "app/canvas/private.h"
#include "app/canvas/view.h"
#include "app/canvas/wrap.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/axis-drag.h"
#include "app/edits/clipboard.h"
#include "app/edits/clipping.h"
#include "app/widgets/drag-escape.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"

static HeddleDragKind
drag_kind (HeddleCanvas *self, double x, double y)
{
  HeddleHit hit = heddle_canvas_pick (self, x, y);

  if (self->space_held)
    return HEDDLE_DRAG_PAN;
  if (self->alt_held)
    return HEDDLE_DRAG_NONE; /* what is selected is carried out of the window */
  if (heddle_canvas_is_on_wrap (self, x))
    return HEDDLE_DRAG_WRAP;
  if (hit.kind == HEDDLE_HIT_OPERATION || hit.kind == HEDDLE_HIT_NOTE)
    return HEDDLE_DRAG_MOVE;
  return hit.kind == HEDDLE_HIT_NOTHING ? HEDDLE_DRAG_BAND : HEDDLE_DRAG_NONE;
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, HeddleCanvas *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  self->alt_held = (state & GDK_ALT_MASK) != 0;
  self->drag = self->editor != NULL ? drag_kind (self, x, y) : HEDDLE_DRAG_NONE;
  self->drag_start_x = x;
  self->drag_start_y = y;
  self->drag_last_x = self->drag_last_y = 0;
  self->drag_pan_x = self->pan_x;
  self->drag_pan_y = self->pan_y;
  self->drag_extends = (state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0;
  self->drag_serial++;
  if (self->drag == HEDDLE_DRAG_NONE)
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
}

/* A few pixels of trembling are no move. */
static gboolean
has_started (HeddleCanvas *self, double dx, double dy)
{
  return self->drag_last_x != 0 || self->drag_last_y != 0
         || gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy);
}

/* With Control it goes where the pointer says and nowhere near. */
static void
move_selection (HeddleCanvas *self, double dx, double dy)
{
  const GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (self->drag_gesture));

  if (!has_started (self, dx, dy))
    return;
  if (!heddle_canvas_is_moving (self))
    heddle_canvas_move_begin (self);
  self->drag_last_x = dx;
  self->drag_last_y = dy;
  heddle_canvas_hold_view (self); /* or the drawing would move under the pointer */
  heddle_canvas_move_to (self, dx / self->zoom, dy / self->zoom, (state & GDK_CONTROL_MASK) != 0);
}

static void
select_band (HeddleCanvas *self)
{
  graphene_rect_t band;
  g_autoptr (GArray) ids
      = self->drag_extends ? heddle_ids_copy (heddle_editor_get_selection (self->editor)) : heddle_ids_new ();

  graphene_rect_init (&band, self->drag_start_x, self->drag_start_y, self->drag_last_x, self->drag_last_y);
  graphene_rect_normalize (&band);
  heddle_canvas_pick_rectangle (self, &band, ids);
  heddle_editor_select_ids (self->editor, ids);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, HeddleCanvas *self)
{
  switch (self->drag)
    {
    case HEDDLE_DRAG_MOVE:
      move_selection (self, dx, dy);
      break;
    case HEDDLE_DRAG_BAND:
      if (!has_started (self, dx, dy))
        break;
      self->drag_last_x = dx;
      self->drag_last_y = dy;
      gtk_widget_queue_draw (GTK_WIDGET (self));
      break;
    case HEDDLE_DRAG_PAN:
      heddle_canvas_pan_by (self, self->drag_pan_x + dx - self->pan_x, self->drag_pan_y + dy - self->pan_y);
      break;
    case HEDDLE_DRAG_WRAP:
      if (!has_started (self, dx, dy))
        break;
      self->drag_last_x = dx;
      heddle_canvas_drag_wrap (self, self->drag_start_x + dx);
      break;
    case HEDDLE_DRAG_NONE:
    default:
      break;
    }
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, HeddleCanvas *self)
{
  if (self->drag == HEDDLE_DRAG_BAND && (self->drag_last_x != 0 || self->drag_last_y != 0))
    select_band (self);
  if (heddle_canvas_is_moving (self)
      && gtk_widget_contains (GTK_WIDGET (self), self->drag_start_x + dx, self->drag_start_y + dy))
    heddle_canvas_move_end (self);
  else
    heddle_canvas_move_cancel (self); /* what is let go of beside the canvas goes back */
  heddle_canvas_let_go_of_view (self);
  self->drag = HEDDLE_DRAG_NONE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
heddle_canvas_cancel_drag (HeddleCanvas *self)
{
  const gboolean moved = self->drag_last_x != 0 || self->drag_last_y != 0;
  const HeddleDragKind drag = self->drag;

  if (drag == HEDDLE_DRAG_NONE)
    return FALSE;
  self->drag = HEDDLE_DRAG_NONE;
  self->drag_last_x = self->drag_last_y = 0;
  heddle_canvas_move_cancel (self); /* before the gesture says that it ends */
  heddle_canvas_let_go_of_view (self);
  gtk_gesture_set_state (self->drag_gesture, GTK_EVENT_SEQUENCE_DENIED);
  if (drag == HEDDLE_DRAG_PAN)
    heddle_canvas_pan_by (self, self->drag_pan_x - self->pan_x, self->drag_pan_y - self->pan_y);
  if (moved && drag == HEDDLE_DRAG_WRAP)
    heddle_document_undo (heddle_editor_get_document (self->editor)); /* the whole drag is one step */
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

/* --- carrying an axis --- */

static GdkContentProvider *
on_prepare (GtkDragSource *source, double x, double y, HeddleCanvas *self)
{
  HeddleHit hit = { 0 };
  g_autoptr (HeddleAxisDrag) drag = NULL;

  /* Asked at each motion, also when what was at (x, y) has been moved from there. */
  if (self->editor == NULL || self->space_held || self->drag != HEDDLE_DRAG_NONE)
    return NULL;
  hit = heddle_canvas_pick (self, x, y);
  if (gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (source)) & GDK_ALT_MASK)
    {
      g_autoptr (HeddleSnapshot) part = heddle_edits_extract_selection (self->editor);

      return part != NULL ? heddle_clipping_new (part) : NULL;
    }
  if (hit.kind != HEDDLE_HIT_WIRE && hit.kind != HEDDLE_HIT_AXIS_LABEL && hit.kind != HEDDLE_HIT_VALUE_LABEL)
    return NULL;
  drag = heddle_axis_drag_new (hit.kind == HEDDLE_HIT_VALUE_LABEL ? NULL : hit.axis, hit.value);
  return gdk_content_provider_new_typed (HEDDLE_TYPE_AXIS_DRAG, drag);
}

static void
on_source_begin (GtkDragSource *source, GdkDrag *drag, HeddleCanvas *self)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  const char *id = NULL;
  const HeddleAxis *axis = NULL;
  g_autofree char *label = NULL;

  heddle_editor_get_wire (self->editor, NULL, &id);
  if (id == NULL)
    id = heddle_editor_get_selected (self->editor);
  axis = id != NULL ? heddle_diagram_get_axis (diagram, id) : NULL;
  if (axis == NULL && id != NULL && heddle_diagram_get_value (diagram, id) != NULL)
    label = heddle_diagram_value_label (diagram, id);
  if (axis != NULL || label != NULL)
    heddle_axis_drag_set_icon (drag, axis != NULL ? axis->name : label, self->dark);
}

void
heddle_canvas_drag_init (HeddleCanvas *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkDragSource *source = gtk_drag_source_new ();

  self->drag_gesture = drag;
  heddle_drag_escape_watch_gesture (drag, G_CALLBACK (heddle_canvas_cancel_drag));
  heddle_drag_escape_watch (source);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));

  gtk_drag_source_set_actions (source, GDK_ACTION_COPY);
  g_signal_connect (source, "prepare", G_CALLBACK (on_prepare), self);
  g_signal_connect (source, "drag-begin", G_CALLBACK (on_source_begin), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (source));

  g_signal_connect (
      self, "let-go", G_CALLBACK (heddle_canvas_cancel_drag), NULL); /* what it held may be gone */
  g_signal_connect (self, "unmap", G_CALLBACK (heddle_canvas_cancel_drag), NULL);
}
