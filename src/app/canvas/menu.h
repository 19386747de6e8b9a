/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

gboolean heddle_canvas_open_menu (HeddleCanvas *self);
/* --- where things are */
/* Where a note goes that was asked for: where the menu was opened, else above the middle; in the drawing's coordinates. */
void heddle_canvas_get_note_place (HeddleCanvas *self, double *x, double *y);
/* canvas-menu.c */
void heddle_canvas_menu_init (HeddleCanvas *self);

G_END_DECLS
