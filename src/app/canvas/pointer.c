/* SPDX-License-Identifier: MIT */

/* A press of the pointer selects, a second one opens, and what lies under it is remembered. */

#include "app/canvas/edit.h"
#include "app/canvas/hover-card.h"
#include "app/canvas/pick.h"
#include "app/canvas/pointer.h"
#include "app/canvas/private.h"
#include "app/editor/preview.h"
#include "app/editor/selection.h"
#include "app/edits/definitions.h"

/* Opens, at a second press, the definition of a call; of any other operation, its label. */
static void
open_operation (HeddleCanvas *self, const char *id)
{
  if (heddle_editor_get_selected (self->editor) == id && heddle_definitions_selected_call (self->editor))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.open-definition", NULL);
  else
    heddle_canvas_edit_label (self, id, NULL);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, HeddleCanvas *self)
{
  HeddleHit hit = { 0 };
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  if (self->editor == NULL || self->space_held)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  heddle_canvas_hover_card_hide (self);
  heddle_canvas_edit_finish (self);
  hit = heddle_canvas_pick (self, x, y);
  heddle_editor_set_refusal (self->editor, NULL);
  if (n_press == 2 && hit.kind == HEDDLE_HIT_AXIS_LABEL)
    heddle_canvas_edit_label (self, hit.axis, hit.value);
  else if (n_press == 2 && hit.kind == HEDDLE_HIT_VALUE_LABEL)
    heddle_canvas_edit_label (self, hit.value, hit.value);
  else if (n_press == 2 && (hit.kind == HEDDLE_HIT_OPERATION || hit.kind == HEDDLE_HIT_NOTE))
    open_operation (self, hit.operation);
  else if (n_press == 1)
    heddle_canvas_select_hit (self, &hit, (state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0);
}

static void
set_hover (HeddleCanvas *self, HeddleHit hit)
{
  const gboolean other = !heddle_hit_equal (&self->hover, &hit);

  self->hover = hit;
  heddle_canvas_hover_card_follow (self, other);
  if (other)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, HeddleCanvas *self)
{
  self->pointer_x = x;
  self->pointer_y = y;
  if (self->drag == HEDDLE_DRAG_NONE)
    set_hover (self, heddle_canvas_pick (self, x, y));
}

static void
on_leave (GtkEventControllerMotion *controller, HeddleCanvas *self)
{
  set_hover (self, (HeddleHit){ 0 });
  heddle_canvas_hover_card_hide (self);
}

static void
on_let_go (HeddleCanvas *self)
{
  self->hover = (HeddleHit){ 0 };
  heddle_canvas_hover_card_hide (self);
}

void
heddle_canvas_pointer_init (HeddleCanvas *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect (self, "let-go", G_CALLBACK (on_let_go), NULL);
}
