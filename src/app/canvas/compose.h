/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

/* Has a worker thread compose the scene of a large diagram, while the scene before is shown. Returns FALSE
 * where it is to be made at once. */
gboolean heddle_canvas_compose_later (HeddleCanvas *self);
/* Has a worker thread begin with the first scene of a large diagram, while the rest of the window is made. */
void heddle_canvas_compose_ahead (HeddleCanvas *self);
/* Takes what was begun ahead, when it is there. FALSE: nothing that is still right was begun. */
gboolean heddle_canvas_compose_await (HeddleCanvas *self);
/* Stops the waiting composition; what a worker thread has begun is thrown away when it is done. */
void heddle_canvas_compose_stop (HeddleCanvas *self);
/* Returns whether a worker thread composes the next scene or is about to. */
gboolean heddle_canvas_is_composing (HeddleCanvas *self);

G_END_DECLS
