/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/canvas/canvas.h"

/* The edge that the lines of the drawing are wrapped at can be dragged. */

/* Returns whether the pointer at @x (px of the widget) can take hold of the edge that lines are wrapped at. */
gboolean heddle_canvas_is_on_wrap (HeddleCanvas *self, double x);
/* Sets the width that lines are wrapped at by the pointer at @x (px of the widget). One drag is one undo
 * step. */
void heddle_canvas_drag_wrap (HeddleCanvas *self, double x);
/* Draws the edge that lines are wrapped at, with its grip, where the figure has one. */
void heddle_canvas_draw_wrap (HeddleCanvas *self, GtkSnapshot *snapshot);
