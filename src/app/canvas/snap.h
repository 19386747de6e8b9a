/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

/* canvas-snap.c: it falls into line with others */
void heddle_canvas_snap_begin (HeddleCanvas *self);
void heddle_canvas_snap_end (HeddleCanvas *self);
void heddle_canvas_snap (HeddleCanvas *self, double *dx, double *dy, gboolean freely);
void heddle_canvas_draw_guides (HeddleCanvas *self, cairo_t *cr);

G_END_DECLS
