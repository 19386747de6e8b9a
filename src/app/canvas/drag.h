/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

/* Puts back what is being dragged; FALSE: nothing is. */
gboolean heddle_canvas_cancel_drag (HeddleCanvas *self);
/* Adds the gestures that move, select and pan with the pointer, and the source that drags an axis out of the
 * canvas. */
void heddle_canvas_drag_init (HeddleCanvas *self);
