/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* Esc while a button is down. On X11 GTK 4.8 loses the keys that come meanwhile: these look for them where they arrive. */

/* Lets Esc end every drag that begins at @source. */
void heddle_drag_escape_watch (GtkDragSource *source);
/* Calls @cancel with the widget of @gesture for every Esc while it is under way. */
void heddle_drag_escape_watch_gesture (GtkGesture *gesture, GCallback cancel);
