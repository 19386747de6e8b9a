/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* Lets the canvas draw the grid, the scene and the bands between its sheets, at the present zoom and pan. */
void heddle_canvas_render_init (HeddleCanvas *self);
