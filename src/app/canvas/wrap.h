/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

/* canvas-wrap.c: the edge that lines are wrapped at */
gboolean heddle_canvas_is_on_wrap (HeddleCanvas *self, double x);
void heddle_canvas_drag_wrap (HeddleCanvas *self, double x);
void heddle_canvas_draw_wrap (HeddleCanvas *self, GtkSnapshot *snapshot);

G_END_DECLS
