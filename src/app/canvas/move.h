/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* canvas-move.c: what is selected moves with the pointer */
gboolean heddle_canvas_is_moving (HeddleCanvas *self);
void heddle_canvas_move_begin (HeddleCanvas *self);
/* Whether the diagram is laid out within a fraction of a frame. */
gboolean heddle_canvas_is_quick (HeddleCanvas *self);
void heddle_canvas_move_to (HeddleCanvas *self, double dx, double dy, gboolean freely);
void heddle_canvas_move_end (HeddleCanvas *self);
void heddle_canvas_move_cancel (HeddleCanvas *self);
/* Whether the item is drawn moved_x and moved_y from where the scene has it. */
gboolean heddle_canvas_is_carried (HeddleCanvas *self, const HeddleItem *item);

G_END_DECLS
