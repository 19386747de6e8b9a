/* SPDX-License-Identifier: MIT */

/* Zooming and panning change where the scene lies in the widget. */

#include "app/canvas/private.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "app/editor/selection.h"

#define ZOOM_STEP 1.2
#define ZOOM_LEAST 0.05
#define ZOOM_MOST 16.
/* As large as fitting makes a small diagram. */
#define FIT_MOST 1.72
/* With labels of 16 px, smaller than this nothing can be read: what does not fit then is shown from its beginning, beside its map. */
#define FIT_LEAST 0.56
#define FIT_MARGIN 28.
/* The hint and the zoom buttons lie on the lower edge. */
#define FIT_BOTTOM 50.
#define HINT_HEIGHT 44
#define HINT_WIDTH 480
#define SCROLL_STEP 48.
/* So much is seen beside what is brought into view. */
#define REVEAL_MARGIN 24.

void
heddle_canvas_to_scene (HeddleCanvas *self, double widget_x, double widget_y, double *x, double *y)
{
  *x = (widget_x - self->pan_x) / self->zoom;
  *y = (widget_y - self->pan_y) / self->zoom;
}

void
heddle_canvas_to_widget (HeddleCanvas *self, double x, double y, double *widget_x, double *widget_y)
{
  *widget_x = x * self->zoom + self->pan_x;
  *widget_y = y * self->zoom + self->pan_y;
}

