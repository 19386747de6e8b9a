/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* A memory level that is drawn over operations of the canvas fuses or unfuses them. */

/* Follows a level that is held at (@x, @y), in the widget's coordinates, and collects the operations that it
 * was drawn over. */
void heddle_canvas_paint_over (HeddleCanvas *self, double x, double y);
/* Applies a level drawn over the operations @painted (of interned ids): the outermost level unfuses them,
 * any other fuses two or more. Returns FALSE where the machine has no such level or nothing was drawn over. */
gboolean heddle_canvas_paint (HeddleCanvas *self, const GArray *painted, const char *level);
