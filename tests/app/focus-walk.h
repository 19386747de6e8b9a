/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/window/window.h"

/* Where the keyboard is, and whether it is seen. */

/* A window with a derived diagram; nothing in it moves or blinks by itself. */
HeddleWindow *focus_open_derived (void);
/* The dialog that is open over the window; NULL: none. */
GtkWidget *focus_find_dialog (HeddleWindow *window);
/* What was changed is drawn. */
void focus_await_frame (GtkWidget *window);
/* Of the window, or of a popover, what is @area. */
GBytes *focus_take_picture (GtkWidget *window, const graphene_rect_t *area);
/* A text shows its cursor. */
gboolean focus_is_text (GtkWidget *widget);

/* Once round @part of the window, from where the focus is. Each stop has a ring, and is come to once; a text with links in it, once for each.
 * Returns how many stops there are. */
guint focus_walk (GtkWidget *window, GtkWidget *part, GtkDirectionType direction);
/* By Tab, light on the way there, dark on the way back, which has the same stops. */
void focus_walk_both (GtkWidget *window, GtkWidget *part);
/* From what has the focus on, as far as the arrow key @key goes. Each stop has a ring. */
guint focus_walk_by (GtkWidget *window, guint key);
