/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

/* Lets the canvas draw the grid, the scene and the bands between its sheets, at the present zoom and pan. */
void heddle_canvas_render_init (HeddleCanvas *self);

G_END_DECLS
