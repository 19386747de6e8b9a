/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/canvas/canvas.h"
#include "figure/scene/scene.h"

/* The canvas draws bands, outlines and badges below and above the scene, which are not part of the figure. */

/* Draws the bands, which lie below the wires. */
void heddle_canvas_draw_under (HeddleCanvas *self, GtkSnapshot *snapshot);
/* Lets the canvas draw outlines, badges and the rubber band above the scene. */
void heddle_canvas_overlay_init (HeddleCanvas *self);
