/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>
#include "app/canvas/canvas.h"

/* What is being moved falls into line with the edges and centres of its neighbours in view; dashed guides
 * show with which. */

/* Collects the bounds, in scene coordinates, of the things in view that the selection can fall into line
 * with. */
void heddle_canvas_snap_begin (HeddleCanvas *self);
/* Forgets what could be snapped to and hides the guides. */
void heddle_canvas_snap_end (HeddleCanvas *self);
/* Changes the offset (@dx, @dy), in scene coordinates, so that what moves falls into line with a neighbour
 * that is near; leaves it as it is where @freely is set or nothing is near. */
void heddle_canvas_snap (HeddleCanvas *self, double *dx, double *dy, gboolean freely);
/* Tells whether what moves, @dy px of the scene lower, lies on none of those that stand above or below it. What
 * stands beside it makes way. */
gboolean heddle_canvas_has_room (HeddleCanvas *self, double dy);
/* Draws the dashed lines that the selection has snapped to; @cr is in scene coordinates. */
void heddle_canvas_draw_guides (HeddleCanvas *self, cairo_t *cr);
