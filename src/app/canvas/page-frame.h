/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/canvas/canvas.h"

/* The page of a venue, drawn around the figure as wide as it is in print. */

/* Shows the width that the venue of that name has ("icml-column"), beginning where the figure does; "" or an unknown one: none. */
void heddle_canvas_set_page_frame (HeddleCanvas *self, const char *venue);
/* Returns the words of the frame, which tell how much of its width is left or by how much the figure is too wide. The caller frees them; they are NULL if
 * no frame is shown. */
char *heddle_canvas_describe_page_frame (HeddleCanvas *self);
/* Draws the frame with its words, where there is one. */
void heddle_canvas_draw_page_frame (HeddleCanvas *self, GtkSnapshot *snapshot);
