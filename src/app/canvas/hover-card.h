/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/canvas/canvas.h"
#include "app/canvas/private.h"

/* A hover card says in words what is under the pointer. It lies where nothing is drawn, so that it covers
 * nothing that is worked on. */

/* Follows the pointer: where it came to another thing, as @other says, or to a sign that is no thing of the diagram, the card goes, and
 * comes back when the pointer has rested. */
void heddle_canvas_hover_card_follow (HeddleCanvas *self, gboolean other);
/* Takes the card away until the pointer comes to another thing. */
void heddle_canvas_hover_card_hide (HeddleCanvas *self);
/* Lets the canvas have the card, above all else. */
void heddle_canvas_hover_card_init (HeddleCanvas *self);