/* Moves the scene to whole pixels, so that the wires stay sharp. */
static void
place (HeddleCanvas *self, double x, double y)
{
  self->pan_x = round (x);
  self->pan_y = round (y);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Finds out whether the drawing reaches into the corner of the hint, and notifies "crowded" where that has changed. */
static void
update_crowded (HeddleCanvas *self)
{
  const int height = gtk_widget_get_height (GTK_WIDGET (self));
  double x, y, width, tall, right, bottom;
  gboolean crowded = FALSE;

  if (self->scene != NULL && height > 0)
    {
      heddle_canvas_get_extent (self, &x, &y, &width, &tall);
      heddle_canvas_to_widget (self, x + width, y + tall, &right, &bottom);
      heddle_canvas_to_widget (self, x, y, &x, &y);
      crowded = bottom > height - HINT_HEIGHT && y < height && x < HINT_WIDTH && right > 0;
    }
  if (crowded == self->crowded)
    return;
  self->crowded = crowded;
  g_object_notify (G_OBJECT (self), "crowded");
}

static gboolean
on_view_changed (gpointer data)
{
  HeddleCanvas *self = data;

  self->telling_view = 0;
  g_signal_emit_by_name (self, "view-changed");
  return G_SOURCE_REMOVE;
}

/* Has @callback called with the canvas before the next frame. The source holds the canvas: a drag that ends with its widget fits the view once more. */
static guint
idle_add (HeddleCanvas *self, GSourceFunc callback)
{
  return g_idle_add_full (G_PRIORITY_HIGH_IDLE, callback, g_object_ref (self), g_object_unref);
}

/* Has "view-changed" emitted, but not in the midst of an allocation or of drawing. */
static void
emit_view_changed (HeddleCanvas *self)
{
  if (self->telling_view == 0)
    self->telling_view = idle_add (self, on_view_changed);
}

static void
set_pan (HeddleCanvas *self, double x, double y)
{
  place (self, x, y);
  emit_view_changed (self);
  update_crowded (self);
  if (self->entry != NULL || self->access->len > 0)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
set_zoom (HeddleCanvas *self, double zoom)
{
  zoom = CLAMP (zoom, ZOOM_LEAST, ZOOM_MOST);
  if (zoom == self->zoom)
    return;
  self->zoom = zoom;
  g_object_notify (G_OBJECT (self), "zoom");
}

/* Stops fitting the view: the person looks elsewhere. */
static void
leave_fit (HeddleCanvas *self)
{
  self->fitting = self->held_fitting = FALSE;
}

void
heddle_canvas_zoom_at (HeddleCanvas *self, double zoom, double widget_x, double widget_y)
{
  double x, y;

  heddle_canvas_to_scene (self, widget_x, widget_y, &x, &y);
  leave_fit (self);
  set_zoom (self, zoom);
  set_pan (self, widget_x - x * self->zoom, widget_y - y * self->zoom);
}

void
heddle_canvas_pan_by (HeddleCanvas *self, double dx, double dy)
{
  leave_fit (self);
  set_pan (self, self->pan_x + dx, self->pan_y + dy);
}

double
heddle_canvas_get_zoom (HeddleCanvas *self)
{
  g_return_val_if_fail (HEDDLE_IS_CANVAS (self), 1);
  return self->zoom;
}

void
heddle_canvas_set_zoom (HeddleCanvas *self, double zoom)
{
  GtkWidget *widget = GTK_WIDGET (self);

  g_return_if_fail (HEDDLE_IS_CANVAS (self));
  heddle_canvas_zoom_at (self, zoom, gtk_widget_get_width (widget) / 2., gtk_widget_get_height (widget) / 2.);
}

void
heddle_canvas_zoom_in (HeddleCanvas *self)
{
  heddle_canvas_set_zoom (self, self->zoom * ZOOM_STEP);
}

void
heddle_canvas_zoom_out (HeddleCanvas *self)
{
  heddle_canvas_set_zoom (self, self->zoom / ZOOM_STEP);
}

/* Chooses zoom and pan so that the whole scene is in view where it is legible then. This may be in the midst of an allocation, which children then
 * follow. Nothing happens without a scene or before the first allocation. */
static void
refit (HeddleCanvas *self)
{
  int area_width = gtk_widget_get_width (GTK_WIDGET (self)),
      area_height = gtk_widget_get_height (GTK_WIDGET (self));
  double x, y, width, height, across, whole;

  if (self->scene == NULL || area_width == 0)
    return;
  heddle_canvas_get_extent (self, &x, &y, &width, &height);
  across = MIN ((area_width - 2 * FIT_MARGIN) / MAX (width, 1), FIT_MOST);
  whole = MIN (across, (area_height - FIT_MARGIN - FIT_BOTTOM) / MAX (height, 1));
  set_zoom (self, whole < FIT_LEAST ? CLAMP (across, FIT_LEAST, 1) : whole);
  place (self, MAX (FIT_MARGIN, (area_width - width * self->zoom) / 2) - x * self->zoom,
      MAX (FIT_MARGIN, (area_height - (FIT_BOTTOM - FIT_MARGIN) - height * self->zoom) / 2) - y * self->zoom);
}

void
heddle_canvas_fit (HeddleCanvas *self)
{
  g_return_if_fail (HEDDLE_IS_CANVAS (self));

  self->fitting = TRUE;
  heddle_canvas_ensure_scene (self);
  refit (self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
heddle_canvas_get_view (HeddleCanvas *self, HeddleCanvasView *view)
{
  g_return_if_fail (HEDDLE_IS_CANVAS (self));
  *view = (HeddleCanvasView){ self->zoom, self->pan_x, self->pan_y, self->fitting };
}

void
heddle_canvas_set_view (HeddleCanvas *self, const HeddleCanvasView *view)
{
  g_return_if_fail (HEDDLE_IS_CANVAS (self));

  if (view->fitting)
    {
      heddle_canvas_fit (self);
      return;
    }
  leave_fit (self);
  set_zoom (self, view->zoom);
  set_pan (self, view->pan_x, view->pan_y);
}

/* By how much what reaches from @from to @to is to be moved into a view of @length: to its middle where its own is not seen, and else no
 * farther than it takes. */
static double
way_into_view (double from, double to, double length)
{
  const double middle = (from + to) / 2;

  if (middle < 0 || middle > length)
    return length / 2 - middle;
  if ((from >= 0 && to <= length) || to - from > length - 2 * REVEAL_MARGIN)
    return 0;
  return from < 0 ? REVEAL_MARGIN - from : length - REVEAL_MARGIN - to;
}

void
heddle_canvas_reveal (HeddleCanvas *self, const char *id)
{
  GtkWidget *widget = GTK_WIDGET (self);
  graphene_rect_t bounds;
  double x, y, dx, dy;

  g_return_if_fail (HEDDLE_IS_CANVAS (self));

  self->revealing = NULL;
  if (!heddle_canvas_object_bounds (self, id, &bounds))
    {
      if (heddle_canvas_is_composing (self))
        self->revealing = id;
      return;
    }
  heddle_canvas_to_widget (self, bounds.origin.x, bounds.origin.y, &x, &y);
  dx = way_into_view (x, x + bounds.size.width * self->zoom, gtk_widget_get_width (widget));
  dy = way_into_view (y, y + bounds.size.height * self->zoom, gtk_widget_get_height (widget));
  if (dx != 0 || dy != 0)
    heddle_canvas_pan_by (self, dx, dy);
}

/* Returns whether the whole drawing is within the edges of the view. */
static gboolean
is_all_seen (HeddleCanvas *self)
{
  double x, y, width, height, right, bottom;

  heddle_canvas_ensure_scene (self);
  heddle_canvas_get_extent (self, &x, &y, &width, &height);
  heddle_canvas_to_widget (self, x + width, y + height, &right, &bottom);
  heddle_canvas_to_widget (self, x, y, &x, &y);
  return x >= 0 && y >= 0 && right <= gtk_widget_get_width (GTK_WIDGET (self))
         && bottom <= gtk_widget_get_height (GTK_WIDGET (self));
}

void
heddle_canvas_hold_view (HeddleCanvas *self)
{
  self->held_fitting |= self->fitting;
  self->fitting = FALSE;
}

void
heddle_canvas_let_go_of_view (HeddleCanvas *self)
{
  if (!self->held_fitting)
    return;
  self->held_fitting = FALSE;
  if (heddle_canvas_is_composing (self) || !is_all_seen (self))
    heddle_canvas_fit (self);
}

/* The last of what is selected; NULL: nothing is. */
static const char *
last_selected (HeddleCanvas *self)
{
  const GArray *selection = self->editor != NULL ? heddle_editor_get_selection (self->editor) : NULL;

  return selection != NULL && selection->len > 0 ? heddle_ids_index (selection, selection->len - 1) : NULL;
}

static gboolean
on_made (gpointer data)
{
  HeddleCanvas *self = data;
  const char *now = last_selected (self);

  self->following = 0;
  if (now != NULL && now != self->selected_before)
    heddle_canvas_reveal (self, now);
  return G_SOURCE_REMOVE;
}

/* Whoever makes something selects it, after the change: where it is out of sight, at the end of a long diagram, it is brought into view. */
static void
on_document_changed (HeddleCanvas *self)
{
  if (self->following != 0)
    return;
  self->selected_before = last_selected (self);
  self->following = idle_add (self, on_made);
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, HeddleCanvas *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean smooth = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE;
  double step = smooth ? 1 : SCROLL_STEP;

  if (state & GDK_CONTROL_MASK)
    {
      heddle_canvas_zoom_at (self, self->zoom * pow (ZOOM_STEP, smooth ? -dy / SCROLL_STEP : -dy),
          self->pointer_x, self->pointer_y);
      return TRUE;
    }
  if (state & GDK_SHIFT_MASK)
    heddle_canvas_pan_by (self, -step * (dx + dy), 0);
  else
    heddle_canvas_pan_by (self, -step * dx, -step * dy);
  return TRUE;
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, HeddleCanvas *self)
{
  self->pinch_zoom = self->zoom;
}

static void
on_pinch (GtkGestureZoom *gesture, double scale, HeddleCanvas *self)
{
  double x = self->pointer_x, y = self->pointer_y;

  gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y);
  heddle_canvas_zoom_at (self, self->pinch_zoom * scale, x, y);
}

static void
on_pan_begin (GtkGestureDrag *gesture, double x, double y, HeddleCanvas *self)
{
  self->drag_pan_x = self->pan_x;
  self->drag_pan_y = self->pan_y;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
}

static void
on_pan_update (GtkGestureDrag *gesture, double dx, double dy, HeddleCanvas *self)
{
  leave_fit (self);
  set_pan (self, self->drag_pan_x + dx, self->drag_pan_y + dy);
}

static void
on_pan_end (GtkGestureDrag *gesture, double dx, double dy, HeddleCanvas *self)
{
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
}

static void
on_scene_taken (HeddleCanvas *self)
{
  if (self->fitting)
    refit (self);
  if (self->revealing != NULL)
    heddle_canvas_reveal (self, self->revealing);
  emit_view_changed (self);
}

static void
on_allocate (HeddleCanvas *self)
{
  if (self->fitting)
    refit (self);
  update_crowded (self);
  emit_view_changed (self);
}

static void
on_closing (HeddleCanvas *self)
{
  g_clear_handle_id (&self->telling_view, g_source_remove);
  g_clear_handle_id (&self->following, g_source_remove);
}

void
heddle_canvas_view_init (HeddleCanvas *self)
{
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *pinch = gtk_gesture_zoom_new ();
  GtkGesture *pan = gtk_gesture_drag_new ();

  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);

  g_signal_connect (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (pinch));

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (pan), GDK_BUTTON_MIDDLE);
  g_signal_connect (pan, "drag-begin", G_CALLBACK (on_pan_begin), self);
  g_signal_connect (pan, "drag-update", G_CALLBACK (on_pan_update), self);
  g_signal_connect (pan, "drag-end", G_CALLBACK (on_pan_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (pan));

  g_signal_connect (self, "document-changed", G_CALLBACK (on_document_changed), NULL);
  g_signal_connect (self, "scene-taken", G_CALLBACK (on_scene_taken), NULL);
  g_signal_connect (self, "allocate", G_CALLBACK (on_allocate), NULL);
  g_signal_connect (self, "closing", G_CALLBACK (on_closing), NULL);
}
