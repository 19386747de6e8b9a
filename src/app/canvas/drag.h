/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

/* Puts back what is being dragged; FALSE: nothing is. */
gboolean heddle_canvas_cancel_drag (HeddleCanvas *self);
/* canvas-drag.c, canvas-drop.c, canvas-keys.c */
void heddle_canvas_drag_init (HeddleCanvas *self);

G_END_DECLS
