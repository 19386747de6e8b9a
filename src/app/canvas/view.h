/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* The zoom and pan of the canvas: a place of the widget (px) is the scene's times the zoom, plus the pan. */

/* A view is where the person looks, to come back to. */
typedef struct
{
  double zoom, pan_x, pan_y; /* widget = scene * zoom + pan */
  gboolean fitting; /* keeps all in view */
} HeddleCanvasView;

/* Converts a place of the widget (px) to scene coordinates, by the present zoom and pan. */
void heddle_canvas_to_scene (HeddleCanvas *self, double widget_x, double widget_y, double *x, double *y);
/* Converts scene coordinates to a place of the widget (px), by the present zoom and pan. */
void heddle_canvas_to_widget (HeddleCanvas *self, double x, double y, double *widget_x, double *widget_y);
/* Sets the zoom (1 is 100 %) so that the place (@widget_x, @widget_y) stays where it is; the canvas no
 * longer fits all. */
void heddle_canvas_zoom_at (HeddleCanvas *self, double zoom, double widget_x, double widget_y);
/* Moves the drawing by (@dx, @dy) px of the widget; the canvas no longer fits all. */
void heddle_canvas_pan_by (HeddleCanvas *self, double dx, double dy);
/* Returns the zoom; 1 is 100 %. */
double heddle_canvas_get_zoom (HeddleCanvas *self);
/* Sets the zoom, keeping the middle of the view where it is. */
void heddle_canvas_set_zoom (HeddleCanvas *self, double zoom);
/* Zooms in by one step, keeping the middle of the view where it is. */
void heddle_canvas_zoom_in (HeddleCanvas *self);
/* Zooms out by one step, keeping the middle of the view where it is. */
void heddle_canvas_zoom_out (HeddleCanvas *self);
/* Shows all, and goes on doing so until the person zooms or pans. */
void heddle_canvas_fit (HeddleCanvas *self);
/* Stores zoom and pan, and whether all is kept in view, in @view. */
void heddle_canvas_get_view (HeddleCanvas *self, HeddleCanvasView *view);
/* Looks where @view says; where it was fitting, the whole drawing is fitted again. */
void heddle_canvas_set_view (HeddleCanvas *self, const HeddleCanvasView *view);
/* Keeps the view as it is while the person drags what is in it. */
void heddle_canvas_hold_view (HeddleCanvas *self);
/* Ends that: a canvas that kept all in view fits it again where some of it is out of sight. */
void heddle_canvas_let_go_of_view (HeddleCanvas *self);
/* Pans so that the object @id is in the middle, where its centre is out of sight, and no farther than it takes where
 * only an edge is; while a scene is being composed this waits for it. */
void heddle_canvas_reveal (HeddleCanvas *self, const char *id);
/* Adds the controllers that scroll, pinch and pan the view, and fits it as the scene and the widget change. */
void heddle_canvas_view_init (HeddleCanvas *self);
