/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"
#include "figure/scene/scene.h"

/* The selection moves with the pointer: only what is shown changes until it is let go, and then the
 * document, as one undo step. */

/* Returns whether the selection follows the pointer and was not let go yet. */
gboolean heddle_canvas_is_moving (HeddleCanvas *self);
/* Begins to move the selection: remembers what moves and what it can snap to. */
void heddle_canvas_move_begin (HeddleCanvas *self);
/* Returns whether the diagram is laid out within a fraction of a frame. */
gboolean heddle_canvas_is_quick (HeddleCanvas *self);
/* Shows what moves at (@dx, @dy) from where it began, in scene coordinates. It snaps to its neighbours
 * unless @freely is set. */
void heddle_canvas_move_to (HeddleCanvas *self, double dx, double dy, gboolean freely);
/* Lets go: the move becomes an edit of the document, unless nothing has moved. What moved stays where it is
 * shown until the new scene is there. */
void heddle_canvas_move_end (HeddleCanvas *self);
/* Puts what moves back where it was; the document is unchanged. */
void heddle_canvas_move_cancel (HeddleCanvas *self);
/* Returns whether the item is drawn moved_x and moved_y from where the scene has it. */
gboolean heddle_canvas_is_carried (HeddleCanvas *self, const HeddleItem *item);
/* Lets what was moved stay where it is shown until the scene follows. */
void heddle_canvas_move_init (HeddleCanvas *self);
