/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* Opens the context menu at the selection, or in the middle where nothing of it is seen. It always returns
 * TRUE, as a key binding that was handled. */
gboolean heddle_canvas_open_menu (HeddleCanvas *self);
/* --- where things are */
/* Where a note goes that was asked for: where the menu was opened, else above the middle; in the drawing's coordinates. */
void heddle_canvas_get_note_place (HeddleCanvas *self, double *x, double *y);
/* Adds the gesture that opens the context menu. */
void heddle_canvas_menu_init (HeddleCanvas *self);
