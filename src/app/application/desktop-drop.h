/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* From now on, whatever is dragged and let go over the desktop has no target, on X11 as on Wayland: a tab gets a window of its own. To be
 * called once, with a display open. */
void heddle_desktop_drop_watch (void);
