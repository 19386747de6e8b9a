/* SPDX-License-Identifier: MIT */

#include "app/widgets/drag-escape.h"

#include <X11/Xlib.h>
#include <X11/extensions/XInput2.h>
#include <X11/keysym.h>
#include <gdk/x11/gdkx.h>

static gboolean
is_escape (XEvent *event, Display *display)
{
  const KeyCode code = XKeysymToKeycode (display, XK_Escape);
  gboolean escape;

  if (event->type == KeyPress)
    return event->xkey.keycode == code;
  if (event->type != GenericEvent || event->xcookie.evtype != XI_KeyPress)
    return FALSE;
  if (event->xcookie.data != NULL)
    return ((const XIDeviceEvent *) event->xcookie.data)->detail == code;
  if (!XGetEventData (display, &event->xcookie))
    return FALSE;
  escape = ((const XIDeviceEvent *) event->xcookie.data)->detail == code;
  XFreeEventData (display, &event->xcookie);
  return escape;
}

/* --- drags to elsewhere --- */

static gboolean
on_drag_event (GdkDisplay *display, gpointer event, GtkDragSource *source)
{
  GdkDrag *drag = gtk_drag_source_get_drag (source);

  if (drag != NULL && is_escape (event, gdk_x11_display_get_xdisplay (display)))
    g_signal_emit_by_name (drag, "cancel", GDK_DRAG_CANCEL_USER_CANCELLED);
  return FALSE;
}

static void
on_drag_begin (GtkDragSource *source, GdkDrag *drag)
{
  GdkDisplay *display = gdk_drag_get_display (drag);

  if (GDK_IS_X11_DISPLAY (display))
    g_signal_connect_object (display, "xevent", G_CALLBACK (on_drag_event), source, 0);
}

static void
on_drag_end (GtkDragSource *source, GdkDrag *drag)
{
  g_signal_handlers_disconnect_by_func (gdk_drag_get_display (drag), on_drag_event, source);
}

void
heddle_drag_escape_watch (GtkDragSource *source)
{
  g_return_if_fail (GTK_IS_DRAG_SOURCE (source));

  g_signal_connect (source, "drag-begin", G_CALLBACK (on_drag_begin), NULL);
  g_signal_connect (source, "drag-end", G_CALLBACK (on_drag_end), NULL);
}

/* --- drags within a widget --- */

static gboolean
on_gesture_event (GdkDisplay *display, gpointer event, GtkGesture *gesture)
{
  void (*cancel) (GtkWidget * widget) = g_object_get_data (G_OBJECT (gesture), "heddle-cancel");

  if (is_escape (event, gdk_x11_display_get_xdisplay (display)))
    cancel (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)));
  return FALSE;
}

static void
on_gesture_begin (GtkGesture *gesture)
{
  GdkDisplay *display
      = gtk_widget_get_display (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)));

  if (GDK_IS_X11_DISPLAY (display))
    g_signal_connect_object (display, "xevent", G_CALLBACK (on_gesture_event), gesture, 0);
}

static void
on_gesture_end (GtkGesture *gesture)
{
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));

  g_signal_handlers_disconnect_by_func (gtk_widget_get_display (widget), on_gesture_event, gesture);
}

void
heddle_drag_escape_watch_gesture (GtkGesture *gesture, GCallback cancel)
{
  g_return_if_fail (GTK_IS_GESTURE (gesture));

  g_object_set_data (G_OBJECT (gesture), "heddle-cancel", cancel);
  g_signal_connect (gesture, "begin", G_CALLBACK (on_gesture_begin), NULL);
  g_signal_connect (gesture, "end", G_CALLBACK (on_gesture_end), NULL);
  g_signal_connect (gesture, "cancel", G_CALLBACK (on_gesture_end), NULL);
}
