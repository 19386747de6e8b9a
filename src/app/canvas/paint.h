/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

/* canvas-paint.c: a level held over a place of the canvas; and let go */
void heddle_canvas_paint_over (HeddleCanvas *self, double x, double y);
gboolean heddle_canvas_paint (HeddleCanvas *self, const GArray *painted, const char *level);

G_END_DECLS
