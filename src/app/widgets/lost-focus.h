/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* GTK 4.8 keeps a widget as its window's focus until the next frame after it has left the window. Return, which activates the focus,
 * would use it meanwhile. */

/* Lets Return in the windows of @class activate nothing that has left them. To be called as they are made known. */
void heddle_lost_focus_guard (GtkWindowClass *class);
