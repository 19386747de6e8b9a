/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/canvas/canvas.h"

/* Palette entries, axes and levels are dropped on the canvas. */

/* Gets where what is inserted next belongs: where a wire was just dropped on nothing, else at the selection, else in the
 * middle. */
void heddle_canvas_take_insert_place (HeddleCanvas *self, GdkRectangle *place);
/* Lets palette entries, axes and memory levels be dropped on the canvas. */
void heddle_canvas_drop_init (HeddleCanvas *self);
