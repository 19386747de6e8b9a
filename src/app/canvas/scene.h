/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"
#include "diagram/document/schedule.h"
#include "figure/layout/figure-spec.h"
#include "figure/scene/scene.h"

/* The scene that is shown, which the canvas owns. Whoever needs it calls heddle_canvas_ensure_scene () first; whoever
 * changes what it shows calls heddle_canvas_invalidate (). */

/* Has the scene made anew: a large one by a worker thread, while the one before is shown; any other when it
 * is needed next. */
void heddle_canvas_invalidate (HeddleCanvas *self);
/* Composes the scene in this thread where there is none. Nothing happens without a diagram. */
void heddle_canvas_ensure_scene (HeddleCanvas *self);
/* Returns the scene, laid out for the present document; the canvas owns it. NULL means that there is no diagram. */
HeddleScene *heddle_canvas_get_scene (HeddleCanvas *self);
/* Gets the figure to be drawn now. @schedule gets what it holds of its own, to be freed. */
void heddle_canvas_get_figure (HeddleCanvas *self, HeddleFigure *figure, HeddleSchedule **schedule);
/* Returns whether a worker thread composes the next scene or is about to. */
gboolean heddle_canvas_is_composing (HeddleCanvas *self);
/* Gets what the scene at hand covers, in its own coordinates. */
void heddle_canvas_get_extent (HeddleCanvas *self, double *x, double *y, double *width, double *height);
/* Gets what the items of the object @id cover, in the coordinates of the scene. Returns FALSE where it has none. */
gboolean heddle_canvas_object_bounds (HeddleCanvas *self, const char *id, graphene_rect_t *bounds);
/* Draws in the colours that @name stands for: "window" (those of the window), "paper" (as exported) or "contrast". */
void heddle_canvas_set_theme (HeddleCanvas *self, const char *name);
/* Has what the signs of the figure say stand below it, or not. */
void heddle_canvas_set_legend (HeddleCanvas *self, gboolean legend);
/* Lets the canvas have a scene, in the style of the desktop. */
void heddle_canvas_scene_init (HeddleCanvas *self);
