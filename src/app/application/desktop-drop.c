/* SPDX-License-Identifier: MIT */

/* libadwaita 1.2 offers a dragged tab to the desktop too. GTK 4.8 on X11 takes the desktop for a target then, and of the drop only warns:
 * the drag never ends, and the tab is in no window. */

#include "app/application/desktop-drop.h"

#include <X11/Xlib.h>
#include <gdk/x11/gdkx.h>

static gboolean
is_over_desktop (GdkDrag *drag)
{
  GdkDisplay *display = gdk_drag_get_display (drag);
  Window root, child = None;
  int root_x, root_y, x, y;
  unsigned modifiers;

  /* What is dragged lies under the pointer, but lets it through. */
  return XQueryPointer (gdk_x11_display_get_xdisplay (display), gdk_x11_display_get_xrootwindow (display),
             &root, &child, &root_x, &root_y, &x, &y, &modifiers)
         && child == None;
}

static void
on_drop (GdkDrag *drag)
{
  GdkContentFormats *formats = gdk_drag_get_formats (drag);

  if (gdk_content_formats_contain_mime_type (formats, "application/x-rootwindow-drop")
      && is_over_desktop (drag))
    g_signal_emit_by_name (drag, "cancel", GDK_DRAG_CANCEL_NO_TARGET);
  else
    g_signal_chain_from_overridden_handler (drag);
}

void
heddle_desktop_drop_watch (void)
{
  if (!GDK_IS_X11_DISPLAY (gdk_display_get_default ()))
    return;
  g_type_class_unref (g_type_class_ref (GDK_TYPE_X11_DRAG));
  g_signal_override_class_handler ("drop-performed", GDK_TYPE_X11_DRAG, G_CALLBACK (on_drop));
}
