/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

void heddle_canvas_to_scene (HeddleCanvas *self, double widget_x, double widget_y, double *x, double *y);
void heddle_canvas_to_widget (HeddleCanvas *self, double x, double y, double *widget_x, double *widget_y);
void heddle_canvas_update_crowded (HeddleCanvas *self);
/* Says so, but not in the midst of an allocation or of drawing. */
void heddle_canvas_tell_view (HeddleCanvas *self);
void heddle_canvas_zoom_at (HeddleCanvas *self, double zoom, double widget_x, double widget_y);
void heddle_canvas_pan_by (HeddleCanvas *self, double dx, double dy);
/* --- view */
double heddle_canvas_get_zoom (HeddleCanvas *self);
/* Keeps the middle of the view where it is. */
void heddle_canvas_set_zoom (HeddleCanvas *self, double zoom);
void heddle_canvas_zoom_in (HeddleCanvas *self);
void heddle_canvas_zoom_out (HeddleCanvas *self);
void heddle_canvas_refit (HeddleCanvas *self);
/* Shows all, and goes on doing so until the person zooms or pans. */
void heddle_canvas_fit (HeddleCanvas *self);
void heddle_canvas_get_view (HeddleCanvas *self, HeddleCanvasView *view);
void heddle_canvas_set_view (HeddleCanvas *self, const HeddleCanvasView *view);
void heddle_canvas_reveal (HeddleCanvas *self, const char *id);
/* canvas-view.c */
void heddle_canvas_view_init (HeddleCanvas *self);

G_END_DECLS
